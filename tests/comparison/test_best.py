"""Probability of being best: symmetric cases, shrinkage, calibration."""

import numpy as np
import pytest

from benchuq.comparison.best import best_probabilities, true_score_draws


def scores_of(make_scores, seen, se, rng, n_draws=400):
    seen = np.asarray(seen, float)
    return make_scores(seen[:, None] + se * rng.standard_normal((len(seen), n_draws)))


def test_probabilities_sum_to_one_and_follow_the_scores(make_scores):
    p = best_probabilities(scores_of(make_scores, [0.7, 0.69, 0.6], 0.01, np.random.default_rng(1)))
    assert p.sum() == pytest.approx(1) and p.index[0] == "m0" and p.is_monotonic_decreasing
    assert p["m2"] < 0.01


def test_twins_share(make_scores):
    """Equal observed scores: one half each, within five standard errors of a share of 4,000 draws."""
    rng = np.random.default_rng(2)
    noise = 0.01 * rng.standard_normal((2, 4000))
    p = best_probabilities(make_scores(0.7 + noise - noise.mean(axis=1, keepdims=True)))
    assert abs(p["m0"] - 0.5) < 5 * np.sqrt(0.25 / 4000)


def test_true_scores_are_drawn_towards_each_other(make_scores):
    scores = scores_of(
        make_scores, 0.7 + 0.01 * np.random.default_rng(3).standard_normal(12), 0.01, np.random.default_rng(4)
    )
    drawn = true_score_draws(scores, 2000, rng=1).mean("draw")
    assert drawn.std() < 0.7 * scores.mean("draw").std()


def test_calibration(make_scores):
    """300 boards of 2 to 10 models: the mean claim and the share right differ by less than four standard errors."""
    rng, claimed, right = np.random.default_rng(5), [], []
    for _ in range(300):
        n = rng.choice([2, 4, 10])
        truth = 0.01 * np.exp(rng.uniform(np.log(0.2), np.log(5))) * rng.standard_normal(n)
        p = best_probabilities(scores_of(make_scores, truth + 0.01 * rng.standard_normal(n), 0.01, rng, 200), 300)
        claimed.append(p.max())
        right.append(p.to_numpy().argmax() == truth.argmax())
    assert abs(np.mean(claimed) - np.mean(right)) < 4 * np.sqrt(0.2 / 300)


def test_one_model_is_the_best(make_scores):
    assert best_probabilities(make_scores(np.full((1, 300), 0.4))).tolist() == [1]
