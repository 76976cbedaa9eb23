"""P-values and limits of paired differences at a margin."""

import numpy as np
import pytest
from scipy import stats

from benchuq.comparison.damage import (
    Moments,
    changed_counts,
    claim_p_values,
    difference_moments,
    independent_moments,
    lower_limit,
    upper_limit,
    weigh,
)


def of_counts(lost, won, n):
    return Moments((lost - won) / n, (lost + won) / n, (lost + won) / n**2, 1 / n)


@pytest.mark.parametrize("n", [30, 200])
def test_margin_zero_is_mcnemars_mid_p(n):
    lost, won = np.meshgrid(np.arange(14), np.arange(14))
    p = stats.binom.sf(lost, lost + won, 0.5) + stats.binom.pmf(lost, lost + won, 0.5) / 2
    worse, fine = claim_p_values(of_counts(lost, won, n))
    assert np.allclose(worse, p, atol=1e-10) and np.allclose(fine, 1 - p, atol=1e-10)


def test_a_right_or_wrong_task_has_its_own_counts():
    assert np.allclose(changed_counts(difference_moments(np.array([1, 1, -1, 0, 0]))), (2, 1, 5))


def test_no_change_has_the_p_value_of_the_rule_of_three():
    assert np.isclose(claim_p_values(difference_moments(np.zeros(100)), 0.03)[1], 0.97**100)


def test_large_samples_are_normal():
    moments = of_counts(1200, 1000, 20_000)
    z = (0.01 - 0.005) / np.sqrt((2200 / 20_000 - 0.01**2) / 20_000)
    assert np.isclose(claim_p_values(moments, 0.005)[0], stats.norm.sf(z), atol=0.001)


def test_limits_are_where_the_p_values_are_the_error():
    moments = of_counts(np.array([0, 3, 40]), np.array([0, 9, 0]), 164)
    error = np.array([0.05, 0.01, 0.2])
    assert np.allclose(claim_p_values(moments, lower_limit(moments, error))[0], error, atol=1e-3)
    assert np.allclose(claim_p_values(moments, upper_limit(moments, error))[1], error, atol=1e-3)


def test_swapping_the_models_turns_everything_round():
    one, other = of_counts(7.0, 2.0, 80), of_counts(2.0, 7.0, 80)
    assert np.isclose(lower_limit(one), -upper_limit(other), atol=1e-5)
    assert np.isclose(claim_p_values(one, 0.02)[0], claim_p_values(other, -0.02)[1])


def test_p_values_fall_as_the_margin_moves_away():
    worse, fine = claim_p_values(of_counts(9, 4, 100), np.linspace(-0.3, 0.3, 61))
    assert (np.diff(worse) >= -1e-9).all() and (np.diff(fine) <= 1e-9).all()


def test_clusters_that_repeat_an_answer_are_worth_one():
    d = np.array([1, -1, 0, 1])
    repeated = difference_moments(np.repeat(d, 5), np.repeat(np.arange(4), 5))
    assert np.allclose(repeated, difference_moments(d))


def test_weights_of_one_task_change_nothing_and_scale_squares():
    tasks = Moments(*(np.array([x, y]) for x, y in zip(of_counts(5, 2, 50), of_counts(1, 1, 20))))
    assert np.allclose(weigh(tasks, [1, 0]), of_counts(5, 2, 50))
    assert np.isclose(weigh(tasks, [0.5, 0.5]).square, (7 / 2500 + 2 / 400) / 4)


def test_scores_measured_apart_have_the_usual_variance():
    moments = independent_moments(0.8, 0.7, 0.8 * 0.2 / 400 + 0.7 * 0.3 / 400, 1 / 400)
    z = stats.norm.isf(0.05) * np.sqrt((0.16 + 0.21) / 400)
    assert np.isclose(lower_limit(moments), 0.1 - z, atol=0.002)
    assert np.isnan(claim_p_values(independent_moments(0.8, np.nan, 0.1, 0.01), 0.02)).all()


def test_a_hundred_tasks_of_one_question_err_as_rarely_as_promised():
    # 2,000 boards at the margin: .05 has a standard error of .005, so .075 fails by chance once in 10^6
    rng = np.random.default_rng(3)
    kinds = rng.choice([1, -1, 0], (2000, 100), p=[0.16, 0.14, 0.7])
    moments = Moments(kinds.mean(1), abs(kinds).mean(1), abs(kinds).sum(1) / 1e4, np.full(2000, 0.01))
    assert max((p < 0.05).mean() for p in claim_p_values(moments, 0.02)) < 0.075
