"""Maps of the winner over the simplex of weights."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison.scores import scores
from benchuq.data import published, results
from benchuq.sampling import weight_maps
from benchuq.sampling.bootstrap import bootstrap


def moments(mean, variance):
    mean, variance = np.asarray(mean, float), np.asarray(variance, float)
    return weight_maps._moments(
        mean,
        np.diag(variance.ravel()).reshape(mean.shape * 2),
        [f"m{i}" for i in range(len(mean))],
        list("abc"),
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 8), st.integers(0, 10**6))
def test_regions_partition_the_triangle_and_hold_their_winners(n_models, seed):
    rng = np.random.default_rng(seed)
    m = weight_maps.weight_map(
        moments(rng.random((n_models, 3)), np.full((n_models, 3), 1e-4)), resolution=30
    )
    regions = m.regions()
    area = [
        abs(np.linalg.det([p[0], *pair])) for p in regions.values() for pair in zip(p[1:], p[2:])
    ]
    assert sum(area) == pytest.approx(1, abs=1e-6)  # each polygon in triangles
    for name, polygon in regions.items():
        centre = polygon.mean(axis=0)
        assert m["model"].values[np.argmax(m["corner_score"].values @ centre)] == name


def test_standard_error_by_hand():
    m = moments([[0.9, 0.5, 0.1], [0.8, 0.6, 0.2]], [[0.01, 0.02, 0.03], [0.04, 0.05, 0.06]])
    for rho in (0, 0.5, -0.3):
        out = weight_maps.weight_map(m, z=1.5, rho=rho, resolution=10)
        w = out["weight"].values
        var = (w**2 @ [0.01, 0.02, 0.03], w**2 @ [0.04, 0.05, 0.06])
        se = np.sqrt(var[0] + var[1] - 2 * rho * np.sqrt(var[0] * var[1]))
        np.testing.assert_allclose(out["standard_error"], se)
        np.testing.assert_allclose(
            out["margin"], np.abs(w @ [0.1, -0.1, -0.1]) - 1.5 * se, atol=1e-12
        )


def test_covariance_from_draws_is_that_of_the_difference():
    rng = np.random.default_rng(2)
    common = rng.normal(0, 1, (1, 3, 4000))
    draws = xr.DataArray(
        0.5 + 0.02 * (common + 0.3 * rng.normal(0, 1, (2, 3, 4000))),
        dims=("model", "task", "draw"),
        coords={"model": ["A", "B"], "task": list("xyz"), "category": ("task", list("abc"))},
    )
    out = weight_maps.weight_map(draws, resolution=5)
    for p in range(out.sizes["point"]):
        d = np.tensordot(out["weight"].values[p], (draws[0] - draws[1]).values, (0, 0))
        assert float(out["standard_error"][p]) == pytest.approx(d.std(ddof=1), rel=1e-9)


@pytest.mark.parametrize(
    "kwargs, words",
    [
        ({"rho": 1.5}, "rho must lie"),
        ({"categories": ["a", "b"]}, "choose three"),
        ({"fixed_weights": {"a": 0.5}}, "choose three"),
        ({"categories": ["a", "b", "z"]}, r"unknown \['z'\]"),
        ({"fixed_weights": {"clever": 0.4}}, r"unknown \['clever'\]"),
        ({"resolution": 0}, "resolution must be a whole number of at least 1"),
    ],
)
def test_bad_input(kwargs, words):
    with pytest.raises(ValueError, match=words):
        weight_maps.weight_map(moments([[1, 0, 0], [0, 1, 0]], [[1] * 3] * 2), **kwargs)


def test_one_model_has_no_map():
    with pytest.raises(ValueError, match="at least two models"):
        weight_maps.weight_map(bootstrap(published.load("vtab").isel(model=[0]), 20, rng=1))


def test_plot_shows_each_winner_and_grey():
    m = weight_maps.weight_map(
        moments([[0.9, 0.1, 0.1], [0.1, 0.9, 0.1], [0.1, 0.1, 0.9]], np.full((3, 3), 1e-3)),
        resolution=40,
    )
    ax = m.plot()
    *names, grey = [t.get_text() for t in ax.get_legend().get_texts()]
    assert names == ["m0", "m1", "m2"] and grey.replace("\n", " ") == m.attrs["undecided"]
    assert m.attrs["undecided"] == "undecided (z = 2, at each weighting by itself)"
    plt.close("all")


def board(clusters, seed=0):
    """Three categories, two tasks in each, three models; clusters of four items, across tasks and
    categories.
    """
    rng = np.random.default_rng(seed)
    item = np.arange(240)
    frame = pd.DataFrame(
        {
            "item": item,
            "task": (item % 6).astype(str),
            "category": np.array(list("abcabc"))[item % 6],
        }
    )
    frame["cluster"] = item // 4
    luck = rng.normal(0, 0.5, 60)[item // 4]
    parts = [
        frame.assign(model=m, score=(luck + rng.normal(0, 1, 240) < s) * 1.0)
        for m, s in zip("ABC", (0.8, 0.5, 0))
    ]
    table = pd.concat(parts)
    return results.from_items(table if clusters else table.drop(columns="cluster"))


@pytest.mark.parametrize("clusters", [False, True])
def test_errors_of_results_are_those_of_the_scores_at_every_weighting(clusters):
    data = board(clusters)
    out = weight_maps.weight_map(data, resolution=4)
    for p in range(out.sizes["point"]):
        weights = dict(zip(out["category"].values, out["weight"].values[p]))
        found = scores(data, weights)
        first, second = (int(out[name][p]) for name in ("best", "second"))
        d = np.zeros(3)
        d[first], d[second] = 1, -1
        assert float(out["standard_error"][p]) == pytest.approx(
            np.sqrt(d @ found.covariance @ d), rel=1e-9
        )


def test_a_model_that_did_not_run_a_task_is_named():
    data = board(False)
    data["score"][1, np.flatnonzero(data["task"].values == "0")] = np.nan
    for x in (data, bootstrap(data, 20, rng=1)):
        with pytest.raises(ValueError, match=r"every model on all tasks; not complete: \['B'\]"):
            weight_maps.weight_map(x)
