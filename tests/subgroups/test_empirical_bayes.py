"""Empirical Bayes against closed forms and simulations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from benchuq.subgroups.empirical_bayes import ShrinkageSettings, empirical_bayes
from benchuq.subgroups.robust import critical_value

two_folds = ShrinkageSettings.two_folds


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 60), st.floats(0, 0.1), st.integers(0, 1000))
def test_properties_of_empirical_bayes(make_areas, n, a, seed):
    """Weights in [0, 1], estimates between direct and regression, robust intervals at least as wide
    as naive ones.
    """
    groups, _, _ = make_areas(n, a, seed)
    e = empirical_bayes(groups, rng=seed)
    assert e["weight"].between(0, 1).all() and e.index.equals(groups.index)
    low, high = np.minimum(e["direct"], e["synthetic"]), np.maximum(e["direct"], e["synthetic"])
    assert e["estimate"].between(low - 1e-12, high + 1e-12).all()
    assert (e["kappa"] >= 1).all() and (e["critical_value"] >= 1.95).all()
    assert (e["lower"] < e["upper"]).all()


def test_formula_of_the_estimator(make_areas):
    """Estimates, weights and intervals are equations (2), (6)-(10), fold by fold."""
    groups, x, _ = make_areas()
    groups.iloc[::9, 0] += 0.7  # a few far from the line, for a kurtosis above 1
    e = empirical_bayes(groups, x, LinearRegression(), settings=two_folds(correction="none"), rng=3)
    assert (e["kappa"] > 1.5).all()
    for k in (0, 1):
        test = (e["fold"] == k).to_numpy()
        model = LinearRegression().fit(x[~test].to_numpy(), groups["estimate"][~test])
        z, s2, f = (
            groups["estimate"][test],
            groups["variance"][test],
            model.predict(x[test].to_numpy()),
        )
        a = max(np.mean((z - f) ** 2 - s2), 0)
        kappa = max(np.mean((z - f) ** 4 - 6 * s2 * (z - f) ** 2 + 3 * s2**2) / a**2, 1)
        w = a / (a + s2)
        np.testing.assert_allclose(e["estimate"][test], f + w * (z - f))
        half = critical_value(s2 / a, kappa) * w * np.sqrt(s2)
        np.testing.assert_allclose((e["upper"] - e["lower"])[test], 2 * half)


def test_same_seed_same_result_and_any_regressor(make_areas):
    groups, x, _ = make_areas()
    quick = two_folds(n_folds=3)
    for model in (None, "trees", "additive", "mean", LinearRegression()):
        one, two = (empirical_bayes(groups, x, model, settings=quick, rng=1) for _ in range(2))
        pd.testing.assert_frame_equal(one, two)
    assert not one.equals(empirical_bayes(groups, x, model, settings=quick, rng=2))
    wide = empirical_bayes(groups, x, model, settings=two_folds(n_folds=3, min_kappa=np.inf), rng=1)
    cautious = empirical_bayes(
        groups, x, model, settings=two_folds(n_folds=3, min_kappa=np.inf), limits=(0.3, 0.7), rng=1
    )
    assert (wide["upper"] - wide["lower"] >= one["upper"] - one["lower"] - 1e-12).all()
    assert cautious["lower"].min() >= 0.3 and cautious["upper"].max() <= 0.7
    one, two = (empirical_bayes(groups, x, LinearRegression(), rng=1) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert "fold" not in one and one["between_variance"].nunique() == 1


def test_folds_keep_subgroups_together():
    index = pd.MultiIndex.from_product(
        [["A", "B", "C"], [f"t{i}" for i in range(12)]], names=["model", "task"]
    )
    rng = np.random.default_rng(0)
    groups = pd.DataFrame({"estimate": rng.uniform(size=36), "variance": 0.02}, index=index)
    together, alone = (
        empirical_bayes(groups, settings=two_folds(fold_by=by), rng=0)["fold"]
        .groupby("task")
        .nunique()
        for by in ("subgroup", "row")
    )
    assert (together == 1).all() and (alone > 1).any()
    few = groups.loc[(slice(None), ["t0", "t1", "t2"]), :]
    with pytest.raises(ValueError, match="fold_by='row'"):
        empirical_bayes(few)


def test_variance_zero_and_A_zero(make_areas):
    groups, x, _ = make_areas()
    groups.iloc[:3, 1] = 0.0
    e = empirical_bayes(groups, features=x, settings=two_folds(), rng=0)
    assert (e["weight"].iloc[:3] == 1).all() and (
        e["estimate"].iloc[:3] == groups["estimate"].iloc[:3]
    ).all()
    assert (e["lower"].iloc[:3] == e["upper"].iloc[:3]).all()
    same = pd.DataFrame({"estimate": 0.5, "variance": 0.02}, index=range(20))
    bare = empirical_bayes(same, settings=ShrinkageSettings(correction="none"), rng=0)
    assert (bare[["between_variance", "weight"]] == 0).all(axis=None) and (
        bare["lower"] == bare["upper"]
    ).all()
    for correction in ("truncation", "flat"):
        e = empirical_bayes(same, settings=ShrinkageSettings(correction=correction), rng=0)
        assert (e["between_variance"] > 0).all() and (e["upper"] > e["lower"]).all()
    certain = empirical_bayes(same.assign(variance=0.0, estimate=np.linspace(0, 1, 20)), rng=0)
    assert (certain["weight"] == 1).all()


def test_bad_input(make_areas):
    groups, x, _ = make_areas()
    cases = [
        (lambda: empirical_bayes(groups.head(4)), "at least 5 subgroups"),
        (lambda: empirical_bayes(groups.drop(columns="variance")), r"no columns \['variance'\]"),
        (
            lambda: empirical_bayes(groups.assign(estimate=np.nan)),
            "subgroup 'g0' has no finite estimate",
        ),
        (lambda: empirical_bayes(groups.assign(variance=-1.0)), "missing or negative variance"),
        (
            lambda: empirical_bayes(groups, features=x.iloc[2:]),
            "do not cover subgroup 'g0' \\(2 in all\\)",
        ),
        (
            lambda: empirical_bayes(groups, features=x.replace(x.iloc[3, 0], np.nan)),
            "'length' is missing .* 'g3'",
        ),
        (lambda: empirical_bayes(groups, level=95), "level"),
        (lambda: ShrinkageSettings(pooled_moments=False), "n_splits must be 1"),
        (lambda: ShrinkageSettings(correction="PMT"), "'truncation', 'flat', 'none'"),
        (lambda: empirical_bayes(pd.concat([groups, groups])), "more than once"),
        (lambda: empirical_bayes(groups, x, "forest"), "regression must be one of"),
    ]
    for call, match in cases:
        with pytest.raises(ValueError, match=match):
            call()
