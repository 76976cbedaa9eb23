import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.aggregate import category_means, intervals, mean
from benchuq.comparison.best import best_probabilities
from benchuq.comparison.holes import fill_additive
from benchuq.comparison.pairs import compare
from benchuq.comparison.ranking import leaderboard, rank_probabilities
from benchuq.comparison.simultaneous import simultaneous_comparison
from benchuq.comparison.weighting import draw_moments
from benchuq.data.results import from_counts, from_estimates, from_items
from benchuq.sampling.bootstrap import bootstrap

COUNTS = pd.DataFrame({"easy": [95, 80, 90], "hard": [60, 30, None]}, index=list("ABC"))


def holes(n_items=100, category=None):
    counts = COUNTS if n_items == 100 else COUNTS * n_items // 100
    return bootstrap(from_counts(counts, n_items, category, holes=True), 1000, rng=1)


def test_fill_is_exact_for_an_additive_table_and_keeps_what_was_measured():
    rng = np.random.default_rng(1)
    truth = 0.4 + rng.uniform(-0.15, 0.15, (6, 1)) + rng.uniform(-0.15, 0.15, (1, 9))
    seen = np.where(rng.random(truth.shape) < 0.6, truth, np.nan)
    assert np.allclose(fill_additive(seen), truth, atol=1e-6)
    assert fill_additive(np.array([[1.0, np.nan], [0.9, 1.0]])).max() == 1


def test_limits_allow_for_any_score_on_what_was_not_run():
    table = intervals(mean(holes()))
    assert table.loc["C", "lower"] < 0.45 and table.loc["C", "upper"] > 0.95
    assert table.loc["C", "estimate"] == pytest.approx((0.9 + 0.9 + (0.6 + 0.3) / 2 - (0.95 + 0.8) / 2) / 2, abs=1e-6)
    assert table.loc["A", "upper"] - table.loc["A", "lower"] < 0.2
    task = intervals(holes())
    assert task.loc[("C", "hard"), ["lower", "upper"]].tolist() == [0, 1]
    assert np.isnan(task.loc[("C", "hard"), "estimate"])


def test_rank_sets_allow_for_what_was_not_run():
    board = leaderboard(holes(10_000))
    assert board.loc["A", ["rank_lower", "rank_upper"]].tolist() == [1, 2]
    assert board.loc["B", ["rank_lower", "rank_upper"]].tolist() == [2, 3]
    assert board.loc["C", ["rank_lower", "rank_upper"]].tolist() == [1, 3]
    assert board["p_best"].isna().all()
    assert not compare(holes(10_000)).loc[("A", "C"), "distinguished"]


def test_a_hole_that_cannot_matter_does_not_matter():
    counts = pd.DataFrame({f"t{i}": [950, 300] for i in range(9)} | {"last": [None, 500]}, index=["good", "poor"])
    board = leaderboard(bootstrap(from_counts(counts, 1000, holes=True), 1000, rng=1))
    assert board.loc["good", "rank_upper"] == 1


def test_what_needs_a_complete_board_says_so():
    draws = holes(category={"easy": "x", "hard": "y"})
    for make in (lambda: rank_probabilities(mean(draws)), lambda: draw_moments(draws)):
        with pytest.raises(ValueError, match=r"every model ran every task; not all were run by C"):
            make()
    by = intervals(category_means(draws, overall="equal"))
    assert np.isnan(by.loc[("C", "y"), "estimate"]) and by.loc[("C", "y"), ["lower", "upper"]].tolist() == [0, 1]
    assert by.loc[("A", "y"), "estimate"] == pytest.approx(0.6)


def test_estimates_with_and_without_standard_error():
    score = pd.DataFrame({"ner": [0.95, 0.70], "qa": [0.8, 0.7]}, index=["A", "B"])
    error = pd.DataFrame({"ner": [0.01, 0.01], "qa": [0.02, 0.02]}, index=["A", "B"])
    found = simultaneous_comparison(mean(bootstrap(from_estimates(score, error), 1000, rng=1)))
    assert bool(found["better"].sel(model="A", other="B"))
    assert float(found["standard_error"][0, 1]) == pytest.approx(np.sqrt(2 * (0.01**2 + 0.02**2)) / 2, rel=0.1)
    error.loc["B", "qa"] = np.nan
    draws = bootstrap(from_estimates(score, error), 1000, rng=1)
    table = intervals(mean(draws))
    assert table.loc["B", "estimate"] == pytest.approx(0.7) and table.loc["B", ["lower", "upper"]].isna().all()
    assert table.loc["A"].notna().all()
    found = simultaneous_comparison(mean(draws))
    assert not found["better"].any() and np.isnan(found["p_value"][0, 1])
    with pytest.raises(ValueError, match=r"the standard error of every score; unknown for B"):
        rank_probabilities(mean(draws))
    assert leaderboard(draws)["p_best"].isna().all() and best_probabilities(mean(draws)).isna().all()


def test_an_estimate_near_one_has_limits_within_bounds():
    one = from_estimates(pd.DataFrame({"t": [0.995]}, index=["A"]), pd.DataFrame({"t": [0.01]}, index=["A"]))
    lower, upper = intervals(bootstrap(one, 500, rng=1))[["lower", "upper"]].iloc[0]
    assert 0.9 < lower < 0.99 and 0.995 < upper <= 1


@pytest.mark.parametrize("paired_difficulty", [True, False])
def test_differences_are_on_common_items(paired_difficulty):
    """B was never asked the 50 easiest of 200 items: with own items the difference would be off by .12."""
    rows = pd.DataFrame({"model": np.repeat(["A", "B"], 200), "task": "t", "item": np.tile(range(200), 2)})
    board = from_items(rows[(rows["model"] == "A") | (rows["item"] < 150)].assign(score=0.0))
    rng, found = np.random.default_rng(3), []
    for _ in range(60):
        easy = np.sort(rng.random(200)) if paired_difficulty else np.full(200, 0.5)
        score = (rng.random((2, 200)) < easy).astype(float)
        answers = board.assign(score=board["score"] + score)  # missing stays missing
        compared = simultaneous_comparison(mean(bootstrap(answers, 400, rng=1)))
        common = score[:, :150].mean(axis=1)
        assert float(compared["difference"][0, 1]) == pytest.approx(common[0] - common[1], abs=1e-6)
        found.append(bool(compared["better"].any()))
    assert sum(found) <= 9  # 5 % are expected; ten or more of 60 have odds of .001
