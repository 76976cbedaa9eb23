"""One cell: published once, read again instead of run again, and a reason for whatever is no result."""

import json
import os

import pytest

from benchuq.running.cells import cells_of
from benchuq.running.store import cell_record, folder_of, is_done
from benchuq.running.cell import CellOptions, run_cell
from benchuq.running.store import cell_lock, failure_of, pending_folder, prepare_store


@pytest.fixture
def first(make_suite):
    """Function that makes a suite, its store, and its first cell."""

    def made(*changes, **how):
        suite = make_suite(*changes, **how)
        cells, _ = cells_of(suite)
        prepare_store(suite, cells)
        return suite, cells[0]

    return made


def test_a_cell_is_made_once_with_its_record(first, starts):
    suite, cell = first()
    outcome = run_cell(suite, cell)
    assert (outcome.state, outcome.started) == ("done", 1) and outcome.seconds > 0
    assert sorted(os.listdir(folder_of(suite, cell))) == ["items.csv", "log.txt", "record.json"]
    record = cell_record(suite, cell)
    assert (record["items"], record["model"], record["benchmark"], record["seed"]) == (10, "clip", "digits", 0)
    assert record["command"][-1] == "{out}" and record["host"] and record["key"] == cell.key
    assert run_cell(suite, cell).started == 0 and len(starts()) == 1
    assert not os.listdir(suite.store / "pending")


def test_failures_are_tried_again_as_often_as_asked(first, starts):
    suite, cell = first(("[models.clip]", "[models.bad]"))
    outcome = run_cell(suite, cell, CellOptions(retries=2))
    assert (outcome.state, outcome.started) == ("failed", 3) and outcome.reason == "exit status 1: no such weights"
    assert failure_of(suite, cell).attempts == 3 and len(starts()) == 3
    assert run_cell(suite, cell, CellOptions(keep_failures=True)).started == 0
    with cell_lock(suite, cell):
        assert run_cell(suite, cell).state == "busy"


def test_unreadable_output_is_read_again_and_not_run_again(first, starts, make_suite):
    suite, cell = first(("items = 10", "items = 11"))
    assert "the results have 10 items; benchmarks.digits.items is 11" in run_cell(suite, cell).reason
    assert run_cell(suite, cell).state == "failed" and len(starts()) == 1
    suite = make_suite()  # mended: the number of items is no part of the identity
    assert run_cell(suite, cell).state == "done" and len(starts()) == 1
    assert cell_record(suite, cell)["seconds"] > 0


def test_a_command_that_ended_while_nobody_looked_is_taken_over(first, starts):
    suite, cell = first()
    folder = pending_folder(suite, cell)
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "items.csv").write_text("item,score\n" + "".join(f"q{i},1\n" for i in range(10)))
    (folder / "status").write_text("0\n")
    assert run_cell(suite, cell).state == "done" and not starts()


def test_half_finished_output_is_begun_anew_unless_it_may_be_resumed(first):
    for resume, found in ((False, []), (True, ["half.txt"])):
        probe = "import os, sys\nprint(os.listdir(sys.argv[-1]))\nraise SystemExit(1)"
        suite, cell = first(("uses =", f"resume = {str(resume).lower()}\nuses ="), probe=probe)
        (pending_folder(suite, cell) / "out").mkdir(parents=True, exist_ok=True)
        (pending_folder(suite, cell) / "out" / "half.txt").write_text("x")
        assert run_cell(suite, cell).reason == f"exit status 1: {found}"


def test_unreadable_output_is_not_resumed(first):
    probe = "import os, sys\nprint(os.listdir(sys.argv[-1]))\nopen(sys.argv[-1] + '/items.csv', 'w').write('item\\n')"
    suite, cell = first(("uses =", "resume = true\nuses ="), probe=probe)
    run_cell(suite, cell, CellOptions(retries=1))
    assert (pending_folder(suite, cell) / "log.txt").read_text() == "[]\n"


def test_limits_secrets_and_programs(first, monkeypatch):
    monkeypatch.setenv("TOKEN", "s3cret!")
    probe = "import os\nprint('token', os.environ['TOKEN'])\nraise SystemExit(2)"
    suite, cell = first(("uses =", 'pass = ["TOKEN"]\nuses ='), probe=probe)
    assert run_cell(suite, cell).reason == "exit status 2: token ***"
    files = [p for p in suite.store.rglob("*") if p.is_file()]
    assert files and not any(b"s3cret!" in p.read_bytes() for p in files)
    suite, cell = first(("uses =", "timeout = 0.00005\nuses ="), probe="import time; time.sleep(60)")
    assert "longer than its timeout" in run_cell(suite, cell).reason
    suite, cell = first(('"{python}"', '"no-such-program"'))
    assert run_cell(suite, cell).reason == "there is no program 'no-such-program'; install it, or name its path"


def test_files_that_change_meanwhile_are_noticed(first):
    probe = "import sys\nopen('probe.py', 'a').write('#')\n"
    probe += "open(sys.argv[-1] + '/items.csv', 'w').write('item,score\\nq,1')"
    suite, cell = first(("items = 10", ""), probe=probe)
    assert "changed while it ran" in run_cell(suite, cell).reason and not is_done(suite, cell)


def test_a_clock_set_back_and_a_damaged_record(first):
    suite, cell = first()
    folder = pending_folder(suite, cell)
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "items.csv").write_text("item,score\n" + "".join(f"q{i},1\n" for i in range(10)))
    for name, when in (("begun", 2e9), ("status", 1e9)):
        (folder / name).write_text("0\n")
        os.utime(folder / name, (when, when))
    assert run_cell(suite, cell).state == "done" and cell_record(suite, cell)["seconds"] == 0
    path = folder_of(suite, cell) / "record.json"
    path.write_text(json.dumps({"rows": "many"}))
    with pytest.raises(ValueError, match="record.json cannot be read .*remove its folder"):
        cell_record(suite, cell)
