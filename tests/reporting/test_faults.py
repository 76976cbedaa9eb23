"""Faults: one line, and a status that says whose they are."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from benchuq.reporting.command import _explain, _stoppable
from benchuq.reporting.run import known_reports


@pytest.mark.parametrize(
    "error, status, words",
    [
        (ValueError("a.csv, line 3:\nno number"), 2, "a.csv, line 3: no number"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "x: No space left on device; make room"),
        (OSError(errno.ENAMETOOLONG, "File name too long", "x"), 2, "choose a shorter name"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), 1, "change the permissions"),
        (MemoryError(), 1, "out of memory: lower n_draws"),
        (RecursionError("deep"), 1, "please report this"),
        (KeyError("x"), 1, "KeyError: 'x'; please report this"),
        (KeyboardInterrupt(), 130, "stopped"),
        (KeyboardInterrupt(15), 143, "stopped"),
        (BrokenPipeError(), 1, ""),
    ],
)
def test_a_fault_is_one_line_and_a_status(error, status, words):
    found, text = _explain(error)
    assert found == status and words in text and "\n" not in text


def test_kill_raises_inside_only():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), _stoppable():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_reader_that_stops_early_gets_no_traceback():
    command = f"{sys.executable} -m benchuq list | head -c 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert run.stdout == min(known_reports())[0] and run.stderr == ""
