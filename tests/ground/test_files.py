"""Files: those that travel with benchuq, what is met in folders and archives, and that every refusal is one line."""

import contextlib
import os
import zipfile
from pathlib import Path
from zipfile import BadZipFile

import pandas as pd
import pytest

from benchuq import files
from benchuq.files import (
    asset_text,
    bundled,
    check_archive,
    check_regular,
    find_files,
    quote_formulas,
    refusals,
    write_whole,
)


def test_hard_links_are_two_files_and_links_to_files_met_already_are_none(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "1.csv").write_text("x")
    os.link(tmp_path / "a" / "1.csv", tmp_path / "a" / "b" / "2.csv")
    (tmp_path / "a" / "3.csv").symlink_to(tmp_path / "a" / "1.csv")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / ".hidden").write_text("x")
    assert [p.name for p in find_files(tmp_path)] == ["1.csv", "2.csv"]


@pytest.mark.parametrize("kind", ["pipe", "nowhere", "circle", "closed"])
def test_what_cannot_be_read_is_said(tmp_path, kind, monkeypatch):
    odd = tmp_path / "odd.csv"
    if kind == "pipe":
        os.mkfifo(odd)
    if kind == "nowhere":
        odd.symlink_to("nowhere")
    if kind == "circle":
        odd.symlink_to(odd)
    if kind == "closed":
        odd.mkdir()
        real = os.scandir

        def scandir(folder):
            if str(folder) == str(odd):
                raise PermissionError(13, "Permission denied", str(folder))
            return real(folder)

        monkeypatch.setattr(os, "scandir", scandir)  # as root, permissions do not count
    with pytest.raises(ValueError, match=r"odd\.csv.*(a pipe|leads nowhere|Permission denied; change)"):
        find_files(tmp_path)


def test_deep_folders_are_refused_in_one_sentence(tmp_path):
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d", dir_fd=here)
        deeper = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = deeper
    os.close(here)
    with pytest.raises(ValueError, match="nested deeper than 100 folders"):
        find_files(tmp_path)


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", "/no/such/file"])
def test_no_regular_file(path):
    with pytest.raises(ValueError, match="cannot read /"):
        check_regular(path)


def test_archives_that_unpack_to_too_much_are_refused_before_they_are(tmp_path, monkeypatch):
    bomb, fine = tmp_path / "bomb.eval", tmp_path / "fine.eval"
    for path, content in ((bomb, bytes(70 << 20)), (fine, os.urandom(1000) * 50)):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.json", content)
    with pytest.raises(ValueError, match="would unpack to 1 files and 73 MB"):
        check_archive(bomb)
    assert check_archive(fine) == fine
    monkeypatch.setattr(files, "_MOST", 0)
    with pytest.raises(ValueError, match="would unpack"):
        check_archive(fine)
    monkeypatch.undo()
    fine.write_bytes(fine.read_bytes()[:-30])
    with pytest.raises(ValueError, match="is a damaged archive"):
        check_archive(fine)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_in_an_archive(tmp_path):
    for second, words in ((b"one", None), (b"two", "holds two different files called a.json")):
        with zipfile.ZipFile(tmp_path / "twice.zip", "w") as archive:
            archive.writestr("a.json", b"one")
            archive.writestr("a.json", second)
        with pytest.raises(ValueError, match=words) if words else contextlib.nullcontext():
            check_archive(tmp_path / "twice.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_samples_that_inspect_wrote_again_when_it_resumed(tmp_path):
    for name, fine in (("samples/1_epoch_1.json", True), ("header.json", False)):
        with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
            archive.writestr(name, b"one")
            archive.writestr(name, b"two")
        with contextlib.nullcontext() if fine else pytest.raises(ValueError, match="two different files"):
            check_archive(tmp_path / "log.eval")


@pytest.mark.parametrize(
    "error", [ValueError("a\nb"), EOFError("a\r\nb"), BadZipFile("\x1b"), OSError(5, "Input/output error", "a\nb")]
)
def test_a_refusal_is_one_line_with_its_cause(error):
    with pytest.raises(ValueError) as refused, refusals("logs"):
        raise error
    assert str(refused.value).isprintable() and refused.value.__cause__ is error


def test_interrupts_want_of_memory_and_bugs_pass():
    for error in (KeyboardInterrupt, MemoryError, KeyError, TypeError, IndexError, AttributeError):
        with pytest.raises(error), refusals("logs"):
            raise error


def test_formulas_are_quoted_and_nothing_else(tmp_path):
    index = pd.MultiIndex.from_tuples([("@x", 1), ("y", 2)], names=["model", "n"])
    frame = pd.DataFrame({"=a": ["=1+1", "-0.3 (-0.5, 1)"], "b": [-1.5, 2.0], "c": ["+cmd", None]}, index=index)
    assert quote_formulas(frame).to_csv() == "model,n,'=a,b,c\n'@x,1,'=1+1,-1.5,'+cmd\ny,2,\"-0.3 (-0.5, 1)\",2.0,\n"
    for text in ("-2+3+cmd|' /C calc'!A0", "+1-1+A1", "\uff1dA1", "\n=1", "-1e5x", "- x"):
        assert quote_formulas(pd.Series([text])).iloc[0, 0] == f"'{text}", text
    for text in ("-0.3 (-0.5, 1)", "+1.2 %", "-1e-5", "-", "- 0.3 \u00b1 0.1", "a=b", "-12.5 to -3"):
        assert quote_formulas(pd.Series([text])).iloc[0, 0] == text, text
    for path in sorted((Path(__file__).parents[2] / "reports").glob("*/tables/*.csv")):
        table = pd.read_csv(path)
        pd.testing.assert_frame_equal(quote_formulas(table), table)


def test_what_travels_is_found_in_a_checkout():
    assert (bundled("data", "_data") / "vtab_accuracies.csv").is_file()
    assert (bundled("nbs/templates", "_templates") / "vtab.ipynb").is_file()
    assert "body {" in asset_text("page.css") and "toggle-code" in asset_text("page.js")
    with pytest.raises(ValueError, match="no script, style or schema 'pages.js'; there are .*page.js"):
        asset_text("pages.js")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = write_whole(tmp_path / "a", "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "x" * 10**6 + "\ud800")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["a"]
