"""The beta-binomial model: data as arrays, tabulated likelihood, change of variables."""

import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling.beta_binomial import (
    BetaBinomial,
    Counts,
    draw_theta,
    log_alpha_beta,
    log_marginal,
    log_posterior,
    rising_splines,
)
from benchuq.sampling.priors import LogNormal


def test_counts_are_those_of_the_results():
    vtab = load("vtab")
    data = Counts.from_results(vtab)
    np.testing.assert_array_equal(data.n_correct, vtab["n_correct"].transpose("model", "task"))
    assert data.models == list(vtab["model"].values) and data.n_items.shape == data.n_correct.shape
    assert (data.n_items == vtab["n_items"].values).all() and "category" in data.coords


def test_a_model_is_frozen_and_has_a_prior_for_each_model():
    model = BetaBinomial.from_results(load("vtab").isel(model=[0, 1]), LogNormal(0, 1))
    assert len(model.log_priors) == 2 and model.log_priors[0] is model.log_priors[1]
    with pytest.raises(AttributeError):
        model.n_items = None


def test_marginal_of_two_cells_is_beta_binomial():
    rng = np.random.default_rng(3)
    n = rng.integers(1, 500, 12)
    k = rng.integers(0, n + 1)
    a = np.array([[0.2, 0.7], [3.0, 2.0], [500.0, 80.0]])
    ours = log_marginal(np.stack([k, n - k], axis=1).astype(float))(np.log(a))
    theirs = stats.betabinom.logpmf(k, n, *a.T[:, :, None]).sum(axis=1)
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs), atol=1e-4)


def test_out_of_range_has_no_mass():
    assert log_marginal(np.array([[1.0, 2.0]]))(np.array([[-40.0, 0.0], [30.0, 0.0]])).tolist() == [-np.inf, -np.inf]
    assert len(rising_splines(np.ones((3, 4)))) == 5


def test_change_of_variables():
    x = np.array([[0.3, 2.0], [-2.0, 6.0]])
    alpha, beta = np.exp(log_alpha_beta(x)).T
    np.testing.assert_allclose(np.log(alpha / beta), x[:, 0])
    np.testing.assert_allclose(np.log(alpha + beta), x[:, 1])
    density = log_posterior(lambda a, b: 0 * a)(x)
    np.testing.assert_allclose(np.diff(density), np.diff(np.log(alpha * beta)), atol=1e-6)


def test_a_prior_that_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="not a number"):
        log_posterior(lambda a, b: np.log(-a))(np.zeros((1, 2)))


def test_theta_given_alpha_and_beta():
    "Kolmogorov-Smirnov, p > 0.001."
    ones = np.ones(5000)
    theta = draw_theta(2 * ones, 3 * ones, np.array([7, 0]), np.array([10, 4]), np.random.default_rng(1))
    assert stats.kstest(theta[0], stats.beta(9, 6).cdf).pvalue > 0.001
    assert stats.kstest(theta[1], stats.beta(2, 7).cdf).pvalue > 0.001
