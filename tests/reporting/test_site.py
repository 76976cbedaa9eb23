"""A folder of boards becomes pages, an index and a history; what cannot be read is named and stops
nothing.
"""

import json
import subprocess

import pandas as pd
import pytest

from benchuq.reporting.command import main
from benchuq.reporting.site import write_site

BOARD = "model,n_correct,n_items\nCedar,740,1000\nAsh,{},1000\nElm,700,1000\n"


@pytest.fixture
def boards(tmp_path):
    """A folder with a board of two versions, a board whose name needs care in an address, and a
    table of no scores.
    """
    folder = tmp_path / "boards"
    (folder / "law").mkdir(parents=True)
    (folder / "law" / "2026-01-31.csv").write_text(BOARD.format(690))
    (folder / "law" / "2026-03-01.csv").write_text(BOARD.format(791))
    (folder / "a & b #1.csv").write_text(BOARD.format(735))
    (folder / "notes.csv").write_text("who,when\nMary,today\n")
    return folder


def test_a_site_has_a_page_a_json_and_an_entry_for_each_board(boards, tmp_path):
    out = tmp_path / "public"
    table = write_site(boards, out, progress=False)
    assert list(table.index) == ["a & b #1", "law", "notes"]
    index = (out / "index.html").read_text()
    for name in ("a & b #1", "law"):
        assert (out / name / "leaderboard.html").is_file()
        board = json.loads((out / name / "board.json").read_text())
        assert board["schema"] == "benchuq-board-1"
        assert board["sentence"] == table["headline"][name]
    assert 'href="a%20%26%20b%20%231/leaderboard.html"' in index
    assert "Ash is the best of 3 models (79.1)" in index
    assert (out / "board.schema.json").is_file()


def test_dated_files_are_the_history_of_one_board(boards, tmp_path):
    write_site(boards, tmp_path / "public", progress=False)
    history = pd.read_csv(tmp_path / "public" / "law" / "history.csv")
    assert list(history["date"]) == ["2026-01-31", "2026-03-01"]
    assert list(history["leader"]) == ["Cedar", "Ash"]
    assert list(history["estimate"]) == [0.74, 0.791]


def test_what_cannot_be_read_is_named_without_its_folder_and_the_status_says_so(
    boards, tmp_path, capsys
):
    out = tmp_path / "public"
    assert main(["site", str(boards), "-o", str(out), "-q"]) == 1
    assert "notes.csv has no column of scores" in (out / "index.html").read_text()
    assert str(tmp_path) not in (out / "index.html").read_text()
    (boards / "notes.csv").unlink()
    assert main(["site", str(boards), "-o", str(out), "-q"]) == 0
    assert "Not read" not in (out / "index.html").read_text()


def test_a_version_that_cannot_be_read_leaves_the_others(boards, tmp_path):
    (boards / "law" / "2026-02-01.csv").write_text("model\n")
    table = write_site(boards, tmp_path / "public", progress=False)
    assert "2026-02-01.csv" in table["problems"]["law"]
    assert table["headline"]["law"].startswith("Ash is the best")


def test_the_commits_of_a_file_are_its_history_when_asked_for(tmp_path):
    folder = tmp_path / "boards"
    folder.mkdir()
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=folder, check=True)
    for n_correct in (690, 760):
        (folder / "law.csv").write_text(BOARD.format(n_correct))
        subprocess.run([*git, "add", "."], cwd=folder, check=True)
        subprocess.run([*git, "commit", "-qm", "x"], cwd=folder, check=True)
    (folder / "law.csv").write_text(BOARD.format(791))
    write_site(folder, tmp_path / "plain", progress=False)
    assert not (tmp_path / "plain" / "law" / "history.csv").exists()
    write_site(folder, tmp_path / "public", history=True, progress=False)
    history = pd.read_csv(tmp_path / "public" / "law" / "history.csv")
    assert list(history["estimate"]) == [0.74, 0.76, 0.791]


@pytest.mark.parametrize("kind", ["missing", "empty", "twice", "none"])
def test_folders_without_boards_are_refused(tmp_path, kind):
    folder = tmp_path / "boards"
    if kind != "missing":
        folder.mkdir()
    if kind == "twice":
        (folder / "law.csv").write_text(BOARD.format(1))
        (folder / "law.tsv").write_text(BOARD.format(1))
    if kind == "none":
        (folder / "notes.csv").write_text("who,when\nMary,today\n")
    words = {"missing": "no folder", "empty": "is empty", "twice": "two boards called 'law'"}
    with pytest.raises(ValueError, match=words.get(kind, "could be made")):
        write_site(folder, tmp_path / "public", progress=False)
