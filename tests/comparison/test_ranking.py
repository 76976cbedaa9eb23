"""Confidence sets, groups and the leaderboard."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison.all_pairs import better_pairs
from benchuq.comparison.ranking import format_intervals, rank_models
from benchuq.comparison.scores import scores
from benchuq.data import published
from benchuq.sampling.bootstrap import bootstrap

SETS = ["rank_lower", "rank_upper", "marginal_lower", "marginal_upper", "rank", "groups"]


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(5)), st.integers(0, 10**6))
def test_permuting_models_permutes_everything(make_scores, order, seed):
    rng = np.random.default_rng(seed)
    x = make_scores(rng.normal(np.linspace(0, 1, 5)[:, None], 0.4, (5, 400)))
    left, right = (
        rank_models(x, marginal=True),
        rank_models(x.isel(model=list(order)), marginal=True),
    )
    pd.testing.assert_frame_equal(left[SETS], right.loc[left.index, SETS])


def test_confidence_sets_are_nested_and_hold_the_estimate(make_scores):
    rng = np.random.default_rng(3)
    sets = rank_models(
        make_scores(rng.normal(np.linspace(0, 1, 8)[:, None], 0.2, (8, 2000))), marginal=True
    )
    assert (sets["rank_lower"] <= sets["marginal_lower"]).all() and (
        sets["marginal_upper"] <= sets["rank_upper"]
    ).all()
    assert (sets["marginal_lower"] <= sets["rank"]).all() and (
        sets["rank"] <= sets["marginal_upper"]
    ).all()


def test_two_models_meet_the_normal_test(make_scores):
    """With two models the simultaneous critical value is the quantile of |N(0, 1)|: distinguished
    at 1.97 standard errors, not at 1.93.
    """
    z = np.random.default_rng(1).normal(0, 1, 400_000)
    z = (z - z.mean()) / z.std()
    for shift, distinct in [(1.90, False), (2.02, True)]:
        better = better_pairs(scores(make_scores(np.stack([z + shift, np.zeros_like(z)])))).values
        assert better[0, 1] == distinct and not better[1, 0]


def test_models_without_any_spread(make_scores):
    same = better_pairs(scores(make_scores([[0.5] * 250, [0.5] * 250, [0.4] * 250]))).values
    assert not same[0, 1] and same[0, 2] and same[1, 2]


def test_leaderboard_is_sorted_and_reads_well():
    draws = bootstrap(published.load("vtab"), 1000, rng=1)
    board, more = rank_models(draws), rank_models(draws, marginal=True)
    assert board["estimate"].is_monotonic_decreasing
    assert (
        board["conclusion"].iloc[0] == "ranks 1-2, cannot be distinguished from Sup-Exemplar-100%"
    )
    assert board["conclusion"].iloc[2] == "rank 3" and board["p_best"].sum() == pytest.approx(1)
    pd.testing.assert_frame_equal(more[board.columns], board)
    assert list(more.columns.difference(board.columns)) == ["marginal_lower", "marginal_upper"]


def test_no_number_is_minus_zero():
    table = pd.DataFrame(
        {"estimate": [-0.0004, -0.0], "lower": [-0.02, -0.0001], "upper": [0.02, 0.0]}
    )
    assert list(format_intervals(table)) == ["0.0 (\u22122.0, 2.0)", "0.0 (0.0, 0.0)"]
