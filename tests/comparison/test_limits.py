"""Limits of scores and differences: exact sums, classical methods, limits and limits of limits."""

import numpy as np
import pytest
from scipy import stats

from benchuq.comparison.limits import Changes, Share, _score_limits, strata_of
from tests.comparison.boards import one_task


def test_scores_lie_near_clopper_pearson_and_inside():
    k, n = np.arange(1, 40), 40
    p = k / n
    lower, upper = _score_limits(p, p * (1 - p) / (n - 1), 1 / n, p, 1.959964)
    exact = stats.beta.ppf(0.025, k, n - k + 1), stats.beta.ppf(0.975, k + 1, n - k)
    assert (lower >= exact[0] - 1e-3).all() and (upper <= exact[1] + 1e-3).all()
    assert np.abs(lower - exact[0]).max() < 0.02
    np.testing.assert_allclose(lower, 1 - upper[::-1], atol=1e-12)


def test_all_right_and_all_wrong():
    lower, upper = _score_limits(
        np.array([0.0, 1.0]), np.zeros(2), 1 / 20, np.array([0.0, 1.0]), 1.96
    )
    assert lower[0] == 0 and upper[1] == 1
    assert 0.1 < upper[0] < 0.17 and np.isclose(upper[0], 1 - lower[1])


def test_no_variance_known_gives_no_limits():
    assert np.isnan(_score_limits(np.array(0.5), np.array(np.nan), 0.1, 0.5, 1.96)).all()


@pytest.mark.parametrize("n", [12, 50, 400])
def test_differences_mirror_and_stay_in_range(n):
    won, lost = np.argwhere(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)[
        :: max(n // 8, 1)
    ].T
    changes = one_task(won, lost, n)
    lower, upper = changes.limits(1.96)
    again = Changes(changes.loss, changes.gain, changes.covariance, changes.weight).limits(1.96)
    np.testing.assert_allclose(lower, -again[1], atol=1e-12)
    d = changes.difference()
    assert (lower <= d).all() and (d <= upper).all() and (np.abs([lower, upper]) <= 1 + 1e-12).all()
    assert (lower < upper).all()  # also where nothing differed


@pytest.mark.parametrize(("gain", "loss"), [(0.02, 0.0), (0.04, 0.02), (0.25, 0.25)])
@pytest.mark.parametrize("n", [20, 85, 100])
def test_one_sided_limits_of_a_difference_err_as_often_as_said(n, gain, loss):
    "Exact: a sum over all numbers of questions won and lost; the notebook states .06 for 5 %."
    won, lost = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    won, lost = won[won + lost <= n], lost[won + lost <= n]
    counts = np.stack([won, lost, n - won - lost], axis=1)
    chance = stats.multinomial.pmf(counts, n, [gain, loss, 1 - gain - loss])
    lower, upper = one_task(won, lost, n).limits(1.644854)
    assert (
        chance[lower > gain - loss + 1e-12].sum() < 0.06 > chance[upper < gain - loss - 1e-12].sum()
    )


def test_strata_hold_items_that_weigh_alike():
    assert strata_of([1, 1.9, 2, 4, 0.9, 100]).tolist() == [2, 2, 1, 1, 3, 0]
    assert strata_of([1, 1, 1]).tolist() == [0, 0, 0]


def test_a_task_of_one_item_adds_at_most_its_weight():
    large, w = one_task([60], [20], 400), 0.08
    one = Share(np.array([[0.0]]), np.array([[0.0]]), np.array([[w]]))
    shares = []
    for share, seen in zip(large[:2], (0.0, w)):
        parts = zip(
            share._replace(mean=share.mean * (1 - w), variance=share.variance * (1 - w) ** 2), one
        )
        shares.append(Share(*(np.concatenate(part) for part in parts)))
        shares[-1].mean[1] = seen
    covariance = np.concatenate([large.covariance * (1 - w) ** 2, [[0.0]]])
    changes = Changes(*shares, covariance, np.array([[1 - w], [w]]))
    for z in (1.96, 5.0, 8.0):
        alone, together = (np.diff(c.limits(z), axis=0).item() for c in (large, changes))
        assert together <= (1 - w) * alone + 2 * w + 1e-9


@pytest.mark.parametrize("small", [20, 5])
def test_damage_in_a_small_task_is_not_overlooked(small):
    rng = np.random.default_rng(small)
    n, damage = np.array([[2000], [small]]), 0.04
    lost = np.stack([rng.binomial(2000, 0.05, 3000), rng.binomial(small, 0.02 + damage, 3000)])
    won = np.stack([rng.binomial(2000, 0.05, 3000), rng.binomial(small, 0.02, 3000)])
    share = [x / n / 2 for x in (lost, won)]
    weight = np.full(lost.shape, 0.5)
    shares = [Share(x, x * (0.5 - x) / (n - 1), weight / n) for x in share]
    upper = Changes(*shares, -share[0] * share[1] / (n - 1), weight).limits(1.645)[1]
    assert (upper < damage / 2).mean() <= 0.06


def test_evidence_is_where_the_limit_meets_the_threshold():
    n, (gain, loss) = 400, np.random.default_rng(0).uniform(0.001, 0.3, (2, 60))
    variance = [x * (1 - x) / (n - 1) for x in (gain, loss)]
    shares = [
        Share(x[None], v[None], np.full((1, 60), 1 / n)) for x, v in zip((gain, loss), variance)
    ]
    changes = Changes(*shares, -(gain * loss)[None] / (n - 1), np.ones((1, 60)))
    z = changes.evidence()
    inside = np.abs(z) < 9
    assert inside.sum() > 20
    ends = np.where(z > 0, *changes.limits(np.abs(z)))
    np.testing.assert_allclose(ends[inside], 0, atol=1e-9)
