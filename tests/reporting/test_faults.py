"""Faults: one line, and a status that says whose they are."""

import errno
import os
import signal
import subprocess
import sys
import warnings

import pytest

from benchuq.reporting.command import _DO, _explain, _one_line, _stoppable, main
from benchuq.reporting.run import report_names


@pytest.mark.parametrize(
    "error, status, words",
    [
        (ValueError("a.csv, line 3:\nno number"), 2, "a.csv, line 3: no number"),
        (OSError(errno.ENOSPC, "No space left on device", "x"), 1, "x: No space left on device; make room"),
        (OSError(errno.ENAMETOOLONG, "File name too long", "x"), 2, "choose a shorter name"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), 1, "change the permissions"),
        (MemoryError(), 1, "out of memory: lower n_draws"),
        (RecursionError("deep"), 1, "please report this"),
        (KeyError("x"), 1, "KeyError: 'x'; --debug shows where"),
        (KeyboardInterrupt(), 130, "stopped"),
        (KeyboardInterrupt(15), 143, "stopped"),
        (BrokenPipeError(), 1, ""),
    ],
)
def test_a_fault_is_one_line_and_a_status(error, status, words):
    found, text = _explain(error)
    assert found == status and words in text and "\n" not in text


@pytest.mark.parametrize("command, words", [("run", "name another store"), ("convert", "another folder with --out")])
def test_what_cannot_be_written_names_the_way_out_that_the_command_has(command, words, monkeypatch, capsys):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system", "place")

    monkeypatch.setitem(_DO, command, refuse)
    assert main([command, "t", *(["-o", "d"] if command == "convert" else [])]) == 1
    said = capsys.readouterr().err
    assert said.startswith("benchuq: place: Read-only file system; ") and words in said and said.count("\n") == 1


def test_one_line_has_no_control_characters_and_an_end():
    assert _one_line("a\n\x1b[31mb\tc") == "a [31mb c" and len(_one_line("x" * 5000)) == 1000


def test_kill_raises_inside_only():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), _stoppable():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == before


def test_warnings_are_lines(capsys):
    with _stoppable():
        warnings.warn("two\nlines", stacklevel=1)
    assert capsys.readouterr().err == "benchuq: two lines\n"


def test_a_reader_that_stops_early_gets_no_traceback():
    command = f"{sys.executable} -m benchuq list | head -c 1"
    run = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert run.stdout == report_names()[0][0] and run.stderr == ""
