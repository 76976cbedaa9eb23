"""Files: those that travel with benchuq, those written whole, and that every refusal is one
line.
"""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path
from zipfile import BadZipFile

import pytest

from benchuq.files import (
    bundled,
    check_regular,
    locked,
    refusals,
    write_into,
    write_whole,
)
from benchuq.markup import page


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", "/no/such/file"])
def test_no_regular_file(path):
    with pytest.raises(ValueError, match="cannot read /"):
        check_regular(path)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a\nb"),
        EOFError("a\r\nb"),
        BadZipFile("\x1b"),
        OSError(5, "Input/output error", "a\nb"),
    ],
)
def test_a_refusal_is_one_line_with_its_cause(error):
    with pytest.raises(ValueError) as refused, refusals("logs"):
        raise error
    assert str(refused.value).isprintable() and refused.value.__cause__ is error


def test_interrupts_want_of_memory_and_bugs_pass():
    for error in (KeyboardInterrupt, MemoryError, KeyError, TypeError, IndexError, AttributeError):
        with pytest.raises(error), refusals("logs"):
            raise error


def test_a_lock_file_that_is_removed_meanwhile_locks_nothing(tmp_path, monkeypatch):
    path, flock = tmp_path / "lock", fcntl.flock

    def removed_before(number, how):
        monkeypatch.setattr(fcntl, "flock", flock)
        path.unlink()
        flock(number, how)

    monkeypatch.setattr(fcntl, "flock", removed_before)
    with locked(path) as first, locked(path) as second:
        assert first is not None and second is None


def test_what_travels_is_found_in_a_checkout():
    assert (bundled("data", "_data") / "vtab_accuracies.csv").is_file()
    assert (bundled("nbs/templates", "_templates") / "vtab.ipynb").is_file()
    assert "body {" in page("title", "") and "toggle-code" in page("title", "")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = write_whole(tmp_path / "a", "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "x" * 10**6 + "\ud800")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_link_in_place_of_the_part_is_not_followed_and_a_private_file_stays_private(tmp_path):
    thesis, place = tmp_path / "thesis", tmp_path / "a"
    thesis.write_text("mine")
    place.touch(0o600)
    (tmp_path / f".a.{os.getpid()}.part").symlink_to(thesis)
    write_whole(place, "new")
    assert (thesis.read_text(), place.read_text()) == ("mine", "new")
    assert place.stat().st_mode & 0o777 == 0o600


def test_what_is_no_regular_file_is_written_into(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_into(pipe, "through")
    reader.join(10)
    assert read == ["through"] and pipe.is_fifo()
    write_into("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path, there):
    (tmp_path / "folder").mkdir()
    place, link = tmp_path / "folder" / "a", tmp_path / "link"
    link.symlink_to("folder/b")
    (tmp_path / "folder" / "b").symlink_to("a")
    if there:
        place.write_text("old")
    write_into(link, "new")
    assert place.read_text() == "new" and link.is_symlink() and os.listdir(tmp_path) != ["link"]


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "link").symlink_to(tmp_path)
    for place, words in (
        ("loop", "leads to itself"),
        (".", "is a folder; name a file in it"),
        ("link", "is a folder; name a file in it"),
        ("none/a", "there is no folder"),
    ):
        with pytest.raises(ValueError, match=words):
            write_into(tmp_path / place, "text")
    assert sorted(os.listdir(tmp_path)) == ["link", "loop"]


@pytest.mark.parametrize("mode", ["w", "a"])
def test_standard_output_that_is_a_file_keeps_what_is_printed_before_and_after(tmp_path, mode):
    code = "from benchuq.files import write_into; write_into('/dev/stdout', 'second ')"
    with open(tmp_path / "log", mode) as log:
        log.write("first ")
        log.flush()
        subprocess.run([sys.executable, "-c", code], stdout=log, check=True)
        log.write("third")
    assert (tmp_path / "log").read_text() == "first second third"
