"""The board as an object: what it prints, draws and writes, and of what it is a board."""

import pickle
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.comparison.ranking import rank_models
from benchuq.data.results import from_counts, from_items
from benchuq.data.scales import Scale
from benchuq.reporting.answer import answer
from benchuq.reporting.board import Leaderboard, leaderboard
from benchuq.reporting.figures import Figure, plot_board


def counts(names=("<a>", "b", "c", "d")):
    "Right answers of 80 of some models to four tasks of two categories."
    right = np.random.default_rng(1).binomial(
        80, np.linspace(0.5, 0.8, len(names))[:, None], (len(names), 4)
    )
    kinds = {"t0": "text", "t1": "text", "t2": "image", "t3": "image"}
    return from_counts(pd.DataFrame(right, list(names), list(kinds)), 80, kinds)


@pytest.fixture(scope="module")
def board():
    return leaderboard(counts())


def test_it_is_the_table_of_ranks_of_the_models_on_the_page(board):
    pd.testing.assert_frame_equal(pd.DataFrame(board), rank_models(counts()))
    pd.testing.assert_index_equal(board.index, answer(counts()).board.index)


def test_it_prints_the_sentence_the_ranks_and_the_chances(board, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    sentence, blank, head, *lines = repr(board).splitlines()
    assert sentence == board.sentence == answer(counts()).headline and not blank
    assert "95 % interval" in head and "P(best)" in head and "estimate" not in head
    assert any("<a>" in line for line in lines) and " %" in lines[0]
    assert "more models" in repr(board.head(2))
    with pd.option_context("display.max_rows", 3):
        assert "1 more model" in repr(board)


def test_notebooks_get_markup_without_that_of_names(board):
    shown = board._repr_html_()
    assert "&lt;a&gt;" in shown and "<a>" not in shown and "P(best)" in shown
    assert shown.count("<svg") == 4 and "0.4" not in shown and board.sentence in shown
    assert board._repr_latex_().startswith("% \\usepackage{booktabs}")


@pytest.mark.parametrize(
    "change", [lambda b: b[["estimate"]], lambda b: b.iloc[::-1], lambda b: b.drop(index="b")]
)
def test_other_selections_print_as_any_table(board, change):
    part = change(board)
    assert isinstance(part, Leaderboard) and "svg" not in part._repr_html_()
    assert board.sentence not in repr(part) and part._repr_latex_() is None
    assert "estimate" in repr(part)


def test_what_is_no_board_says_so():
    with pytest.raises(ValueError, match="no board any more"):
        Leaderboard({"x": [1]}).save("x.html")


def test_completion_has_its_names_first_and_few_others(board):
    names = dir(board)
    assert {"plot", "tasks", "save", "to_latex", "estimate", "head"} <= set(names)
    assert len(names) < 40 and board.mean(numeric_only=True)["rank"] == 2.5


def test_it_survives_pickling_and_copies(board):
    for copy in (pickle.loads(pickle.dumps(board)), board.copy()):
        assert copy.sentence == board.sentence and repr(copy) == repr(board)


def test_it_draws_itself():
    board = leaderboard(counts(["$a_1$", "b", "c" * 100, "d"]))
    ax = board.plot(3, names={"b": "ours"}, width=3.3, font=7, colours={"b": "#d55e00"})
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert len(labels) == 3 and "ours" not in labels or "b" not in labels
    assert max(map(len, labels)) <= 60 and ax.figure.get_size_inches()[0] == 3.3
    assert len(ax.figure.axes) == 2 and len(board.plot(ax=ax).figure.axes) == 2
    order = ["d", "b"]
    drawn = board.plot(order=order)
    assert [t.get_text() for t in drawn.get_yticklabels()] == order
    with pytest.raises(ValueError, match="models of the board.*Oak"):
        board.plot(order=["Oak"])
    plt.close("all")


def test_a_figure_of_times_is_drawn_in_seconds():
    board = rank_models(counts())
    ax = plot_board(board, Scale(0, np.inf, "lower", "s"), Figure())
    assert ax.get_xlabel() == "score, s, lower is better, 95 % interval"
    assert ax.get_xlim()[1] < 2
    plt.close("all")


def test_tasks_and_categories(board):
    pd.testing.assert_frame_equal(board.tasks(), bq.by_task(counts()))
    pd.testing.assert_frame_equal(board.tasks("category"), bq.by_task(counts(), by="category"))
    with pytest.raises(ValueError, match="have no tasks"):
        leaderboard(bq.bootstrap(counts(), 50, rng=1)).tasks()


@pytest.mark.parametrize(
    "suffix, words",
    [
        ("html", "<!DOCTYPE html>"),
        ("tex", "toprule"),
        ("md", "| ranks |"),
        ("csv", "rank_lower"),
        ("json", "benchuq-board-1"),
    ],
)
def test_it_is_written_by_its_suffix(board, tmp_path, suffix, words):
    place = board.save(tmp_path / f"page.{suffix}")
    assert words in place.read_text() and [place] == list(tmp_path.iterdir())


def test_a_page_of_one_file_needs_no_other(board, tmp_path):
    text = board.save(tmp_path / "page.html").read_text()
    assert "figures/" not in text and "tables/" not in text and "By category" in text


def test_pictures_folders_and_other_suffixes(board, tmp_path):
    assert board.save(tmp_path / "b.pdf").read_bytes().startswith(b"%PDF")
    assert (board.save(tmp_path / "page") / "leaderboard.html").is_file()
    with pytest.raises(ValueError, match=r"b.docx: a board is written to a folder, or"):
        board.save(tmp_path / "b.docx")
    plt.close("all")


def test_models_that_hardly_ran_are_not_on_it():
    rng = np.random.default_rng(3)
    rows = [
        {"model": m, "task": t, "item": f"{t}{i}", "score": int(rng.random() < 0.6)}
        for m in "ABC"
        for t in ("law", "art", "sql")
        for i in range(40)
        if m != "C" or t == "law"
    ]
    results = from_items(pd.DataFrame(rows), holes=True)
    board = leaderboard(results)
    assert set(board.index) == {"A", "B"} and list(board.answer.below.index) == ["C"]


def test_boards_of_draws_and_of_units(board):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of_draws = leaderboard(bq.bootstrap(counts(), 500, rng=1), marginal=True)
    assert "marginal_lower" in of_draws and of_draws.sentence in repr(of_draws)
    sizes = pd.DataFrame(np.random.default_rng(2).binomial(90, 0.6, (3, 8)), list("ABC"))
    by_task = leaderboard(from_counts(sizes, 90), units="task")
    assert by_task.answer.scored.units == "task"


def test_counts_of_fewer_questions_are_a_run_of_the_task():
    rows = {"model": [*"ABC"], "task": "t", "accuracy": [0.8, 0.7, 0.75], "n": [100, 1000, 1000]}
    table = pd.DataFrame(rows)
    assert answer(table).board.index[0] == "A"
    assert set(answer(table[:2]).board.index) == {"A", "B"}


def test_models_that_are_left_out_are_named_first():
    board = pd.DataFrame({f"task{t}": [50.0 + t, 51.0 + t, 49.0 + t] for t in range(8)}, [*"ABC"])
    board.loc["C", "task0"] = np.nan
    notes = answer(board, accept=True).notes
    assert notes[0] == "1 model (C) did not run every task and is not on the board."


def test_models_with_raters_of_their_own_are_not_called_the_best():
    rng = np.random.default_rng(2)
    keys = [(m, i, f"{m}{r}") for m in "AB" for i in range(60) for r in (1, 2)]
    table = pd.DataFrame(keys, columns=["model", "item", "rater"])
    table["rating"] = rng.integers(1, 4, 240) + 2 * (table["model"] == "B")
    own = answer(table, scale=(1, 5))
    shared = answer(table.assign(rater=table["rater"].str[1:]), scale=(1, 5))
    assert own.headline.startswith("B has the highest score (")
    assert "cannot be said: each model has raters of its own." in own.headline
    assert shared.headline.startswith("B is the best of 2 models")
