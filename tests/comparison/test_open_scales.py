"""Scores without ends are judged by Student's t, on a scale of their own, as scipy judges them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.comparison.all_pairs import all_pairs, better_pairs
from benchuq.comparison.ranking import rank_models
from benchuq.comparison.scores import Scores
from benchuq.data.scales import Scale

SECONDS = Scale(0, np.inf, "lower", "s")


def open_scores(values: np.ndarray, scale: Scale = SECONDS, skew: bool = False) -> Scores:
    "Scores of `values` (item, model) of one task on an open scale."
    n, models = values.shape
    goodness = values if scale.better == "higher" else -values
    return Scores(
        pd.Index([f"m{i}" for i in range(models)]),
        goodness.mean(axis=0),
        np.cov(goodness.T) / n,
        pd.Series({"task": 1.0}),
        np.ones((models, 1)),
        np.full(models, n),
        df=np.full((models, models), n - 1.0),
        skewness=stats.skew(goodness, axis=0) / np.sqrt(n) if skew else None,
        scale=scale,
    )


def test_a_pair_is_judged_as_by_the_paired_t_test():
    values = np.random.default_rng(1).lognormal(size=(40, 2))
    found = all_pairs(open_scores(values))
    test = stats.ttest_rel(values[:, 0], values[:, 1])
    low, high = test.confidence_interval()
    assert found["p_value"].values[0, 1] == pytest.approx(test.pvalue, abs=1e-12)
    assert found["lower"].values[0, 1] == pytest.approx(low, abs=1e-12)
    assert found["upper"].values[0, 1] == pytest.approx(high, abs=1e-12)


def test_a_score_without_skewness_has_the_interval_of_the_t_test():
    values = np.random.default_rng(2).normal(5, 1, size=(30, 2))
    table = open_scores(values).intervals()
    expected = stats.ttest_1samp(values[:, 0], 0).confidence_interval()
    assert table.loc["m0", ["lower", "upper"]].tolist() == pytest.approx(list(expected), abs=1e-12)


def test_the_long_tail_of_a_skew_score_lies_on_the_side_of_its_outliers():
    values = np.random.default_rng(3).lognormal(size=(40, 2))
    row = open_scores(values, skew=True).intervals().loc["m0"]
    assert row["upper"] - row["estimate"] > 1.2 * (row["estimate"] - row["lower"])


def test_lower_is_better_turns_ranks_and_not_numbers():
    values = np.random.default_rng(4).normal([10, 12, 30], 1, size=(50, 3))
    board = rank_models(open_scores(values))
    assert board.index.tolist() == ["m0", "m1", "m2"]
    assert (board["lower"] <= board["upper"]).all() and board["estimate"].iloc[0] < 11
    found = all_pairs(open_scores(values))
    assert found["better"].values[0, 2] and found["difference"].values[0, 2] < -15
    assert (better_pairs(open_scores(values)).values == found["better"].values).all()


def test_a_matrix_of_degrees_of_freedom_gives_each_pair_its_own_quantile():
    values = np.random.default_rng(5).normal(size=(40, 3))
    board = open_scores(values)
    df = np.full((3, 3), 39.0)
    df[0, 1] = df[1, 0] = 3.0
    less = Scores(
        **{name: getattr(board, name) for name in board.__dataclass_fields__} | {"df": df}
    )
    wide, same = (np.subtract(*x.pair_limits([0, 0], [1, 2], 1.96)[::-1]) for x in (less, board))
    assert wide[0] / same[0] == pytest.approx(
        stats.t.isf(stats.norm.sf(1.96), 3) / stats.t.isf(stats.norm.sf(1.96), 39)
    )
    assert wide[1] == pytest.approx(same[1])
    assert less.select(["m2", "m0"]).df.tolist() == [[39, 39], [39, 39]]
