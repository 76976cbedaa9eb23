"""Repeated subsampling: sizes, draws, reproducibility, summaries."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchuq.data.published import load
from benchuq.subgroups import experiment
from benchuq.subgroups.estimators import EstimationPlan
from benchuq.subgroups.experiment import (
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
    assert sample_sizes(sizes, "proportional").to_dict() == {"a": 192, "b": 38, "c": 10, "d": 9, "e": 2}
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
    means = [subsample(vtab, pd.Series({"DTD": 30}), rng=s)[0]["n_correct"].values for s in range(300)]
    expected = (vtab["n_correct"] / vtab["n_items"]).sel(task=["DTD"]).values * 30
    np.testing.assert_allclose(np.mean(means, axis=0), expected, atol=5 * np.sqrt(30 / 4 / 300))  # five standard errors
    with pytest.raises(ValueError, match="cannot draw 500 items from task 't01', which has 200"):
        subsample(results, pd.Series({"t01": 500}))


def test_workers_and_folder_change_nothing(tmp_path, make_benchmark):
    settings = dict(
        size=10, rng=3, progress=False, plan=EstimationPlan(("direct", "synthetic", "empirical_bayes", "naive"))
    )
    one = subsampling_experiment(make_benchmark(6), n_repetitions=13, **settings)
    assert one.equals(subsampling_experiment(make_benchmark(6), n_repetitions=13, n_jobs=2, **settings))
    kept = subsampling_experiment(make_benchmark(6), n_repetitions=10, folder=tmp_path, **settings)
    block = next(tmp_path.iterdir())
    stamp = block.stat().st_mtime_ns
    assert subsampling_experiment(make_benchmark(6), n_repetitions=13, folder=tmp_path, **settings).equals(one)
    assert block.stat().st_mtime_ns == stamp and kept.equals(one.isel(repetition=slice(10)))
    subsampling_experiment(make_benchmark(6, seed=1), n_repetitions=10, folder=tmp_path, **settings)
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(ValueError, match="whole number"):
        subsampling_experiment(
            make_benchmark(6), n_repetitions=10, folder=tmp_path, **settings | {"rng": np.random.default_rng(0)}
        )


def test_blocks_are_named_by_data_labels_and_settings(make_benchmark):
    """100 changes of one thing each: no name twice, and none of the original."""
    data, plan = make_benchmark(6), EstimationPlan()
    drawn, rng = sample_sizes(subgroup_sizes(data), 10), np.random.default_rng(0)
    names = [experiment._key(data, drawn, plan, 1)]
    assert names[0] == experiment._key(data.copy(deep=True), drawn, plan, 1)
    for k in range(33):
        moved, scored, renamed = data.copy(deep=True), data.copy(deep=True), data.copy(deep=True)
        i, j = rng.choice(1200, 2, replace=False)
        while moved["task"].values[i] == moved["task"].values[j]:
            j = rng.integers(1200)
        task = moved["task"].values.copy()
        task[[i, j]] = task[[j, i]]  # two items change places between subgroups of the same names and sizes
        scored["score"].values[k % 3, k] = 1 - scored["score"].values[k % 3, k]
        item = renamed["item"].values.astype(object)
        item[k] = f"other {k}"
        changed = [moved.assign_coords(task=("item", task)), scored, renamed.assign_coords(item=item)]
        names += [experiment._key(d, drawn, plan, 1) for d in changed]
    names += [experiment._key(data, drawn + 1, plan, 1), experiment._key(data, drawn, plan, 2)]
    names += [experiment._key(data, drawn, replace(plan, level=0.9), 1)]
    assert len(names) == 103 and len(set(names)) == 103


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "text"])
def test_a_damaged_block_is_set_aside_and_made_again(tmp_path, make_benchmark, damage):
    settings = dict(size=10, n_repetitions=10, rng=3, progress=False, plan=EstimationPlan(("direct",)))
    whole = subsampling_experiment(make_benchmark(6), folder=tmp_path, **settings)
    (block,) = tmp_path.iterdir()
    raw = block.read_bytes()
    middle = len(raw) // 2
    flipped = raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :]
    block.write_bytes({"cut": raw[:middle], "empty": b"", "flipped": flipped, "text": b"<html>"}[damage])
    with pytest.warns(UserWarning, match="is damaged; it is now .*damaged, and the block is computed again"):
        assert subsampling_experiment(make_benchmark(6), folder=tmp_path, **settings).equals(whole)
    assert block.read_bytes() == raw and block.with_suffix(".damaged").exists()


def test_summaries_by_hand(make_benchmark):
    run = subsampling_experiment(
        make_benchmark(),
        size=10,
        n_repetitions=8,
        plan=EstimationPlan(("direct", "naive", "empirical_bayes", "structured")),
        rng=0,
        progress=False,
    )
    error = ((run["estimate"] - run["truth"]) ** 2).mean(["subgroup", "repetition"]).to_series()
    np.testing.assert_allclose(relative_mse(run)["estimate"], error / error["direct"])
    table = interval_coverage(run)
    assert "structured" not in table.index and table.loc["direct", "relative_width"] == 1
    inside = (run["lower"] <= run["truth"]) & (run["truth"] <= run["upper"])
    np.testing.assert_allclose(table["coverage"], inside.mean(["subgroup", "repetition"]).to_series()[table.index])
    by_model = relative_mse(run, by="model")
    assert set(by_model.index.get_level_values("model")) == set("ABC")


def test_empirical_bayes_beats_both_on_a_benchmark(make_benchmark):
    """40 repetitions; the ratio's standard error is near 0.02. Average coverage within 3 points of 95 %."""
    run = subsampling_experiment(make_benchmark(20), size=10, n_repetitions=40, rng=0, progress=False)
    ratios = relative_mse(run)["estimate"]
    assert ratios["empirical_bayes"] < 0.75 and ratios["empirical_bayes"] < ratios["synthetic"]
    table = interval_coverage(run)
    assert table.loc["empirical_bayes", "coverage"] > 0.92 and table.loc["empirical_bayes", "relative_width"] < 0.9


def test_importance_names_what_matters(make_benchmark):
    table = loco_importance(make_benchmark(16), size=10, n_repetitions=10, rng=0, progress=False)
    assert list(table.index.get_level_values("left_out").unique()) == ["model"]
    assert table.loc[("model", "synthetic"), "estimate"] > 1


def test_sizes_may_be_given():
    vtab = load("vtab").isel(model=slice(3))
    drawn = sample_sizes(subgroup_sizes(vtab), 20)
    settings = dict(n_repetitions=2, plan=EstimationPlan(("direct",)), rng=0, progress=False)
    assert subsampling_experiment(vtab, drawn, **settings).equals(subsampling_experiment(vtab, 20, **settings))
