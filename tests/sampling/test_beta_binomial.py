"""The beta-binomial model: priors against SciPy, and what is refused."""

import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling.beta_binomial import (
    BetaBinomial,
    Exponential,
    LogNormal,
    MeanConcentration,
    TruncatedNormal,
    _joint_densities,
    _joint_density,
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


def test_mean_and_concentration():
    "The density is that of a uniform mean and a log-normal concentration; samples too: Kolmogorov-Smirnov, p > 0.001."
    prior, reference = MeanConcentration(30, 0.7), stats.lognorm(0.7, scale=30)
    alpha, beta = np.array([3.0, 0.1]), np.array([8.0, 50.0])
    expected = reference.logpdf(alpha + beta) - np.log(alpha + beta)
    np.testing.assert_allclose(prior.joint_log_density(alpha, beta), expected)
    alpha, beta = prior.sample_pair(np.random.default_rng(4), 2000)
    assert stats.kstest(alpha / (alpha + beta), stats.uniform.cdf).pvalue > 0.001
    assert stats.kstest(alpha + beta, reference.cdf).pvalue > 0.001


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Exponential(-1), "rate must be a positive number"),
        (lambda: TruncatedNormal(0, 0), "sd must be a positive number"),
        (lambda: TruncatedNormal(-100, 10), "no mass to positive values"),
        (lambda: LogNormal(np.nan, 1), "mean must be a finite number"),
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


def test_arrays_are_those_of_the_results():
    vtab = load("vtab")
    model = BetaBinomial.from_results(vtab, LogNormal(0, 1))
    np.testing.assert_array_equal(model.n_correct, vtab["n_correct"].transpose("model", "task"))
    assert model.models == list(vtab["model"].values) and (model.n_items == vtab["n_items"].values).all()
    assert "category" in model.coords and model.log_priors[0] is model.log_priors[1]
