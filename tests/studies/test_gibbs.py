"""The papers' Gibbs sampler: invariant steps, the order of models, and agreement with exact draws."""

import arviz as az
import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling.hierarchy import fit
from benchuq.studies import gibbs
from benchuq.studies.gibbs import fit_gibbs

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


def test_it_agrees_with_exact_draws():
    "Overall accuracy of two models: means within 3.5 standard errors (fails with probability 0.002)."
    two = VTAB.isel(model=[0, 11])
    exact, chains = fit(two, n_draws=4000, rng=4, predictive=False), fit_gibbs(two, n_draws=4000, rng=4, n_tune=500)
    overall = [x.posterior["theta"].mean("task") for x in (exact, chains)]
    gap = overall[0].mean(["chain", "draw"]) - overall[1].mean(["chain", "draw"])
    error = np.hypot(*(az.mcse(x.to_dataset())["theta"] for x in overall))
    assert float(abs(gap / error).max()) < 3.5


def test_same_seed_whatever_order():
    one, two = (fit_gibbs(VTAB.isel(model=m), n_draws=40, n_tune=20, rng=7) for m in ([0, 1, 2], [2, 0]))
    assert (one.posterior["alpha"].sel(model=two.posterior["model"]) == two.posterior["alpha"]).all()
    assert fit_gibbs(VTAB.isel(model=[0]), n_draws=10, n_chains=3, n_tune=2).posterior["theta"].shape == (3, 4, 1, 19)


def test_a_slice_step_leaves_a_density_invariant():
    "A gamma distribution on the log scale, 4,000 chains started in it; Kolmogorov-Smirnov, p > 0.001."
    rng = np.random.default_rng(3)
    x = np.log(rng.gamma(2.5, size=4000))
    for _ in range(3):
        x = gibbs._slice_step(lambda u: 2.5 * u - np.exp(u), x, rng.random((2 + gibbs._TRIES, 4000)))
    assert stats.kstest(np.exp(x), stats.gamma(2.5).cdf).pvalue > 0.001
