"""The beta-binomial model: priors against SciPy, data as arrays, tabulated likelihood, change of variables."""

import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling.beta_binomial import (
    BetaBinomial,
    Counts,
    DEFAULT_PRIOR,
    draw_theta,
    Exponential,
    _joint_densities,
    _joint_density,
    log_alpha_beta,
    _log_marginal,
    log_posterior,
    LogNormal,
    MeanConcentration,
    PRIORS,
    rising_splines,
    TruncatedNormal,
    UQ_PRIOR,
)


@pytest.mark.parametrize(
    "prior, reference",
    [
        (Exponential(0.01), stats.expon(scale=100)),
        (TruncatedNormal(3, 2), stats.truncnorm(-1.5, np.inf, 3, 2)),
        (LogNormal(-1, 0.5), stats.lognorm(0.5, scale=np.exp(-1))),
    ],
)
def test_densities_and_samples(prior, reference):
    "Against SciPy; Kolmogorov-Smirnov, p > 0.001."
    x = np.array([0.01, 0.5, 2.0, 20.0])
    np.testing.assert_allclose(prior.log_density(x), reference.logpdf(x), rtol=1e-9)
    assert stats.kstest(prior.sample(np.random.default_rng(4), 2000), reference.cdf).pvalue > 0.001


def test_models_with_one_prior_share_its_density():
    one, two = _joint_densities(UQ_PRIOR, "AB")
    assert one is two and UQ_PRIOR == Exponential()
    a, b = _joint_densities({"B": LogNormal(0, 1), "A": (LogNormal(1, 1), UQ_PRIOR)}, "AB")
    assert a(2.0, 3.0) == LogNormal(1, 1).log_density(2.0) + UQ_PRIOR.log_density(3.0)
    assert b(2.0, 3.0) == LogNormal(0, 1).log_density(2.0) + LogNormal(0, 1).log_density(3.0)


def test_mean_and_concentration():
    "The density is that of a uniform mean and a log-normal concentration; samples too: Kolmogorov-Smirnov, p > 0.001."
    prior = MeanConcentration(30, 0.7)
    alpha, beta = np.array([3.0, 0.1]), np.array([8.0, 50.0])
    reference = stats.lognorm(0.7, scale=30)
    np.testing.assert_allclose(
        prior.joint_log_density(alpha, beta), reference.logpdf(alpha + beta) - np.log(alpha + beta)
    )
    alpha, beta = prior.sample_pair(np.random.default_rng(4), 2000)
    assert stats.kstest(alpha / (alpha + beta), stats.uniform.cdf).pvalue > 0.001
    assert stats.kstest(alpha + beta, reference.cdf).pvalue > 0.001


def test_names_of_priors():
    assert PRIORS == {"default": DEFAULT_PRIOR, "uq": UQ_PRIOR}
    assert _joint_density("default")(3.0, 4.0) == DEFAULT_PRIOR.joint_log_density(3.0, 4.0)
    assert _joint_density("uq")(3.0, 4.0) == _joint_density(Exponential())(3.0, 4.0)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Exponential(0), "rate must be a positive number"),
        (lambda: Exponential(-1), "rate must be a positive number"),
        (lambda: TruncatedNormal(0, 0), "sd must be a positive number"),
        (lambda: TruncatedNormal(-1000, 1), "no mass to positive values"),
        (lambda: TruncatedNormal(-100, 10), "no mass to positive values"),
        (lambda: LogNormal(np.nan, 1), "mean must be a finite number"),
        (lambda: LogNormal(0, np.inf), "sd must be a positive number"),
        (lambda: _joint_density(3), "prior must be"),
        (lambda: _joint_density("UQ"), r"prior must be one of \['default', 'uq'\]"),
        (lambda: MeanConcentration(0, 1), "median must be a positive number"),
        (lambda: _joint_density((Exponential(), 3)), "prior must be"),
        (lambda: _joint_densities({"C": Exponential()}, "AB"), r"unknown models in the prior \['C'\]"),
        (lambda: _joint_densities({"A": Exponential()}, "AB"), r"missing for models \['B'\]"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()


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
    ours = _log_marginal(np.stack([k, n - k], axis=1).astype(float))(np.log(a))
    theirs = stats.betabinom.logpmf(k, n, *a.T[:, :, None]).sum(axis=1)
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs), atol=1e-4)


def test_out_of_range_has_no_mass():
    assert _log_marginal(np.array([[1.0, 2.0]]))(np.array([[-40.0, 0.0], [30.0, 0.0]])).tolist() == [-np.inf, -np.inf]
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
