"""Transactions: what stands after a run, a failure, a kill at any moment, and beside another run."""

import os
import shutil
import subprocess
import sys

import pytest

from benchuq.reporting import transaction as module
from benchuq.reporting.transaction import (
    MANIFEST,
    Busy,
    locked,
    read_manifest,
    transaction,
    users_files,
    write_manifest,
    write_whole,
)


def files(folder):
    return {
        p.relative_to(folder).as_posix(): os.readlink(p) if p.is_symlink() else p.read_bytes()
        for p in folder.rglob("*")
        if p.is_symlink() or p.is_file()
    }


def run(target, text, name="page.html"):
    with transaction(target) as new:
        (new / "tables").mkdir()
        (new / "tables" / "t.csv").write_text(text)
        (new / name).write_text(text)
        write_manifest(new, {"title": text})


def alone(target):
    "Nothing is left beside `target`."
    return os.listdir(target.parent) == [target.name]


def test_a_run_replaces_its_own_files_and_no_other(tmp_path):
    target = tmp_path / "out" / "run"
    run(target, "1", "old.html")
    (target / "tables" / "mine.csv").write_text("mine")
    (target / "empty").mkdir()
    (target / "link").symlink_to("nowhere")
    run(target, "2")
    found = files(target)
    assert found.pop(MANIFEST) and alone(target) and (target / "empty").is_dir()
    assert found == {"page.html": b"2", "tables/t.csv": b"2", "tables/mine.csv": b"mine", "link": "nowhere"}
    assert users_files(target) == ["empty", "link", "tables/mine.csv"]


def test_what_is_in_the_way_is_kept(tmp_path):
    target = tmp_path / "out" / "run"
    target.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "t.csv").write_text("mine")
    (target / "tables").symlink_to(elsewhere)
    (target / "page.html").mkdir()
    (target / "page.html" / "x").write_text("mine")
    (target / "kept").write_text("mine")
    with pytest.warns(UserWarning, match="2 of your files"):
        run(target, "1")
    found = files(target)
    assert found.pop(MANIFEST) and (elsewhere / "t.csv").read_text() == "mine" and alone(target)
    assert found == {
        "page.html": b"1",
        "tables/t.csv": b"1",
        "kept": b"mine",
        "kept-2/page.html/x": b"mine",
        "kept-2/tables": str(elsewhere),
    }


def test_a_changed_file_of_a_run_is_the_users(tmp_path):
    target = tmp_path / "out" / "run"
    for text in ("1", "2", "3"):
        if text == "1":
            run(target, text)
            continue
        (target / "page.html").write_text(f"edited after {int(text) - 1}")
        with pytest.warns(UserWarning, match="1 of your files"):
            run(target, text)
    assert {k: v for k, v in files(target).items() if k.startswith("kept")} == {
        "kept/page.html": b"edited after 1",
        "kept-2/page.html": b"edited after 2",
    }


@pytest.mark.parametrize("exchange", [True, False])
def test_a_kill_at_any_call_of_the_system_loses_and_mixes_nothing(tmp_path, monkeypatch, exchange):
    """Stop the commit before its k-th rename, link, removal or exchange, for every k; then run once more."""

    class Killed(BaseException):
        pass

    def broken_after(k):
        count = iter(range(10**6))

        def counted(function):
            def call(*arguments, **more):
                if next(count) >= k:
                    raise Killed
                return function(*arguments, **more)

            return call

        return counted

    done = False
    for k in range(200):
        target = tmp_path / f"{exchange}{k}" / "run"
        run(target, "1", "old.html")
        (target / "mine").write_text("mine")
        before = files(target)
        with monkeypatch.context() as patch:
            if not exchange:
                patch.setattr(module, "_exchange", lambda a, b: False)
            counted = broken_after(k)
            for name in ("rename", "link", "unlink", "rmdir", "mkdir"):
                patch.setattr(os, name, counted(getattr(os, name)))
            patch.setattr(shutil, "rmtree", counted(shutil.rmtree))
            patch.setattr(module, "_exchange", counted(module._exchange))
            try:
                run(target, "2")
                done = True
            except Killed:
                pass
        now = files(target) if target.exists() else {}
        assert now or not exchange
        if now:
            assert now["mine"] == b"mine" and (now == before or now["page.html"] == now["tables/t.csv"] == b"2"), k
            assert now == before or "old.html" not in now, k
        with monkeypatch.context() as patch:
            patch.setattr(module.warnings, "warn", lambda *_, **__: None)
            run(target, "3")
        found = files(target)
        assert found.pop(MANIFEST) and found == {"page.html": b"3", "tables/t.csv": b"3", "mine": b"mine"}, k
        assert alone(target), k
        if done:
            break
    assert done


def test_failures_leave_nothing(tmp_path):
    target = tmp_path / "out" / "run"
    with pytest.raises(ZeroDivisionError), transaction(target):
        raise ZeroDivisionError
    assert os.listdir(target.parent) == []
    with pytest.raises(ValueError, match="cannot be read"), transaction(target):  # no manifest
        pass
    (tmp_path / "out" / "file").write_text("x")
    with pytest.raises(ValueError, match="is no folder"), transaction(tmp_path / "out" / "file"):
        raise AssertionError
    assert os.listdir(target.parent) == ["file"]


def test_a_lock_ends_with_its_process(tmp_path):
    code = (
        "import sys, time; from benchuq.reporting.transaction import transaction\n"
        "with transaction(sys.argv[1]) as new: print(new, flush=True); time.sleep(60)"
    )
    target = tmp_path / "out" / "run"
    other = subprocess.Popen([sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline()
        with pytest.raises(Busy, match="another run is writing"), transaction(target):
            raise AssertionError
    finally:
        other.kill()
        other.communicate()
    with pytest.warns(UserWarning, match="an interrupted run"):
        run(target, "1")
    assert alone(target)
    with locked(target), pytest.raises(Busy), locked(target, wait=0.1):
        raise AssertionError


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": 1}', '{"benchuq_manifest": 2, "files": {}}', "[" * 100_000])
def test_a_manifest_that_cannot_be_read_owns_nothing(tmp_path, text):
    target = tmp_path / "out" / "run"
    run(target, "1")
    (target / MANIFEST).write_text(text)
    with pytest.raises(ValueError, match="run the report again"):
        read_manifest(target)
    assert len(users_files(target)) == 3


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = write_whole(tmp_path / "a", "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "x" * 10**6 + "\ud800")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a"]
