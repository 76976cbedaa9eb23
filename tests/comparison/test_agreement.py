"Agreement of raters against krippendorff and textbook numbers."

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.agreement import agreement
from benchuq.data.results import from_items


def rated(score: np.ndarray, models: int = 2):
    """Results of ratings (answer, rater), missing where not rated; answers are of several models in
    turn.
    """
    place = np.nonzero(~np.isnan(score))
    answer, rater = place
    columns = {"model": answer % models, "item": answer // models, "rater": rater}
    table = pd.DataFrame(columns).assign(task="t", score=score[place])
    table["model"] = "m" + table["model"].astype(str)
    return from_items(table)


def with_holes(seed: int) -> np.ndarray:
    "Ratings of 60 answers by 5 raters on a scale of five points, a third of them missing."
    rng = np.random.default_rng(seed)
    score = np.round(4 * rng.beta(2, 2, (60, 1)) + rng.normal(0, 0.7, (60, 5))).clip(0, 4) / 4
    score[rng.random(score.shape) < 1 / 3] = np.nan
    return score[(~np.isnan(score)).any(axis=1)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_alpha_is_that_of_krippendorff(seed):
    theirs = pytest.importorskip("krippendorff")
    score = with_holes(seed)
    ours = agreement(rated(score)).table.loc[("all", "all"), ("alpha", "estimate")]
    assert np.isclose(ours, theirs.alpha(score.T, level_of_measurement="interval"), atol=1e-8)


def test_alpha_of_a_published_example():
    # Krippendorff (2011), section on interval data: 12 units, 4 observers, alpha .849
    a = [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan]
    b = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3]
    c = [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan]
    d = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan]
    score = np.array([a, b, c, d], float).T / 5
    found = agreement(rated(score, models=1)).table.loc[("all", "all"), ("alpha", "estimate")]
    assert round(found, 3) == 0.849


def test_icc_of_a_published_example():
    # Shrout and Fleiss (1979), table 2: six targets, four judges, ICC(2,1) .29
    score = np.array(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    )
    found = agreement(rated(score / 10, models=1)).table.loc[("all", "all"), ("icc", "estimate")]
    assert round(found, 2) == 0.29


def test_kappa_is_the_mean_over_pairs_of_raters():
    score = np.random.default_rng(4).integers(0, 3, (40, 3)) / 2
    found = agreement(rated(score)).table.loc[("all", "all"), ("kappa", "estimate")]
    by_hand = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        x, y = score[:, one], score[:, other]
        chance = sum((x == v).mean() * (y == v).mean() for v in (0, 0.5, 1))
        by_hand.append(((x == y).mean() - chance) / (1 - chance))
    assert np.isclose(found, np.mean(by_hand))


def test_who_the_order_hangs_on():
    score = np.tile([[0.2, 0.3, 0.9], [0.4, 0.5, 0.1]], (10, 1))  # models by turns; raters
    score += np.random.default_rng(1).normal(0, 0.01, score.shape)
    found = agreement(rated(score))
    assert found.ranks["all"].tolist() == [1, 2] and found.ranks[2].tolist() == [2, 1]
    assert "The order of models changes without 2." in found.sentence


def test_refusals():
    one = rated(np.full((6, 1), 0.5))
    with pytest.raises(ValueError, match="only one level, and agreement needs two"):
        agreement(one)
    with pytest.raises(ValueError, match="they vary with rater"):
        agreement(one, "judge")
