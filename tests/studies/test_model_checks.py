"""Calibration finds right and wrong samplers; predictive checks; error contracts."""

import numpy as np
import pytest

from benchuq.data.published import load
from benchuq.sampling import exact
from benchuq.sampling.beta_binomial import LogNormal
from benchuq.sampling.hierarchy import fit
from benchuq.studies.gibbs import fit_gibbs
from benchuq.studies.model_checks import (
    _prior_coverage,
    predictive_check,
    sbc_ranks,
    sbc_uniformity,
)

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")
TREE = fit(VTAB, n_draws=20, rng=1)


@pytest.mark.simulation
@pytest.mark.parametrize(
    "method, prior, options",
    [
        (fit, (LogNormal(2, 0.7), LogNormal(1, 0.7)), {"n_simulations": 600, "n_draws": 99}),
        (fit, "default", {"n_simulations": 400, "n_draws": 99}),
        (
            fit_gibbs,
            (LogNormal(2, 0.7), LogNormal(1, 0.7)),
            {"n_simulations": 60, "n_draws": 1000, "n_tune": 200},
        ),
    ],
)
def test_simulation_based_calibration(method, prior, options):
    "Four tests for each at 0.001; 600 data sets find log alpha 7 % off, with p below 1e-4."
    ranks = sbc_ranks(method, prior, [5, 20, 20, 50], rng=11, **options)
    assert ((ranks >= 0) & (ranks <= 99)).all(axis=None) and sbc_uniformity(
        ranks, bins=10
    ).min() > 0.001


@pytest.mark.simulation
@pytest.mark.parametrize("n_items", [[10] * 5, [20] * 20])
def test_the_default_prior_covers(n_items):
    """Average over three concentrations of 40 data sets each: .94-.955 in long runs, standard error
    .01 or less, so that .91 fails a right prior with probability below .005; UQ's covers less than
    .8.
    """
    settings = {"mean": 0.7, "n_simulations": 40, "rng": 2}
    default, uq = (
        np.mean(
            [
                _prior_coverage(prior, n_items, concentration=c, **settings)["task"]
                for c in (5, 15, 50)
            ]
        )
        for prior in ("default", "uq")
    )
    assert 0.91 < default < 0.98 and uq < 0.8


def test_calibration_finds_a_wrong_sampler(monkeypatch):
    "Log alpha 15 % off: p below 1e-12 in five runs of 300."
    right = exact._independent_draws
    monkeypatch.setattr(
        exact, "_independent_draws", lambda f, n, rng: ((r := right(f, n, rng))[0] * 1.15, r[1])
    )
    ranks = sbc_ranks(
        fit, LogNormal(2, 0.7), [5, 20, 20, 50], n_simulations=300, n_draws=99, rng=11
    )
    assert sbc_uniformity(ranks).min() < 1e-6


def test_predictive_check():
    table = predictive_check(fit(VTAB, n_draws=1000, rng=1), "mean", rng=1)
    assert (
        table["observed"].between(table["lower"], table["upper"]).all()
        and table["p_value"].between(0, 1).all()
    )


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: sbc_ranks(fit, lambda a, b: -a - b, [5, 5]), "method sample"),
        (
            lambda: _prior_coverage("uq", [5], mean=0.5, concentration=0),
            "concentration must be a positive number",
        ),
        (lambda: predictive_check(TREE, "median"), "'mean', 'sd', 'min', 'max'"),
        (lambda: predictive_check(TREE, level=95), "level must lie between 0 and 1"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
