"""One cell: made once, whole, read again instead of run again, and a reason for whatever is no result."""

import json
import os
import sys
import threading
import time

import psutil
import pytest

from benchuq.files import write_whole
from benchuq.running.cell import (
    _Failure,
    _Limits,
    _run_command,
    cell_lock,
    failure_of,
    is_running,
    log_file,
    _pending_folder,
    _publish,
    run_cell,
)
from benchuq.running.cells import cell_record, cells_of, folder_of, is_done

ITEMS = "item,score\n" + "".join(f"q{i},1\n" for i in range(10))


@pytest.fixture
def first(make_suite):
    """Function that makes a suite and its first cell."""

    def made(*changes, **how):
        suite = make_suite(*changes, **how)
        return suite, cells_of(suite)[0]

    return made


@pytest.fixture
def tried(tmp_path):
    """Function that runs Python code as a command."""

    def run(code, **limits):
        (tmp_path / "status").unlink(missing_ok=True)
        words, env = [sys.executable, "-S", "-c", code], {"PATH": os.environ["PATH"]}
        return _run_command(words, env, tmp_path, tmp_path, _Limits(**limits))

    return run


def test_commands_and_their_limits(tried, tmp_path):
    assert tried("print('$HOME `id` \"')").status == 0
    assert (tmp_path / "log.txt").read_text() == '$HOME `id` "\n'
    assert tried("raise SystemExit(7)").status == 7 and tried("import os; os.kill(os.getpid(), 9)").status == 137
    ended = tried("import time; time.sleep(60)", hours=0.2 / 3600)
    assert "longer than its timeout" in ended.stopped and ended.seconds < 10
    ended = tried("x = bytearray(200 * 2**20)\nimport time; time.sleep(60)", memory=0.1)
    assert "more than memory" in ended.stopped and ended.memory > 100 * 2**20
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert tried("import time; time.sleep(60)", stop=stop).stopped == "the run was stopped"


def test_nothing_of_the_group_stays(tried):
    mark = f"sleep({60 + os.getpid() / 1e6:.6f})"
    tried(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.{mark}'])")
    end = time.monotonic() + 5
    while left := [p for p in psutil.process_iter(["cmdline"]) if mark in " ".join(p.info["cmdline"] or [])]:
        assert time.monotonic() < end, left
        time.sleep(0.05)


def test_a_lock_keeps_others_out_and_ends_with_its_holder(first):
    suite, cell = first()
    with cell_lock(suite, cell) as mine:
        assert mine is not None and is_running(suite, cell)
        child = os.fork()
        if not child:
            with cell_lock(suite, cell) as other:
                os._exit(other is not None)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert run_cell(suite, cell).state == "busy"
    assert not is_running(suite, cell)


def test_the_first_result_stays_and_nothing_is_left(first):
    suite, cell = first()
    with cell_lock(suite, cell):
        for score in (1, 0):
            _pending_folder(suite, cell).mkdir(exist_ok=True)
            log_file(suite, cell).write_text(f"said {score}")
            _publish(suite, cell, f"item,score\nq,{score}\n", {"rows": 1, "seconds": 1})
    assert (folder_of(suite, cell) / "items.csv").read_text() == "item,score\nq,1\n"
    assert (folder_of(suite, cell) / "log.txt").read_text() == "said 1" and not os.listdir(suite.store / "pending")


def test_a_full_disk_is_named_and_leaves_no_part(tmp_path, monkeypatch):
    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device: .*page.html"):
        write_whole(tmp_path / "page.html", "x")
    assert not list(tmp_path.iterdir())


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
    outcome = run_cell(suite, cell, retries=2)
    assert (outcome.state, outcome.started) == ("failed", 3) and outcome.reason == "exit status 1: no such weights"
    assert failure_of(suite, cell).attempts == 3 and len(starts()) == 3
    assert run_cell(suite, cell, keep_failures=True).started == 0
    (_pending_folder(suite, cell) / "failure.json").write_text("{")
    assert failure_of(suite, cell) is None and _Failure().attempts == 0


def test_unreadable_output_is_read_again_and_not_run_again(first, starts, make_suite):
    suite, cell = first(("items = 10", "items = 11"))
    assert "the results have 10 items; benchmarks.digits.items is 11" in run_cell(suite, cell).reason
    assert run_cell(suite, cell).state == "failed" and len(starts()) == 1
    suite = make_suite()  # mended: the number of items is no part of the identity
    assert run_cell(suite, cell).state == "done" and len(starts()) == 1
    assert cell_record(suite, cell)["seconds"] > 0


def test_a_command_that_ended_while_nobody_looked_is_taken_over(first, starts):
    suite, cell = first()
    folder = _pending_folder(suite, cell)
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "items.csv").write_text(ITEMS)
    for name, when in (("begun", 2e9), ("status", 1e9)):  # the clock was set back meanwhile
        (folder / name).write_text("0\n")
        os.utime(folder / name, (when, when))
    assert run_cell(suite, cell).state == "done" and not starts() and cell_record(suite, cell)["seconds"] == 0
    path = folder_of(suite, cell) / "record.json"
    path.write_text(json.dumps({"rows": "many"}))
    with pytest.raises(ValueError, match="record.json cannot be read .*remove its folder"):
        cell_record(suite, cell)


@pytest.mark.parametrize("resume, found", [("false", []), ("true", ["half.txt"])])
def test_half_finished_output_is_begun_anew_unless_it_may_be_resumed(first, resume, found):
    probe = "import os, sys\nprint(os.listdir(sys.argv[-1]))\nraise SystemExit(1)"
    suite, cell = first(("uses =", f"resume = {resume}\nuses ="), probe=probe)
    (_pending_folder(suite, cell) / "out").mkdir(parents=True)
    (_pending_folder(suite, cell) / "out" / "half.txt").write_text("x")
    assert run_cell(suite, cell).reason == f"exit status 1: {found}"


def test_unreadable_output_is_not_resumed(first):
    probe = "import os, sys\nprint(os.listdir(sys.argv[-1]))\nopen(sys.argv[-1] + '/items.csv', 'w').write('item\\n')"
    suite, cell = first(("uses =", "resume = true\nuses ="), probe=probe)
    run_cell(suite, cell, retries=1)
    assert (_pending_folder(suite, cell) / "log.txt").read_text() == "[]\n"


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
