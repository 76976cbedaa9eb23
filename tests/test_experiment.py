"""Repeated subsampling: sizes, draws, reproducibility, summaries; and the registry of public data."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data import downloads as datasets
from benchuq.subgroups.experiment import (
    coverage,
    estimate_all,
    importance,
    relative_mse,
    repeat,
    sample_sizes,
    subgroup_sizes,
    subsample,
)
from benchuq.data.published import load
from benchuq.subgroups.empirical_bayes import empirical_bayes
from benchuq.subgroups.direct import direct, features


def benchmark(n_tasks=12, n=200, seed=0):
    """Three models on the same items, difficulty by task."""
    rng = np.random.default_rng(seed)
    p = np.clip(rng.normal(0.5, 0.1, n_tasks)[None] + np.array([[-0.1], [0], [0.1]]), 0.05, 0.95)
    task = np.repeat([f"t{i:02d}" for i in range(n_tasks)], n)
    score = (rng.random((3, n_tasks * n)) < np.repeat(p, n, axis=1)).astype(float)
    return xr.Dataset(
        {"score": (("model", "item"), score)},
        coords={"model": list("ABC"), "item": np.arange(n_tasks * n), "task": ("item", task)},
    )


def test_sample_sizes():
    sizes = pd.Series({"a": 1000, "b": 200, "c": 52, "d": 48, "e": 7, "f": 1})
    assert sample_sizes(sizes, 10).to_dict() == {"a": 10, "b": 10, "c": 10, "d": 10}
    assert sample_sizes(sizes, "proportional").to_dict() == {"a": 192, "b": 38, "c": 10, "d": 9, "e": 2}
    for bad, match in ((500, "too large"), (0, "at least 1"), ("all", "number or 'proportional'")):
        with pytest.raises(ValueError, match=match):
            sample_sizes(sizes, bad)
    with pytest.raises(ValueError, match="at least 50 items"):
        sample_sizes(pd.Series({"a": 20}), "proportional")


def test_subsample_of_items_and_counts():
    results = benchmark()
    drawn = pd.Series({"t00": 5, "t03": 200})
    sample, chosen = subsample(results, drawn, rng=1)
    assert subgroup_sizes(sample).to_dict() == drawn.to_dict() and len(set(chosen)) == 205
    np.testing.assert_array_equal(sample["score"].values, results["score"].values[:, chosen])
    vtab = load("vtab")
    means = [subsample(vtab, pd.Series({"DTD": 30}), rng=s)[0]["n_correct"].values for s in range(300)]
    expected = (vtab["n_correct"] / vtab["n_items"]).sel(task=["DTD"]).values * 30
    np.testing.assert_allclose(np.mean(means, axis=0), expected, atol=5 * np.sqrt(30 / 4 / 300))  # five standard errors
    with pytest.raises(ValueError, match="cannot draw 500 items from task 't01', which has 200"):
        subsample(results, pd.Series({"t01": 500}))


def test_workers_and_folder_change_nothing(tmp_path):
    settings = dict(size=10, rng=3, progress=False, estimators=("direct", "synthetic", "empirical Bayes", "naive"))
    one = repeat(benchmark(6), n_repetitions=13, **settings)
    assert one.equals(repeat(benchmark(6), n_repetitions=13, n_jobs=2, **settings))
    kept = repeat(benchmark(6), n_repetitions=10, folder=tmp_path, **settings)
    block = next(tmp_path.iterdir())
    stamp = block.stat().st_mtime_ns
    assert repeat(benchmark(6), n_repetitions=13, folder=tmp_path, **settings).equals(one)
    assert block.stat().st_mtime_ns == stamp and kept.equals(one.isel(repetition=slice(10)))
    repeat(benchmark(6, seed=1), n_repetitions=10, folder=tmp_path, **settings)
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(ValueError, match="whole number"):
        repeat(benchmark(6), n_repetitions=10, folder=tmp_path, **settings | {"rng": np.random.default_rng(0)})


def test_summaries_by_hand():
    run = repeat(
        benchmark(),
        size=10,
        n_repetitions=8,
        estimators=("direct", "James-Stein", "empirical Bayes", "structured"),
        rng=0,
        progress=False,
    )
    error = ((run["estimate"] - run["truth"]) ** 2).mean(["subgroup", "repetition"]).to_series()
    np.testing.assert_allclose(relative_mse(run)["estimate"], error / error["direct"])
    table = coverage(run)
    assert "structured" not in table.index and table.loc["direct", "relative_width"] == 1
    inside = (run["lower"] <= run["truth"]) & (run["truth"] <= run["upper"])
    np.testing.assert_allclose(table["coverage"], inside.mean(["subgroup", "repetition"]).to_series()[table.index])
    by_model = relative_mse(run, by="model")
    assert set(by_model.index.get_level_values("model")) == set("ABC")


def test_plug_in_is_the_papers_estimator():
    """The shortcut through the rows' regression equals empirical Bayes with plug-in variances and no correction."""
    sample, _ = subsample(benchmark(), pd.Series(10, index=[f"t{i:02d}" for i in range(12)]), rng=0)
    x = features(sample)
    fast = estimate_all(sample, ("plug-in",), x=x, seed=5)["plug-in"]
    table = direct(sample, variance="plugin")
    slow = empirical_bayes(table, features=x, correction="none", folds="row", rng=5)
    np.testing.assert_allclose(fast, slow[["estimate", "lower", "upper"]], atol=1e-12)


def test_empirical_bayes_beats_both_on_a_benchmark():
    """40 repetitions; the ratio's standard error is near 0.02. Average coverage within 3 points of 95 %."""
    run = repeat(benchmark(20), size=10, n_repetitions=40, rng=0, progress=False)
    ratios = relative_mse(run)["estimate"]
    assert ratios["empirical Bayes"] < 0.75 and ratios["empirical Bayes"] < ratios["synthetic"]
    table = coverage(run)
    assert table.loc["empirical Bayes", "coverage"] > 0.92 and table.loc["empirical Bayes", "relative_width"] < 0.9


def test_importance_names_what_matters():
    table = importance(benchmark(16), size=10, n_repetitions=10, rng=0, progress=False)
    assert list(table.index.get_level_values("left_out").unique()) == ["model"]
    assert table.loc[("model", "synthetic"), "estimate"] > 1


def test_registered_files_are_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHUQ_DATA", str(tmp_path))
    (tmp_path / "student-por.csv").write_text("not it")
    with pytest.raises(ValueError, match="is not the registered student-por.csv"):
        datasets.fetch("student-por.csv")
    with pytest.raises(ValueError, match="no registered file"):
        datasets.fetch("student.csv")


def test_offline_message_names_address_and_folder(tmp_path, monkeypatch):
    def offline(*args, **kwargs):
        raise ConnectionError("no network")

    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setattr(datasets, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(datasets.pooch, "retrieve", offline)
    with pytest.raises(datasets.DataUnavailable) as error:
        datasets.load_mmlu_pro()
    assert "raw.githubusercontent.com/TIGER-AI-Lab/MMLU-Pro" in str(error.value) and str(tmp_path) in str(error.value)
    loaded, left_out = datasets.load_available({"MMLU-Pro": datasets.load_mmlu_pro, "digits": datasets.load_digits})
    assert list(loaded) == ["digits"] and list(left_out) == ["MMLU-Pro"]


def test_archives_inside_archives(tmp_path):
    import io
    import zipfile

    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as z:
        z.writestr("student-mat.csv", "school;sex")
    with zipfile.ZipFile(outer, "w") as z:
        z.writestr("student.zip", inner.getvalue())
    assert datasets._find_inside(outer.getvalue(), "student-mat.csv") == b"school;sex"


def available(name):
    try:
        datasets.fetch(name, timeout=3)
        return True
    except datasets.DataUnavailable:
        return False


@pytest.mark.skipif(not available("model_outputs_gemma-7b_5shots.zip"), reason="MMLU-Pro is not on this machine")
def test_mmlu_pro():
    results = datasets.load_mmlu_pro()
    assert dict(results.sizes) == {"model": 6, "item": 12032}
    assert len(np.unique(results["task"])) == 91 and len(np.unique(results["category"])) == 14
    np.testing.assert_allclose(results["score"].mean("item").sel(model="gemma-7b"), 0.323554, atol=1e-6)


@pytest.mark.skipif(not available("student-mat.csv"), reason="the tables are not on this machine")
def test_tables():
    accuracy, entropy = (datasets.load_tabular("student mathematics", m) for m in ("accuracy", "cross-entropy"))
    assert set(np.unique(accuracy["score"])) == {0.0, 1.0} and entropy["score"].max() > 1
    assert subgroup_sizes(accuracy).min() >= 20
    with pytest.raises(ValueError, match="metric must be one of"):
        datasets.load_tabular("student mathematics", "F1")
