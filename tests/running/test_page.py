"""The page of a run: from the store alone, without scripts, names escaped."""

from benchuq.running.page import run_page, write_run_page
from benchuq.running.plan import plan_tier
from benchuq.running.run import RunOptions, run_tier
from benchuq.readers.tier_cells import cells_of
from benchuq.running.store import cell_lock, prepare_store


def test_page(make_tier):
    tier = make_tier(("[models.clip]", "[models.bad]"), ('group = "image"', 'group = "<b>"'))
    run_tier(tier, "small", progress=False)
    cells, _ = cells_of(tier)
    with cell_lock(tier, cells[-1]):
        page = write_run_page(plan_tier(tier)).read_text()
    assert "<script" not in page and "&lt;b&gt;" in page and "<b>" not in page
    assert 'class="failed" title="bad on digits: failed"' in page and "no such weights" in page
    assert 'http-equiv="refresh"' in page and "vit on words, seed 1" in page
    assert 'http-equiv="refresh"' not in run_page(plan_tier(tier))


def test_it_is_written_while_a_run_goes_on(make_tier):
    tier, calls = make_tier(), []
    prepare_store(tier, [])
    run_tier(tier, options=RunOptions(watch=lambda: calls.append(len(plan_tier(tier).left))), progress=False)
    assert calls[0] == 8 and calls[-1] == 0
