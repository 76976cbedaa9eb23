"""Thurstone's model against quadrature and its own prior.

Stochastic tests are seeded; the chance that another seed would fail is given with each.
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.consensus import thurstone as module
from benchuq.consensus.thurstone import thurstone


def three_alternatives_posterior(rows):
    """Moments of the differences mu_1 - mu_2 and mu_2 - mu_3 given ranks of three alternatives, by
    quadrature.
    """
    grid = np.linspace(-6, 6, 49)
    u, v = np.meshgrid(grid, grid, indexing="ij")
    theta = np.stack([u + v, v, np.zeros_like(u)], -1).reshape(-1, 3)  # mu up to a constant
    prior = stats.multivariate_normal(cov=[[2, -1], [-1, 2]])
    log = prior.logpdf(np.stack([u, v], -1)).ravel()
    pair = stats.multivariate_normal(cov=[[2, -1], [-1, 2]])
    for row in rows:
        ranked = [i for i in range(3) if not np.isnan(row[i])]
        p = 0
        for order in itertools.permutations(ranked):
            if all(row[a] <= row[b] for a, b in itertools.pairwise(order)):
                d = -np.diff(theta[:, order], axis=1)
                p = p + (stats.norm.cdf(d[:, 0] / math.sqrt(2)) if len(order) == 2 else pair.cdf(d))
        log = log + np.log(np.maximum(p, 1e-300))
    w = np.exp(log - log.max())
    w /= w.sum()
    u, v = u.ravel(), v.ravel()
    return np.array(
        [
            w @ u,
            w @ v,
            w @ u**2,
            w @ v**2,
            w @ (u > 0) + w @ (u == 0) / 2,
            w @ (v > 0) + w @ (v == 0) / 2,
        ]
    )


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2, 3]] * 4 + [[2, 1, 3]],
        [[1, 2, 2], [1, 1, 2], [3, 1, 2]],
        [[1, 2, np.nan], [np.nan, 2, 1], [1, 2, 3]],
    ],
)
def test_thurstone_is_quadrature_on_three_alternatives(rows):
    # Tolerance 0.05 is above five standard errors at 10,000 effective draws: chance below 1e-5.
    ranks = pd.DataFrame(rows, dtype=float)
    mu = (
        thurstone(ranks, prior_sd=1, n_draws=16_000, n_chains=40, rng=12)
        .posterior["mu"]
        .values.reshape(-1, 3)
        .T
    )
    u, v = mu[0] - mu[1], mu[1] - mu[2]
    ours = [u.mean(), v.mean(), (u**2).mean(), (v**2).mean(), (u > 0).mean(), (v > 0).mean()]
    exact = three_alternatives_posterior(np.array(rows, float))
    np.testing.assert_array_less(np.abs(ours - exact), 0.05 * np.maximum(1, np.abs(exact)))


@pytest.mark.filterwarnings("ignore:chains too short")
def test_a_learnt_spread_is_a_multivariate_t_prior():
    # All tied: scores have a t distribution with 2 degrees of freedom, s^2 the inverse gamma it
    # comes from. Some 4,000 effective draws: standard errors of the quartiles below 0.035, so 0.17
    # is missed with odds below 1 in 10,000.
    posterior = thurstone(pd.DataFrame(np.ones((3, 4))), n_draws=80_000, n_chains=400, rng=1)
    quartiles = np.quantile(posterior.posterior["mu"], [0.25, 0.5, 0.75], axis=(0, 1))
    np.testing.assert_allclose(
        quartiles, np.tile(stats.t(2).ppf([[0.25], [0.5], [0.75]]), 4), atol=0.17
    )
    s = np.quantile(posterior.posterior["prior_sd"], [0.1, 0.5, 0.9])
    np.testing.assert_allclose(s**2, stats.invgamma(1).ppf([0.1, 0.5, 0.9]), rtol=0.25)


@pytest.mark.filterwarnings("ignore:chains too short")
def test_thurstone_repeats_and_reports():
    ranks = pd.DataFrame([[1, 2, 3], [2, 1, 3]], columns=list("ABC"))
    a, b = (thurstone(ranks, n_draws=1200, rng=3) for _ in range(2))
    np.testing.assert_array_equal(a.posterior["mu"], b.posterior["mu"])
    assert a.posterior["mu"].dims == ("chain", "draw", "model") and a.observed_data[
        "rank"
    ].dims == ("ranker", "model")
    with pytest.warns(UserWarning, match="chains too short"):
        few = thurstone(ranks, n_draws=10, n_chains=3, n_tune=0, rng=3).posterior
    assert dict(few["mu"].sizes) == {"chain": 3, "draw": 4, "model": 3}  # draws are counted in all
    for bad in (
        {"prior_sd": 0},
        {"n_draws": 0},
        {"n_chains": 0},
        {"prior_sd": math.inf},
        {"n_tune": -1},
    ):
        with pytest.raises(ValueError, match="must be a"):
            thurstone(ranks, **bad)


def test_truncated_normals_stay_inside_and_have_the_right_mean():
    rng = np.random.default_rng(2)
    for low, high in (
        (-np.inf, -5),
        (8, np.inf),
        (-1, 0.5),
        (30, 31),
        (-60, -50),
        (-np.inf, np.inf),
    ):
        x = module._truncated_normal(
            np.zeros(20_000), np.full(20_000, low), np.full(20_000, high), rng
        )
        assert (x >= low).all() and (x <= high).all() and np.isfinite(x).all()
        if abs(low) < 50:
            np.testing.assert_allclose(x.mean(), stats.truncnorm.mean(low, high), atol=0.04)
