"""Exact draws against quadrature, at the edges, and improper priors.

Stochastic checks are seeded. Where one states a limit in standard errors, a fresh seed would fail it with the
probability given beside it.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import betaln

from benchuq.data.published import load
from benchuq.sampling import exact
from benchuq.sampling.beta_binomial import (
    BetaBinomial,
    Exponential,
    LogNormal,
    _joint_density,
    log_alpha_beta,
    log_posterior,
)
from benchuq.sampling.convergence import convergence_table
from benchuq.sampling.exact import DEPTH, _bounding_box, _lattice, _locate, t_cloud, t_log_density
from benchuq.sampling.hierarchy import fit
from benchuq.streams import stream


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


@pytest.mark.parametrize("scale, centre", [(1.0, (0, 0)), (1e-3, (5, -8)), (300.0, (2000, 10))])
def test_a_normal_density_is_found(scale, centre):
    "500 points: the centre within half, the spread within 30 % of a standard deviation."
    f = stats.multivariate_normal(centre, scale**2 * np.array([[1, 0.9], [0.9, 1]])).logpdf
    middle, axes = _locate(f, np.zeros(2))
    np.testing.assert_allclose(middle, centre, atol=0.5 * scale)
    np.testing.assert_allclose(np.sqrt((axes**2).sum(axis=1)), scale, rtol=0.3)


def test_the_box_holds_all_within_depth():
    def density(z):
        return -0.5 * ((z[..., 0] / 9) ** 2 + (z[..., 1] - 2) ** 2)

    low, high = _bounding_box(density)
    wide = _lattice([-100, -100], [100, 100], 400)
    inside = wide[density(wide) > -DEPTH]
    assert (inside > low).all() and (inside < high).all() and (high - low).max() < 150


def test_cloud_and_its_density_belong_together():
    "Kolmogorov-Smirnov, p > 0.001."
    z = t_cloud(np.random.default_rng(2), 4000, 3)
    assert stats.kstest(z[:, 1], stats.t(8).cdf).pvalue > 0.001
    theirs = stats.multivariate_t(df=8, shape=np.eye(3)).logpdf(z)
    np.testing.assert_allclose(t_log_density(z) - t_log_density(z[0]), theirs - theirs[0])


def test_a_density_without_mass_or_end_is_refused():
    with pytest.raises(ValueError, match="no mass was found"):
        _locate(lambda x: np.full(len(x), -np.inf), np.zeros(2))
    with pytest.raises(ValueError, match="does not fall off on every side"):
        _bounding_box(lambda z: 0 * z[..., 0])


def test_exact_is_the_posterior(make_counts):
    "Distribution of the mean against quadrature; Kolmogorov-Smirnov, p > 0.001."
    k, n, prior = np.array([3.0, 9, 5]), np.array([10.0, 12, 6]), (LogNormal(1, 0.8), LogNormal(0.5, 0.6))
    post = fit(make_counts(k, pd.Series(n, ["t0", "t1", "t2"])), prior=prior, n_draws=20_000, rng=1).posterior
    alpha, beta = (post[v].values.ravel() for v in ("alpha", "beta"))

    def density(mu, size):
        a, b = mu * size, (1 - mu) * size
        return (
            np.exp(
                prior[0].log_density(a) + prior[1].log_density(b) + (betaln(a + k, b + n - k) - betaln(a, b)).sum() + 20
            )
            * size
        )

    sizes = np.exp(np.linspace(-4, 6, 400))
    grid = np.linspace(0.001, 0.999, 400)
    height = np.array([[density(m, s) * s for s in sizes] for m in grid]).sum(axis=1)
    cdf = np.concatenate([[0], np.cumsum((height[1:] + height[:-1]) / 2)])
    assert stats.kstest(alpha / (alpha + beta), lambda x: np.interp(x, grid, cdf / cdf[-1])).pvalue > 0.001


def test_exact_means_against_quadrature():
    "Means for four models, 50,000 draws: within 3.5 standard errors (fails with probability 0.004)."
    few = VTAB.isel(model=slice(0, 16, 5))
    post = fit(few, prior="uq", n_draws=50_000, rng=2, predictive=False).posterior.isel(chain=0)
    n = few["n_items"].values
    for i, k in enumerate(few["n_correct"].values):
        density = log_posterior(_joint_density(Exponential()), k, n)
        centre, axes, low, high = exact._posterior_box(density)
        x = centre + _lattice(low, high, 200) @ axes.T
        weight = np.exp(density(x) - density(x).max())
        alpha, beta = np.moveaxis(np.exp(log_alpha_beta(x)), -1, 0)
        accuracy = ((alpha[..., None] + k) / ((alpha + beta)[..., None] + n)).mean(axis=-1)
        one = post.isel(model=i)
        for draws, value in [(one["theta"].mean("task"), accuracy), (np.log(one["alpha"] + one["beta"]), x[..., 1])]:
            error = draws.std().item() / np.sqrt(50_000)
            assert abs(draws.mean().item() - np.average(value, weights=weight)) < 3.5 * error


@pytest.mark.parametrize("k", [0, 50, 25])
def test_all_or_none_correct(k, make_counts):
    tree = fit(make_counts([[k] * 6, [k, 10, 20, 30, 40, 50]], 50), n_draws=500, rng=1)
    theta = tree.posterior["theta"].sel(model="A")
    assert tree.attrs["converged"] == 1 and np.isfinite(tree.posterior.to_dataset().to_array()).all()
    assert abs(float(theta.mean()) - k / 50) < 0.02


def test_independent_draws():
    "Effective number of draws is the number of draws, within its noise."
    table = convergence_table(fit(VTAB, n_draws=4000, rng=3, predictive=False))
    assert table["ess_bulk"].min() > 3000 and table["r_hat"].isna().all()


def test_sample_returns_arrays_with_one_chain():
    model = BetaBinomial.from_results(VTAB.isel(model=[0, 1]))
    out = exact.sample(model, 50, [stream(1, m) for m in model.models], n_jobs=2, progress=False)
    assert out["alpha"].shape == out["beta"].shape == (2, 1, 50) and out["held"].all()
    with pytest.raises(ValueError, match="n_draws must be a whole number"):
        exact.sample(model, 0, [])


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
        exact.check_proper(BetaBinomial.from_results(VTAB, prior))
