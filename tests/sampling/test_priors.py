"""Priors: distributions against SciPy, pairs and mappings, error contracts."""

import numpy as np
import pytest
from scipy import stats

from benchuq.sampling.priors import (
    DEFAULT_PRIOR,
    PRIORS,
    UQ_PRIOR,
    Exponential,
    LogNormal,
    MeanConcentration,
    TruncatedNormal,
    joint_densities,
    joint_density,
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
    one, two = joint_densities(UQ_PRIOR, "AB")
    assert one is two and UQ_PRIOR == Exponential()
    a, b = joint_densities({"B": LogNormal(0, 1), "A": (LogNormal(1, 1), UQ_PRIOR)}, "AB")
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
    assert joint_density("default")(3.0, 4.0) == DEFAULT_PRIOR.joint_log_density(3.0, 4.0)
    assert joint_density("uq")(3.0, 4.0) == joint_density(Exponential())(3.0, 4.0)


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
        (lambda: joint_density(3), "prior must be"),
        (lambda: joint_density("UQ"), r"prior must be one of \['default', 'uq'\]"),
        (lambda: MeanConcentration(0, 1), "median must be a positive number"),
        (lambda: joint_density((Exponential(), 3)), "prior must be"),
        (lambda: joint_densities({"C": Exponential()}, "AB"), r"unknown models in the prior \['C'\]"),
        (lambda: joint_densities({"A": Exponential()}, "AB"), r"missing for models \['B'\]"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
