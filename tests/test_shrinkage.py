"""Shrinkage estimators against closed forms, an independent optimiser, simulations, and published values."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from benchuq.subgroups import empirical_bayes as shrinkage
from benchuq.subgroups.empirical_bayes import empirical_bayes, fay_herriot, james_stein, moments, simulate
from benchuq.subgroups.direct import StructuredRegression, SyntheticRegression


def table(n=60, a=0.01, seed=0, slope=0.15):
    """Subgroups with a known line: table, features, true values."""
    rng = np.random.default_rng(seed)
    x = pd.DataFrame({"length": rng.uniform(-1, 1, n)}, index=pd.Index([f"g{i}" for i in range(n)], name="task"))
    s2 = rng.uniform(0.005, 0.03, n)
    truth = 0.6 + slope * x["length"] + rng.normal(0, np.sqrt(a), n)
    return pd.DataFrame({"estimate": rng.normal(truth, np.sqrt(s2)), "variance": s2}, index=x.index), x, truth


def test_moments_by_hand():
    e, s2 = np.array([0.3, -0.2, 0.1, 0.4]), np.array([0.01, 0.02, 0.01, 0.03])
    a = np.mean(e**2 - s2)
    kappa = np.mean(e**4 - 6 * s2 * e**2 + 3 * s2**2) / a**2
    np.testing.assert_allclose(moments(e, s2, "none"), (a, max(kappa, 1)))
    least = 2 * np.sum(s2**2) / (4 * np.sum(s2))
    assert moments(e, s2)[0] == pytest.approx(max(a, least))
    assert moments(0 * e, s2, "none") == (0.0, np.inf)
    assert moments(0 * e, s2)[0] == pytest.approx(least)
    assert moments(0 * e, s2, "flat")[0] > 0


def test_corrections_agree_when_noise_is_small():
    """As in the R package's tests: with little noise all three corrections give the same A and kappa."""
    rng = np.random.default_rng(42)
    theta, s2 = rng.normal(0, 0.25, 5000), np.linspace(1, 10, 5000) / 1000
    e = theta + np.sqrt(s2) * rng.standard_normal(5000)
    none, cut, flat = (moments(e, s2, c) for c in ("none", "truncation", "flat"))
    assert none == cut
    np.testing.assert_allclose(flat, none, rtol=1e-2)


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 60), st.floats(0, 0.1), st.integers(0, 1000))
def test_properties_of_empirical_bayes(n, a, seed):
    """Weights in [0, 1], estimates between direct and regression, robust intervals at least as wide as naive ones."""
    groups, _, _ = table(n, a, seed)
    e = empirical_bayes(groups, rng=seed)
    assert e["weight"].between(0, 1).all() and e.index.equals(groups.index)
    low, high = np.minimum(e["direct"], e["synthetic"]), np.maximum(e["direct"], e["synthetic"])
    assert e["estimate"].between(low - 1e-12, high + 1e-12).all()
    assert (e["kappa"] >= 1).all() and (e["critical_value"] >= 1.95).all()
    assert (e["lower"] < e["upper"]).all()


def test_formula_of_the_estimator():
    """Estimates, weights and intervals are equations (2), (6)-(10), fold by fold."""
    groups, x, _ = table()
    e = empirical_bayes(groups, LinearRegression(), x, correction="none", rng=3)
    for k in (0, 1):
        test = (e["fold"] == k).to_numpy()
        model = LinearRegression().fit(x[~test].to_numpy(), groups["estimate"][~test])
        z, s2, f = groups["estimate"][test], groups["variance"][test], model.predict(x[test].to_numpy())
        a = max(np.mean((z - f) ** 2 - s2), 0)
        kappa = max(np.mean((z - f) ** 4 - 6 * s2 * (z - f) ** 2 + 3 * s2**2) / a**2, 1)
        w = a / (a + s2)
        np.testing.assert_allclose(e["estimate"][test], f + w * (z - f))
        half = shrinkage.critical_value(s2 / a, kappa) * w * np.sqrt(s2)
        np.testing.assert_allclose((e["upper"] - e["lower"])[test], 2 * half)


def test_same_seed_same_result_and_any_regressor():
    groups, x, _ = table()
    for model in (
        None,
        SyntheticRegression(max_trees=10),
        LinearRegression(),
        DummyRegressor(),
        StructuredRegression(),
    ):
        one, two = (empirical_bayes(groups, model, x, rng=1) for _ in range(2))
        pd.testing.assert_frame_equal(one, two)
    assert not one.equals(empirical_bayes(groups, model, x, rng=2))


def test_folds_keep_subgroups_together():
    index = pd.MultiIndex.from_product([["A", "B", "C"], [f"t{i}" for i in range(12)]], names=["model", "task"])
    rng = np.random.default_rng(0)
    groups = pd.DataFrame({"estimate": rng.uniform(size=36), "variance": 0.02}, index=index)
    together = empirical_bayes(groups, rng=0)["fold"].groupby("task").nunique()
    alone = empirical_bayes(groups, folds="row", rng=0)["fold"].groupby("task").nunique()
    assert (together == 1).all() and (alone > 1).any()
    few = groups.loc[(slice(None), ["t0", "t1", "t2"]), :]
    with pytest.raises(ValueError, match="folds='row'"):
        empirical_bayes(few)


def test_shared_noise_leaks_through_row_folds():
    """Six models answer the same questions: with rows dealt singly A is underestimated, with subgroups it is not.

    60 data sets; the two averages differ by more than ten standard errors."""
    index = pd.MultiIndex.from_product([list("ABCDEF"), range(40)], names=["model", "task"])
    x = pd.get_dummies(index.get_level_values("task"), dtype=float).set_index(index)
    a = {"row": [], "subgroup": []}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shared = np.tile(rng.normal(0, 1, 40), 6)
        truth = np.tile(rng.normal(0, 0.5, 40), 6) + rng.normal(0, 0.5, 240)
        groups = pd.DataFrame({"estimate": truth + shared, "variance": 1.0}, index=index)
        for folds in a:
            e = empirical_bayes(groups, LinearRegression(), x, folds=folds, correction="none", rng=seed)
            actual = np.mean((e["synthetic"] - truth) ** 2)
            a[folds].append(e["A"].mean() - actual)
    assert abs(np.mean(a["subgroup"])) < 0.12 and np.mean(a["row"]) < -0.5


def test_variance_zero_and_A_zero():
    groups, x, _ = table()
    groups.iloc[:3, 1] = 0.0
    e = empirical_bayes(groups, features=x, rng=0)
    assert (e["weight"].iloc[:3] == 1).all() and (e["estimate"].iloc[:3] == groups["estimate"].iloc[:3]).all()
    assert (e["lower"].iloc[:3] == e["upper"].iloc[:3]).all()
    same = pd.DataFrame({"estimate": 0.5, "variance": 0.02}, index=range(20))
    bare = empirical_bayes(same, correction="none", rng=0)
    assert (bare["A"] == 0).all() and (bare["weight"] == 0).all() and (bare["lower"] == bare["upper"]).all()
    for correction in ("truncation", "flat"):
        e = empirical_bayes(same, correction=correction, rng=0)
        assert (e["A"] > 0).all() and (e["upper"] > e["lower"]).all()
    certain = empirical_bayes(same.assign(variance=0.0, estimate=np.linspace(0, 1, 20)), rng=0)
    assert (certain["weight"] == 1).all()


def test_kappa_bounds_and_shortest_intervals():
    groups, x, _ = table()
    e, cautious = (empirical_bayes(groups, features=x, kappa=k, rng=0) for k in (3, np.inf))
    assert ((cautious["upper"] - cautious["lower"]) >= (e["upper"] - e["lower"]) - 1e-12).all()
    short = empirical_bayes(groups, features=x, kappa=3, shrink="short", rng=0)
    assert ((short["upper"] - short["lower"]) <= (e["upper"] - e["lower"]) + 1e-9).all()
    cut = empirical_bayes(groups, features=x, kappa=3, bounds=(0.3, 0.7), rng=0)
    assert cut["lower"].min() >= 0.3 and cut["upper"].max() <= 0.7 and cut["estimate"].equals(e["estimate"])


def test_average_coverage_under_three_priors():
    """10 data sets of 2,000 subgroups for each prior and A: robust intervals cover at least 94 % on average; the naive
    ones fall below where the prior is not normal. Standard errors are below 0.4 points."""
    naive = {}
    for prior in shrinkage.PRIORS:
        for a in (0.25, 1.0):
            hits = []
            for seed in range(10):
                groups, truth = simulate(2000, a, prior, rng=seed)
                e = empirical_bayes(groups, DummyRegressor(), rng=seed)
                hits.append(
                    [
                        ((e[low] <= truth) & (truth <= e[up])).mean()
                        for low, up in (("lower", "upper"), ("naive_lower", "naive_upper"))
                    ]
                )
            robust, naive[prior, a] = np.mean(hits, axis=0)
            assert robust >= 0.94, (prior, a, robust)
    assert naive["two points", 0.25] < 0.93 and naive["heavy tails", 0.25] < 0.94


def test_james_stein_by_hand_and_baseball():
    """Equal variances: the textbook formula, positive part included; Efron and Morris's weight and mean."""
    rng = np.random.default_rng(0)
    for scale in (0.05, 1.0, 3.0):
        z = rng.normal(0, scale, 12)
        e = james_stein(pd.DataFrame({"estimate": z, "variance": 0.5}))
        shrunk = min(1, 9 * 0.5 / ((z - z.mean()) ** 2).sum())
        np.testing.assert_allclose(e["estimate"], z.mean() + (1 - shrunk) * (z - z.mean()), atol=1e-10)
    hits = np.array([18, 17, 16, 15, 14, 14, 13, 12, 11, 11, 10, 10, 10, 10, 10, 9, 8, 7]) / 45
    e = james_stein(pd.DataFrame({"estimate": hits, "variance": hits.mean() * (1 - hits.mean()) / 45}))
    assert round(e["weight"].iloc[0], 3) == 0.212 and round(e["synthetic"].iloc[0], 3) == 0.265


@pytest.mark.parametrize("method", ["reml", "ml"])
@pytest.mark.parametrize("seed", range(4))
def test_fay_herriot_reaches_the_maximum(method, seed):
    """An independent optimiser works on coefficients and log A together (ML), or on the likelihood of n - p error
    contrasts (REML), both with dense normal densities."""
    from scipy.linalg import null_space
    from scipy.stats import multivariate_normal

    groups, x, _ = table(30, seed=seed)
    z, s2, X = groups["estimate"].to_numpy(), groups["variance"].to_numpy(), np.column_stack([np.ones(30), x])
    fit = fay_herriot(groups, x, method)
    contrasts = null_space(X.T).T

    def negative(p):
        V = np.diag(np.exp(p[0]) + s2)
        if method == "reml":
            return -multivariate_normal.logpdf(contrasts @ z, np.zeros(28), contrasts @ V @ contrasts.T)
        return -multivariate_normal.logpdf(z, X @ p[1:], V)

    starts = [[np.log(a), 0.6, 0.1][: 1 if method == "reml" else 3] for a in (1e-3, 1e-2, 1e-1)]
    options = {"xatol": 1e-8, "fatol": 1e-12, "maxiter": 5000, "maxfev": 5000}
    best = min((minimize(negative, s, method="Nelder-Mead", options=options) for s in starts), key=lambda r: r.fun)
    assert fit.log_likelihood >= -best.fun - 1e-6
    if np.exp(best.x[0]) > 1e-6:
        np.testing.assert_allclose(fit.log_likelihood, -best.fun, atol=1e-6)
        np.testing.assert_allclose(fit.A, np.exp(best.x[0]), rtol=1e-3)


def test_fay_herriot_moments_solve_their_equation():
    groups, x, _ = table(80, 0.02)
    fit = fay_herriot(groups, x, "moments")
    X = np.column_stack([np.ones(80), x])
    residual = groups["estimate"] - X @ fit.coefficients["estimate"].to_numpy()
    np.testing.assert_allclose((residual**2 / (fit.A + groups["variance"])).sum(), 78, rtol=1e-8)


@pytest.mark.parametrize("method", ["reml", "ml", "moments"])
def test_mean_squared_error_of_the_eblup(method):
    """300 data sets of 40 subgroups: claimed and actual mean squared error agree within 6 % (standard error 1.3 %)."""
    _, x, _ = table(40)
    s2 = np.linspace(0.005, 0.03, 40)
    rng, claimed, actual = np.random.default_rng(1), [], []
    for _ in range(300):
        truth = 0.6 + 0.15 * x["length"] + rng.normal(0, 0.12, 40)
        groups = pd.DataFrame({"estimate": rng.normal(truth, np.sqrt(s2)), "variance": s2}, index=x.index)
        fit = fay_herriot(groups, x, method).table
        claimed.append(fit["mse"].mean())
        actual.append(((fit["estimate"] - truth) ** 2).mean())
    assert abs(np.mean(claimed) / np.mean(actual) - 1) < 0.06


def test_bad_input():
    groups, x, _ = table()
    cases = [
        (lambda: empirical_bayes(groups.head(4)), "at least 5 subgroups"),
        (lambda: empirical_bayes(groups.drop(columns="variance")), "lack the columns"),
        (lambda: empirical_bayes(groups.assign(estimate=np.nan)), "estimate is missing or infinite for subgroup 'g0'"),
        (lambda: empirical_bayes(groups.assign(variance=-1.0)), "variance is missing or negative"),
        (lambda: empirical_bayes(groups, features=x.iloc[2:]), "do not cover subgroup 'g0' \\(2 in all\\)"),
        (lambda: empirical_bayes(groups, features=x.replace(x.iloc[3, 0], np.nan)), "'length' is missing .* 'g3'"),
        (lambda: empirical_bayes(groups, level=95), "level"),
        (lambda: empirical_bayes(groups, shrink="max"), "'precise' or 'short'"),
        (lambda: empirical_bayes(pd.concat([groups, groups])), "more than once"),
        (lambda: fay_herriot(groups, x.assign(one=1.0)), "'one' is constant"),
        (lambda: fay_herriot(groups.assign(variance=0.0)), "variance is 0"),
        (lambda: fay_herriot(groups, method="eb"), "method must be"),
        (lambda: james_stein(groups.head(3)), "at least 4"),
        (lambda: simulate(5, prior="flat"), "prior must be"),
    ]
    for call, match in cases:
        with pytest.raises(ValueError, match=match):
            call()


def test_constant_features_are_harmless_for_trees():
    groups, x, _ = table()
    one = empirical_bayes(groups, features=x, rng=0)
    two = empirical_bayes(groups, features=x.assign(one=1.0), rng=0)
    pd.testing.assert_frame_equal(one, two)
