"""Repeated subsampling: sizes, draws, reproducibility, summaries."""

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from benchuq.data.published import load
from benchuq.studies.estimators import EstimationPlan
from benchuq.studies.subsampling import (
    interval_coverage,
    loco_importance,
    relative_mse,
    sample_sizes,
    subgroup_sizes,
    subsample,
    subsampling_experiment,
)


def test_sample_sizes():
    sizes = pd.Series({"a": 1000, "b": 200, "c": 52, "d": 48, "e": 7, "f": 1})
    assert sample_sizes(sizes, 10).to_dict() == {"a": 10, "b": 10, "c": 10, "d": 10}
    assert sample_sizes(sizes, "proportional").to_dict() == {
        "a": 192,
        "b": 38,
        "c": 10,
        "d": 9,
        "e": 2,
    }
    for bad, match in ((500, "too large"), (0, "at least 1"), ("all", "number or 'proportional'")):
        with pytest.raises(ValueError, match=match):
            sample_sizes(sizes, bad)
    with pytest.raises(ValueError, match="at least 50 items"):
        sample_sizes(pd.Series({"a": 20}), "proportional")


def test_subsample_of_items_and_counts(make_benchmark):
    results = make_benchmark()
    drawn = pd.Series({"t00": 5, "t03": 200})
    sample, chosen = subsample(results, drawn, rng=1)
    assert subgroup_sizes(sample).to_dict() == drawn.to_dict() and len(set(chosen)) == 205
    np.testing.assert_array_equal(sample["score"].values, results["score"].values[:, chosen])
    vtab = load("vtab")
    means = [
        subsample(vtab, pd.Series({"DTD": 30}), rng=s)[0]["n_correct"].values for s in range(300)
    ]
    expected = (vtab["n_correct"] / vtab["n_items"]).sel(task=["DTD"]).values * 30
    np.testing.assert_allclose(
        np.mean(means, axis=0), expected, atol=5 * np.sqrt(30 / 4 / 300)
    )  # five standard errors
    with pytest.raises(ValueError, match="cannot draw 500 items from task 't01', which has 200"):
        subsample(results, pd.Series({"t01": 500}))


def test_workers_change_nothing(make_benchmark):
    plan = EstimationPlan(("direct", "synthetic", "empirical_bayes", "naive"))
    settings = dict(size=10, rng=3, progress=False, plan=plan)
    one = subsampling_experiment(make_benchmark(6), n_repetitions=3, **settings)
    with parallel_config(
        backend="threading"
    ):  # processes take ten seconds to start, and get the same seeds
        assert one.equals(
            subsampling_experiment(make_benchmark(6), n_repetitions=3, n_jobs=2, **settings)
        )
    fewer = subsampling_experiment(make_benchmark(6), n_repetitions=2, **settings)
    assert fewer.equals(one.isel(repetition=slice(2)))


def test_summaries_by_hand(make_benchmark):
    plan = EstimationPlan(("direct", "naive", "empirical_bayes", "structured"))
    run = subsampling_experiment(make_benchmark(), 10, 8, plan, rng=0, progress=False)
    error = ((run["estimate"] - run["truth"]) ** 2).mean(["subgroup", "repetition"]).to_series()
    np.testing.assert_allclose(relative_mse(run)["estimate"], error / error["direct"])
    table = interval_coverage(run)
    assert "structured" not in table.index and table.loc["direct", "relative_width"] == 1
    inside = (run["lower"] <= run["truth"]) & (run["truth"] <= run["upper"])
    np.testing.assert_allclose(
        table["coverage"], inside.mean(["subgroup", "repetition"]).to_series()[table.index]
    )
    by_model = relative_mse(run, by="model")
    assert set(by_model.index.get_level_values("model")) == set("ABC")


def test_empirical_bayes_beats_both_on_a_benchmark(make_benchmark):
    """40 repetitions; the ratio's standard error is near 0.02. Average coverage within 3 points of
    95 %.
    """
    run = subsampling_experiment(
        make_benchmark(20), size=10, n_repetitions=40, rng=0, progress=False
    )
    ratios = relative_mse(run)["estimate"]
    assert ratios["empirical_bayes"] < 0.75 and ratios["empirical_bayes"] < ratios["synthetic"]
    table = interval_coverage(run)
    assert (
        table.loc["empirical_bayes", "coverage"] > 0.92
        and table.loc["empirical_bayes", "relative_width"] < 0.9
    )


def test_importance_names_what_matters(make_benchmark):
    table = loco_importance(make_benchmark(16), size=10, n_repetitions=10, rng=0, progress=False)
    assert list(table.index.get_level_values("left_out").unique()) == ["model"]
    assert table.loc[("model", "synthetic"), "estimate"] > 1
