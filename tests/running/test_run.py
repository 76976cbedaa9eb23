"""Runs: every missing cell once, also with other runners, budgets, devices, and after whatever killed one."""

import os
import signal
import subprocess
import sys
import time

import pytest

import benchuq as bq
from benchuq.running.cell import cell_lock
from benchuq.running.cells import cells_of, folder_of
from benchuq.running.results import write_finished
from benchuq.running.run import RunOptions, run_cells

QUIET = {"progress": False}


def test_every_cell_once_and_as_results(make_suite, starts, items_of):
    suite = make_suite()
    done = run_cells(suite, options=RunOptions(jobs=3), **QUIET)
    assert (done.started, len(done.done), done.failed, done.left) == (8, 8, {}, []) and len(starts()) == 8
    again = run_cells(suite, **QUIET)
    assert (again.started, again.done) == (0, done.done) and len(starts()) == 8
    data = bq.read(write_finished(suite), progress=False, epochs="coordinate")
    assert dict(data.sizes) == {"model": 2, "item": 20, "repeat": 2}
    assert not os.listdir(suite.store / "pending")
    suite = make_suite(("[models.clip]", "[models.clip]\n[models.bert]"))
    assert run_cells(suite, "small", **QUIET).started == 2


def test_a_failure_stops_no_other(make_suite):
    suite = make_suite(("[models.clip]", "[models.bad]"))
    done = run_cells(suite, options=RunOptions(jobs=2), **QUIET)
    assert set(done.failed.values()) == {"exit status 1: no such weights"} and len(done.failed) == len(done.done) == 4


def test_a_run_gives_up_where_the_first_cells_fail_alike(make_suite, starts):
    suite = make_suite(probe="import sys\nraise SystemExit(f'{sys.argv[1]} has no weights, {sys.argv[3]}')")
    done = run_cells(suite, **QUIET)
    assert (len(done.failed), len(done.left)) == (3, 5) and "has no weights" in done.given_up
    benchmarks, models = ({name.split()[i] for name in done.failed} for i in (2, 0))
    assert len(benchmarks) == len(models) == 2
    probe = "import sys\nargs = sys.argv\n"
    probe += "raise SystemExit('abcdefgh'[int(args[3]) + 2 * ('words' in args) + 4 * ('vit' in args)])"
    done = run_cells(make_suite(probe=probe), **QUIET)
    assert (len(done.failed), done.left, done.given_up) == (8, [], "")  # each for a reason of its own


def test_budgets(make_suite):
    suite = make_suite(("cost = 0.001", "cost = 1"))
    with pytest.raises(ValueError, match="benchmarks.words has no cost, which a budget needs"):
        run_cells(suite, options=RunOptions(budget=2), **QUIET)
    assert run_cells(suite, "small", options=RunOptions(budget=0.9), **QUIET).started == 0
    done = run_cells(suite, "small", options=RunOptions(budget=1.5, jobs=4), **QUIET)
    assert done.started == 4 and done.hours < 0.1  # one at the cost, the others at what it took
    slow = make_suite(("cost = 0.001", "cost = 0.0001"), ("uses =", 'env = {PAUSE = "0.5"}\nuses ='))
    done = run_cells(slow, "small", options=RunOptions(budget=0.7 / 3600), **QUIET)
    assert done.started == 1 and len(done.left) == 3  # half a second is known by now, and two would be too much


def test_devices_are_used_by_one_each(make_suite, tmp_path):
    probe = (
        "import os, sys, time\nd = os.environ['CUDA_VISIBLE_DEVICES']\nopen(f'in-{d}', 'x').close()\ntime.sleep(0.1)\n"
    )
    probe += "os.unlink(f'in-{d}')\nopen(sys.argv[-1] + '/items.csv', 'w').write(f'item,score\\n{d},1\\n')\n"
    suite = make_suite(("items = 10", ""), probe=probe)
    done = run_cells(suite, options=RunOptions(devices=("0", "3")), **QUIET)
    assert len(done.done) == 8
    used = {(folder_of(suite, c) / "items.csv").read_text().split()[1] for c in cells_of(suite)}
    assert used == {"0,1.0", "3,1.0"}


def test_what_is_refused_before_anything_runs(make_suite, starts, monkeypatch):
    suite = make_suite(('"{python}"', '"no-such-program"'))
    with pytest.raises(ValueError, match="recipes.probe: there is no program 'no-such-program'"):
        run_cells(suite, **QUIET)
    suite = make_suite(("uses =", 'pass = ["NO_SUCH_TOKEN"]\nuses ='))
    with pytest.raises(ValueError, match="recipes.probe: NO_SUCH_TOKEN is passed on"):
        run_cells(suite, **QUIET)
    suite = make_suite(("uses =", 'packages = ["no-such-package"]\nuses ='))
    with pytest.raises(ValueError, match="recipes.probe: not all packages .* are installed; install them"):
        run_cells(suite, **QUIET)
    for wrong in ({"jobs": 0}, {"budget": -1}, {"retries": -1}, {"devices": ("0", "0")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            RunOptions(**wrong)
    assert not starts()


def test_a_full_disk_stops_the_run_and_nothing_is_lost(make_suite, monkeypatch, items_of):
    from benchuq.running import cell as module

    suite, real, calls = make_suite(), module._publish, []

    def full(*arguments):
        calls.append(1)
        if len(calls) > 3:
            raise OSError(28, "No space left on device")
        return real(*arguments)

    monkeypatch.setattr(module, "_publish", full)
    with pytest.raises(OSError, match="No space left"):
        run_cells(suite, options=RunOptions(jobs=2), **QUIET)
    monkeypatch.setattr(module, "_publish", real)
    assert len(items_of(suite)) == 3
    assert len(run_cells(suite, **QUIET).done) == 8


def test_cells_of_another_runner_are_waited_for(make_suite, starts):
    import threading

    suite = make_suite()
    with cell_lock(suite, cells_of(suite)[0]):
        thread = threading.Thread(target=run_cells, args=(suite,), kwargs=QUIET)
        thread.start()
        begin = time.monotonic()
        while len(starts()) < 7 and time.monotonic() < begin + 60:
            time.sleep(0.05)
        time.sleep(1)
        assert len(starts()) == 7 and thread.is_alive()
    thread.join(20)
    assert len(starts()) == 8 and not thread.is_alive()


def runner(suite, *more):
    "A runner in a process of its own."
    words = [sys.executable, "-m", "benchuq", "run", str(suite.path), "--jobs", "2", "-q", *more]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_an_interrupted_run_ends_its_commands_and_the_next_goes_on(make_suite, starts, items_of):
    suite = make_suite(("uses =", 'env = {PAUSE = "30"}\nuses ='))
    for number in (signal.SIGTERM, signal.SIGINT):
        before, process = len(starts()), runner(suite)
        while len(starts()) < before + 2:
            time.sleep(0.05)
        begin = time.monotonic()
        process.send_signal(number)
        assert process.wait(20) == 128 + number and time.monotonic() - begin < 10
        assert process.stderr.read() == "benchuq: stopped; earlier results are as they were\n"
        left = subprocess.run(["pgrep", "-f", str(suite.folder / "runs")], capture_output=True, text=True).stdout
        assert not left
    assert not items_of(suite)


def test_a_runner_that_was_killed_leaves_its_command_and_the_next_takes_it_over(make_suite, starts, items_of):
    suite = make_suite(("uses =", 'env = {PAUSE = "3"}\nuses ='))
    process = runner(suite, "--tier", "small", "--models", "clip")
    while len(starts()) < 2:
        time.sleep(0.05)
    process.kill()
    process.wait()
    done = run_cells(suite, "small", "clip", **QUIET)
    assert (len(done.done), done.started, len(starts())) == (2, 0, 2)
    assert not os.listdir(suite.store / "pending")


def test_only_and_commands_give_the_same(make_suite, items_of, tmp_path):
    suite = make_suite()
    run_cells(suite, **QUIET)
    expected = items_of(suite)
    other = make_suite(("seeds =", 'store = "other"\nseeds ='), name="other.toml")
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    (tmp_path / "benchuq").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m benchuq "$@"\n')
    (tmp_path / "benchuq").chmod(0o755)
    lines = subprocess.run(
        ["benchuq", "plan", str(other.path), "--commands"], env=environment, capture_output=True, text=True
    )
    subprocess.run(
        ["sh", "-e"], input=lines.stdout.splitlines()[1], text=True, env=environment, check=True, capture_output=True
    )
    assert len(lines.stdout.splitlines()) == 8
    found = items_of(other)
    assert len(found) == 1 and all(expected[place] == items for place, items in found.items())


def test_two_runners_share_the_work(make_suite, starts, items_of):
    suite = make_suite(("uses =", 'env = {PAUSE = "0.3"}\nuses ='))
    both = [runner(suite), runner(suite)]
    assert [p.wait(60) for p in both] == [0, 0], [p.stderr.read() for p in both]
    assert len(starts()) == len(items_of(suite)) == 8
