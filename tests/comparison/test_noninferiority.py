"""Verdicts: closed testing, margins, several candidates, the best of a board."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.damage import Moments, claim_p_values, weigh
from benchuq.comparison.noninferiority import (
    MEAN,
    SHARES,
    local_levels,
    noninferiority,
    noninferiority_to_best,
    overall,
)
from benchuq.comparison.sequential import parse_look
from benchuq.data.results import from_items

SIZES = np.array([1319, 500, 198, 541, 164])


def simulated(damage, changing, n_cases, seed):
    rng, damage = np.random.default_rng(seed), np.broadcast_to(damage, 5)
    both = np.maximum(changing, damage)
    p = np.stack([(both + damage) / 2, (both - damage) / 2, 1 - both], axis=1)
    lost, won = np.moveaxis(np.stack([rng.multinomial(n, q, n_cases) for n, q in zip(SIZES, p)], 1), -1, 0)[:2]
    tasks = Moments((lost - won) / SIZES, (lost + won) / SIZES, (lost + won) / SIZES**2, (lost * 0 + 1) / SIZES)
    return Moments(*(np.concatenate([m[:, None], x], 1) for m, x in zip(weigh(tasks, np.full(5, 0.2)), tasks)))


def claims(moments):
    pairs = zip(SHARES.items(), claim_p_values(moments, 0.02))
    return {k: p < local_levels(p, np.arange(6) > 0, 0.05, share) for (k, share), p in pairs}


def test_the_goals_with_a_tenth_of_the_answers_changing():
    # shares of 300; each bound is more than 3 standard errors from the value of a long run (.79, .998, .94)
    same, drop = (claims(simulated(d, 0.1, 300, 1)) for d in (0.0, 0.05))
    assert same["not worse"][:, 0].mean() > 0.70 and same["worse"].any(1).mean() < 0.02
    assert drop["worse"].any(1).mean() > 0.97
    local = claims(simulated([0, 0, 0, 0, 0.1], 0.1, 300, 2))
    assert local["worse"].any(1).mean() > 0.85


def test_both_errors_hold_at_the_margin():
    # everything is at the margin, so every claim is false; 400 cases: .05 + 3.7 standard errors = .09
    found = claims(simulated(0.02, 0.15, 400, 4))
    assert max(x.any(axis=1).mean() for x in found.values()) < 0.09


def test_claimed_error_goes_to_the_rest():
    of_task = np.array([False, True, True])
    p = np.array([0.9, 0.01, 0.2])
    assert np.allclose(local_levels(p, of_task, 0.05, 0.1), [0.005, 0.045, 0.045])
    p[0] = 0.001
    assert np.allclose(local_levels(p, of_task, 0.05, 0.1), [0.005, 0.05, 0.05])


def test_a_single_task_is_tested_at_the_full_error():
    assert local_levels(np.array([0.5]), np.array([False]), 0.05, 0.1) == pytest.approx(0.05)


@pytest.fixture(scope="module")
def board():
    rng = np.random.default_rng(6)
    easy = rng.random(600)
    p = {"old": 0.75, "same": 0.75, "poor": 0.5}
    rows = [
        pd.DataFrame(
            {"model": m, "task": np.repeat(["law", "art"], 300), "item": range(600), "score": (easy < x) * 1.0}
        )
        for m, x in p.items()
    ]
    flip = rng.random(600) < 0.04
    rows[1]["score"] = np.where(flip, 1 - rows[1]["score"], rows[1]["score"])
    return from_items(pd.concat(rows))


def test_verdicts_and_limits_agree(board):
    for margin in (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3):
        table = noninferiority(board, "old", ["same", "poor"], margin)
        assert ((table["upper"] < -margin) == (table["verdict"] == "worse")).all()
        assert ((table["lower"] > -margin) == (table["verdict"] == "not worse")).all()
    assert overall(noninferiority(board, "old", ["same", "poor"], 0.06)).tolist() == ["not worse", "worse"]


def test_a_larger_sample_of_candidates_costs_less_than_sidak(board):
    levels = noninferiority(board, "old", ["same", "poor"], 0.02)["level_worse"]
    assert levels.loc["same", MEAN] >= (1 - (1 - 0.005) ** 0.5) * 0.9


def test_the_order_of_tasks_and_models_does_not_matter(board):
    one = noninferiority(board, "old", "same", 0.05)
    turned = board.isel(model=[2, 0, 1], item=np.arange(600)[::-1])
    pd.testing.assert_frame_equal(one.sort_index(), noninferiority(turned, "old", "same", 0.05).sort_index())


def test_margins_of_tasks_and_weights(board):
    table = noninferiority(board, "old", "same", 0.05, task_margins={"art": 0.2}, weights={"law": 1, "art": 0})
    assert table["margin"].tolist() == [0.05, 0.05, 0.2] and table["weight"].tolist() == [1, 1, 0]
    assert table["estimate"].iloc[0] == table["estimate"].iloc[1]
    size = noninferiority(board, "old", "same", 0.05, weights="size")
    assert np.isclose(size["estimate"].iloc[0], size["estimate"].iloc[1:].mean())


@pytest.mark.parametrize("margin", [-0.01, 1.5, "x", None, float("nan")])
def test_margins_that_are_none(board, margin):
    with pytest.raises(ValueError, match="margin must lie between 0 and 1"):
        noninferiority(board, "old", "same", margin)


def test_a_margin_of_an_unknown_task(board):
    with pytest.raises(ValueError, match="unknown tasks with a margin"):
        noninferiority(board, "old", "same", task_margins={"lwa": 0.1})


def test_a_look_is_more_cautious(board):
    plain, early = (noninferiority(board, "old", "poor", 0.1, look=x) for x in (None, parse_look("1/3")))
    assert (early["level_worse"] < plain["level_worse"]).all() and (early["upper"] >= plain["upper"]).all()


def test_the_best_of_a_board(board):
    found = noninferiority_to_best(board, "poor", margin=0.05)
    assert found["verdict"].iloc[0] == "worse" and len(found) == 3
    assert noninferiority_to_best(board, "old", margin=0.06)["verdict"].iloc[0] == "not worse"
    with pytest.raises(ValueError, match="no other model"):
        noninferiority_to_best(board.sel(model=["old"]), "old")
