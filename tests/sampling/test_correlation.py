"""Correlation between models: the prior, a known truth, scores over draws."""

import warnings

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from scipy.integrate import quad

from benchuq.comparison.aggregate import mean
from benchuq.data.published import load
from benchuq.sampling import correlation
from benchuq.sampling.beta_binomial import Counts
from benchuq.sampling.convergence import ConvergenceWarning
from benchuq.sampling.correlation import draw_correlation
from benchuq.sampling.hierarchy import accuracy_draws


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


def test_lkj_in_terms_of_rows():
    "The density of w integrates to the LKJ marginal: for 2 models and eta = 2 the correlation is 2 Beta(2, 2) - 1."

    def f(w):
        return (1 + w**2) ** (-(2 + 2 * 2 - 1) / 2)

    total = quad(f, -np.inf, np.inf)[0]
    for r in (-0.5, 0.0, 0.7):
        below = quad(f, -np.inf, r / np.sqrt(1 - r**2))[0] / total
        assert abs(below - stats.beta(2, 2).cdf((r + 1) / 2)) < 1e-8


def test_few_items_choose_the_other_form_and_find_the_correlation(make_counts):
    "Effects instead of theta are sampled; the interval covers the known correlation of 0.9."
    rng = np.random.default_rng(8)
    u = rng.multivariate_normal([0.5, 0.2], [[1, 0.9], [0.9, 1]], size=60)
    few = make_counts(rng.binomial(4, 1 / (1 + np.exp(-u))).T, 4)
    small, large = Counts.from_results(few), Counts.from_results(VTAB)
    assert not correlation._informative(small.n_correct, small.n_items)
    assert correlation._informative(large.n_correct, large.n_items)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        tree = correlation.fit_correlated(few, n_draws=400, n_chains=2, n_tune=300, rng=1, progress=False)
    r = tree.posterior["correlation"].sel(model="A", other_model="B")
    assert float(r.quantile(0.01)) < 0.9 < float(r.quantile(0.99)) and float(r.mean()) > 0.3
    rho = draw_correlation(accuracy_draws(tree))
    assert rho.loc["A", "A"] == pytest.approx(1) and abs(rho.loc["A", "B"]) < 1
    assert rho.loc["A", "B"] == pytest.approx(rho.loc["B", "A"], rel=1e-12)
    with pytest.raises(ValueError, match="at least two models"):
        correlation.correlated_model(few.isel(model=[0]))


def test_correlation_of_scores_with_any_weights():
    values = np.random.default_rng(1).random((2, 3, 50))
    draws = xr.DataArray(values, dims=("model", "task", "draw"), coords={"model": ["A", "B"], "task": list("xyz")})
    weights = {"x": 0.6, "y": 0.4, "z": 0.0}
    expected = np.corrcoef(np.tensordot(values, [0.6, 0.4, 0.0], axes=(1, 0)))
    np.testing.assert_allclose(draw_correlation(mean(draws, weights)), expected)
    np.testing.assert_allclose(draw_correlation(draws), draw_correlation(mean(draws)))


def test_eta_must_be_positive():
    with pytest.raises(ValueError, match="eta must be a positive number"):
        correlation.correlated_model(load("vtab"), eta=0)
