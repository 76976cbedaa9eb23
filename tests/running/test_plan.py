"""The plan: states, hours, text, and commands for a queue."""

import pytest

from benchuq.running.cells import cells_of
from benchuq.running.cell import run_cell
from benchuq.running.plan import (
    earlier_line,
    expected_hours,
    _failure_lines,
    plan_commands,
    plan_suite,
    plan_text,
)
from benchuq.running.run import run_cells
from benchuq.running.store import cell_lock, prepare_store
from benchuq.running.suite import duration


def test_states_and_text(make_suite):
    suite = make_suite(("[models.vit]", '[models.bad]\ntakes = ["image"]'), ('group = "image"', 'needs = ["image"]'))
    cells, _ = cells_of(suite)
    prepare_store(suite, cells)
    words = [c for c in cells if c.benchmark == "words"]
    run_cell(suite, words[0])
    run_cell(suite, words[2])
    with cell_lock(suite, cells[0]):
        plan = plan_suite(suite)
        assert dict(plan.count) == {"done": 1, "failed": 1, "running": 1, "missing": 3}
    assert plan.none == [("clip", "digits")]
    table = plan.table().set_index(["model", "benchmark", "seed"])
    assert table.loc[("bad", "words", 0), "reason"] == "exit status 1: no such weights"
    assert table.loc[("bad", "digits", 1), "expected"] == 0.001
    assert table.loc[("clip", "words", 1), "expected"] == table.loc[("clip", "words", 0), "hours"]
    text = plan_text(plan)
    assert text.startswith("6 cells: 1 done, 1 failed, 1 running, 3 missing; spent")
    assert "\nclip - +\nbad  r F\n" in text and "failed: bad on words, seed 0: exit status 1" in text


def test_costs_are_learned_by_benchmark_and_model(make_suite):
    suite = make_suite()
    cells, _ = cells_of(suite)
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
    key = cells_of(suite)[0][0].key
    assert lines[0].startswith(f"benchuq run {suite.path} --only {key}  # clip on digits, seed 0: 'A=x; rm -rf /' ")


def test_no_versions_runs_nothing(make_suite, tmp_path):
    code = "open('asked', 'a').write('x'); print('v1')"
    suite = make_suite(('uses = ["probe.py"]', f'version = ["{{python}}", "-c", "{code}"]'))
    plan = plan_suite(suite, versions=False)
    assert plan.count["missing"] == 8 and not (tmp_path / "asked").exists() and not suite.store.exists()
    assert "--only KEY" in plan_commands(plan)[0]
    assert plan_suite(suite, "small", "clip").states[0].cell.key and (tmp_path / "asked").read_text() == "x"


@pytest.mark.parametrize(
    "hours, text", [(None, "unknown"), (3, "3.0 hours"), (0.5, "30 min"), (0.001, "3.6 s"), (0, "0 s")]
)
def test_durations(hours, text):
    assert duration(hours) == text


def test_failures_and_what_was_done_earlier_are_told_once(make_suite):
    probe = "import sys\nprint('loading', sys.argv[1])\n"
    probe += "open(sys.argv[-1] + '/items.csv', 'w').write('item\\nq1\\n')"
    suite = make_suite(("seeds = [0, 1]", "seeds = [0]"), ("[models.vit]", "[models.bad]"))
    run_cells(suite, progress=False)
    assert earlier_line(plan_suite(suite)) == ""
    suite = make_suite(("seeds = [0, 1]", "seeds = [0]"), ("[models.vit]", "[models.bad]"), probe=probe)
    run_cells(suite, progress=False)
    plan = plan_suite(suite)
    assert plan.count == {"failed": 3, "missing": 1}
    assert earlier_line(plan).startswith("2 cells were done under an earlier command, file or version")
    (reason, log) = _failure_lines(plan)
    assert reason.startswith("failed: clip on digits, seed 0 and 2 more: items.csv has no column score")
    assert log.endswith("log.txt, which ends: loading clip") and log in plan_text(plan)
