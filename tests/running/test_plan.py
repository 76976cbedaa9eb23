"""The plan: states, hours, text, commands for a queue, and the page."""

from benchuq.running.cell import cell_lock, run_cell
from benchuq.running.cells import cells_of
from benchuq.running.plan import (
    expected_hours,
    plan_commands,
    plan_suite,
    plan_text,
    summary_lines,
    write_plan_page,
)
from benchuq.running.run import RunOptions, run_cells


def test_states_and_text(make_suite):
    suite = make_suite(("[models.vit]", '[models.bad]\ntakes = ["image"]'), ('group = "image"', 'needs = ["image"]'))
    cells = cells_of(suite)
    words = [c for c in cells if c.benchmark == "words"]
    run_cell(suite, words[0])
    run_cell(suite, words[2])
    with cell_lock(suite, cells[0]):
        plan = plan_suite(suite)
        assert dict(plan.count) == {"done": 1, "failed": 1, "running": 1, "missing": 3}
    assert plan.none == [("clip", "digits")]
    found = {s.cell.id: s for s in plan.states}
    assert found["bad", "words", 0].reason == "exit status 1: no such weights"
    assert found["bad", "digits", 1].expected == 0.001
    assert found["clip", "words", 1].expected == found["clip", "words", 0].hours
    text = plan_text(plan)
    assert text.startswith("6 cells: 1 done, 1 failed, 1 running, 3 missing; spent")
    assert "\nclip - +\nbad  r F\n" in text and "failed: bad on words, seed 0: exit status 1" in text


def test_costs_are_learned_by_benchmark_and_model(make_suite):
    suite = make_suite()
    cells = cells_of(suite)
    hours = expected_hours(suite, cells, {})
    assert hours[("clip", "digits", 0)] == 0.001 and hours[("clip", "words", 0)] is None
    hours = expected_hours(
        suite, cells, {("clip", "digits", 0): 1.0, ("vit", "digits", 0): 3.0, ("clip", "words", 0): 10.0}
    )
    assert hours[("clip", "digits", 1)] == 1 and hours[("clip", "words", 1)] == 10
    assert hours[("vit", "words", 0)] == 10 * 3 / 2  # vit takes 3 where the mean is 2


def test_commands(make_suite, capsys):
    suite = make_suite(("uses =", 'env = {A = "x; rm -rf /"}\nuses ='))
    lines = plan_commands(plan_suite(suite))
    assert len(lines) == 8 and len(set(lines)) == 8
    key = cells_of(suite)[0].key
    assert lines[0].startswith(f"benchuq run {suite.path} --only {key}  # clip on digits, seed 0: 'A=x; rm -rf /' ")


def test_failures_and_what_was_done_earlier_are_told_once(make_suite):
    probe = "import sys\nprint('loading', sys.argv[1])\n"
    probe += "open(sys.argv[-1] + '/items.csv', 'w').write('item\\nq1\\n')"
    suite = make_suite(("seeds = [0, 1]", "seeds = [0]"), ("[models.vit]", "[models.bad]"))
    run_cells(suite, progress=False)
    assert len(summary_lines(plan_suite(suite))) == 1
    suite = make_suite(("seeds = [0, 1]", "seeds = [0]"), ("[models.vit]", "[models.bad]"), probe=probe)
    run_cells(suite, progress=False)
    plan = plan_suite(suite)
    assert plan.count == {"failed": 3, "missing": 1}
    assert summary_lines(plan)[1].startswith("2 cells were done under an earlier command, file or version")
    reason, log = plan_text(plan).splitlines()[-2:]
    assert reason.startswith("failed: clip on digits, seed 0 and 2 more: items.csv has no column score")
    assert log.endswith("log.txt, which ends: loading clip")


def test_page(make_suite):
    suite = make_suite(("[models.clip]", "[models.bad]"), ('group = "image"', 'group = "<b>"'))
    run_cells(suite, "small", progress=False)
    with cell_lock(suite, cells_of(suite)[-1]):
        page = write_plan_page(plan_suite(suite)).read_text()
    assert "<script" not in page and "&lt;b&gt;" in page and "<b>" not in page
    assert 'class="failed" title="bad on digits: failed"' in page and "no such weights" in page
    assert 'http-equiv="refresh"' in page and "vit on words, seed 1" in page
    assert 'http-equiv="refresh"' not in write_plan_page(plan_suite(suite)).read_text()


def test_a_run_is_watched(make_suite):
    suite, calls = make_suite(), []
    run_cells(suite, options=RunOptions(watch=lambda: calls.append(len(plan_suite(suite).left))), progress=False)
    assert calls[0] == 8 and calls[-1] == 0
