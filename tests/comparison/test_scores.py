"""Scores: the textbook's variances, holes, units, twins, and refusals."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import special, stats

from benchuq.comparison import moments
from benchuq.comparison.moments import task_influences
from benchuq.comparison.scores import Scores, scores
from benchuq.data.published import load
from benchuq.data.results import from_counts, from_estimates
from tests.comparison.boards import alike, in_clusters, items

RNG = np.random.default_rng(3)
SIZES = [40, 25, 60]
X = alike(4, SIZES, 0.7, 0.5, RNG)


def test_covariance_is_that_of_paired_answers():
    s = scores(items(X, SIZES), {"t0": 0.5, "t1": 0.2, "t2": 0.3})
    cells = np.split(X.astype(float), np.cumsum(SIZES)[:-1], axis=1)
    expected = sum(w**2 * np.cov(x) / x.shape[1] for w, x in zip((0.5, 0.2, 0.3), cells))
    np.testing.assert_allclose(s.covariance, expected, atol=1e-15)
    np.testing.assert_allclose(
        s.estimate, sum(w * x.mean(axis=1) for w, x in zip((0.5, 0.2, 0.3), cells))
    )
    changes = s.changes(*np.triu_indices(4, 1))
    i, j = np.triu_indices(4, 1)
    np.testing.assert_allclose(changes.difference(), s.estimate[i] - s.estimate[j], atol=1e-15)
    together = expected[i, i] + expected[j, j] - 2 * expected[i, j]
    np.testing.assert_allclose(changes.variance(), together, atol=1e-15)


def test_graded_scores_have_the_variance_of_paired_differences():
    x = RNG.random((3, 50))
    s = scores(items(x, [50]))
    d = x[0] - x[1]
    np.testing.assert_allclose(s.changes([0], [1]).variance(), d.var(ddof=1) / 50)
    np.testing.assert_allclose(s.changes([0], [1]).difference(), d.mean())


def test_counts_are_independent_items():
    counts = from_counts(
        pd.DataFrame({"a": [30, 20], "b": [8, 9]}, index=["x", "y"]), {"a": 40, "b": 10}
    )
    s = scores(counts)
    p, n = np.array([[0.75, 0.8], [0.5, 0.9]]), np.array([40, 10])
    np.testing.assert_allclose(np.diag(s.covariance), (p * (1 - p) / (n - 1)).sum(axis=1) / 4)
    assert s.covariance[0, 1] == 0 and s.items.paired is None and s.n_units.tolist() == [50, 50]


def test_estimates_keep_their_standard_errors():
    estimate = pd.DataFrame({"a": [0.6, 0.7], "b": [0.5, 0.4]}, index=["x", "y"])
    s = scores(from_estimates(estimate, 0 * estimate + 0.02))
    np.testing.assert_allclose(np.diag(s.covariance), 2 * 0.02**2 / 4)
    table = s.intervals()
    np.testing.assert_allclose(
        table["upper"] - table["estimate"], 1.96 * 0.02 / np.sqrt(2), rtol=0.02
    )


def test_twins_have_equal_intervals_to_the_last_bit():
    x = np.concatenate([X, X[:1]])
    for board in (items(x, SIZES), items(np.where(np.arange(125) % 7 == 0, 0.3, x), SIZES)):
        table = scores(board).intervals()
        assert (table.iloc[0] == table.iloc[4]).all()


def test_single_items_are_pooled():
    x = alike(3, [1] * 50, 0.6, 0.0, RNG)
    s = scores(items(x, [1] * 50))
    np.testing.assert_allclose(np.diag(s.covariance), x.var(axis=1, ddof=1) / 50)


def test_holes_may_hold_any_score():
    x = X.astype(float)
    x[1, 40:65] = np.nan
    s = scores(items(x, SIZES))
    np.testing.assert_allclose(s.unknown, [0, 1 / 3, 0, 0])
    table = s.intervals()
    whole = scores(items(X, SIZES)).intervals()
    assert table.loc["m1", "upper"] - table.loc["m1", "lower"] > 1 / 3
    pd.testing.assert_frame_equal(table.drop("m1"), whole.drop("m1"))


def test_a_cluster_is_one_over_all_tasks():
    cluster = np.tile(np.repeat(np.arange(20), 4), 5)
    x = in_clusters(2, cluster, 1.0, RNG)
    s = scores(items(x, [80] * 5, cluster=cluster))
    sums = np.stack(
        [(x - x.mean(axis=1, keepdims=True))[:, cluster == k].sum(axis=1) / 400 for k in range(20)]
    )
    np.testing.assert_allclose(s.covariance, sums.T @ sums * 20 / 19, rtol=1e-9)
    assert s.units == "cluster" and s.n_units.tolist() == [20, 20]
    np.testing.assert_allclose(s.df, 19, rtol=1e-9)


def test_clusters_of_one_item_are_items():
    one = scores(items(X, SIZES, cluster=np.arange(125)))
    np.testing.assert_allclose(one.covariance, scores(items(X, SIZES)).covariance, atol=1e-15)


def test_tasks_as_units():
    s, means = scores(load("vtab"), units="task"), scores(load("vtab"))
    table = load("vtab")["n_correct"] / load("vtab")["n_items"]
    np.testing.assert_allclose(s.covariance, np.cov(table.transpose("model", "task").values) / 19)
    assert s.df == pytest.approx(18) and (s.estimate == means.estimate).all()
    influence, df = task_influences(np.ones((6, 2)), np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1]))
    assert df == 5
    np.testing.assert_allclose(influence, 0, atol=1e-15)


def test_other_tasks_are_never_surer_than_other_items():
    alike = from_counts(pd.DataFrame([[16] * 8, [20] * 8], columns=list("abcdefgh")), 20)
    tasks, here = (scores(alike, units=units).intervals() for units in ("task", "item"))
    assert (tasks["lower"] <= here["lower"]).all() and (tasks["upper"] >= here["upper"]).all()
    assert tasks.loc[tasks.index[1], "lower"] < 1


def test_repeats_as_units():
    y = RNG.random((2, 30, 6))
    board = (
        items(y.mean(axis=2), [30])
        .drop_vars("score")
        .assign(score=(("model", "item", "repeat"), y))
    )
    s = scores(board, units="repeat")
    np.testing.assert_allclose(s.covariance, np.cov(y.mean(axis=1)) / 6)
    about = "Scores of 2 models on 1 task, error by repeat; bq.leaderboard shows them"
    assert s.df == 5 and str(s) == about
    p, lower, upper, _ = s.intervals().to_numpy().T
    reach = stats.t.isf(0.025, 5) * np.sqrt(np.diag(s.covariance)) / (p * (1 - p))
    np.testing.assert_allclose(
        special.logit([lower, upper]), special.logit(p) + np.outer([-1, 1], reach)
    )
    with pytest.raises(
        ValueError, match="too few repeats to speak of other repeats: 2; 3 are needed"
    ):
        scores(board.isel(repeat=slice(2)), units="repeat")


def test_draws_become_scores():
    draws = xr.DataArray(
        RNG.normal(0.6, 0.02, (3, 2, 4000)),
        {"model": list("abc"), "task": ["s", "t"]},
        ("model", "task", "draw"),
    )
    s = scores(draws)
    np.testing.assert_allclose(s.covariance, np.cov(draws.mean("task").values))
    np.testing.assert_allclose(
        s.intervals()["lower"], np.quantile(draws.mean("task"), 0.025, axis=1)
    )


def test_scores_pass_through_and_select():
    s = scores(items(X, SIZES))
    assert scores(s) is s and isinstance(s, Scores)
    part = s.select(["m3", "m0"])
    np.testing.assert_array_equal(part.covariance, s.covariance[np.ix_([3, 0], [3, 0])])
    np.testing.assert_array_equal(
        part.changes([0], [1]).difference(), s.changes([3], [0]).difference()
    )
    with pytest.raises(ValueError, match="unknown models"):
        s.select(["nobody"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"units": "task"}, "too few tasks to speak of other tasks: 3; 5 are needed"),
        ({"units": "cluster"}, "needs a column cluster"),
        ({"units": "repeat"}, "needs several answers to each item"),
        ({"units": "year"}, "units must be one of"),
        ({"weights": {"t0": 0, "t1": 0, "t2": 0}}, "some weight must be above 0"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(ValueError, match=message):
        scores(items(X, SIZES), **arguments)


def test_one_cluster_says_nothing():
    with pytest.raises(ValueError, match=r"\['t1'\] belong to one cluster"):
        scores(
            items(
                X, SIZES, cluster=np.where(np.arange(125) // 5 * 5 < 40, np.arange(125) // 5, 99)
            ),
            {"t0": 0.5, "t1": 0.5, "t2": 0},
        )


def test_a_table_of_any_kind_is_taken(tmp_path):
    rows = items(X, SIZES).to_dataframe().reset_index()
    rows.to_csv(tmp_path / "answers.csv", index=False)
    for given in (rows, tmp_path / "answers.csv", str(tmp_path / "answers.csv")):
        np.testing.assert_allclose(scores(given).estimate, scores(items(X, SIZES)).estimate)


def test_equal_scores_at_an_end_say_nothing_where_no_error_is_known():
    board = scores(from_estimates(pd.DataFrame({"t": [0.5, 0.0, 0.0, 1.0, 1.0]}, list("abcde"))))
    assert np.isnan(board.pair_limits(*np.triu_indices(5, 1), 1.96)).all()


def test_an_estimate_at_an_end_is_as_sure_as_its_counts():
    """154 of 154, 149, 120 and none right, and the same as estimates with the standard errors of
    add-one proportions.
    """
    right = pd.DataFrame({"t": [154, 149, 120, 0]}, list("abcd"))
    p, pairs = (right + 1) / 156, np.triu_indices(4, 1)
    counts = scores(from_counts(right, pd.Series({"t": 154})))
    estimates = scores(from_estimates(right / 154, np.sqrt(p * (1 - p) / 154)))
    limits = ["lower", "upper"]
    np.testing.assert_allclose(
        estimates.intervals()[limits], counts.intervals()[limits], atol=0.006
    )
    np.testing.assert_allclose(
        estimates.pair_limits(*pairs, 1.96), counts.pair_limits(*pairs, 1.96), atol=0.006
    )


@pytest.mark.parametrize("holes", [0, 0.3])
def test_layers_in_stacks_say_what_single_ones_say(holes, monkeypatch):
    rng = np.random.default_rng(6)
    task = rng.permutation(np.repeat(np.arange(10), [1, 1, 1, 5, 5, 5, 9, 2, 2, 60]))
    score = (rng.random((len(task), 6)) < 0.6).astype(float)
    score[rng.random(score.shape) < holes] = np.nan
    weights, both = np.array([1, 1, 1, 1, 0.8, 9, 1, 1, 0.9, 3]), []
    for room in (moments.NUMBERS_IN_CACHE, 1):  # 1: each layer is a stack of its own
        monkeypatch.setattr(moments, "NUMBERS_IN_CACHE", room)
        both.append(moments.ItemMoments.of(score, task, weights))
    stacked, single = both
    assert len(moments._stacked_layers(stacked.layers, 6)) == len(stacked.layers) == 8
    if not holes:  # by hand
        more = score[:, :, None] > score[:, None]
        gain = [w * more[task == t].mean(axis=0) for t, w in enumerate(weights)]
        np.testing.assert_allclose(stacked.paired.gain.mean.sum(axis=0), sum(gain))
    for one, other in ((stacked.own, single.own), (stacked.paired.gain, single.paired.gain)):
        for x, y in zip(one, other):
            np.testing.assert_allclose(x, y, atol=1e-14)
    np.testing.assert_allclose(stacked.paired.covariance, single.paired.covariance, atol=1e-14)
    np.testing.assert_allclose(stacked.deviations, single.deviations, atol=1e-14)
