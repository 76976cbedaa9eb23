"""Tables of pairs, plans, sentences and probabilities of being best."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.all_pairs import evidence, shrunk_covariance
from benchuq.comparison.best import best_probabilities, true_score_draws
from benchuq.comparison.pairs import against, compare, summary
from benchuq.comparison.planning import detectable_difference, required_factor
from benchuq.comparison.ranking import leaderboard
from benchuq.comparison.scores import scores
from benchuq.data.results import from_counts
from tests.comparison.boards import alike, items

RNG = np.random.default_rng(4)


def quiz(n: int, won: float, lost: float, rng) -> np.ndarray:
    kind = rng.choice(3, n, p=[won, lost, 1 - won - lost])
    return np.stack([kind != 1, kind != 0])


def exactly(n: int, won: float, lost: float) -> np.ndarray:
    kind = np.repeat([0, 1, 2], [round(n * won), round(n * lost), n - round(n * won) - round(n * lost)])
    return np.stack([kind != 1, kind != 0])


@pytest.mark.parametrize(("won", "lost"), [(0.1, 0.05), (0.3, 0.2), (0.04, 0.01)])
def test_a_plan_keeps_its_promise(won, lost):
    n, repetitions = 4000, 500
    factor = required_factor(scores(items(exactly(n, won, lost), [n])), 0, 1)
    planned, rng = int(np.ceil(n * factor)), np.random.default_rng(1)
    shown = [evidence(scores(items(quiz(planned, won, lost, rng), [planned])), 0, 1) > 1.96 for _ in range(repetitions)]
    assert 0.76 - 2 * 0.018 < np.mean(shown) < 0.84 + 2 * 0.018


def test_plans_know_holes():
    x = exactly(100, 0.1, 0.08)[:, ::-1].astype(float)
    x[1, 60:] = np.nan
    board = items(x, [60, 40])
    table = compare(board)
    assert np.isinf(table["additional_items"].iloc[0]) and np.isfinite(table["detectable_difference"].iloc[0])
    assert not table["distinguished"].iloc[0]


def test_detectable_difference_is_shown_with_its_power():
    s = scores(items(exactly(500, 0.1, 0.1), [500]))
    least, rng = float(detectable_difference(s, 0, 1)), np.random.default_rng(2)
    half = least / 2
    shown = [evidence(scores(items(quiz(500, 0.1 + half, 0.1 - half, rng), [500])), 0, 1) > 1.96 for _ in range(400)]
    assert 0.74 < np.mean(shown) < 0.9


def test_against_turns_rows():
    table = compare(from_counts(pd.DataFrame({"t": [80, 70, 60]}, index=list("abc")), 100))
    versus = against(table, "b")
    assert versus.loc["a", "estimate"] > 0 > versus.loc["c", "estimate"]
    np.testing.assert_allclose(versus.loc["c", "lower"], -table.loc[("b", "c"), "upper"])
    with pytest.raises(ValueError, match="unknown models"):
        against(table, "d")


def test_sentences_agree_with_the_table():
    board = items(RNG.random((3, 400)) < np.array([0.9, 0.6, 0.3])[:, None], [400])
    assert summary(board)[0].endswith("and is distinguished from all others.")
    close = items(exactly(200, 0.1, 0.09), [200])
    assert "the data do not exclude that" in summary(close)[0]
    assert any(text.startswith("0 of 1 pairs") for text in summary(close))


def test_shrunk_correlations():
    x = RNG.standard_normal((30, 12))
    c = np.cov(x.T)
    shrunk = shrunk_covariance(c, 29)
    np.testing.assert_allclose(np.diag(shrunk), np.diag(c))
    assert np.linalg.eigvalsh(shrunk).min() > np.linalg.eigvalsh(c).min()
    np.testing.assert_array_equal(shrunk_covariance(c, np.inf), c)


def test_probabilities_sum_to_one_and_are_never_certain():
    p = best_probabilities(scores(items(RNG.random((4, 300)) < np.array([0.9, 0.5, 0.4, 0.3])[:, None], [300])))
    assert p.sum() == pytest.approx(1) and (p > 0).all() and p.iloc[0] > 0.99
    assert best_probabilities(scores(from_counts(pd.DataFrame({"t": [5]}, index=["a"]), 10))).iloc[0] == 1


def test_a_model_that_ran_little_is_no_contender():
    x = (RNG.random((4, 300)) < np.array([0.9, 0.7, 0.4, 0.9])[:, None]).astype(float)
    x[3, 100:] = np.nan
    p = best_probabilities(scores(items(x, [100, 100, 100])))
    assert np.isnan(p["m3"]) and p["m0"] > 0.99 and p.sum() == pytest.approx(1)
    x[3, 100:200] = 1
    assert best_probabilities(scores(items(x, [100, 100, 100]))).isna().all()


def test_a_long_tail_does_not_make_the_leader_surer():
    rng, said = np.random.default_rng(4), []
    for _ in range(200):
        ability = 1 - rng.exponential(0.5, 20)
        x = rng.standard_normal(200) * np.sqrt(0.5) + rng.standard_normal((20, 200)) * np.sqrt(0.5)
        p = best_probabilities(scores(items(x < ability[:, None], [200])), 500).to_numpy()
        said.append((p.max(), p.argmax() == ability.argmax()))
    claimed, right = np.mean(said, axis=0)
    assert abs(claimed - right) < 0.06 + 2 * np.sqrt(0.25 / len(said))


def test_probability_of_being_best_is_calibrated_on_few_common_items():
    rng, said = np.random.default_rng(8), []
    for _ in range(250):
        models, n = rng.choice([5, 10, 14]), rng.choice([10, 16, 30])
        ability = rng.choice([0.1, 0.3, 0.6]) * rng.standard_normal(models)
        luck = np.sqrt(0.5) * rng.standard_normal(n) + np.sqrt(0.5) * rng.standard_normal((models, n))
        p = best_probabilities(scores(items(luck < 0.4 + ability[:, None], [n])), 500).to_numpy()
        said.append((p.max(), p.argmax() == ability.argmax()))
    claimed, right = np.array(said).T
    bold = claimed > 0.3
    assert claimed.mean() - right.mean() < 0.06 + 2 * np.sqrt(0.2 / len(right))
    assert claimed[bold].mean() - right[bold].mean() < 0.06 + 2 * np.sqrt(0.25 / bold.sum())


def test_true_scores_are_drawn_together():
    s = scores(items(alike(6, [100], 0.6, 0.3, RNG), [100]))
    draws = true_score_draws(s, 2000, 1)
    assert draws.shape == (6, 2000) and draws.mean(axis=1).std() < 0.6 * s.estimate.std()


def test_the_table_is_a_leaderboard():
    board = leaderboard(items(RNG.random((4, 300)) < np.array([0.9, 0.5, 0.4, 0.3])[:, None], [300]))
    assert list(board.index) == ["m0", "m1", "m2", "m3"] and "leaderboard" in board._repr_html_()
    assert {"estimate", "lower", "upper", "rank_lower", "rank_upper", "groups", "p_best", "conclusion"} <= set(board)
