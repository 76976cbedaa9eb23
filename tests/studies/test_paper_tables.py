"""Normalised scores, differences and ranks of draws, as the papers compute them."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data.scores import metric_weights
from benchuq.data.tables import read_table
from benchuq.sampling.aggregate import mean
from benchuq.studies import paper_tables
from benchuq.studies.paper_tables import balanced_means, differences, gate_mean_inputs, normalise


def sample():
    names = {"model": [f"m{i}" for i in range(4)], "task": ["t0", "t1", "t2"]}
    return xr.DataArray(np.random.default_rng(0).beta(4, 3, (4, 3, 200)), names, ("model", "task", "draw"))


def test_normalisation():
    draws, unit = sample(), normalise(sample())
    assert float(unit.min()) == 0 and float(unit.max()) == 1
    observed = normalise(draws, "observed").mean("draw")
    np.testing.assert_allclose([observed.min("model"), observed.max("model")], [[0] * 3, [1] * 3], atol=1e-12)
    flat = draws.copy()
    flat[:, 1] = 0.5
    with pytest.raises(ValueError, match=r"\['t1'\] have no spread"):
        normalise(flat)
    with pytest.raises(ValueError, match="scale must be one of .*'observed'.*got 'minmax'"):
        normalise(draws, "minmax")
    with pytest.raises(ValueError, match=r"scale must give low and high for every task; missing \['t2'\]"):
        normalise(draws, pd.DataFrame({"low": 0, "high": 1}, index=["t0", "t1"]))


def test_differences_against_quantiles_by_hand():
    scores = mean(sample())
    table = differences(scores, [("m0", "m1"), ("m0", "m2")], level=0.9)
    d = (scores[0] - scores[1]).values
    found = table.iloc[0][["estimate", "lower", "upper"]].astype(float)
    np.testing.assert_allclose(found, [d.mean(), *np.quantile(d, [0.025, 0.975])])
    plain = differences(scores, [("m0", "m1"), ("m0", "m2")], level=0.9, correction="none")
    assert (plain["lower"] > table["lower"]).all() and (table["p_value"] >= plain["p_value"]).all()
    assert (differences(scores, correction="holm")["p_value"] <= differences(scores)["p_value"]).all()
    with pytest.raises(ValueError, match="at least two models"):
        differences(scores.isel(model=[0]))
    with pytest.raises(ValueError, match=r"unknown models \['ResNet'\]"):
        differences(scores, [("m0", "ResNet")])
    with pytest.raises(ValueError, match="correction must be one of .*'holm'.*got 'tukey'"):
        differences(scores, correction="tukey")


def test_bins_do_not_fall_below_their_own_edge():
    """57/100 is 56.99999999999999 per cent in floating point; it belongs to the bin 57."""
    draws = xr.DataArray((np.arange(101) / 100)[:, None, None], dims=("model", "task", "draw"))
    np.testing.assert_array_equal(paper_tables._bin(draws).values.ravel(), np.arange(101))


def test_schemes_by_hand():
    draws = xr.DataArray(
        np.array([[[0.605], [0.50]], [[0.601], [0.60]], [[0.30], [0.10]]]),
        dims=("model", "task", "draw"),
        coords={"model": list("ABC"), "task": ["s", "t"]},
    )
    expected = {"mean": [2, 1, 3], "geometric_mean": [2, 1, 3], "average_rank": [1.5, 1.5, 3]}
    for scheme, r in (expected | {"average_rank_bins": [2, 1.5, 3]}).items():
        np.testing.assert_array_equal(paper_tables._aggregate_ranks(draws, scheme).values.ravel(), r)
    noisy = paper_tables._aggregate_ranks(draws.isel(draw=np.zeros(4000, int)), "average_rank_noise", rng=1)
    assert 1 < float(noisy.sel(model="A").mean()) < 2 and float(noisy.sel(model="C").mean()) == 3
    with pytest.raises(ValueError, match="scheme must be one of .*'average_rank_bins'.*got 'median'"):
        paper_tables._aggregate_ranks(draws, "median")


@pytest.mark.parametrize("n_ranks", [1, 20, 90, 3000])
def test_rank_probabilities_are_readable_for_any_number_of_ranks(n_ranks):
    shares = xr.DataArray(
        np.full((15, n_ranks), 1 / n_ranks),
        dims=("model", "rank"),
        coords={"model": [f"m{i}" for i in range(15)], "rank": np.arange(1, n_ranks + 1)},
    )
    ax = paper_tables.plot_rank_probabilities(shares)
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, *ax.get_xticklabels()) if t.get_text()]
    boxes = np.array([t.get_window_extent().extents for t in texts])
    first, second = np.triu_indices(len(boxes), 1)
    apart = (boxes[first, :2] >= boxes[second, 2:]) | (boxes[second, :2] >= boxes[first, 2:])
    assert apart.any(axis=1).all()  # side by side or one above the other
    assert ax.get_xticklabels()[0].get_text() == "1" and ax.figure.get_figwidth() < 12
    assert ax.collections[0].get_array().max() <= ax.collections[0].get_clim()[1]


@pytest.mark.parametrize("tier, tolerance, n", [("Small", 0.1, 19), ("Base", 0.72, 20), ("Full", 0.45, 19)])
def test_printed_means(gate_tiers, tier, tolerance, n):
    subset = None if tier == "Full" else gate_tiers[tier.lower()]
    ours = 100 * balanced_means(gate_mean_inputs(), subset)["mean"]
    printed = read_table("gate_means").query(f"statistic == '{tier} GATE Mean'").set_index("model")["value"]
    gap = (ours - printed).abs().drop(["seffv2", "whspr"]).dropna()  # these two lack scores that enter the means
    assert len(gap) == 19 and gap.max() < tolerance
    assert printed.notna().sum() >= n


@pytest.mark.parametrize("seed", range(10))
def test_means_are_the_weighted_sum_of_metrics(make_score_table, seed):
    scores = make_score_table(seed=seed)
    scores = scores.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    weighted = scores["score"].to_pandas() @ metric_weights(scores)
    np.testing.assert_allclose(balanced_means(scores)["mean"], weighted)
