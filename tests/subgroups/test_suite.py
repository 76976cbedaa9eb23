"""Several experiments in one table: the numbers are those of the single ones."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.published import load
from benchuq.subgroups.estimators import ESTIMATORS, EstimationPlan
from benchuq.subgroups.experiment import interval_coverage, relative_mse, subsampling_experiment
from benchuq.subgroups.suite import run_suite, suite_coverage, suite_mse

NAMES = ("direct", "empirical_bayes")
RUNNING = dict(rng=3, progress=False)


@pytest.fixture(scope="module")
def suite():
    vtab = load("vtab").isel(model=slice(5))
    plan = EstimationPlan(("direct",), indicators=("model", "category"))
    return {"ten": (vtab, 10, plan), "all": (vtab, "proportional", plan)}


@pytest.fixture(scope="module")
def runs(suite):
    return run_suite(suite, NAMES, 3, **RUNNING)


def test_each_entry_is_an_experiment_of_its_own(suite, runs):
    assert list(runs) == ["ten", "all"]
    for name, (data, size, _) in suite.items():
        plan = EstimationPlan(NAMES, indicators=("model", "category"))
        assert runs[name].identical(subsampling_experiment(data, size, 3, plan, **RUNNING))


def test_tables_hold_the_numbers_of_every_run_in_words(runs):
    errors, coverage = suite_mse(runs), suite_coverage(runs)
    assert errors.index.names == ["data", "estimator"] == coverage.index.names
    assert set(errors.index.get_level_values("estimator")) == {ESTIMATORS[n] for n in NAMES}
    for name, run in runs.items():
        single = relative_mse(run).rename(index=ESTIMATORS)
        pd.testing.assert_frame_equal(errors.loc[name][single.columns], single, check_exact=True)
        pd.testing.assert_frame_equal(coverage.loc[name], interval_coverage(run).rename(index=ESTIMATORS))
    half = errors["upper"] - errors["estimate"]
    np.testing.assert_allclose(half, 1.96 * errors["standard_error"])
    np.testing.assert_allclose(errors["estimate"] - errors["lower"], half, rtol=1e-9)
