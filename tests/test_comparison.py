"""Pairs of models: pairing, power, sentences."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.comparison import aggregate, pairs as comparison, ranking
from benchuq.data import results
from benchuq.sampling import bootstrap


def scores(*rows):
    values = np.array(rows, float)
    return xr.DataArray(values, dims=("model", "draw"), coords={"model": [f"m{i}" for i in range(len(values))]})


def test_pairing_by_hand():
    rng = np.random.default_rng(1)
    common, a, b = rng.normal(size=(3, 5000))
    table = comparison.pairing(scores(common + a, common + b), [("m0", "m1")])
    cov = np.cov(common + a, common + b)
    assert table["correlation"].iloc[0] == pytest.approx(cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1]))
    assert table["pairing_gain"].iloc[0] == pytest.approx((cov[0, 0] + cov[1, 1]) / np.var(a - b, ddof=1))


def test_models_that_never_vary():
    table = comparison.pairing(scores([1] * 9, [1] * 9), [("m0", "m1")])
    assert np.isnan(table["correlation"].iloc[0]) and np.isinf(table["pairing_gain"].iloc[0])


def test_items_to_settle():
    one = comparison.items_to_settle(0.02, 0.02, 1000)
    assert one == pytest.approx(1000 * (1.959964 + 0.841621) ** 2, rel=1e-6)
    assert comparison.items_to_settle(0.04, 0.02, 1000) == pytest.approx(one / 4)
    assert comparison.items_to_settle(0.0, 0.02, 1000) == np.inf
    with pytest.raises(ValueError, match="between 0 and 1"):
        comparison.items_to_settle(0.1, 0.1, 10, power=1)


def quiz(shift, n=300, seed=0):
    hard = np.random.default_rng(seed).random(n)
    frames = [
        pd.DataFrame({"model": m, "task": "t", "item": range(n), "score": (hard < p).astype(int)})
        for m, p in [("A", 0.6), ("B", 0.6 - shift), ("C", 0.2)]
    ]
    return bootstrap.draw(results.from_items(pd.concat(frames)), 2000, rng=1)


def test_table_agrees_with_its_parts():
    draws = quiz(0.02)
    table, means = comparison.compare(draws, 300), aggregate.mean(draws)
    plain = aggregate.differences(means, correction="holm")
    pd.testing.assert_frame_equal(table[plain.columns], plain)
    told = ranking.better_than(means)
    assert all(table.loc[pair, "told_apart"] == (told.loc[pair] or told.loc[pair[::-1]]) for pair in table.index)
    assert (table.loc[table["told_apart"], "more_items"] == 0).all()


def test_sentences():
    equal = comparison.summary(quiz(0.0), 300)
    assert "cannot be told apart from" in equal[0] and "no feasible number" in equal[1]
    clear = comparison.summary(quiz(0.3), 300)
    assert clear[0] == "A is the best of 3 models, told apart from all others."
    assert any("as many" in s for s in clear)
    with pytest.raises(ValueError, match="at least two models"):
        comparison.summary(quiz(0.1).isel(model=[0]), 300)
