"""The page of a run: from the store alone, without scripts, names escaped."""

from benchuq.running.page import run_page, write_run_page
from benchuq.running.plan import plan_suite
from benchuq.running.run import RunOptions, run_cells
from benchuq.running.cells import cells_of
from benchuq.running.store import cell_lock, prepare_store


def test_page(make_suite):
    suite = make_suite(("[models.clip]", "[models.bad]"), ('group = "image"', 'group = "<b>"'))
    run_cells(suite, "small", progress=False)
    cells, _ = cells_of(suite)
    with cell_lock(suite, cells[-1]):
        page = write_run_page(plan_suite(suite)).read_text()
    assert "<script" not in page and "&lt;b&gt;" in page and "<b>" not in page
    assert 'class="failed" title="bad on digits: failed"' in page and "no such weights" in page
    assert 'http-equiv="refresh"' in page and "vit on words, seed 1" in page
    assert 'http-equiv="refresh"' not in run_page(plan_suite(suite))


def test_it_is_written_while_a_run_goes_on(make_suite):
    suite, calls = make_suite(), []
    prepare_store(suite, [])
    run_cells(suite, options=RunOptions(watch=lambda: calls.append(len(plan_suite(suite).left))), progress=False)
    assert calls[0] == 8 and calls[-1] == 0
