"""The board as text: its schema, its escapes, what other programs make of it, and that it is the page's board."""

import io
import json
import shutil
import subprocess

import jsonschema
import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.ranking import leaderboard
from benchuq.data import results
from benchuq.data.tables import read_table
from benchuq.reporting.command import main
from benchuq.reporting.formats import BOARD_FORMATS, BOARD_SCHEMA, compare_results, format_board

NAMES = ["50_% & {x}^~\\", "<b>|a|</b>", "*s* `c` [l](u) # $y$", "line\nbreak\u202e", "plain"]
DATA = results.from_items(read_table("example_answers"))


@pytest.fixture(scope="module")
def board():
    return compare_results(DATA)


@pytest.fixture
def awkward(board):
    return board.set_axis(NAMES, axis=0)


def test_the_board_is_the_reports(board):
    page = leaderboard(DATA)
    pd.testing.assert_frame_equal(board[list(page)], page)
    assert (board["shares_first"] == (page["rank_lower"] == 1)).all()


def test_json_keeps_its_schema(awkward, board):
    for table in (board, awkward, board[["estimate", "lower", "upper", "level"]], board.assign(p_best=np.nan)):
        read = json.loads(format_board(table, "json"))
        jsonschema.validate(read, BOARD_SCHEMA)
        assert [m["model"] for m in read["models"]] == list(table.index)
        assert [m["estimate"] for m in read["models"]] == table["estimate"].tolist()


def test_csv_holds_full_precision(awkward):
    back = pd.read_csv(io.StringIO(format_board(awkward, "csv")), index_col="model", float_precision="round_trip")
    assert back["lower"].tolist() == awkward["lower"].tolist() and list(back.index) == NAMES


def test_one_model_has_a_score():
    alone = compare_results(DATA.isel(model=[0]))
    for kind in BOARD_FORMATS:
        assert str(alone.index[0]) in format_board(alone, kind)


def test_bold_marks_those_who_share_the_first_rank(board):
    n = int(board["shares_first"].sum())
    assert format_board(board, "markdown").count("**") == 4 * n
    assert format_board(board, "latex").count("\\textbf") == 2 * n


@pytest.mark.skipif(not shutil.which("pandoc"), reason="no pandoc here")
def test_pandoc_reads_the_names_back(awkward):
    run = ["pandoc", "--from=gfm", "--to=json"]
    text = subprocess.run(
        run, input=format_board(awkward, "markdown"), capture_output=True, text=True, check=True
    ).stdout

    def words(node):
        if isinstance(node, dict):
            if node.get("t") in ("Str", "Code"):
                return node["c"] if node["t"] == "Str" else "CODE"
            return " " if node.get("t") in ("Space", "SoftBreak") else words(node.get("c", ""))
        return "".join(map(words, node)) if isinstance(node, list) else ""

    said = words(json.loads(text)["blocks"])
    assert all(name in said for name in NAMES[:3]) and "CODE" not in said and "RawInline" not in text


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no LaTeX here")
def test_latex_compiles(awkward, tmp_path):
    table = format_board(awkward.set_axis([*NAMES[:3], "x" * 30, "plain"], axis=0), "latex")
    head = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\\begin{document}"
    text = head + table + "\\end{document}"
    (tmp_path / "t.tex").write_text(text)
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout[-800:]


def test_the_command_prints_or_writes_the_board(tmp_path, capsys):
    read_table("example_answers").to_csv(tmp_path / "answers.csv", index=False)
    options = ["compare", str(tmp_path / "answers.csv"), "--no-progress"]
    assert main([*options, "--format", "csv"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("model,estimate") and "Read as" in printed.err
    assert main([*options, "--format", "csv", "--out", str(tmp_path / "b.csv")]) == 0
    assert (tmp_path / "b.csv").read_text() == printed.out and capsys.readouterr().out == ""
    assert main([*options, "--format", "csv", "--units", "task"]) == 0
    tasks = pd.read_csv(io.StringIO(capsys.readouterr().out), index_col="model")
    expected = compare_results(DATA, units="task")
    np.testing.assert_allclose(tasks["lower"], expected["lower"])
    assert (tasks["lower"] != compare_results(DATA)["lower"][tasks.index]).all()
    assert main([*options, "--format", "csv", "-p", "small_topic", "3"]) == 2
    assert "unknown parameters with --format csv ['small_topic']" in capsys.readouterr().err
