"""Calibration finds right and wrong samplers; predictive checks; error contracts."""

import numpy as np
import pytest

from benchuq.data.published import load
from benchuq.sampling import exact
from benchuq.sampling.beta_binomial import LogNormal
from benchuq.sampling.hierarchy import fit
from benchuq.studies.gibbs import fit_gibbs
from benchuq.studies.model_checks import predictive_check, prior_coverage, sbc_ranks, sbc_uniformity


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")
TREE = fit(VTAB, n_draws=20, rng=1)


@pytest.mark.parametrize(
    "method, options",
    [
        (fit, {"n_simulations": 600, "n_draws": 99}),
        (fit_gibbs, {"n_simulations": 60, "n_draws": 1000, "n_tune": 200}),
    ],
)
def test_simulation_based_calibration(method, options):
    "Four tests for each method at 0.001; 600 data sets find log alpha 7 % off, with p below 1e-4."
    ranks = sbc_ranks(method, (LogNormal(2, 0.7), LogNormal(1, 0.7)), [5, 20, 20, 50], rng=11, **options)
    assert ((ranks >= 0) & (ranks <= 99)).all(axis=None) and sbc_uniformity(ranks, bins=10).min() > 0.001


def test_calibration_under_the_default_prior():
    "Four tests at 0.001."
    ranks = sbc_ranks(fit, "default", [5, 20, 20, 50], rng=12, n_simulations=400, n_draws=99)
    assert sbc_uniformity(ranks, bins=10).min() > 0.001


@pytest.mark.parametrize("n_items", [[10] * 5, [20] * 20])
def test_the_default_prior_covers(n_items):
    """Average over three concentrations of 40 data sets each: .94-.955 in long runs, standard error .01 or less, so
    that .91 fails a right prior with probability below .005; UQ's covers less than .8.
    """
    by = {
        p: np.mean(
            [
                prior_coverage(p, n_items, mean=0.7, concentration=c, n_simulations=40, rng=2)["task"]
                for c in (5, 15, 50)
            ]
        )
        for p in ("default", "uq")
    }
    assert 0.91 < by["default"] < 0.98 and by["uq"] < 0.8


def test_calibration_finds_a_wrong_sampler(monkeypatch):
    "Log alpha 15 % off: p below 1e-12 in five runs of 300."
    right = exact._independent_draws
    monkeypatch.setattr(exact, "_independent_draws", lambda f, n, rng: ((r := right(f, n, rng))[0] * 1.15, r[1]))
    ranks = sbc_ranks(fit, LogNormal(2, 0.7), [5, 20, 20, 50], n_simulations=300, n_draws=99, rng=11)
    assert sbc_uniformity(ranks).min() < 1e-6


def test_predictive_check():
    tree = fit(VTAB, n_draws=1000, rng=1)
    for tasks in ("new", "same"):
        table = predictive_check(tree, "mean", tasks, rng=1)
        assert (
            (table["lower"] < table["observed"]).all()
            and (table["observed"] < table["upper"]).all()
            and table["p_value"].between(0, 1).all()
        )
    with pytest.raises(ValueError, match="tasks must be one of"):
        predictive_check(tree, tasks="all")


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: sbc_ranks(fit, lambda a, b: -a - b, [5, 5]), "method sample"),
        (lambda: prior_coverage("uq", [5], mean=0.5, concentration=0), "concentration must be a positive number"),
        (lambda: predictive_check(TREE, "median"), "'mean', 'sd', 'min', 'max'"),
        (lambda: predictive_check(TREE, tasks="other"), "'new', 'same'.*got 'other'"),
        (lambda: predictive_check(TREE, level=95), "level must lie between 0 and 1"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
