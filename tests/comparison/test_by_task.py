"""The table of models by tasks: each column is a board of its own."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.by_task import by_task, select_tasks, whole_scores
from benchuq.comparison.ranking import rank_models
from benchuq.data.results import from_counts, from_estimates, from_items
from benchuq.data.scales import Scale


def _items(rng, n=60):
    "Answers of three models to two tasks, of which the last model ran the first alone."
    rows = [
        {"model": model, "task": task, "item": f"{task}{i}", "score": rng.binomial(1, p)}
        for model, p in (("Cedar", 0.9), ("Ash", 0.85), ("Elm", 0.4))
        for task in ("law", "art")
        for i in range(n)
        if (model, task) != ("Elm", "art")
    ]
    return from_items(pd.DataFrame(rows), holes=True)


def test_a_column_is_the_board_of_its_task():
    results = _items(np.random.default_rng(1))
    table = by_task(results)
    board = rank_models(select_tasks(results, ["law"]))
    column = table.xs("law", level="task").loc[board.index]
    assert np.allclose(column["upper"], board["upper"], atol=1e-12)
    assert (column["may_be_best"] == (board["rank_lower"] == 1)).all()
    assert ("Elm", "art") not in table.index


@pytest.mark.simulation
def test_some_column_is_wrong_about_the_best_no_more_often_than_the_level_says():
    """Of 200 columns of three models, the first of which is the best by a little, 0.05 may exclude
    it.
    """
    rng, n_columns = np.random.default_rng(2), 200
    counts = rng.binomial(300, [[0.72], [0.7], [0.7]], (3, n_columns))
    tasks = [f"task {i}" for i in range(n_columns)]
    results = from_counts(pd.DataFrame(counts, ["Cedar", "Ash", "Elm"], tasks), 300)
    may_be_best = by_task(results).xs("Cedar", level="model")["may_be_best"]
    assert (~may_be_best).mean() <= 0.05


def test_without_errors_the_highest_alone_is_best():
    scores = pd.DataFrame({"law": [0.7, 0.8], "art": [0.5, 0.5]}, ["Cedar", "Ash"])
    table = by_task(from_estimates(scores))
    assert table["lower"].isna().all()
    assert set(table.index[table["may_be_best"]]) == {
        ("Ash", "law"),
        ("Ash", "art"),
        ("Cedar", "art"),
    }


def test_categories_and_refusals():
    counts = pd.DataFrame({"a": [50, 60], "b": [70, 80]}, ["Cedar", "Ash"])
    table = by_task(from_counts(counts, 100, {"a": "text", "b": "text"}), by="category")
    assert table.loc[("Ash", "text"), "estimate"] == pytest.approx(0.7)
    with pytest.raises(ValueError, match="categories"):
        by_task(from_counts(counts, 100), by="category")
    with pytest.raises(ValueError, match="by"):
        by_task(from_counts(counts, 100), by="model")


def test_tasks_on_several_scales_stand_by_their_mean_rank():
    table = pd.DataFrame({"law": [0.9, 0.8, 0.7], "time": [3.0, 2.0, 1.0]}, ["Ash", "Elm", "Fir"])
    scales = {"law": Scale(), "time": Scale(0, np.inf, "lower", "s")}
    results = from_estimates(table, scales=scales)
    assert whole_scores(results) is None
    times = by_task(results).xs("time", level="task")
    assert list(times.index[times["may_be_best"]]) == ["Fir"]


def test_letters_are_those_of_the_board_of_a_task():
    results = _items(np.random.default_rng(3))
    column = by_task(results).xs("law", level="task")
    board = rank_models(select_tasks(results, ["law"]))
    assert (column["groups"] == board["groups"][column.index]).all()
