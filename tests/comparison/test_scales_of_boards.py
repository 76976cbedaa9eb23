"""Boards on scales of their own: parity with SciPy and with shares, coverage, ranks, refusals,
scores alone.
"""

import math
import warnings
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import benchuq as bq
from benchuq.comparison.all_pairs import all_pairs
from benchuq.comparison.scores import scores
from benchuq.data.results import from_estimates, from_items
from benchuq.data.scales import Scale, with_scales
from benchuq.reporting.answer import answer

SECONDS = Scale(0, math.inf, "lower", "s")
MODELS = ("Cedar", "Ash", "Elm", "Oak", "Fir")


def items(values: dict[str, np.ndarray], scale: Scale, task: str = "task"):
    "Results of one task from the values of each model, item by item."
    columns = ["model", "task", "item", "score"]
    rows = [(model, task, i, x) for model, of in values.items() for i, x in enumerate(of)]
    table = pd.DataFrame(rows, columns=columns)
    low, high = table["score"].min(), table["score"].max()
    shares = from_items(table.assign(score=(table["score"] - low) / (high - low)))
    raw = shares.assign(score=shares["score"] * (high - low) + low)
    return with_scales(raw, {task: scale})


def test_a_pair_on_an_open_scale_is_the_paired_t_test():
    rng = np.random.default_rng(1)
    values = {"Cedar": rng.lognormal(size=50), "Ash": rng.lognormal(0.3, size=50)}
    pair = all_pairs(scores(items(values, SECONDS)))
    test = stats.ttest_rel(values["Cedar"], values["Ash"])
    low, high = test.confidence_interval()
    found = pair.sel(model="Cedar", other="Ash")
    assert found["p_value"] == pytest.approx(test.pvalue, abs=1e-10)
    assert [found["lower"], found["upper"]] == pytest.approx([low, high], abs=1e-10)


def test_a_bounded_scale_is_the_shares_that_it_maps_to():
    rng = np.random.default_rng(2)
    ratings = {model: rng.integers(1, 6, 80).astype(float) for model in MODELS[:3]}
    on_scale = bq.leaderboard(items(ratings, Scale(1, 5)))
    shares = bq.leaderboard(items({m: (x - 1) / 4 for m, x in ratings.items()}, Scale()))
    shares = shares.loc[on_scale.index]
    for name in ("estimate", "lower", "upper"):
        np.testing.assert_allclose(on_scale[name], 1 + 4 * shares[name], atol=1e-12)
    assert (on_scale["rank_lower"] == shares["rank_lower"]).all()


def test_an_error_rate_stays_itself_and_the_lowest_is_the_best():
    rng = np.random.default_rng(3)
    errors = {m: rng.binomial(1, p, 300).astype(float) for m, p in (("Cedar", 0.1), ("Ash", 0.5))}
    board = bq.leaderboard(items(errors, Scale(0, 1, "lower")))
    assert list(board.index) == ["Cedar", "Ash"]
    np.testing.assert_allclose(board["estimate"], [errors[m].mean() for m in board.index])
    accuracy = bq.leaderboard(items({m: 1 - x for m, x in errors.items()}, Scale()))
    np.testing.assert_allclose(board["lower"], 1 - accuracy.loc[board.index, "upper"], atol=1e-12)


def test_offsets_do_not_change_errors():
    """Variances come from deviations: an offset of 1e6 leaves the interval where it was, to its
    rounding.
    """
    values = np.random.default_rng(4).normal(size=(2, 40))
    plain, far = (
        scores(items(dict(zip(MODELS, values + shift)), Scale(-math.inf, math.inf)))
        for shift in (0, 1e6)
    )
    np.testing.assert_allclose(far.covariance, plain.covariance, rtol=1e-8)


@pytest.mark.simulation
@pytest.mark.parametrize(("models", "n"), [(2, 30), (5, 30), (5, 100)])
def test_equal_models_are_rarely_told_apart(models, n):
    """200 boards of lognormal(1) seconds; .05 with a standard error of .015, so .10 is three of
    them away.
    """
    rng, false = np.random.default_rng(5), 0
    for _ in range(200):
        shared = rng.lognormal(size=n)
        values = {m: shared * rng.lognormal(0, 0.5, n) for m in MODELS[:models]}
        false += bool(all_pairs(scores(items(values, SECONDS)))["better"].any())
    assert false / 200 <= 0.10


@pytest.mark.simulation
def test_intervals_of_skew_scores_cover():
    """400 means of 30 lognormal(1) values: .924 by Hall's transformation (Student's t: .880), s.e.
    .013.
    """
    rng, covered = np.random.default_rng(6), []
    for _ in range(200):
        table = scores(items({m: rng.lognormal(size=30) for m in MODELS[:2]}, SECONDS)).intervals()
        covered += list((table["lower"] <= math.exp(0.5)) & (math.exp(0.5) <= table["upper"]))
    assert 0.885 <= np.mean(covered) <= 0.965


def test_tasks_on_several_scales_have_no_mean_until_one_is_named():
    table = pd.DataFrame({"time": [3.0, 9.0], "rating": [4.0, 4.5]}, ["Cedar", "Ash"])
    mixed = from_estimates(table, scales={"time": SECONDS, "rating": Scale(1, 5)})
    with pytest.raises(ValueError, match="different scales.*'range'.*'rank'"):
        scores(mixed)
    with pytest.raises(ValueError, match="without two ends"):
        scores(mixed, normalise="range")
    found = scores(mixed, normalise="rank")
    assert found.intervals()["estimate"].tolist() == [1.5, 1.5]


def test_ranks_are_those_of_demsar():
    """Mean ranks of four classifiers on 14 data sets as Demsar (2006) counts them: ties share their
    mean rank.
    """
    rng = np.random.default_rng(7)
    table = pd.DataFrame(rng.random((4, 14)).round(1), MODELS[:4], [f"d{i}" for i in range(14)])
    board = bq.leaderboard(from_estimates(table), normalise="rank")
    expected = table.rank(ascending=False).mean(axis=1)
    np.testing.assert_allclose(board["estimate"], expected[board.index])
    assert board.scale.better == "lower" and list(board.index) == list(expected.sort_values().index)


def test_scores_alone_are_judged_over_the_tasks():
    rng = np.random.default_rng(8)
    table = pd.DataFrame(rng.normal(0.7, 0.1, (3, 8)).clip(0, 1), MODELS[:3], list("abcdefgh"))
    by_default, by_tasks = (
        scores(from_estimates(table)),
        scores(from_estimates(table), units="task"),
    )
    np.testing.assert_allclose(by_default.covariance, by_tasks.covariance)
    table.loc["Elm", "h"] = np.nan
    holed = from_estimates(table, holes=True)
    with pytest.warns(UserWarning, match="left out: \\['Elm'\\]"):
        assert list(scores(holed).models) == ["Cedar", "Ash"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = answer(holed)
    assert list(found.below.index) == ["Elm"] and "tasks like these" in found.headline


def test_four_tasks_are_too_few_to_speak_of_others():
    table = pd.DataFrame(np.full((2, 4), 0.5) + [[0.1], [0]], MODELS[:2], list("abcd"))
    assert scores(from_estimates(table)).intervals()["lower"].isna().all()


def test_what_is_left_out_is_said_as_it_is():
    "A model that lacks one task of eight did not run less than half."
    table = pd.DataFrame(np.random.default_rng(9).random((3, 8)), MODELS[:3], list("abcdefgh"))
    table.loc["Elm", "h"] = np.nan
    found = answer(from_estimates(table, holes=True))
    assert "1 model (Elm) did not run every task and is not on the board." in found.notes
    table.loc["Elm", list("bcdefg")] = np.nan
    found = answer(from_estimates(table, holes=True))
    assert "1 model (Elm) ran less than half of the score and is not on the board." in found.notes


def test_a_plan_is_in_the_unit_of_the_scale():
    rng = np.random.default_rng(10)
    ratings = {m: rng.integers(1, 6, 80).astype(float) for m in MODELS[:2]}
    on_scale, shares = (
        bq.design(items(values, scale), differences)
        for values, scale, differences in (
            (ratings, Scale(1, 5), [0.4]),
            ({m: (x - 1) / 4 for m, x in ratings.items()}, Scale(), [0.1]),
        )
    )
    np.testing.assert_allclose(on_scale.to_numpy(), shares.to_numpy())
    times = {m: rng.normal(10, 2, 50) for m in MODELS[:2]}
    with pytest.raises(ValueError, match="from 0 s on, lower is better: say which"):
        bq.design(items(times, SECONDS))
    needed = bq.design(items(times, SECONDS), 1.0)["pair"].iloc[0]
    spread = np.std(times["Cedar"] - times["Ash"], ddof=1)
    assert needed == pytest.approx((1.96 + 0.84) ** 2 * spread**2, rel=0.15)


def test_the_covariance_of_mean_ranks_counts_a_task_with_all_orders():
    scores_of = np.random.default_rng(1).normal(size=(6, 3))
    board = pd.DataFrame(scores_of.T, list("abc"), [f"t{i}" for i in range(6)])
    scales = dict.fromkeys(board, Scale(-math.inf, math.inf))
    got = scores(from_estimates(board, scales=scales), normalise="rank", units="task").covariance
    ranks = 1 - scores_of.argsort(axis=1).argsort(axis=1) / 2
    orders = np.array(list(permutations([0, 0.5, 1])))
    expected = (5 * np.cov(ranks.T) + np.cov(orders.T, bias=True)) / 6 / 6
    np.testing.assert_allclose(got, expected)


def test_models_with_neighbouring_ranks_on_five_tasks_are_not_told_apart():
    noise = np.random.default_rng(2).random((3, 5))
    board = pd.DataFrame([np.full(5, 9.0), np.full(5, 8.0), *noise], MODELS, list("vwxyz"))
    scales = dict.fromkeys(board, Scale(-math.inf, math.inf))
    pairs = bq.compare(scores(from_estimates(board, scales=scales), normalise="rank"))
    assert not pairs.loc[("Cedar", "Ash"), "distinguished"]
    assert (pairs["detectable_difference"] > 1).all()
