"""PyMC's model has the posterior of the exact sampler in every form; Gibbs steps; what PyMC cannot differentiate."""

import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling import chains
from benchuq.sampling.beta_binomial import BetaBinomial, LogNormal, log_posterior
from benchuq.streams import stream

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


@pytest.mark.parametrize("form", chains._PARAMETRISATIONS)
def test_every_form_of_the_pymc_model_has_the_posterior_that_exact_draws_have(form, make_counts):
    """Log densities differ by a constant over ten points; theta enters by its density given alpha and beta. The logit
    of the mean and the log concentration have the same volume as log alpha and log beta.
    """
    prior = {"A": (LogNormal(2, 0.5), LogNormal(1, 0.5)), "B": lambda a, b: -a / 20 - b / 10}
    model = BetaBinomial.from_results(make_counts([[12, 30, 25, 8], [20, 35, 33, 19]], 40), prior)
    pymc = chains.pymc_model(model, form)
    density = pymc.compile_logp(jacobian=False, mode="FAST_COMPILE")
    rng, away = np.random.default_rng(1), []
    for _ in range(10):
        x = np.stack([rng.normal(0, 1, 2), rng.normal(2, 1, 2)], axis=-1)
        alpha, beta = np.exp(x[:, 1]) * [stats.logistic.cdf(x[:, 0]), stats.logistic.sf(x[:, 0])]
        theta = rng.uniform(0.1, 0.9, (2, 4))
        point = {"logit_mean": x[:, 0], "log_concentration": x[:, 1], "log_alpha": np.log(alpha)}
        point |= {"log_beta": np.log(beta), "theta_logodds__": stats.logistic.ppf(theta)}
        ours = sum(
            log_posterior(f, k, n)(at) for f, k, n, at in zip(model.log_priors, model.n_correct, model.n_items, x)
        )
        if form == "full":
            a, b = alpha[:, None] + model.n_correct, beta[:, None] + model.n_items - model.n_correct
            ours += stats.beta.logpdf(theta, a, b).sum()
        away.append(density({v.name: point[v.name] for v in pymc.value_vars}) - ours)
    np.testing.assert_allclose(away, away[0], atol=2e-4)  # our likelihood is tabulated


def test_gibbs_same_seed_whatever_order(quiet_fit):
    one, two = (quiet_fit(VTAB.isel(model=m), "gibbs", n_draws=40, n_tune=20, rng=7) for m in ([0, 1, 2], [2, 0]))
    assert (one.posterior["alpha"].sel(model=two.posterior["model"]) == two.posterior["alpha"]).all()


def test_a_slice_step_leaves_a_density_invariant():
    "A gamma distribution on the log scale, 4,000 chains started in it; Kolmogorov-Smirnov, p > 0.001."
    rng = np.random.default_rng(3)
    x = np.log(rng.gamma(2.5, size=4000))
    for _ in range(3):
        x = chains._slice_step(lambda u: 2.5 * u - np.exp(u), x, rng.random((2 + chains._TRIES, 4000)))
    assert stats.kstest(np.exp(x), stats.gamma(2.5).cdf).pvalue > 0.001


def test_gibbs_counts_draws_in_all():
    model = BetaBinomial.from_results(VTAB.isel(model=[0, 1]))
    streams = [stream(1, m) for m in model.models]
    out = chains.sample_gibbs(model, 10, streams, n_chains=3, n_tune=2, progress=False)
    assert out["alpha"].shape == (2, 3, 4) and out["theta"].shape == (2, 19, 3, 4)
    with pytest.raises(ValueError, match="n_chains must be a whole number of at least 1"):
        chains.sample_gibbs(model, 10, streams, n_chains=0)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda m: chains.pymc_model(m, "flat"), "parametrisation must be one of .*'full'.*, got 'flat'"),
        (lambda m: chains.sample_nuts(m, 41, 1, n_chains=0), "n_chains must be a whole number of at least 1"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make(BetaBinomial.from_results(VTAB))


def test_a_prior_that_pymc_cannot_differentiate():
    model = BetaBinomial.from_results(VTAB, lambda a, b: stats.norm.logpdf(a) - b)
    with pytest.raises(ValueError, match="'exact' and 'gibbs' take any function"):
        chains.pymc_model(model)
