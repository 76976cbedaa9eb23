"""Tables of pairs, plans and probabilities of being best."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.all_pairs import _shrunk, best_probabilities
from benchuq.comparison.pairs import against, compare, detectable_difference, times_needed
from benchuq.comparison.scores import scores
from benchuq.data.results import from_counts
from tests.comparison.boards import items, one_task

RNG = np.random.default_rng(4)


def exactly(n: int, won: float, lost: float) -> np.ndarray:
    kind = np.repeat(
        [0, 1, 2], [round(n * won), round(n * lost), n - round(n * won) - round(n * lost)]
    )
    return np.stack([kind != 1, kind != 0])


def test_plans_know_holes():
    x = exactly(100, 0.1, 0.08)[:, ::-1].astype(float)
    x[1, 60:] = np.nan
    table = compare(items(x, [60, 40]))
    assert np.isinf(table["additional_items"].iloc[0]) and np.isfinite(
        table["detectable_difference"].iloc[0]
    )
    assert not table["distinguished"].iloc[0]


def test_plans_of_counts_know_what_the_better_model_did_not_run():
    right = pd.DataFrame({"law": [80, 60], "maths": [80, 60], "art": [np.nan, 66]}, ["A", "B"])
    table = compare(from_counts(right, 100, holes=True))
    row = table.loc[("A", "B")]
    assert row["lower"] < 0 < row["upper"] and np.isinf(row["additional_items"])
    whole = compare(from_counts(right.drop(columns="art"), 100)).loc[("A", "B")]
    assert whole["distinguished"] and whole["estimate"] == pytest.approx(0.2)


def test_detectable_difference_is_shown_with_its_power():
    s = scores(items(exactly(500, 0.1, 0.1), [500]))
    half = float(detectable_difference(s, 0, 1)) / 2
    won, lost, _ = np.random.default_rng(2).multinomial(500, [0.1 + half, 0.1 - half, 0.8], 4000).T
    shown = one_task(won, lost, 500).evidence() > 1.96
    alone = scores(items(exactly(500, 0.15, 0.09), [500])).evidence(
        0, 1
    )  # the rule of a board of two
    assert one_task(75, 45, 500).evidence()[0] == pytest.approx(float(alone))
    assert 0.78 < np.mean(shown) < 0.86


@pytest.mark.parametrize("plan", [times_needed, detectable_difference])
def test_a_power_in_per_cent_is_refused(plan):
    with pytest.raises(ValueError, match="power must lie between 0 and 1, got 80"):
        plan(scores(items(exactly(50, 0.1, 0.1), [50])), 0, 1, power=80)


def test_against_turns_rows():
    table = compare(from_counts(pd.DataFrame({"t": [80, 70, 60]}, index=list("abc")), 100))
    versus = against(table, "b")
    assert versus.loc["a", "estimate"] > 0 > versus.loc["c", "estimate"]
    np.testing.assert_allclose(versus.loc["c", "lower"], -table.loc[("b", "c"), "upper"])
    with pytest.raises(ValueError, match="unknown models"):
        against(table, "d")


def test_shrunk_correlations():
    c = np.cov(RNG.standard_normal((30, 12)).T)
    shrunk = _shrunk(c, np.array([29])).covariance
    np.testing.assert_allclose(np.diag(shrunk), np.diag(c))
    assert np.linalg.eigvalsh(shrunk).min() > np.linalg.eigvalsh(c).min()
    np.testing.assert_array_equal(_shrunk(c, np.array([np.inf])).covariance, c)


def test_probabilities_sum_to_one_and_are_never_certain():
    p = best_probabilities(
        scores(items(RNG.random((4, 300)) < np.array([0.9, 0.5, 0.4, 0.3])[:, None], [300]))
    )
    assert p.sum() == pytest.approx(1) and (p > 0).all() and p.iloc[0] > 0.99
    assert (
        best_probabilities(scores(from_counts(pd.DataFrame({"t": [5]}, index=["a"]), 10))).iloc[0]
        == 1
    )


def test_a_model_that_ran_little_is_no_contender():
    """It ran one task of three; then a third of each task; then two tasks of three, and any score
    is possible.
    """
    whole = (RNG.random((4, 300)) < np.array([0.9, 0.7, 0.4, 0.95])[:, None]).astype(float)
    for left_out in (np.arange(300) >= 100, np.arange(300) % 3 > 0):
        x = np.where(left_out & (np.arange(4) == 3)[:, None], np.nan, whole)
        p = best_probabilities(scores(items(x, [100, 100, 100])))
        assert np.isnan(p["m3"]) and p["m0"] > 0.99 and p.sum() == pytest.approx(1)
    x = np.where((np.arange(300) >= 200) & (np.arange(4) == 3)[:, None], np.nan, whole)
    assert best_probabilities(scores(items(x, [100, 100, 100]))).isna().all()


@pytest.mark.simulation
def test_a_long_tail_does_not_make_the_leader_surer():
    rng, said = np.random.default_rng(4), []
    for _ in range(200):
        ability = 1 - rng.exponential(0.5, 20)
        x = rng.standard_normal(200) * np.sqrt(0.5) + rng.standard_normal((20, 200)) * np.sqrt(0.5)
        p = best_probabilities(scores(items(x < ability[:, None], [200])), 500).to_numpy()
        said.append((p.max(), p.argmax() == ability.argmax()))
    claimed, right = np.mean(said, axis=0)
    assert abs(claimed - right) < 0.06 + 2 * np.sqrt(0.25 / len(said))
