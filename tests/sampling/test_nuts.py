"""PyMC's model: its parametrisations agree with the exact draws; priors it cannot differentiate."""

import arviz as az
import numpy as np
import pytest
from scipy import stats

from benchuq.data.published import load
from benchuq.sampling import nuts
from benchuq.sampling.beta_binomial import BetaBinomial
from benchuq.sampling.hierarchy import fit
from benchuq.sampling.nuts import PARAMETRISATIONS, pymc_model
from benchuq.sampling.priors import LogNormal


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.mark.parametrize("parametrisation", PARAMETRISATIONS[1:])
def test_other_forms_of_the_pymc_model_agree(parametrisation, make_counts, quiet_fit):
    small = make_counts([[12, 30, 25, 8], [20, 35, 33, 19]], 40)
    prior = {"A": (LogNormal(2, 0.5), LogNormal(1, 0.5)), "B": lambda a, b: -a / 20 - b / 10}
    by_grid = fit(small, prior=prior, n_draws=20_000, rng=1)
    by_nuts = quiet_fit(
        small,
        "nuts",
        prior,
        n_draws=1999,
        n_chains=2,
        n_tune=500,
        rng=2,
        parametrisation=parametrisation,
        progress=False,
    )
    assert by_nuts.posterior.sizes["chain"] == 2 and by_nuts.posterior.sizes["draw"] == 1000  # rounded up
    assert "diverging" in by_nuts.sample_stats
    for name in ("alpha", "theta"):
        a, b = (np.log(f.posterior[name]) for f in (by_grid, by_nuts))
        error = np.hypot(*(az.mcse(x.to_dataset(name=name))[name] for x in (a, b)))
        assert float((abs(a.mean(["chain", "draw"]) - b.mean(["chain", "draw"])) / error).max()) < 4.5


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: pymc_model(BetaBinomial.from_results(load("vtab")), "flat"),
            "parametrisation must be one of .*'full'.*, got 'flat'",
        ),
        (
            lambda: pymc_model(BetaBinomial.from_results(load("vtab"), lambda a, b: stats.norm.logpdf(a) - b)),
            "'exact' and 'gibbs' take any function",
        ),
        (
            lambda: nuts.sample(BetaBinomial.from_results(load("vtab")), 41, 1, n_chains=0),
            "n_chains must be a whole number of at least 1",
        ),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
