"""One cell: made once, whole, read again instead of run again, and a reason for whatever is no
result.
"""

import json
import os
import threading

import psutil
import pytest

from benchuq.running.execution import _publish, run_cell
from benchuq.running.cells import _Failure, cells_of, lock_of
from benchuq.running.output import read_output

ITEMS = "item,score\n" + "".join(f"q{i},1\n" for i in range(10))


@pytest.fixture
def first(make_suite):
    """Function that makes a suite and gives its first cell."""
    return lambda *changes, **how: cells_of(make_suite(*changes, **how))[0]


def test_a_command_that_is_killed_says_so(first):
    cell = first(probe="import os\nos.kill(os.getpid(), 9)")
    assert run_cell(cell).reason.startswith("the command was killed by signal 9; it said last: ")


def test_the_first_result_stays(first):
    cell = first()
    with lock_of(cell):
        for score in (1, 0):
            _publish(cell, f"item,score\nq,{score}\n", {"rows": 1, "seconds": 1})
    assert (cell.folder / "items.csv").read_text() == "item,score\nq,1\n" and not os.listdir(
        cell.pending.parent
    )


def test_a_cell_is_made_once_with_its_record(first, starts):
    cell = first()
    ended = run_cell(cell)
    assert (ended.state, ended.started) == ("done", 1) and ended.hours > 0
    assert sorted(os.listdir(cell.folder)) == ["items.csv", "log.txt", "record.json"]
    record = json.loads((cell.folder / "record.json").read_text())
    assert (record["items"], record["model"], record["benchmark"], record["seed"]) == (
        10,
        "clip",
        "digits",
        0,
    )
    assert record["command"][-1] == "{out}" and record["host"] and record["key"] == cell.key
    assert run_cell(cell).started == 0 and len(starts()) == 1
    assert not os.listdir(cell.pending.parent)
    (cell.folder / "record.json").write_text(json.dumps({"rows": "many"}))
    with pytest.raises(ValueError, match="record.json cannot be read; remove its folder"):
        cell.record()


def test_failures_are_tried_again_as_often_as_asked(first, starts):
    cell = first(("[models.clip]", "[models.bad]"))
    ended = run_cell(cell, retries=2)
    assert (ended.state, ended.started) == (
        "failed",
        3,
    ) and ended.reason == "exit status 1: no such weights"
    assert (
        cell.failure().seconds == pytest.approx(3600 * ended.hours, abs=0.1) and len(starts()) == 3
    )
    assert run_cell(cell, keep_failures=True).started == 0
    (cell.pending / "failure.json").write_text("{")
    assert cell.failure() == _Failure()


def test_unreadable_output_is_read_again_and_not_run_again(first, starts):
    cell = first(("items = 10", "items = 11"))
    assert "the results have 10 items; benchmarks.digits.items is 11" in run_cell(cell).reason
    again = run_cell(cell)
    assert (again.state, again.hours, len(starts())) == ("failed", 0, 1)
    assert run_cell(cell, retries=1).started == 2 and len(starts()) == 3  # as it was asked for
    cell = first()  # mended: the number of items is no part of the identity
    assert run_cell(cell).state == "done" and len(starts()) == 3 and cell.record().seconds > 0


def test_a_command_that_ended_while_nobody_looked_is_taken_over(first, starts):
    cell = first()
    (cell.pending / "out").mkdir(parents=True)
    (cell.pending / "out" / "items.csv").write_text(ITEMS)
    for name, when in (("begun", 2e9), ("status", 1e9)):  # the clock was set back meanwhile
        (cell.pending / name).write_text("0\n")
        os.utime(cell.pending / name, (when, when))
    assert run_cell(cell).state == "done" and not starts() and cell.record().seconds == 0


def test_a_command_that_ends_well_when_it_is_stopped_is_no_result(first):
    probe = "import os, signal, sys, time\nsignal.signal(15, lambda *_: os._exit(0))\n"
    probe += f"open(sys.argv[-1] + '/items.csv', 'w').write({ITEMS!r})\ntime.sleep(60)"
    cell, stop = first(("uses =", 'timeout = "1s"\nuses ='), probe=probe), threading.Event()
    threading.Timer(0.5, stop.set).start()
    assert (
        run_cell(cell, stop=stop).state == "stopped"
        and (cell.pending / "out" / "items.csv").is_file()
    )
    for _ in range(2):  # nor is what it wrote taken over by the next run
        ended = run_cell(cell)
        assert (ended.state, ended.started) == (
            "failed",
            1,
        ) and "longer than its timeout" in ended.reason


@pytest.mark.parametrize("resume, found", [("false", []), ("true", ["half.txt"])])
def test_half_finished_output_is_begun_anew_unless_it_may_be_resumed(first, resume, found):
    probe = "import os, sys\nprint(os.listdir(sys.argv[-1]))\nraise SystemExit(1)"
    cell = first(("uses =", f"resume = {resume}\nuses ="), probe=probe)
    (cell.pending / "out").mkdir(parents=True)
    (cell.pending / "out" / "half.txt").write_text("x")
    assert run_cell(cell).reason == f"exit status 1: {found}"


def test_unreadable_output_is_not_resumed(first):
    probe = (
        "import os, sys\nprint(os.listdir(sys.argv[-1]))\nopen(sys.argv[-1] + '/items.csv', "
        "'w').write('item\\n')"
    )
    cell = first(("uses =", "resume = true\nuses ="), probe=probe)
    run_cell(cell, retries=1)
    assert (cell.pending / "log.txt").read_text() == "[]\n"


def test_secrets_and_programs(first, monkeypatch):
    monkeypatch.setenv("TOKEN", "s3cret!")
    probe = "import os\nprint('token', os.environ['TOKEN'])\nraise SystemExit(2)"
    cell = first(("uses =", 'pass = ["TOKEN"]\nuses ='), probe=probe)
    assert run_cell(cell).reason == "exit status 2: token ***"
    files = [p for p in cell.suite.store.rglob("*") if p.is_file()]
    assert files and not any(b"s3cret!" in p.read_bytes() for p in files)
    cell = first(('"{python}"', '"no-such-program"'))
    assert (
        run_cell(cell).reason
        == "there is no program 'no-such-program'; install it, or name its path"
    )


def test_files_that_change_meanwhile_are_noticed(first):
    probe = "import sys\nopen('probe.py', 'a').write('#')\n"
    probe += "open(sys.argv[-1] + '/items.csv', 'w').write('item,score\\nq,1')"
    cell = first(("items = 10", ""), probe=probe)
    assert "changed while it ran" in run_cell(cell).reason and not cell.is_done()


@pytest.fixture
def output(tmp_path, first):
    """Function that reads the output of a command that wrote this table, of a benchmark with these
    settings.
    """
    (tmp_path / "out").mkdir()

    def read(text, name="items.csv", settings=""):
        (tmp_path / "out" / name).write_text(text)
        return read_output(tmp_path / "out", first(("items = 10", settings)))

    return read


def test_tables_become_the_same_bytes(output):
    text, about = output("score,item\n1,q1\n0.250,q2\n", settings="items = 2")
    assert text == "item,score\nq1,1.0\nq2,0.25\n"
    assert about == {"rows": 2, "items": 2, "unscored": 0, "score": 0.625, "notes": []}
    text, about = output('item,score,reason,answer\n"a, ""b""",1,,x\nq2,,timeout,y\n')
    assert text == 'item,score,reason\n"a, ""b""",1.0,\nq2,,timeout\n' and about["unscored"] == 1
    assert about["notes"] == ["Columns left out: answer."]
    text, about = output(
        "item,repeat,score\nq1,1,1\nq1,2,0\nq2,1,0\nq2,2,0\n", settings="items = 2"
    )
    assert about["items"] == 2 and about["rows"] == 4
    text, _ = output("task,item,score\na,q1,1\nb,q2,0\n", settings="split = true")
    assert text == "task,item,score\na,q1,1.0\nb,q2,0.0\n"


def test_the_only_table_may_have_any_name(output):
    assert output("item\tscore\nq1\t1\n", "a.tsv")[0] == "item,score\nq1,1.0\n"
    with pytest.raises(ValueError, match="names 2 models"):  # which of two tables is a guess
        output("item,score\nq2,1\n", "more.csv")


@pytest.mark.parametrize(
    "table, said",
    [
        ("item,score\nq1,1\nq1,0\n", "item 'q1' appears twice"),
        ("item,score\nq1,1\nq2,\n", "item 'q2' has no score"),
        ("item,score\nq1,1.5\n", "is outside \\[0, 1\\]"),
        ("item,score\nq1,one\n", "is not a number"),
        ("item,score\nq1,1\n,1\n", "is empty in data row 2"),
        ("model,item,score\nbert,q1,1\n", "names other models: bert"),
        ("task,item,score\na,q1,1\nb,q1,1\n", "2 tasks, .*set split = true"),
        (
            "item,repeat,score\nq1,1,1\nq1,2,1\nq2,1,0\n",
            "item 'q2' was answered 1 time, others 2 times",
        ),
        ("item\nq1\n", "items.csv has no column score"),
        ("item,score\nq1,1,2\n", "data row 1 has more cells than the header"),
        ("item,score\nq1,1\nq2,1,2\n", "Expected 2 fields in line 3, saw 3"),
        ("item,score\n", "no rows below its header"),
        ("", "items.csv cannot be read"),
        ("item,score,reason\nq1,,timeout\n", "there is no score at all: .*timeout"),
    ],
)
def test_what_is_no_whole_result(output, table, said):
    with pytest.raises(ValueError, match=said):
        output(table)


def test_logs(logs, tmp_path, first):
    cell = first(("items = 10", "split = true"), ("uses =", 'metric = "acc"\nuses ='))
    text, about = read_output(logs / "harness/example__dummy-1", cell)
    assert text.startswith("task,item,score") and about["notes"][0].startswith(
        "Read as lm-evaluation-harness"
    )
    (tmp_path / "note").mkdir()
    (tmp_path / "note" / "note.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    places = {
        logs / "harness": "names 2 models",
        tmp_path / "empty": "wrote nothing",
        tmp_path / "note": "found no logs",
    }
    for place, said in places.items():
        with pytest.raises(ValueError, match=said):
            read_output(place, cell)


def runs(pid):
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_what_left_the_group_of_a_command_ends_with_it(first, tmp_path):
    code = """
import os, subprocess, sys
wait, here = [sys.executable, "-S", "-c", "import time; time.sleep(60)"], os.path.dirname(__file__)
again = "import subprocess as s, sys\\n"
again += "silent = dict(stdout=s.DEVNULL, stderr=s.DEVNULL)  # or its maker waits for its end\\n"
again += "p = s.Popen(sys.argv[1:], start_new_session=True, **silent)\\nprint(p.pid)"
command = [sys.executable, "-S", "-c", again, *wait]
far = subprocess.run(command, capture_output=True, start_new_session=True)
near = subprocess.Popen(wait, start_new_session=True)
env = {k: v for k, v in os.environ.items() if k != "BENCHUQ_CELL"}
kept = subprocess.Popen(wait, start_new_session=True, env=env)
open(here + "/pids", "w").write(f"{near.pid} {int(far.stdout)} {kept.pid}")
rows = "".join(f"q{i},1\\n" for i in range(10))
open(sys.argv[-1] + "/items.csv", "w").write("item,score\\n" + rows)
"""
    ended = run_cell(first(probe=code))
    *ours, kept = map(int, (tmp_path / "pids").read_text().split())
    try:
        assert ended.state == "done"
        assert [runs(pid) for pid in (*ours, kept)] == [False, False, True]
    finally:
        os.kill(kept, 9)


def test_each_command_has_a_mark_of_its_own(first, tmp_path):
    code = "import os\nopen('marks', 'a').write(os.environ['BENCHUQ_CELL'] + '\\n')"
    cell = first(probe=code)
    assert run_cell(cell, retries=2).state == "failed"
    marks = (tmp_path / "marks").read_text().split()
    assert len(set(marks)) == 3 and cell.key not in marks


def test_a_huge_table_is_refused_and_not_read(first, tmp_path):
    with open(tmp_path / "items.csv", "wb") as file:
        file.truncate(2**31)  # takes no room
    cell = first()
    (tmp_path / "out").mkdir()
    (tmp_path / "items.csv").rename(tmp_path / "out" / "items.csv")
    with pytest.raises(ValueError, match="items.csv has 2.0 GiB; 1 GiB is the most that is read"):
        read_output(tmp_path / "out", cell)
