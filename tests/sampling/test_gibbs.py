"""Gibbs sampling: reproducible, a slice step that leaves its density alone."""

import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling import gibbs
from benchuq.sampling.beta_binomial import BetaBinomial
from benchuq.streams import stream


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


def test_gibbs_same_seed_whatever_order(quiet_fit):
    one, two = (quiet_fit(VTAB.isel(model=m), "gibbs", n_draws=40, n_tune=20, rng=7) for m in ([0, 1, 2], [2, 0]))
    assert (one.posterior["alpha"].sel(model=two.posterior["model"]) == two.posterior["alpha"]).all()


def test_a_slice_step_leaves_a_density_invariant():
    "A gamma distribution on the log scale, 4,000 chains started in it; Kolmogorov-Smirnov, p > 0.001."
    rng = np.random.default_rng(3)
    x = np.log(rng.gamma(2.5, size=4000))
    for _ in range(3):
        x = gibbs._slice_step(lambda u: 2.5 * u - np.exp(u), x, rng.random((2 + gibbs._TRIES, 4000)))
    assert stats.kstest(np.exp(x), stats.gamma(2.5).cdf).pvalue > 0.001


def test_sample_counts_draws_in_all():
    model = BetaBinomial.from_results(VTAB.isel(model=[0, 1]))
    streams = [stream(1, m) for m in model.models]
    out = gibbs.sample(model, 10, streams, n_chains=3, n_tune=2, progress=False)
    assert out["alpha"].shape == (2, 3, 4) and out["theta"].shape == (2, 19, 3, 4)
    with pytest.raises(ValueError, match="n_chains must be a whole number of at least 1"):
        gibbs.sample(model, 10, streams, n_chains=0)
