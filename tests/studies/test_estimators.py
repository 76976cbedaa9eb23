"""All estimators on one sample."""

import numpy as np
import pandas as pd

from benchuq.subgroups.direct import direct_estimates, features
from benchuq.subgroups.empirical_bayes import ShrinkageSettings, empirical_bayes
from benchuq.studies.estimators import ESTIMATORS, EstimationPlan, estimate_all
from benchuq.studies.subsampling import subsample


def test_plug_in_is_the_papers_estimator(make_benchmark):
    """The shortcut through the rows' regression equals empirical Bayes with plug-in variances and
    no correction.
    """
    sample, _ = subsample(
        make_benchmark(), pd.Series(10, index=[f"t{i:02d}" for i in range(12)]), rng=0
    )
    x = features(sample, difficulty=False)
    fast = estimate_all(sample, EstimationPlan(("eb_plugin",)), x, 5)["eb_plugin"]
    table = direct_estimates(sample, variance="plugin")
    paper = ShrinkageSettings.two_folds(correction="none", fold_by="row")
    slow = empirical_bayes(table, x, settings=paper, rng=5)
    np.testing.assert_allclose(fast, slow[["estimate", "lower", "upper"]], atol=1e-12)


def test_every_estimator_in_the_order_asked_for(make_benchmark):
    sample, _ = subsample(
        make_benchmark(6), pd.Series(10, index=[f"t{i:02d}" for i in range(6)]), rng=0
    )
    plan = EstimationPlan(tuple(reversed(ESTIMATORS)), level=0.9)
    table = estimate_all(sample, plan, plan.features(sample), 1)
    assert list(table.columns.get_level_values(0).unique()) == list(reversed(ESTIMATORS))
    direct = direct_estimates(sample, level=0.9)
    pd.testing.assert_frame_equal(table["direct"], direct[["estimate", "lower", "upper"]])
    assert table[["synthetic", "structured"]].xs("lower", axis=1, level=1).isna().all(axis=None)
