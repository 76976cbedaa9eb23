"""Scores of clusters: as sure as the clusters allow, and hardly longer than CR2 where CR2 is
valid.
"""

import numpy as np
import pytest
import xarray as xr
from scipy import stats

from benchuq.comparison.limits import _affected_share
from benchuq.comparison.scores import scores


def _board(sizes, accuracy, icc, models, rng, tasks=1) -> xr.Dataset:
    "Right-or-wrong answers of models that know nothing of each other, to the same clusters."
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    p = np.full((models, len(sizes)), accuracy)
    if icc:
        p = rng.beta(accuracy * (1 / icc - 1), (1 - accuracy) * (1 / icc - 1), p.shape)
    score = (rng.random((models, len(cluster))) < p[:, cluster]).astype(float)
    task = [f"t{i % tasks}" for i in range(len(cluster))]
    return xr.Dataset(
        {"score": (("model", "item"), score)},
        {
            "model": [f"m{i}" for i in range(models)],
            "item": np.arange(len(cluster)),
            "task": ("item", task),
            "cluster": ("item", cluster),
        },
    )


def _measured(sizes, accuracy, icc, seed, tasks=1, models=400) -> tuple[float, float, float]:
    "Coverage, mean length, and mean length of CR2's interval cut to [0, 1]."
    board = scores(_board(sizes, accuracy, icc, models, np.random.default_rng(seed), tasks))
    table = board.intervals()
    reach = stats.t.isf(0.025, board.df) * np.sqrt(np.diag(board.covariance))
    ends = np.clip([board.estimate - reach, board.estimate + reach], 0, 1)
    covered = (table["lower"] <= accuracy) & (accuracy <= table["upper"])
    return covered.mean(), (table["upper"] - table["lower"]).mean(), (ends[1] - ends[0]).mean()


@pytest.mark.parametrize(
    ("sizes", "icc"),
    [
        ([200] * 5, 0.05),
        ([200] * 10, 0.05),
        ([20] * 10, 0.2),
        ([200] + [5] * 30, 0.1),
        ([100] + [1] * 100, 0.05),
    ],
)
def test_intervals_are_little_longer_than_cr2_where_that_is_valid(sizes, icc):
    covered, length, classical = _measured(sizes, 0.7, icc, seed=1)
    assert covered > 0.93 - 3 * np.sqrt(0.05 * 0.95 / 400)
    assert length < 1.3 * classical


@pytest.mark.parametrize(
    ("sizes", "accuracy", "icc", "tasks"),
    [
        ([20] * 10, 0.95, 0.6, 1),
        ([20] * 20, 0.9, 0.6, 1),
        ([200] * 10, 0.9, 0.6, 1),
        ([100] * 5, 0.95, 0.9, 1),
        ([10] * 40, 0.98, 0.9, 1),
        ([20] * 20, 0.9, 0.6, 4),
        ([100] + [5] * 20, 0.95, 0.6, 1),
    ],
)
def test_intervals_hold_where_failures_come_in_whole_clusters(sizes, accuracy, icc, tasks):
    covered, _, _ = _measured(sizes, accuracy, icc, seed=2, tasks=tasks)
    assert covered > 0.93 - 3 * np.sqrt(0.07 * 0.93 / 400)


def test_clusters_of_one_item_are_never_longer_than_items():
    results = _board([1] * 40, 0.9, 0, 30, np.random.default_rng(3))
    clusters, items = (scores(results, units=u).intervals() for u in ("cluster", "item"))
    assert (clusters["lower"] >= items["lower"] - 1e-9).all()
    assert (clusters["upper"] <= items["upper"] + 1e-9).all()
    np.testing.assert_allclose(clusters, items, atol=0.03)


def test_all_right_is_as_unsure_as_the_number_of_clusters():
    results = _board([50] * 6, 1.0, 0, 2, np.random.default_rng(4))
    table = scores(results).intervals()
    assert (table["upper"] == 1).all() and (table["lower"] < 0.65).all()
    assert (table.iloc[0] == table.iloc[1]).all()


def test_a_choice_of_models_keeps_its_limits():
    board = scores(_board([20] * 10, 0.8, 0.3, 6, np.random.default_rng(5)))
    some = board.select(["m4", "m1"]).intervals()
    np.testing.assert_allclose(some, board.intervals().loc[["m4", "m1"]])


def test_the_share_of_affected_clusters():
    weight = np.array([[4.0], [1.0], [1.0]])
    assert _affected_share(0.2 * weight, weight) == pytest.approx(1)
    assert _affected_share(np.array([[0.0], [1.0], [0.0]]), np.ones((3, 1))) == pytest.approx(1 / 3)
    assert _affected_share(np.zeros((3, 1)), weight) == 0
