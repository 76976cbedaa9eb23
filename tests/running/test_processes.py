"""Commands: their status, their limits, and that nothing of them stays."""

import os
import sys
import threading
import time

import psutil
import pytest

from benchuq.running.cell import Allowance, _run_command


@pytest.fixture
def tried(tmp_path):
    """Function that runs Python code as a command."""

    def run(code, **limits):
        (tmp_path / "status").unlink(missing_ok=True)
        words, env = [sys.executable, "-S", "-c", code], {"PATH": os.environ["PATH"]}
        return _run_command(words, env, tmp_path, tmp_path / "log.txt", tmp_path / "status", Allowance(**limits))

    return run


def test_status_and_log(tried, tmp_path):
    assert tried("print('$HOME `id` \"')").status == 0
    assert (tmp_path / "log.txt").read_text() == '$HOME `id` "\n'
    assert tried("raise SystemExit(7)").status == 7
    assert tried("import os; os.kill(os.getpid(), 9)").status == 137


def test_time_and_stop(tried):
    ended = tried("import time; time.sleep(60)", seconds=0.2)
    assert "longer than its timeout" in ended.stopped and ended.seconds < 10
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    assert tried("import time; time.sleep(60)", stop=stop).stopped == "the run was stopped"


def test_memory(tried):
    ended = tried("x = bytearray(200 * 2**20)\nimport time; time.sleep(60)", memory=100 * 2**20)
    assert "more than memory" in ended.stopped and ended.memory > 100 * 2**20


def test_nothing_of_the_group_stays(tried):
    mark = f"sleep({60 + os.getpid() / 1e6:.6f})"
    tried(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.{mark}'])")
    end = time.monotonic() + 5
    while left := [p for p in psutil.process_iter(["cmdline"]) if mark in " ".join(p.info["cmdline"] or [])]:
        assert time.monotonic() < end, left
        time.sleep(0.05)
