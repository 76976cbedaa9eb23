"""Direct estimates and features."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.data.published import load
from benchuq.data.results import from_counts
from benchuq.subgroups.direct import direct_estimates, features


def items(score, task, **coordinates):
    """Item results from a models x items array."""
    score = np.atleast_2d(np.asarray(score, float))
    coords = {
        "model": [f"m{i}" for i in range(len(score))],
        "item": np.arange(score.shape[1]),
        "task": ("item", task),
    }
    return xr.Dataset(
        {"score": (("model", "item"), score)},
        coords=coords | {k: ("item", v) for k, v in coordinates.items()},
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 3), st.integers(0, 10**6))
def test_means_and_variances_by_hand(n, models, seed):
    rng = np.random.default_rng(seed)
    task, score = (
        np.r_[["a", "a"], rng.choice(["a", "b", "c"], n)],
        rng.normal(size=(models, n + 2)),
    )
    plugin, smoothed = (
        direct_estimates(items(score, task), variance=kind) for kind in ("plugin", "smoothed")
    )
    for i, row in enumerate(score):
        parts = {g: row[task == g] for g in np.unique(task)}
        squares = {g: ((z - z.mean()) ** 2).sum() for g, z in parts.items()}
        pooled = sum(squares.values()) / sum(len(z) - 1 for z in parts.values())
        for g, z in parts.items():
            found = plugin.loc[(f"m{i}", g), ["n", "estimate", "variance"]]
            np.testing.assert_allclose(found, [len(z), z.mean(), z.var() / len(z)], atol=1e-12)
            variance = (squares[g] + 10 * pooled) / (len(z) + 9) / len(z)
            np.testing.assert_allclose(smoothed.loc[(f"m{i}", g), "variance"], variance, rtol=1e-9)


def test_wilsons_interval_inverts_the_score_test_and_stays_open():
    score, task = [1] * 3 + [0] * 7 + [1] * 10 + [0] * 10, np.repeat(["some", "right", "wrong"], 10)
    table = direct_estimates(items(score, task), level=0.9).loc["m0"]
    for end in table.loc["some", ["lower", "upper"]]:
        assert abs(0.3 - end) / np.sqrt(end * (1 - end) / 10) == pytest.approx(1.6448536, rel=1e-6)
    assert list(table.index) == ["some", "right", "wrong"] and table["variance"].gt(0).all()
    assert direct_estimates(items(np.ones(30), task))["variance"].gt(0).all()
    assert table.loc["right", "upper"] == pytest.approx(1) and table.loc[
        "wrong", "lower"
    ] == pytest.approx(0, abs=1e-9)


def test_counts_and_items_agree():
    rng = np.random.default_rng(0)
    task = np.repeat(["law", "maths"], [30, 50])
    score = rng.integers(0, 2, (2, 80))
    counts = from_counts(
        pd.DataFrame(score, index=["m0", "m1"]).T.groupby(task).sum().T, {"law": 30, "maths": 50}
    )
    pd.testing.assert_frame_equal(direct_estimates(items(score, task)), direct_estimates(counts))


def test_one_fractional_task_leaves_binary_ones_alone():
    """Binary tasks keep Wilson's interval and their variance; equal or single fractional scores get
    an interval.
    """
    right = [1, 0, 1, 1, 0, 1, 1, 1]
    alone = direct_estimates(items(right, ["a"] * 4 + ["b"] * 4))
    mixed = direct_estimates(
        items(
            [*right, 0.5, 0.25, 0.5, 0.5, 0.3],
            ["a"] * 4 + ["b"] * 4 + ["c"] * 2 + ["d"] * 2 + ["e"],
        )
    )
    pd.testing.assert_frame_equal(mixed.head(2), alone)
    assert (
        mixed[["lower", "upper"]].notna().all(axis=None)
        and (mixed["upper"] - mixed["lower"] > 0.2).all()
    )


def test_missing_scores_do_not_count():
    table = direct_estimates(items([[1, np.nan, 0, 1], [1, 1, 1, 0]], ["a", "a", "b", "b"]))
    assert table["n"].tolist() == [1, 2, 2, 2]
    with pytest.raises(ValueError, match=r"no item was run for \(model, task\) \('m0', 'a'\)"):
        direct_estimates(items([[np.nan, np.nan, 0, 1]], ["a", "a", "b", "b"]))


def test_bad_input():
    results = items([1, 0, 1, 0], ["a", "a", "b", "b"])
    cases = [
        (lambda: direct_estimates(results, by="topic"), "no item coordinate 'topic'"),
        (lambda: direct_estimates(results, variance="big"), "variance must be one of"),
        (lambda: direct_estimates(results, level=1), "level"),
        (lambda: direct_estimates(items([1, np.inf], ["a", "a"])), "infinite for model 'm0'"),
        (lambda: direct_estimates(items([1, 0], ["a", "b"])), "one observation in every subgroup"),
        (lambda: direct_estimates(load("vtab"), by="category"), "need item scores"),
        (lambda: features(results, embeddings=np.ones((3, 2))), "a row for each of the 4 items"),
        (lambda: features(results, embeddings=np.full((4, 2), np.nan)), "not finite in row 0"),
    ]
    for call, match in cases:
        with pytest.raises(ValueError, match=match):
            call()


def test_features_by_hand():
    rng = np.random.default_rng(0)
    task, category = np.repeat(["a", "b", "c"], 4), np.repeat(["x", "y", "y"], 4)
    results = items(rng.integers(0, 2, (2, 12)), task, category=category)
    results["confidence"] = (("model", "item"), rng.uniform(size=(2, 12)))
    embeddings = rng.normal(size=(12, 3))
    table = features(results, embeddings=embeddings, indicators=("model", "category"))
    without = features(
        results, embeddings=embeddings, indicators=("model", "category"), difficulty=False
    )
    pd.testing.assert_frame_equal(table.drop(columns="difficulty"), without)
    table = without
    assert list(table.columns) == [
        "embedding 0",
        "embedding 1",
        "embedding 2",
        "confidence",
        "model=m1",
        "category=y",
    ]
    row = table.loc[("m1", "b")]
    np.testing.assert_allclose(row.iloc[:3], embeddings[4:8].mean(axis=0))
    np.testing.assert_allclose(row["confidence"], results["confidence"].values[1, 4:8].mean())
    assert row["model=m1"] == row["category=y"] == 1 and table.loc[("m0", "a"), "category=y"] == 0
    with pytest.raises(ValueError, match="more than one task"):
        features(
            results.assign_coords(half=("item", ["p", "q"] * 6)), by="half", indicators=("task",)
        )
