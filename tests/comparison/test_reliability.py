"""pass^k and pass@k by k: intervals cover, the ends are what they must be."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas as pd
import pytest
from scipy.special import beta

from benchuq.comparison.frontier import plot_frontier
from benchuq.comparison.reliability import plot_reliability, reliability
from benchuq.data.results import from_items


def _runs(rng, n_items=150, n_runs=4):
    "Runs of two agents whose chances of a task follow Beta(1, 1) and Beta(6, 4)."
    chances = {"Cedar": rng.beta(1, 1, n_items), "Ash": rng.beta(6, 4, n_items)}
    rows = [
        (model, "shop", item, run, rng.binomial(1, p))
        for model, chance in chances.items()
        for item, p in enumerate(chance)
        for run in range(n_runs)
    ]
    return from_items(pd.DataFrame(rows, columns=["model", "task", "item", "repeat", "score"]))


@pytest.mark.simulation
def test_intervals_cover_the_chance_that_k_runs_are_right():
    rng, n_runs = np.random.default_rng(3), 80
    covered = []
    for _ in range(n_runs):
        table = reliability(_runs(rng))["pass^k"]
        truth = {("Cedar", k): beta(1 + k, 1) / beta(1, 1) for k in range(1, 5)}
        truth |= {("Ash", k): beta(6 + k, 4) / beta(6, 4) for k in range(1, 5)}
        true = pd.Series(truth)[table.index]
        covered.append((table["lower"] <= true) & (true <= table["upper"]))
    assert 0.92 <= np.mean(covered) <= 0.98


def test_one_run_is_the_mean_and_all_runs_are_the_share_of_whole_successes():
    runs = _runs(np.random.default_rng(1))
    table = reliability(runs)
    mean = runs["score"].mean(["item", "repeat"]).to_series()
    for score in ("pass^k", "pass@k"):
        assert np.allclose(table[score, "estimate"].xs(1, level="k")[mean.index], mean)
    whole = runs["score"].min("repeat").mean("item").to_series()
    some = runs["score"].max("repeat").mean("item").to_series()
    assert np.allclose(table["pass^k", "estimate"].xs(4, level="k")[whole.index], whole)
    assert np.allclose(table["pass@k", "estimate"].xs(4, level="k")[some.index], some)


def test_the_figure_has_a_curve_for_each_model_and_refuses_another_score():
    table = reliability(_runs(np.random.default_rng(1), 30, 3))
    ax = plot_reliability(table, "pass@k")
    curves = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.allclose(curves["Ash"], 100 * table.loc["Ash", ("pass@k", "estimate")])
    with pytest.raises(ValueError, match="pass"):
        plot_reliability(table, "pass")


@pytest.mark.parametrize("given", [3, "board.csv", pd.DataFrame({"score": [1]})])
def test_plots_say_which_table_they_draw(given):
    for verb, plot in {"reliability": plot_reliability, "frontier": plot_frontier}.items():
        with pytest.raises(ValueError, match=f"draws the table that bq.{verb} gives"):
            plot(given)


def test_results_without_repeats_are_refused():
    rows = [("Cedar", "law", i, 1) for i in range(10)] + [("Ash", "law", i, 0) for i in range(10)]
    with pytest.raises(ValueError, match="repeat"):
        reliability(from_items(pd.DataFrame(rows, columns=["model", "task", "item", "score"])))
