"""Fitting: known answers, PyMC's density, what the papers print, error contracts.

Stochastic checks are seeded. Where one states a limit in standard errors, a fresh seed would fail
it with the probability given beside it.
"""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchuq.data.published import load
from benchuq.data.results import to_counts
from benchuq.sampling.beta_binomial import BetaBinomial, LogNormal
from benchuq.sampling.exact import _log_posterior
from benchuq.sampling.hierarchy import (
    _prior_weight,
    accuracy_draws,
    bayes,
    fit,
    pymc_model,
)

VTAB = load("vtab")


def test_one_task_has_a_known_answer(make_counts):
    "With alpha and beta nearly fixed, theta of a single task is Beta(alpha + y, beta + n - y)."
    prior = (LogNormal(np.log(20), 5e-4), LogNormal(np.log(10), 1e-3))
    with pytest.warns(UserWarning, match="the prior decides"):
        tree = fit(make_counts([7], 10), prior=prior, n_draws=20_000, rng=1)
    assert (
        stats.kstest(tree.posterior["theta"].values.ravel(), stats.beta(27, 13).cdf).pvalue > 0.001
    )


def test_same_seed_whatever_order_and_workers():
    one = fit(VTAB, n_draws=200, rng=7)
    two = fit(VTAB.isel(model=[5, 2, 9]), n_draws=200, rng=7, n_jobs=2)
    for group, name in (("posterior", "theta"), ("posterior_predictive", "n_correct")):
        a, b = one[group][name], two[group][name]
        assert (a.sel(model=b["model"]) == b).all()
    assert not (
        fit(VTAB.isel(model=[5]), n_draws=200, rng=8).posterior["alpha"]
        == one.posterior["alpha"].isel(model=[5])
    ).any()


@settings(max_examples=25, deadline=None)
@given(
    pairs=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2000)), min_size=2, max_size=8),
    seed=st.integers(0, 2**32),
)
def test_any_counts_work(pairs, seed, make_counts):
    k, n = np.array([min(a, b) for a, b in pairs]), np.array([max(a, b, 1) for a, b in pairs])
    tree = fit(make_counts(k, pd.Series(n, [f"t{j}" for j in range(len(n))])), n_draws=50, rng=seed)
    d = accuracy_draws(tree)
    assert (
        tree.attrs["converged"] == 1
        and d.dims == ("model", "task", "draw")
        and ((d >= 0) & (d <= 1)).all()
    )


def test_items_are_counted(make_benchmark):
    items = make_benchmark(n_tasks=3, n=20)
    one, two = (accuracy_draws(fit(x, n_draws=50, rng=1)) for x in (items, to_counts(items)))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("prior", ["default", "uq"])
def test_pymc_has_the_same_density(prior, make_counts):
    """Log densities of PyMC's model and ours differ by a constant over ten points."""
    model = BetaBinomial.from_results(make_counts([[12, 30, 25, 8], [20, 35, 33, 19]], 40), prior)
    density, rng, away = (
        pymc_model(model).compile_logp(mode="FAST_COMPILE"),
        np.random.default_rng(1),
        [],
    )
    for _ in range(10):
        x = np.stack([rng.normal(0, 1, 2), rng.normal(2, 1, 2)], axis=-1)
        rows = zip(model.log_priors, model.n_correct, model.n_items, x)
        ours = sum(_log_posterior(f, k, n)(at) for f, k, n, at in rows)
        away.append(density({"logit_mean": x[:, 0], "log_concentration": x[:, 1]}) - ours)
    np.testing.assert_allclose(away, away[0], atol=2e-4)  # our likelihood is tabulated


def test_chains_agree_with_exact_draws_and_say_where_they_failed():
    """Quantiles of theta of 2,000 draws in four chains within .01 of the exact ones; two short
    chains are a warning.
    """
    two = VTAB.isel(model=[0, 7])
    options = {"method": "nuts", "rng": 1, "progress": False}
    tree, exact = fit(two, n_draws=2000, **options), bayes(two, 20_000, rng=2)
    assert tree.posterior["theta"].sizes == {"chain": 4, "draw": 500, "model": 2, "task": 19}
    assert tree.attrs == {"method": "nuts", "converged": 1, "problems": ""}
    away = accuracy_draws(tree).quantile([0.025, 0.5, 0.975], "draw") - exact.quantile(
        [0.025, 0.5, 0.975], "draw"
    )
    assert abs(away).max() < 0.01
    with pytest.warns(UserWarning, match="effective draws"):
        bayes(two, 40, **options)
    with pytest.raises(ValueError, match="which PyMC can differentiate"):
        fit(two, lambda a, b: stats.expon(scale=100).logpdf([a, b]).sum(axis=0), **options)
    with pytest.raises(ValueError, match="method"):
        fit(two, method="gibbs")


def test_predictions_are_wider_by_the_next_sample():
    """Variance of a predicted score = variance of theta + mean of theta (1 - theta) / n: within 5 %
    at 40,000 draws.
    """
    tree = fit(VTAB.isel(model=[0]), n_draws=40_000, rng=1)
    theta, new = accuracy_draws(tree), accuracy_draws(tree, new_items=True)
    expected = theta.var("draw") + (theta * (1 - theta)).mean("draw") / VTAB["n_items"]
    assert float(abs(new.var("draw") / expected - 1).max()) < 0.05
    assert (theta.name, new.name) == ("accuracy", "predicted_score")


def test_the_prior_is_weighed(make_counts):
    """UQ's prior decides over 5 x 10 items, the default does not; neither does over VTAB; one task
    always warns.
    """
    few = make_counts([[10, 0, 7, 5, 9]], 10)
    with pytest.warns(
        UserWarning,
        match=r"models \['A'\]: for 'A' it counts as 1\d,\d{3} items beside the 10 of the smallest",
    ):
        by_uq = _prior_weight(fit(few, prior="uq", rng=1)).loc["A"]
    assert by_uq["prior_decides"] and by_uq["concentration"] > 10_000 and by_uq["weight"] > 0.99
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        table = _prior_weight(fit(few, rng=1))
        assert not _prior_weight(fit(VTAB, prior="uq", rng=1))["prior_decides"].any()
    assert not table["prior_decides"].any() and table.loc["A", "concentration"] < 20
    with pytest.warns(UserWarning, match="there is one task"):
        fit(make_counts([7], 10), rng=1)


def test_heavy_libraries_are_imported_when_they_are_needed():
    code = (
        "import sys, benchuq.sampling.hierarchy; print({'pymc', 'arviz', 'matplotlib'} & "
        "set(sys.modules))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
        == "set()"
    )


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: fit(VTAB, n_draws=0), "n_draws must be a whole number of at least 1"),
        (lambda: fit(VTAB, prior=3), "prior must be"),
        (
            lambda: accuracy_draws(fit(VTAB, n_draws=10, predictive=False), new_items=True),
            "no predictions.*accuracy_draws",
        ),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
