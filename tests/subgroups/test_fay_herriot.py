"""Fay-Herriot against an independent optimiser, its moment equation, and simulations."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from benchuq.subgroups.fay_herriot import area_log_likelihood, fay_herriot, fay_herriot_coefficients


@pytest.mark.parametrize("method", ["reml", "ml"])
@pytest.mark.parametrize("seed", range(4))
def test_fay_herriot_reaches_the_maximum(method, seed, make_areas):
    """An independent optimiser works on coefficients and log A together (ML), or on the likelihood of n - p error
    contrasts (REML), both with dense normal densities."""
    from scipy.linalg import null_space
    from scipy.stats import multivariate_normal

    groups, x, _ = make_areas(30, seed=seed)
    z, s2, X = groups["estimate"].to_numpy(), groups["variance"].to_numpy(), np.column_stack([np.ones(30), x])
    a = fay_herriot(groups, x, method=method)["between_variance"].iloc[0]
    reached = area_log_likelihood(a, z, s2, X, method)
    contrasts = null_space(X.T).T

    def negative(p):
        V = np.diag(np.exp(p[0]) + s2)
        if method == "reml":
            return -multivariate_normal.logpdf(contrasts @ z, np.zeros(28), contrasts @ V @ contrasts.T)
        return -multivariate_normal.logpdf(z, X @ p[1:], V)

    starts = [[np.log(a), 0.6, 0.1][: 1 if method == "reml" else 3] for a in (1e-3, 1e-2, 1e-1)]
    options = {"xatol": 1e-8, "fatol": 1e-12, "maxiter": 5000, "maxfev": 5000}
    best = min((minimize(negative, s, method="Nelder-Mead", options=options) for s in starts), key=lambda r: r.fun)
    assert reached >= -best.fun - 1e-6
    if np.exp(best.x[0]) > 1e-6:
        np.testing.assert_allclose(reached, -best.fun, atol=1e-6)
        np.testing.assert_allclose(a, np.exp(best.x[0]), rtol=1e-3)


def test_fay_herriot_moments_solve_their_equation(make_areas):
    groups, x, _ = make_areas(80, 0.02)
    fit = fay_herriot(groups, x, method="moments")
    X = np.column_stack([np.ones(80), x])
    beta = fay_herriot_coefficients(groups, x, method="moments")["estimate"].to_numpy()
    np.testing.assert_allclose(X @ beta, fit["synthetic"])
    residual = groups["estimate"] - X @ beta
    np.testing.assert_allclose((residual**2 / (fit["between_variance"] + groups["variance"])).sum(), 78, rtol=1e-8)


@pytest.mark.parametrize("method", ["reml", "ml", "moments"])
def test_mean_squared_error_of_the_eblup(method, make_areas):
    """200 data sets of 40 subgroups: claimed and actual mean squared error agree within 6 % (standard error 1.6 %)."""
    _, x, _ = make_areas(40)
    s2 = np.linspace(0.005, 0.03, 40)
    rng, claimed, actual = np.random.default_rng(1), [], []
    for _ in range(200):
        truth = 0.6 + 0.15 * x["length"] + rng.normal(0, 0.12, 40)
        groups = pd.DataFrame({"estimate": rng.normal(truth, np.sqrt(s2)), "variance": s2}, index=x.index)
        fit = fay_herriot(groups, x, method=method)
        claimed.append(fit["mse"].mean())
        actual.append(((fit["estimate"] - truth) ** 2).mean())
    assert abs(np.mean(claimed) / np.mean(actual) - 1) < 0.06


def test_bad_input(make_areas):
    groups, x, _ = make_areas()
    cases = [
        (lambda: fay_herriot(groups, x.assign(one=1.0)), "'one' is constant"),
        (lambda: fay_herriot(groups.assign(variance=0.0)), "variance is 0"),
        (lambda: fay_herriot(groups, method="eb"), "'reml', 'ml', 'moments'"),
        (lambda: fay_herriot(groups, x.assign(again=2 * x["length"])), "'again' is constant or a combination"),
        (lambda: fay_herriot(groups.head(4)), "at least 5"),
    ]
    for call, match in cases:
        with pytest.raises(ValueError, match=match):
            call()
