"""Exact draws against quadrature, at the edges, and improper priors.

Stochastic checks are seeded. Where one states a limit in standard errors, a fresh seed would fail
it with the probability given beside it.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import betaln

from benchuq.data.published import load
from benchuq.sampling.beta_binomial import LogNormal
from benchuq.sampling.exact import _locate, _log_marginal
from benchuq.sampling.hierarchy import fit

VTAB = load("vtab")


@pytest.mark.parametrize("scale, centre", [(1.0, (0, 0)), (1e-3, (5, -8)), (300.0, (2000, 10))])
def test_a_normal_density_is_found(scale, centre):
    "500 points: the centre within half, the spread within 30 % of a standard deviation."
    f = stats.multivariate_normal(centre, scale**2 * np.array([[1, 0.9], [0.9, 1]])).logpdf
    middle, axes = _locate(f, np.zeros(2))
    np.testing.assert_allclose(middle, centre, atol=0.5 * scale)
    np.testing.assert_allclose(np.sqrt((axes**2).sum(axis=1)), scale, rtol=0.3)


def test_exact_is_the_posterior(make_counts):
    "Distribution of the mean against quadrature; Kolmogorov-Smirnov, p > 0.001."
    k, n, prior = (
        np.array([3.0, 9, 5]),
        np.array([10.0, 12, 6]),
        (LogNormal(1, 0.8), LogNormal(0.5, 0.6)),
    )
    post = fit(
        make_counts(k, pd.Series(n, ["t0", "t1", "t2"])), prior=prior, n_draws=20_000, rng=1
    ).posterior
    alpha, beta = (post[v].values.ravel() for v in ("alpha", "beta"))

    def density(mu, size):
        a, b = mu * size, (1 - mu) * size
        return (
            np.exp(
                prior[0].log_density(a)
                + prior[1].log_density(b)
                + (betaln(a + k, b + n - k) - betaln(a, b)).sum()
                + 20
            )
            * size
        )

    sizes = np.exp(np.linspace(-4, 6, 400))
    grid = np.linspace(0.001, 0.999, 400)
    height = np.array([[density(m, s) * s for s in sizes] for m in grid]).sum(axis=1)
    cdf = np.concatenate([[0], np.cumsum((height[1:] + height[:-1]) / 2)])
    assert (
        stats.kstest(alpha / (alpha + beta), lambda x: np.interp(x, grid, cdf / cdf[-1])).pvalue
        > 0.001
    )


@pytest.mark.parametrize("k", [0, 50, 25])
def test_all_or_none_correct(k, make_counts):
    tree = fit(make_counts([[k] * 6, [k, 10, 20, 30, 40, 50]], 50), n_draws=500, rng=1)
    theta = tree.posterior["theta"].sel(model="A")
    assert (
        tree.attrs["converged"] == 1 and np.isfinite(tree.posterior.to_dataset().to_array()).all()
    )
    assert abs(float(theta.mean()) - k / 50) < 0.02


def test_where_the_tables_end_there_is_no_mass():
    assert (
        _log_marginal(np.array([[1.0, 2.0]]))(np.array([[-40.0, 0.0], [30.0, 0.0]])) == -np.inf
    ).all()


@pytest.mark.parametrize(
    "prior, message",
    [
        (lambda a, b: 0 * a, "prior of model 'Sup-Rotation-100%' is improper"),
        (lambda a, b: -2.5 * np.log(a + b), "improper"),
        (lambda a, b: -np.log(a) - np.log(b), "improper"),
        (lambda a, b: np.full(a.shape, -np.inf), "no mass was found"),
        (lambda a, b: np.log(-a), "not a number"),
    ],
)
def test_improper_priors_are_named(prior, message):
    with pytest.raises(ValueError, match=message):
        fit(VTAB, prior)
