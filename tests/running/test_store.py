"""Folders that appear in one step, locks that end with their holder, and what is left to clear away."""

import os

import pytest

from benchuq.files import write_whole
from benchuq.running.cells import cells_of
from benchuq.running.store import folder_of
from benchuq.running.store import (
    Failure,
    cell_lock,
    failure_of,
    is_running,
    pending_folder,
    prepare_store,
    publish,
    write_failure,
)


@pytest.fixture
def tier_and_cell(make_suite):
    """A suite with a store, and its first cell."""
    suite = make_suite()
    cells, _ = cells_of(suite)
    prepare_store(suite, cells)
    return suite, cells[0]


def test_a_lock_keeps_others_out_and_leaves_nothing(tier_and_cell):
    suite, cell = tier_and_cell
    with cell_lock(suite, cell) as first:
        assert first is not None and is_running(suite, cell)
        with cell_lock(suite, cell) as second:
            assert second is None
        child = os.fork()
        if not child:
            with cell_lock(suite, cell) as other:
                os._exit(other is not None)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not is_running(suite, cell) and not os.listdir(suite.store / "pending")


def test_the_first_result_stays(tier_and_cell):
    suite, cell = tier_and_cell
    for score in (1, 0):
        pending_folder(suite, cell).mkdir()
        (pending_folder(suite, cell) / "log.txt").write_text(f"said {score}")
        publish(suite, cell, f"item,score\nq,{score}\n", {"rows": 1, "seconds": 1})
    assert (folder_of(suite, cell) / "items.csv").read_text() == "item,score\nq,1\n"
    assert (folder_of(suite, cell) / "log.txt").read_text() == "said 1"
    assert not os.listdir(suite.store / "pending")


def test_failures_and_what_a_killed_run_left(tier_and_cell):
    suite, cell = tier_and_cell
    write_failure(suite, cell, Failure("no room", 2.5, 3))
    assert failure_of(suite, cell) == Failure("no room", 2.5, 3)
    (pending_folder(suite, cell) / "failure.json").write_text("{")
    assert failure_of(suite, cell) is None
    folder_of(suite, cell).mkdir(parents=True)
    prepare_store(suite, [cell])
    assert not os.listdir(suite.store / "pending")


def test_a_full_disk_is_named_and_leaves_no_part(tmp_path, monkeypatch):
    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device: .*page.html"):
        write_whole(tmp_path / "page.html", "x")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_is_read_only(make_suite):
    suite = make_suite()
    suite.store.mkdir()
    suite.store.chmod(0o500)
    with pytest.raises(OSError):
        prepare_store(suite, [])
