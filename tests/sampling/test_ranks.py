"""Ranks in every draw, their aggregation and probabilities."""

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from benchuq.sampling import ranks


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 90), st.integers(1, 8), st.sampled_from(["average", "min", "max"]), st.integers(0, 10**6))
def test_ranks_are_those_of_scipy(n_models, n_values, ties, seed):
    x = np.random.default_rng(seed).integers(0, n_values, (n_models, 3, 5)) / 7
    da = xr.DataArray(x, dims=("model", "task", "draw"))
    np.testing.assert_array_equal(ranks.ranks(da, ties), rankdata(-x, method=ties, axis=0))


def test_bins_do_not_fall_below_their_own_edge():
    """57/100 is 56.99999999999999 per cent in floating point; it belongs to the bin 57."""
    k = np.arange(101)
    draws = xr.DataArray((k / 100)[:, None, None], dims=("model", "task", "draw"))
    np.testing.assert_array_equal(ranks._bin(draws).values.ravel(), k)


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
        np.testing.assert_array_equal(ranks.aggregate_ranks(draws, scheme).values.ravel(), r)
    noisy = ranks.aggregate_ranks(draws.isel(draw=np.zeros(4000, int)), "average_rank_noise", rng=1)
    assert 1 < float(noisy.sel(model="A").mean()) < 2 and float(noisy.sel(model="C").mean()) == 3


def test_rank_probabilities_with_ties(make_scores):
    p = ranks.rank_probabilities(make_scores([[1, 1], [1, 0], [1, 0]]))
    np.testing.assert_allclose(p, [[2 / 3, 1 / 6, 1 / 6], [1 / 6, 5 / 12, 5 / 12], [1 / 6, 5 / 12, 5 / 12]])
    np.testing.assert_allclose(p.sum("model"), 1)


@pytest.mark.parametrize("n_ranks", [1, 3, 20, 21, 90, 3000])
def test_rank_probabilities_are_readable_for_any_number_of_ranks(n_ranks):
    shares = xr.DataArray(
        np.full((15, n_ranks), 1 / n_ranks),
        dims=("model", "rank"),
        coords={"model": [f"m{i}" for i in range(15)], "rank": np.arange(1, n_ranks + 1)},
    )
    ax = ranks.plot_rank_probabilities(shares)
    ax.figure.canvas.draw()
    texts = [t for t in (*ax.texts, *ax.get_xticklabels()) if t.get_text()]
    boxes = np.array([t.get_window_extent().extents for t in texts])
    first, second = np.triu_indices(len(boxes), 1)
    apart = (boxes[first, :2] >= boxes[second, 2:]) | (boxes[second, :2] >= boxes[first, 2:])
    assert apart.any(axis=1).all()  # side by side or one above the other
    assert ax.get_xticklabels()[0].get_text() == "1" and ax.figure.get_figwidth() < 12
    assert ax.collections[0].get_array().max() <= ax.collections[0].get_clim()[1]


def test_bad_options(make_scores):
    x = make_scores([[0.5, 0.6], [0.4, 0.7]])
    with pytest.raises(ValueError, match="ties must be one of .*'average'.*got 'first'"):
        ranks.ranks(x, "first")
    with pytest.raises(ValueError, match="scheme must be one of .*'average_rank_bins'.*got 'median'"):
        ranks.aggregate_ranks(x.expand_dims(task=["t"]), "median")
    with pytest.raises(ValueError, match=r"needs every score of every model; missing for \['m1'\]"):
        ranks.ranks(x.where(x > 0.4))
