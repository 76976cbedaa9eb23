"""What the plots of an experiment draw."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from benchuq.subgroups.estimators import EstimationPlan
from benchuq.subgroups.experiment import interval_coverage, relative_mse, subsampling_experiment
from benchuq.subgroups.experiment_plots import plot_coverage, plot_estimates, plot_relative_mse, plot_subgroup_errors


@pytest.fixture(scope="module")
def run(make_benchmark):
    plan = EstimationPlan(("direct", "naive"), level=0.9)
    return subsampling_experiment(make_benchmark(6), 10, 3, plan, rng=0, progress=False)


def by_model(table):
    return table.reset_index().rename(columns={"model": "data"})


def test_errors_and_coverage(run):
    table = by_model(relative_mse(run, by="model"))
    ax = plot_relative_mse(table)
    drawn = {line.get_label(): line.get_xdata() for line in ax.lines}
    ratios = table.loc[table["estimator"] == "naive", "estimate"]
    np.testing.assert_allclose(drawn["naive"], ratios)
    ax = plot_coverage(by_model(interval_coverage(run, by="model")), plt.figure().gca())
    assert [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == ":"] == [0.9]
    plt.close("all")


def test_subgroup_by_subgroup(run):
    ax = plot_subgroup_errors(run, large=5)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["direct", "naive"]
    ax = plot_estimates(run, n_subgroups=4)
    truth = np.sort(run["truth"])[[0, 6, 11, 17]]
    np.testing.assert_allclose(next(x for x in ax.lines if x.get_label() == "all data").get_ydata(), truth)
    plt.close("all")
