"""Ranks, rank probabilities, confidence sets and groups."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from benchuq.comparison import aggregate, ranking
from benchuq.data import published, results
from benchuq.sampling.bootstrap import bootstrap


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 90), st.integers(1, 8), st.sampled_from(["average", "min", "max"]), st.integers(0, 10**6))
def test_ranks_are_those_of_scipy(n_models, n_values, ties, seed):
    x = np.random.default_rng(seed).integers(0, n_values, (n_models, 3, 5)) / 7
    da = xr.DataArray(x, dims=("model", "task", "draw"))
    np.testing.assert_array_equal(ranking.ranks(da, ties), rankdata(-x, method=ties, axis=0))


def test_bins_do_not_fall_below_their_own_edge():
    """57/100 is 56.99999999999999 per cent in floating point; it belongs to the bin 57."""
    k = np.arange(101)
    draws = xr.DataArray((k / 100)[:, None, None], dims=("model", "task", "draw"))
    np.testing.assert_array_equal(ranking._bin(draws).values.ravel(), k)


def test_schemes_by_hand():
    draws = xr.DataArray(
        np.array([[[0.605], [0.50]], [[0.601], [0.60]], [[0.30], [0.10]]]),
        dims=("model", "task", "draw"),
        coords={"model": list("ABC"), "task": ["s", "t"]},
    )
    expected = {
        "mean": [2, 1, 3],
        "geometric_mean": [2, 1, 3],
        "average_rank": [1.5, 1.5, 3],
        "average_rank_bins": [2, 1.5, 3],
    }
    for scheme, r in expected.items():
        np.testing.assert_array_equal(ranking.aggregate_ranks(draws, scheme).values.ravel(), r)
    noisy = ranking.aggregate_ranks(draws.isel(draw=np.zeros(4000, int)), "average_rank_noise", rng=1)
    assert 1 < float(noisy.sel(model="A").mean()) < 2 and float(noisy.sel(model="C").mean()) == 3


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
    np.testing.assert_allclose(ranking.rank_probabilities(x).sel(model=y["model"]), ranking.rank_probabilities(y))


def test_rank_probabilities_with_ties(make_scores):
    p = ranking.rank_probabilities(make_scores([[1, 1], [1, 0], [1, 0]]))
    np.testing.assert_allclose(p, [[2 / 3, 1 / 6, 1 / 6], [1 / 6, 5 / 12, 5 / 12], [1 / 6, 5 / 12, 5 / 12]])
    np.testing.assert_allclose(p.sum("model"), 1)


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
        sets = ranking.confidence_sets(aggregate.mean(bootstrap(counts, 600, rng=rng)))
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
    with pytest.raises(ValueError, match="ties must be one of .*'average'.*got 'first'"):
        ranking.ranks(x, "first")
    with pytest.raises(ValueError, match="scheme must be one of .*'average_rank_bins'.*got 'median'"):
        ranking.aggregate_ranks(x.expand_dims(task=["t"]), "median")
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


@pytest.mark.parametrize("n_ranks", [1, 3, 20, 21, 90, 3000])
def test_rank_probabilities_are_readable_for_any_number_of_ranks(n_ranks):
    shares = xr.DataArray(
        np.full((15, n_ranks), 1 / n_ranks),
        dims=("model", "rank"),
        coords={"model": [f"m{i}" for i in range(15)], "rank": np.arange(1, n_ranks + 1)},
    )
    ax = ranking.plot_rank_probabilities(shares)
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, *ax.get_xticklabels()) if t.get_text()]
    boxes = np.array([t.get_window_extent().extents for t in texts])
    first, second = np.triu_indices(len(boxes), 1)
    apart = (boxes[first, :2] >= boxes[second, 2:]) | (boxes[second, :2] >= boxes[first, 2:])
    assert apart.any(axis=1).all()  # side by side or one above the other
    assert ax.get_xticklabels()[0].get_text() == "1" and ax.figure.get_figwidth() < 12
    assert ax.collections[0].get_array().max() <= ax.collections[0].get_clim()[1]
