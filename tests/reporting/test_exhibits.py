"""What a report saves, and what stands in its folder after a run, a failure, a kill, and beside
another run.
"""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from benchuq.reporting.exhibits import Exhibits, new_results


def test_tables_are_written_in_full_precision_and_read_back(tmp_path):
    frame = pd.DataFrame({"x": [0.1, 1 / 3]}, index=pd.Index(["a", "b"], name="row"))
    out = Exhibits(tmp_path)
    assert out.table("named", frame) is frame
    out.table("plain", frame.reset_index(drop=True))
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "tables/named.csv", index_col="row"), frame, check_exact=True
    )
    assert (tmp_path / "tables/plain.csv").read_bytes() == b"x\n0.1\n0.3333333333333333\n"


def test_figures_are_written_as_png_svg_and_pdf_and_the_same_twice(tmp_path):
    copies = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        figure, ax = plt.subplots(figsize=(1, 1))
        ax.plot([0, 1])
        assert Exhibits(folder).figure("f", ax) is figure
        copies.append({p.name: p.read_bytes() for p in (folder / "figures").iterdir()})
    assert copies[0] == copies[1] and set(copies[0]) == {"f.pdf", "f.png", "f.svg"}


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Exhibits("").table("t", pd.DataFrame({"n": [1]}))
    Exhibits("").figure("f", plt.figure(figsize=(1, 1)))
    assert not os.listdir()


def files(folder):
    return {
        p.relative_to(folder).as_posix(): os.readlink(p) if p.is_symlink() else p.read_bytes()
        for p in folder.rglob("*")
        if p.is_symlink() or p.is_file()
    }


def run(target, text, name="page.html"):
    with new_results(target, {"title": text}) as new:
        (new / "tables").mkdir()
        (new / "tables" / "t.csv").write_text(text)
        (new / name).write_text(text)


def alone(target):
    "Nothing is left beside `target`."
    return os.listdir(target.parent) == [target.name]


def test_a_run_replaces_its_own_files_and_no_other(tmp_path):
    target = tmp_path / "out" / "run"
    run(target, "1", "old.html")
    (target / "tables" / "mine.csv").write_text("mine")
    (target / "empty").mkdir()
    (target / "link").symlink_to("nowhere")
    numbers = {
        name: (target / name).lstat().st_ino for name in ("tables/mine.csv", "empty", "link")
    }
    (target / "tables" / "t.csv").write_text("edited")  # still the run's
    run(target, "2")
    found = files(target)
    assert found.pop("manifest.json") and alone(target)
    assert found == {
        "page.html": b"2",
        "tables/t.csv": b"2",
        "tables/mine.csv": b"mine",
        "link": "nowhere",
    }
    assert numbers == {name: (target / name).lstat().st_ino for name in numbers}


IN_THE_WAY = {
    "file": lambda target, _: (target / "page.html").write_text("mine"),
    "folder": lambda target, _: (target / "page.html").mkdir(),
    "link to a folder": lambda target, elsewhere: (target / "tables").symlink_to(elsewhere),
    "file for a folder": lambda target, _: (target / "tables").write_text("mine"),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_is_in_the_way_is_not_touched(tmp_path, what):
    target, elsewhere = tmp_path / "out" / "run", tmp_path / "elsewhere"
    target.mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "t.csv").write_text("mine")
    IN_THE_WAY[what](target, elsewhere)
    before = files(target)
    with pytest.raises(ValueError, match="is in the way, and no run made it"):
        run(target, "1")
    assert files(target) == before and (elsewhere / "t.csv").read_text() == "mine" and alone(target)


def test_a_link_in_place_of_a_folder_of_the_last_run_is_not_followed(tmp_path):
    target, elsewhere = tmp_path / "out" / "run", tmp_path / "elsewhere"
    run(target, "1")
    (target / "tables").rename(elsewhere)
    (target / "tables").symlink_to(elsewhere)
    with (
        pytest.warns(UserWarning, match="tables/t.csv of an earlier run"),
        new_results(target, {}) as new,
    ):
        (new / "page.html").write_text("2")
    assert (elsewhere / "t.csv").read_text() == "1" and (target / "page.html").read_text() == "2"


@pytest.mark.parametrize("where", ["../thesis.txt", "{}/thesis.txt", "a/../../thesis.txt", "a\0b"])
def test_a_manifest_that_names_files_outside_its_folder_is_none(tmp_path, where):
    thesis, target = tmp_path / "thesis.txt", tmp_path / "results"
    thesis.write_text("mine")
    target.mkdir()
    digest = hashlib.sha256(b"mine").hexdigest()
    made = {where.format(tmp_path): digest}
    manifest = json.dumps({"benchuq_manifest": 1, "title": "results.csv", "files": made})
    (target / "manifest.json").write_text(manifest)
    before = files(tmp_path)
    with pytest.raises(ValueError, match="which is not inside the folder"):
        run(target, "1")
    assert files(tmp_path) == before


def test_a_file_of_an_earlier_run_is_removed_only_as_it_was_written(tmp_path):
    target = tmp_path / "out" / "run"
    run(target, "1", "old.html")
    run(target, "1", "page.html")
    assert not (target / "old.html").exists()
    (target / "page.html").write_text("edited")
    with pytest.warns(UserWarning, match="page.html of an earlier run changed since"):
        run(target, "2", "new.html")
    assert (target / "page.html").read_text() == "edited"
    with pytest.raises(ValueError, match="page.html is in the way, and no run made it"):
        run(target, "3")


def test_no_link_inside_the_folder_is_followed(tmp_path):
    target, thesis = tmp_path / "out" / "run", tmp_path / "thesis.txt"
    run(target, "1", "old.html")
    thesis.write_text("1")
    (target / "old.html").unlink()
    (target / "old.html").symlink_to("../../thesis.txt")
    (target / ".manifest.json.part").symlink_to(thesis)
    (target / f".manifest.json.{os.getpid()}.part").symlink_to(thesis)
    with pytest.warns(UserWarning, match="old.html of an earlier run changed since"):
        run(target, "2")
    assert thesis.read_text() == "1" and (target / "old.html").is_symlink()


@pytest.mark.parametrize("what", ["pipe", "link to a device", "folder", "another manifest"])
def test_what_is_called_like_a_manifest_and_is_none(tmp_path, what):
    place = tmp_path / "run" / "manifest.json"
    place.parent.mkdir()
    makers = {
        "pipe": lambda: os.mkfifo(place),
        "link to a device": lambda: place.symlink_to("/dev/zero"),
        "folder": place.mkdir,
        "another manifest": lambda: place.write_text('{"name": "of an app"}'),
    }
    makers[what]()
    with pytest.raises(ValueError, match="is no manifest of a run"):
        run(place.parent, "1")
    assert os.listdir(place.parent) == ["manifest.json"]


@pytest.mark.parametrize("what", ["link", "pipe"])
def test_what_stands_where_a_run_wrote_a_file_is_not_replaced(tmp_path, what):
    target = tmp_path / "out" / "run"
    run(target, "1")
    place = target / "page.html"
    place.unlink()
    place.symlink_to(tmp_path / "mine.html") if what == "link" else os.mkfifo(place)
    with pytest.raises(ValueError, match="page.html is in the way"):
        run(target, "2")
    assert place.is_symlink() or place.is_fifo()
    assert (target / "tables" / "t.csv").read_text() == "1"


def test_the_root_is_no_folder_for_results():
    with pytest.raises(ValueError, match="is the root of the file system"), new_results("/", {}):
        raise AssertionError


class Killed(BaseException):
    "Stands for a kill: from here on no call of the system is made."


def broken_after(patch, k, once=False):
    """Let the k-th of the calls that change folders, and all after it (or only that one), raise
    `Killed`.
    """
    done = [0]

    def counted(function):
        def call(*arguments, **more):
            done[0] += 1
            if done[0] == k + 1 or (done[0] > k and not once):
                raise Killed
            return function(*arguments, **more)

        return call

    for name in ("replace", "unlink", "rmdir", "mkdir"):
        patch.setattr(os, name, counted(getattr(os, name)))
    patch.setattr(shutil, "rmtree", counted(shutil.rmtree))


@pytest.mark.parametrize("once", [False, True])
def test_a_kill_or_a_signal_at_any_call_of_the_system(tmp_path, monkeypatch, once):
    """Stop a run before its k-th call, for every k: by a kill, after which nothing runs, or by one
    exception.
    """
    for k in range(200):
        target = tmp_path / f"{once}{k}" / "run"
        run(target, "1", "old.html")
        (target / "mine").write_text("mine")
        before, done = files(target), False
        with monkeypatch.context() as patch:
            broken_after(patch, k, once)
            with contextlib.suppress(Killed):
                run(target, "2")
                done = True
        now = files(target)
        whole = now == before or (
            now.get("page.html") == now["tables/t.csv"] == b"2" and "old.html" not in now
        )
        assert now["mine"] == b"mine" and (whole or not once), k
        run(target, "3")
        found = files(target)
        assert found.pop("manifest.json") and found == {
            "page.html": b"3",
            "tables/t.csv": b"3",
            "mine": b"mine",
        }, k
        assert alone(target), k
        if done:
            break
    assert done and k > 8


def test_a_lock_ends_with_its_process(tmp_path):
    code = (
        "import sys, time; from benchuq.reporting.exhibits import new_results\n"
        "with new_results(sys.argv[1], {}) as new: print(new, flush=True); time.sleep(60)"
    )
    target = tmp_path / "out" / "run"
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(target)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout.readline()
        with (
            pytest.raises(BlockingIOError, match="another run is writing"),
            new_results(target, {}),
        ):
            raise AssertionError
    finally:
        other.kill()
        other.communicate()
    run(target, "1")
    assert alone(target)
