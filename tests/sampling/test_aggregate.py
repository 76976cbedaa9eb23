"""Weights, intervals and ranks of draws."""

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from benchuq.comparison.weights import task_weights
from benchuq.sampling import aggregate


def sample(n_models=4, n_tasks=3, n_draws=200, seed=0):
    rng = np.random.default_rng(seed)
    return xr.DataArray(
        rng.beta(4, 3, (n_models, n_tasks, n_draws)),
        dims=("model", "task", "draw"),
        coords={
            "model": [f"m{i}" for i in range(n_models)],
            "task": [f"t{j}" for j in range(n_tasks)],
            "category": ("task", ["c", "c", "d"][:n_tasks]),
            "n_items": ("task", [10, 20, 70][:n_tasks]),
        },
    )


def test_named_weights():
    draws = sample()
    expected = {"equal": [1 / 3] * 3, "size": [0.1, 0.2, 0.7], "category": [0.25, 0.25, 0.5]}
    for name, w in expected.items():
        np.testing.assert_allclose(task_weights(draws, name), w)
    np.testing.assert_allclose(task_weights(draws, {"d": 0.2, "c": 0.8}), [0.4, 0.4, 0.2])
    np.testing.assert_allclose(task_weights(draws, {"t1": 0.5, "t0": 0.5, "t2": 0}), [0.5, 0.5, 0])


@pytest.mark.parametrize(
    "weights, words",
    [
        ({"t0": 1, "t1": 0.5, "t2": -0.5}, "must not be negative.*t2"),
        ({"t0": 1, "t1": 0.5, "t2": 0.5}, "sum to 2"),
        ({"t0": 0.5, "t9": 0.5}, "no task 't9'; 't1' and 't2' have no weight"),
        ({"c": 0.5, "e": 0.5}, "no category 'e'; 'd' has no weight"),
        ({"t0": np.nan, "t1": 0.5, "t2": 0.5}, "t0"),
        ("median", "weights must be one of .*'equal', 'size', 'category'"),
    ],
)
def test_bad_weights(weights, words):
    with pytest.raises(ValueError, match=words):
        aggregate.mean(sample(), weights)


def test_weights_that_need_what_is_not_known():
    bare = sample().drop_vars(["category", "n_items"])
    with pytest.raises(ValueError, match="no categories"):
        aggregate.mean(bare, "category")
    with pytest.raises(ValueError, match="one size for each task") as refused:
        aggregate.mean(bare, "size")
    assert str(refused.value).endswith("give the weights as a mapping") and "\n" not in str(
        refused.value
    )


def test_means_against_plain_numpy():
    draws = sample()
    w = np.array([0.4, 0.4, 0.2])
    np.testing.assert_allclose(
        aggregate.mean(draws, {"c": 0.8, "d": 0.2}), (draws.values * w[:, None]).sum(axis=1)
    )
    by_category = aggregate.category_means(draws, overall="equal")
    assert list(by_category["category"].values) == ["c", "d", "Overall"]
    np.testing.assert_allclose(by_category.sel(category="c"), draws.values[:, :2].mean(axis=1))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.05, 0.9), st.floats(0.01, 0.09))
def test_intervals_are_ordered_and_widen_with_level(seed, level, more):
    draws = aggregate.mean(sample(seed=seed))
    narrow, wide = aggregate.intervals(draws, level), aggregate.intervals(draws, level + more)
    assert (narrow["lower"] <= narrow["upper"]).all()
    assert (wide["lower"] <= narrow["lower"]).all() and (narrow["upper"] <= wide["upper"]).all()
    np.testing.assert_allclose(wide["estimate"], narrow["estimate"])


@settings(max_examples=50, deadline=None)
@given(
    st.integers(2, 90),
    st.integers(1, 8),
    st.sampled_from(["average", "min", "max"]),
    st.integers(0, 10**6),
)
def test_ranks_are_those_of_scipy(n_models, n_values, ties, seed):
    x = np.random.default_rng(seed).integers(0, n_values, (n_models, 3, 5)) / 7
    da = xr.DataArray(x, dims=("model", "task", "draw"))
    np.testing.assert_array_equal(aggregate.ranks(da, ties), rankdata(-x, method=ties, axis=0))


def test_rank_probabilities_with_ties(make_scores):
    p = aggregate.rank_probabilities(make_scores([[1, 1], [1, 0], [1, 0]]))
    np.testing.assert_allclose(
        p, [[2 / 3, 1 / 6, 1 / 6], [1 / 6, 5 / 12, 5 / 12], [1 / 6, 5 / 12, 5 / 12]]
    )
    np.testing.assert_allclose(p.sum("model"), 1)


def test_bad_options_of_ranks(make_scores):
    x = make_scores([[0.5, 0.6], [0.4, 0.7]])
    with pytest.raises(ValueError, match="ties must be one of .*'average'.*got 'first'"):
        aggregate.ranks(x, "first")
    with pytest.raises(ValueError, match=r"needs every score of every model; missing for \['m1'\]"):
        aggregate.ranks(x.where(x > 0.4))
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        aggregate.intervals(x, 95)
