"""Weights, intervals, normalisation, differences and ranks of draws."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from benchuq.comparison.ranking import format_intervals
from benchuq.comparison.weights import task_weights
from benchuq.data import results
from benchuq.sampling import aggregate
from benchuq.sampling.bootstrap import bootstrap


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
        ({"t0": 0.5, "t9": 0.5}, r"unknown \['t9'\], missing \['t1', 't2'\]"),
        ({"c": 0.5, "e": 0.5}, r"unknown \['e'\], missing \['d'\]"),
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
    assert str(refused.value).endswith("give the weights as a mapping") and "\n" not in str(refused.value)


def test_means_against_plain_numpy():
    draws = sample()
    w = np.array([0.4, 0.4, 0.2])
    np.testing.assert_allclose(aggregate.mean(draws, {"c": 0.8, "d": 0.2}), (draws.values * w[:, None]).sum(axis=1))
    np.testing.assert_allclose(aggregate._geometric_mean(draws), draws.values.prod(axis=1) ** (1 / 3))
    zero = draws.copy()
    zero[0, 2] = 0
    assert (aggregate._geometric_mean(zero)[0] == 0).all()
    np.testing.assert_allclose(
        aggregate._geometric_mean(zero, {"c": 1, "d": 0})[0], zero.values[0, :2].prod(axis=0) ** 0.5
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


@pytest.mark.parametrize("level", [0, 1, 95])
def test_bad_level(level):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        aggregate.intervals(aggregate.mean(sample()), level)


def test_normalisation():
    draws = sample()
    unit = aggregate.normalise(draws)
    assert float(unit.min()) == 0 and float(unit.max()) == 1
    observed = aggregate.normalise(draws, "observed").mean("draw")
    np.testing.assert_allclose([observed.min("model"), observed.max("model")], [[0] * 3, [1] * 3], atol=1e-12)
    flat = draws.copy()
    flat[:, 1] = 0.5
    with pytest.raises(ValueError, match=r"\['t1'\] have no spread"):
        aggregate.normalise(flat)
    with pytest.raises(ValueError, match="scale must be one of .*'observed'.*got 'minmax'"):
        aggregate.normalise(draws, "minmax")
    with pytest.raises(ValueError, match=r"scale must give low and high for every task; missing \['t2'\]"):
        aggregate.normalise(draws, pd.DataFrame({"low": 0, "high": 1}, index=["t0", "t1"]))


def test_differences_against_quantiles_by_hand():
    scores = aggregate.mean(sample())
    table = aggregate.differences(scores, [("m0", "m1"), ("m0", "m2")], level=0.9)
    d = (scores[0] - scores[1]).values
    np.testing.assert_allclose(
        table.iloc[0][["estimate", "lower", "upper"]].astype(float), [d.mean(), *np.quantile(d, [0.025, 0.975])]
    )
    plain = aggregate.differences(scores, [("m0", "m1"), ("m0", "m2")], level=0.9, correction="none")
    assert (plain["lower"] > table["lower"]).all() and (table["p_value"] >= plain["p_value"]).all()
    assert len(aggregate.differences(scores)) == 6
    with pytest.raises(ValueError, match="at least two models"):
        aggregate.differences(scores.isel(model=[0]))
    with pytest.raises(ValueError, match=r"unknown models \['ResNet'\]"):
        aggregate.differences(scores, [("m0", "ResNet")])
    with pytest.raises(ValueError, match="correction must be one of .*'holm'.*got 'tukey'"):
        aggregate.differences(scores, correction="tukey")


def test_holm_by_hand():
    np.testing.assert_allclose(aggregate._holm(np.array([0.01, 0.04, 0.03, 0.2])), [0.04, 0.09, 0.09, 0.2])
    scores = aggregate.mean(sample())
    holm, bonferroni = (aggregate.differences(scores, correction=c)["p_value"] for c in ("holm", "bonferroni"))
    assert (holm <= bonferroni).all()


def simulated(truth, n, repetitions, n_draws, seed):
    """Bootstrap means of `repetitions` benchmarks of the same models, dims (model, draw), model names r-i."""
    rng = np.random.default_rng(seed)
    counts = rng.binomial(n, np.broadcast_to(truth, (repetitions, len(truth))))
    frame = pd.DataFrame(
        {"t": counts.ravel()}, index=[f"{r}-{i}" for r in range(repetitions) for i in range(len(truth))]
    )
    return aggregate.mean(bootstrap(results.from_counts(frame, n), n_draws, rng=rng))


def test_family_of_bonferroni_intervals_covers_together():
    """Three models, all three differences covered at once in at least 95 % of 1,500 benchmarks, less 3 standard errors
    (1.7 %).
    """
    truth = np.array([0.60, 0.62, 0.70])
    values = simulated(truth, 500, 1500, 1500, 1).values.reshape(1500, 3, -1)
    pairs = [(0, 1), (0, 2), (1, 2)]
    ends = [np.quantile(values[:, a] - values[:, b], [0.025 / 3, 1 - 0.025 / 3], axis=1) for a, b in pairs]
    covered = np.all(
        [(lo <= truth[a] - truth[b]) & (truth[a] - truth[b] <= hi) for (a, b), (lo, hi) in zip(pairs, ends)], axis=0
    )
    assert covered.mean() > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 1500)


def test_goldstein_healy_intervals():
    """Two equal models, equal standard errors: 83.4 % intervals fail to overlap in 5 % of 6,000 pairs, within 3.5
    standard errors (1 %). Counts are discrete and quantiles of 500 draws noisy (.08 %), which moves the share by less
    than the 0.3 % allowed for it.
    """
    table = aggregate.intervals(simulated(np.array([0.6, 0.6]), 3000, 6000, 500, 2), level=0.834)
    lower, upper = table["lower"].to_numpy().reshape(-1, 2), table["upper"].to_numpy().reshape(-1, 2)
    apart = ((lower[:, 0] > upper[:, 1]) | (lower[:, 1] > upper[:, 0])).mean()
    assert abs(apart - 0.05) < 3.5 * np.sqrt(0.05 * 0.95 / 6000) + 0.003


def test_formatting():
    table = pd.DataFrame({"estimate": [0.68], "lower": [0.678], "upper": [0.6812]}, index=["A"])
    assert format_intervals(table).tolist() == ["68.0 (67.8, 68.1)"]
    assert format_intervals(table, percent=False, digits=2).tolist() == ["0.68 (0.68, 0.68)"]


def test_no_number_is_minus_zero():
    table = pd.DataFrame({"estimate": [-0.0004, -0.0], "lower": [-0.02, -0.0001], "upper": [0.02, 0.0]})
    assert list(format_intervals(table)) == ["0.0 (-2.0, 2.0)", "0.0 (0.0, 0.0)"]


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 90), st.integers(1, 8), st.sampled_from(["average", "min", "max"]), st.integers(0, 10**6))
def test_ranks_are_those_of_scipy(n_models, n_values, ties, seed):
    x = np.random.default_rng(seed).integers(0, n_values, (n_models, 3, 5)) / 7
    da = xr.DataArray(x, dims=("model", "task", "draw"))
    np.testing.assert_array_equal(aggregate.ranks(da, ties), rankdata(-x, method=ties, axis=0))


def test_bins_do_not_fall_below_their_own_edge():
    """57/100 is 56.99999999999999 per cent in floating point; it belongs to the bin 57."""
    k = np.arange(101)
    draws = xr.DataArray((k / 100)[:, None, None], dims=("model", "task", "draw"))
    np.testing.assert_array_equal(aggregate._bin(draws).values.ravel(), k)


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
        np.testing.assert_array_equal(aggregate._aggregate_ranks(draws, scheme).values.ravel(), r)
    noisy = aggregate._aggregate_ranks(draws.isel(draw=np.zeros(4000, int)), "average_rank_noise", rng=1)
    assert 1 < float(noisy.sel(model="A").mean()) < 2 and float(noisy.sel(model="C").mean()) == 3


def test_rank_probabilities_with_ties(make_scores):
    p = aggregate.rank_probabilities(make_scores([[1, 1], [1, 0], [1, 0]]))
    np.testing.assert_allclose(p, [[2 / 3, 1 / 6, 1 / 6], [1 / 6, 5 / 12, 5 / 12], [1 / 6, 5 / 12, 5 / 12]])
    np.testing.assert_allclose(p.sum("model"), 1)


@pytest.mark.parametrize("n_ranks", [1, 3, 20, 21, 90, 3000])
def test_rank_probabilities_are_readable_for_any_number_of_ranks(n_ranks):
    shares = xr.DataArray(
        np.full((15, n_ranks), 1 / n_ranks),
        dims=("model", "rank"),
        coords={"model": [f"m{i}" for i in range(15)], "rank": np.arange(1, n_ranks + 1)},
    )
    ax = aggregate.plot_rank_probabilities(shares)
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, *ax.get_xticklabels()) if t.get_text()]
    boxes = np.array([t.get_window_extent().extents for t in texts])
    first, second = np.triu_indices(len(boxes), 1)
    apart = (boxes[first, :2] >= boxes[second, 2:]) | (boxes[second, :2] >= boxes[first, 2:])
    assert apart.any(axis=1).all()  # side by side or one above the other
    assert ax.get_xticklabels()[0].get_text() == "1" and ax.figure.get_figwidth() < 12
    assert ax.collections[0].get_array().max() <= ax.collections[0].get_clim()[1]


def test_bad_options_of_ranks(make_scores):
    x = make_scores([[0.5, 0.6], [0.4, 0.7]])
    with pytest.raises(ValueError, match="ties must be one of .*'average'.*got 'first'"):
        aggregate.ranks(x, "first")
    with pytest.raises(ValueError, match="scheme must be one of .*'average_rank_bins'.*got 'median'"):
        aggregate._aggregate_ranks(x.expand_dims(task=["t"]), "median")
    with pytest.raises(ValueError, match=r"needs every score of every model; missing for \['m1'\]"):
        aggregate.ranks(x.where(x > 0.4))
