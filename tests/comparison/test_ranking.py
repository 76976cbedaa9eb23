"""Confidence sets, groups and the leaderboard."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison import ranking
from benchuq.data import published, results
from benchuq.sampling.bootstrap import bootstrap


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(5)), st.integers(0, 10**6))
def test_permuting_models_permutes_everything(make_scores, order, seed):
    rng = np.random.default_rng(seed)
    x = make_scores(rng.normal(np.linspace(0, 1, 5)[:, None], 0.4, (5, 400)))
    y = x.isel(model=list(order))
    for f in (ranking.confidence_sets, ranking.significantly_better):
        left, right = f(x), f(y)
        right = right.reindex(left.index) if f is ranking.confidence_sets else right.loc[left.index, left.columns]
        pd.testing.assert_frame_equal(left, right)


def test_confidence_sets_are_nested_and_hold_the_estimate(make_scores):
    rng = np.random.default_rng(3)
    sets = ranking.confidence_sets(make_scores(rng.normal(np.linspace(0, 1, 8)[:, None], 0.2, (8, 2000))))
    assert (sets["rank_lower"] <= sets["marginal_lower"]).all() and (sets["marginal_upper"] <= sets["rank_upper"]).all()
    assert (sets["marginal_lower"] <= sets["rank"]).all() and (sets["rank"] <= sets["marginal_upper"]).all()


def test_two_models_meet_the_normal_test(make_scores):
    """With two models the simultaneous critical value is the quantile of |N(0, 1)|: distinguished at 1.97 standard
    errors, not at 1.93.
    """
    z = np.random.default_rng(1).normal(0, 1, 400_000)
    z = (z - z.mean()) / z.std()
    for shift, distinct in [(1.90, False), (2.02, True)]:
        better = ranking.significantly_better(make_scores(np.stack([z + shift, np.zeros_like(z)])), level=0.95)
        assert better.loc["m0", "m1"] == distinct and not better.loc["m1", "m0"]


def test_models_without_any_spread(make_scores):
    same = ranking.significantly_better(make_scores([[0.5] * 250, [0.5] * 250, [0.4] * 250]))
    assert not same.loc["m0", "m1"] and same.loc["m0", "m2"] and same.loc["m1", "m2"]
    with pytest.raises(ValueError, match="at least two models"):
        ranking.confidence_sets(make_scores([[0.5] * 50]))


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_models_share_a_letter_exactly_if_they_are_alike(n, seed):
    distinct = np.triu(np.random.default_rng(seed).random((n, n)) < 0.4, 1)
    names = [f"m{i}" for i in range(n)]
    letters = ranking.letter_groups(pd.DataFrame(distinct, index=names, columns=names))
    for i, j in combinations(range(n), 2):
        assert bool(set(letters.iloc[i]) & set(letters.iloc[j])) != distinct[i, j]


def test_simultaneous_sets_cover_with_binomial_data():
    """Six models, four of them equal, 200 benchmarks of 2 x 400 items: all sets cover in at least 95 %, less 3
    standard errors.
    """
    truth = np.array([[0.70, 0.66], [0.65, 0.65], [0.64, 0.66], [0.66, 0.64], [0.65, 0.65], [0.60, 0.60]])
    mean = truth.mean(axis=1).round(9)
    lowest, highest = 1 + (mean > mean[:, None]).sum(axis=1), (mean >= mean[:, None]).sum(axis=1)
    board = results.from_counts(pd.DataFrame(400 * truth, index=list("ABCDEF"), columns=["s", "t"]).round(), 400)
    rng, covered = np.random.default_rng(7), []
    for _ in range(200):
        counts = board.assign(n_correct=(("model", "task"), rng.binomial(400, truth)))
        sets = ranking.confidence_sets(counts)
        covered.append(((sets["rank_lower"] <= lowest) & (highest <= sets["rank_upper"])).all())
    assert np.mean(covered) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 200)


def test_leaderboard_is_sorted_and_reads_well():
    board = ranking.leaderboard(bootstrap(published.load("vtab"), 2000, rng=1))
    assert board["estimate"].is_monotonic_decreasing
    assert (
        board["conclusion"].iloc[0] == "ranks 1-2, cannot be distinguished from Sup-Exemplar-100%"
        and board["conclusion"].iloc[2] == "rank 3"
    )
    assert board["p_best"].sum() == pytest.approx(1)


def test_leaderboard_has_marginal_sets_on_request():
    draws = bootstrap(published.load("vtab"), 500, rng=1)
    board, more = ranking.leaderboard(draws), ranking.leaderboard(draws, marginal=True)
    pd.testing.assert_frame_equal(more[board.columns], board)
    assert list(more.columns.difference(board.columns)) == ["marginal_lower", "marginal_upper"]


@pytest.mark.parametrize("level", [0, 1, 95])
def test_bad_level(make_scores, level):
    x = make_scores([[0.5, 0.6], [0.4, 0.7]])
    for f in (ranking.significantly_better, ranking.confidence_sets):
        with pytest.raises(ValueError, match="level must lie between 0 and 1, got"):
            f(x, level)


def test_bad_options(make_scores):
    x = make_scores([[0.5, 0.6], [0.4, 0.7]])
    with pytest.raises(ValueError, match="at least two models"):
        ranking.leaderboard(x.expand_dims(task=["t"]).isel(model=[0]))


def test_plot_shows_what_it_is_given(make_scores):
    draws = make_scores(np.random.default_rng(0).normal([[2], [1.9], [0]], 0.3, (3, 500)))
    board = ranking.leaderboard(draws.expand_dims(task=["t"]))
    for sets, lines in [(board, 1), (ranking.confidence_sets(draws), 2)]:
        assert len(ranking.plot_confidence_sets(sets).collections) == lines
    plt.close("all")


def test_letters_of_many_models_are_found_at_once_or_not_at_all():
    """Two camps of 500 need two letters; a long row of models that differ only from the far ones gets none."""
    n = 1000
    camps = np.zeros((n, n), bool)
    camps[:500, 500:] = True
    names = [f"m{i}" for i in range(n)]
    letters = ranking.letter_groups(pd.DataFrame(camps, names, names))
    assert letters.iloc[:500].eq("a").all() and letters.iloc[500:].eq("b").all()
    row = np.subtract.outer(np.arange(n), np.arange(n)) < -50
    assert ranking.letter_groups(pd.DataFrame(row, names, names)).eq("").all()
