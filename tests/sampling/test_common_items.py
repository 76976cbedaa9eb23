import numpy as np
import pandas as pd
import pytest

from benchuq.data.results import from_items
from benchuq.sampling import common_items as module
from benchuq.sampling.common_items import common_items


def board(score, cluster=None):
    "Results of items from an array (item, model)."
    n, m = score.shape
    rows = pd.DataFrame({"item": np.repeat(range(n), m), "model": np.tile([f"m{i}" for i in range(m)], n)})
    rows = rows.assign(task="t", score=score.ravel())
    if cluster is not None:
        rows["cluster"] = np.repeat(cluster, m)
    return from_items(rows.dropna())


def test_agrees_with_the_items_that_both_answered():
    rng = np.random.default_rng(1)
    score = rng.random((60, 3))
    score[rng.random(score.shape) < 0.2] = np.nan
    found = common_items(board(score), ["t"]).isel(task=0)
    for i, j in [(0, 1), (1, 2), (2, 0)]:
        both = score[~np.isnan(score[:, [i, j]]).any(axis=1)][:, [i, j]]
        covariance = np.cov(both.T) / len(both)
        cell = found.isel(model=i, other=j)
        assert cell["observed"] == pytest.approx(both[:, 0].mean(), abs=1e-6)
        assert cell["variance"] == pytest.approx(covariance[0, 0], rel=1e-4)
        assert cell["covariance"] == pytest.approx(covariance[0, 1], rel=1e-3, abs=1e-8)
        assert cell["n_items"] == len(both) and cell["item_weight"] == pytest.approx(1 / len(both))


def test_clusters_are_the_units():
    rng = np.random.default_rng(2)
    score, cluster = rng.random((40, 2)), np.arange(40) // 5
    score[3, 0] = np.nan
    found = common_items(board(score, cluster), ["t"]).isel(task=0, model=0, other=1)
    keep = np.arange(40) != 3
    deviation = score[keep, 0] - score[keep, 0].mean()
    sums = np.array([deviation[cluster[keep] == c].sum() for c in range(8)]) / 39
    assert found["variance"] == pytest.approx((sums**2).sum() * 8 / 7, rel=1e-4)
    assert found["item_weight"] == pytest.approx(5 / 39)


def test_too_few_common_items_are_not_used():
    score = np.full((30, 2), np.nan)
    score[:16, 0], score[14:, 1] = 1.0, 0.0
    assert common_items(board(score), ["t"])["observed"].isel(task=0, model=0, other=1).isnull()


def test_nothing_to_do_where_all_answered_the_same_or_the_board_is_too_large(monkeypatch):
    assert common_items(board(np.eye(4)), ["t"]) is None
    score = np.eye(4)
    score[0, 0] = np.nan
    assert common_items(board(score), ["t"]) is not None
    monkeypatch.setattr(module, "_MOST_CELLS", 10)
    assert common_items(board(score), ["t"]) is None
