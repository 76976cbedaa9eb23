"""Folders that appear in one step, locks that end with their holder, and what is left to clear away."""

import os

import pytest

from benchuq.readers.tier_cells import cells_of, folder_of
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
def tier_and_cell(make_tier):
    """A tier with a store, and its first cell."""
    tier = make_tier()
    cells, _ = cells_of(tier)
    prepare_store(tier, cells)
    return tier, cells[0]


def test_a_lock_keeps_others_out_and_leaves_nothing(tier_and_cell):
    tier, cell = tier_and_cell
    with cell_lock(tier, cell) as first:
        assert first is not None and is_running(tier, cell)
        with cell_lock(tier, cell) as second:
            assert second is None
        child = os.fork()
        if not child:
            with cell_lock(tier, cell) as other:
                os._exit(other is not None)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not is_running(tier, cell) and not os.listdir(tier.store / "pending")


def test_the_first_result_stays(tier_and_cell):
    tier, cell = tier_and_cell
    for score in (1, 0):
        pending_folder(tier, cell).mkdir()
        (pending_folder(tier, cell) / "log.txt").write_text(f"said {score}")
        publish(tier, cell, f"item,score\nq,{score}\n", {"rows": 1, "seconds": 1})
    assert (folder_of(tier, cell) / "items.csv").read_text() == "item,score\nq,1\n"
    assert (folder_of(tier, cell) / "log.txt").read_text() == "said 1"
    assert not os.listdir(tier.store / "pending")


def test_failures_and_what_a_killed_run_left(tier_and_cell):
    tier, cell = tier_and_cell
    write_failure(tier, cell, Failure("no room", 2.5, 3))
    assert failure_of(tier, cell) == Failure("no room", 2.5, 3)
    (pending_folder(tier, cell) / "failure.json").write_text("{")
    assert failure_of(tier, cell) is None
    folder_of(tier, cell).mkdir(parents=True)
    prepare_store(tier, [cell])
    assert not os.listdir(tier.store / "pending")


def test_a_full_disk_is_named_and_leaves_no_part(tmp_path, monkeypatch):
    from benchuq.running.versions import write_synced

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device: .*page.html"):
        write_synced(tmp_path / "page.html", b"x")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_is_read_only(make_tier):
    tier = make_tier()
    tier.store.mkdir()
    tier.store.chmod(0o500)
    with pytest.raises(OSError):
        prepare_store(tier, [])
