"""Answers and runs far out, tasks with few questions, and missing scores on scales without ends."""

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.comparison.bounds import bounds_sentences
from benchuq.reporting.answer import answer


def seconds(n: int = 20, **absurd) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (model, "law", f"q{i}", round(gain * rng.lognormal(1, 0.3), 2))
        for model, gain in (("Cedar", 1.0), ("Ash", 1.3))
        for i in range(n)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "item", "score"])
    for item, value in absurd.items():
        table.loc[(table["item"] == item) & (table["model"] == "Ash"), "score"] = value
    return table


def notes(table: pd.DataFrame, **how) -> str:
    how = {"scale": (0, None), "better": "lower", "unit": "s"} | how
    return " ".join(answer(bq.read(table, accept=True, **how)).notes)


def test_an_answer_that_makes_a_quarter_of_a_mean_is_named():
    assert "alone" not in notes(seconds())
    said = notes(seconds(q7=900.0))
    assert "Question q7 alone (900.0" in said and "of the mean of Ash: see whether" in said
    two = pd.concat([seconds(q7=900.0, q3=800.0), seconds().assign(task="art")])
    assert "of the mean of Ash on law: see whether it is right. 1 more make" in notes(two)
    assert "alone" not in notes(seconds(q7=900.0), scale=(0, 1000))
    assert "alone" not in notes(seconds(n=6, q3=900.0))


def test_few_questions_are_said():
    assert "There are fewer than 10 questions" in notes(seconds(n=9))
    assert "fewer than" not in notes(seconds(n=10))
    both = pd.concat([seconds(), seconds(n=5).assign(task="art")])
    assert "art has fewer than 10 questions" in notes(both)
    assert "fewer than" not in notes(seconds(n=9), scale=(0, 100))


def test_a_run_that_makes_a_quarter_of_a_score_is_named():
    rng = np.random.default_rng(2)
    rows = [(m, f"game {g}", s, rng.lognormal()) for m in "AB" for g in range(6) for s in range(3)]
    table = pd.DataFrame(rows, columns=["model", "task", "seed", "score"])
    table.loc[4, "score"] = 1e6
    assert "Seed 1 of game 1 alone" in notes(table, better="higher", unit="")


def test_a_missing_answer_has_no_bounds_without_ends_and_those_of_its_scale_with_two():
    table = seconds(80).assign(score=lambda t: t["score"].where(t.index != 3))
    how = {"accept": True, "better": "lower", "unit": "s"}
    said = bounds_sentences(bq.read(table, scale=(0, None), **how))
    assert "may change is not known: scores are from 0 s on" in said[-1]
    assert notes(table)
    rating = table.assign(score=1 + table["score"].clip(0, 8) / 2)
    share = table.assign(score=1 - (rating["score"] - 1) / 4)
    ends = [
        bounds_sentences(bq.read(t, accept=True, **more))
        for t, more in ((rating, {"scale": (1, 5), "better": "lower"}), (share, {"scale": (0, 1)}))
    ]
    assert len(ends[0]) == len(ends[1]) == 2


def test_some_sizes_of_a_board_leave_the_tasks_as_units():
    rng = np.random.default_rng(3)
    tasks = ["law", "art", "maths", "music", "sport", "food"]
    board = pd.DataFrame(rng.uniform(0.4, 0.8, (3, 6)), ["Cedar", "Ash", "Elm"], tasks)
    found = answer(bq.read(board, accept=True, n_items={"law": 1000, "art": 500, "maths": 300}))
    assert found.scored.units == "task"
    assert "the score of music, sport and food is, is not known" in found.headline
    few = answer(bq.read(board[tasks[:4]], accept=True, n_items={"law": 1000}))
    assert few.family is None and "cannot be said" in few.headline


@pytest.mark.parametrize("ratio", [True, False])
def test_plans_with_costs_take_logarithms_of_ratios(ratio):
    """Of a pair of models a plan with costs says what the plan without them says, and how many
    questions show the saving.
    """
    table = seconds(60).assign(cost=np.random.default_rng(4).lognormal(0, 0.1, 120))
    table.loc[table["model"] == "Cedar", "cost"] *= 0.5
    results = bq.read(table, accept=True, scale=(0, None), better="lower")
    scaling = {"normalise": "ratio", "baseline": "Ash"} if ratio else {}
    how = {"pair": ("Ash", "Cedar"), "differences": [1.5], **scaling}
    plain, costly = bq.design(results, **how), bq.design(results, cost="cost", **how)
    assert 1 <= plain["pair"].iloc[0] == costly["pair"].iloc[0] < np.inf
    assert 1 <= costly["saving"].iloc[0] < np.inf


def test_an_answer_that_makes_most_of_a_mean_is_named_under_ratios_too():
    rng, rows = np.random.default_rng(4), []
    for model, typical in (("A", 3.0), ("B", 4.0)):
        for task in ("x", "y"):
            times = typical * rng.lognormal(sigma=0.3, size=30)
            times[7] *= 60 if (model, task) == ("B", "y") else 1
            rows += [(model, task, f"{task}{i}", value) for i, value in enumerate(times)]
    frame = pd.DataFrame(rows, columns=["model", "task", "item", "seconds"])
    results = bq.read(frame, columns={"score": "seconds"}, better="lower", scale="any")
    of_b = frame.query("model == 'B' and task == 'y'")["seconds"]
    share = f"{100 * of_b.max() / of_b.sum():.0f} % of the mean of B on y"
    for how in ({}, {"normalise": "ratio", "baseline": "A"}):
        said = " ".join(answer(results, **how).notes)
        assert "Question y7 alone" in said and share in said
    assert f"({of_b.max() / of_b.mean():.3g} times the mean)" in said


def test_tasks_of_another_size_are_named():
    rng = np.random.default_rng(3)
    rows = [
        (model, task, seed, size * rng.uniform(0.9, 1.1))
        for model in ("Cedar", "Ash", "Elm")
        for task, size in {"Ant": 5000, "Hopper": 2500, "Reacher": -5}.items()
        for seed in range(4)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "seed", "return"])
    told = " ".join(answer(bq.read(table, accept=True)).notes)
    assert "on Ant and " in told and " on Reacher, signs aside: a mean weighs them" in told
    alike = answer(bq.read(table[table["task"] != "Reacher"], accept=True))
    assert "a mean weighs them" not in " ".join(alike.notes)
