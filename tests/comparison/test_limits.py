"""Limits: exact special cases, coverage by summation, what draws carry."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.comparison import limits
from benchuq.comparison.aggregate import category_means, intervals, mean
from benchuq.comparison.ranking import ranks
from benchuq.data.published import load
from benchuq.data.results import from_counts, from_items
from benchuq.sampling.bootstrap import bootstrap


def binomial_limits(n, k):
    p = k / n
    return limits.score_limits(p, p * (1 - p) / (n - 1), p, 1 / n)


@pytest.mark.parametrize("n", [12, 17, 30, 64, 150, 500])
def test_one_task_covers_at_least_94_percent_by_summation(n):
    k = np.arange(n + 1)
    lower, upper = binomial_limits(n, k)
    assert (lower <= k / n).all() and (k / n <= upper).all() and lower[0] == 0 and upper[-1] == 1
    for p in np.linspace(0.5, 0.98, 60):
        assert stats.binom.pmf(k, n, p)[(lower <= p) & (p <= upper)].sum() >= 0.938


def test_the_further_item_alone_gives_clopper_and_pearson(monkeypatch):
    monkeypatch.setattr(limits, "_FAVOURABLE", 0.0)
    n, k = 40, np.arange(1, 40)
    lower, upper = binomial_limits(n, k)
    np.testing.assert_allclose(lower, stats.beta.ppf(0.025, k, n - k + 1), rtol=1e-9)
    np.testing.assert_allclose(upper, stats.beta.ppf(0.975, k + 1, n - k), rtol=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_all_right_against_all_wrong(n):
    right, wrong = (1.0, 0.0, 1.0, 1 / n), (0.0, 0.0, 0.0, 1 / n)
    p = {paired: 2 * stats.norm.sf(limits.difference_z(right, wrong, paired=paired)) for paired in (True, False)}
    assert p[True] == pytest.approx(min(1, 2 * 0.5**n))
    assert p[False] == pytest.approx(stats.fisher_exact([[n, 0], [0, n]]).pvalue, rel=0.2)


def test_limits_exclude_zero_exactly_where_the_evidence_is_enough():
    rng = np.random.default_rng(1)
    a, b = rng.binomial(40, rng.random((2, 300))) / 40
    first, second = ((x, x * (1 - x) / 39, x, 1 / 40) for x in (a, b))
    for paired, covariance in [(False, 0.0), (True, 0.3 * np.sqrt(first[1] * second[1]))]:
        z = limits.difference_z(first, second, covariance, paired)
        lower, upper = limits.difference_limits(first, second, covariance, paired, z=2.3)
        np.testing.assert_array_equal((lower > 0) | (upper < 0), z > 2.3)


def test_evidence_of_two_samples_is_close_to_fisher_where_counts_are_not_tiny():
    for k, m in [(30, 20), (45, 44), (38, 24)]:
        a, b = k / 50, m / 50
        z = limits.difference_z((a, a * (1 - a) / 49, a, 1 / 50), (b, b * (1 - b) / 49, b, 1 / 50))
        exact = min(1, 2 * stats.fisher_exact([[k, 50 - k], [m, 50 - m]], alternative="greater").pvalue)
        assert 2 * stats.norm.sf(z) == pytest.approx(exact, rel=0.1)


def test_what_draws_carry_survives_means_and_not_transformations():
    draws = bootstrap(load("vtab"), 300, rng=1)
    scores = mean(draws, "category")
    observed = limits.item_moments(scores)["observed"]
    by_category = category_means(draws)
    np.testing.assert_allclose(observed, limits.item_moments(by_category)["observed"].mean("category"))
    assert limits.item_moments(100 * draws) is None and limits.item_moments(ranks(draws)) is None
    assert (intervals(scores)["estimate"] == observed.to_series()).all()
    wider = intervals(scores.expand_dims(category=["all"]).transpose("model", "category", "draw"))
    np.testing.assert_array_equal(wider["lower"], intervals(scores)["lower"])


def test_tied_scores_are_ties_and_the_estimate_is_what_was_observed():
    counts = from_counts(pd.DataFrame({"t": [14, 14, 13]}, index=list("ABC")), 40)
    table = intervals(mean(bootstrap(counts, 500, rng=3)))
    assert table["estimate"].tolist() == [0.35, 0.35, 0.325]


def test_few_clusters_are_wide_and_warned_about():
    rows = [{"model": "A", "task": "t", "item": i, "cluster": i // 10, "score": (i // 10) % 2} for i in range(40)]
    with pytest.warns(UserWarning, match="fewer than 20 clusters"):
        draws = bootstrap(from_items(pd.DataFrame(rows)), 500, rng=1)
    few = intervals(mean(draws))
    right_or_wrong = [float(x) for x in limits.score_limits(0.5, 0.25 / 3, 0.5, 1 / 4)]
    assert few[["lower", "upper"]].iloc[0].tolist() == pytest.approx(right_or_wrong, abs=0.02)
    assert few["upper"].iloc[0] - few["lower"].iloc[0] > 0.75


@pytest.mark.parametrize("n_clusters", [2, 5, 20])
@pytest.mark.parametrize("accuracy", [0.5, 0.9])
def test_few_clusters_cover(n_clusters, accuracy):
    """Ten items a cluster, 2,000 boards: covered in at least 93 % (expected .955 or more; odds below 1e-6)."""
    rng = np.random.default_rng(n_clusters)
    shape = (2000, n_clusters, 10)
    luck = np.where(rng.random(shape) < 0.6, rng.random((*shape[:2], 1)), rng.random(shape))
    cluster = (luck < accuracy).mean(axis=-1)
    observed, variance = cluster.mean(axis=-1), cluster.var(axis=-1, ddof=1) / n_clusters
    lower, upper = limits.score_limits(observed, variance, observed, 1 / n_clusters)
    assert ((lower <= accuracy) & (accuracy <= upper)).mean() > 0.93


def test_unequal_tasks_near_one_cover():
    """Tasks of 10, 100 and 300 items at .98: the mean is covered in at least 93 % of 3,000 boards (expected .98)."""
    rng = np.random.default_rng(2)
    sizes, hits = np.array([10, 100, 300]), 0
    p = rng.binomial(sizes, 0.98, (3000, 3)) / sizes
    observed, variance = p.mean(axis=1), (p * (1 - p) / (sizes - 1)).sum(axis=1) / 9
    lower, upper = limits.score_limits(observed, variance, observed, 1 / 30)
    hits = ((lower <= 0.98) & (0.98 <= upper)).mean()
    assert hits > 0.93


def test_posterior_like_draws_keep_percentiles(make_scores):
    values = np.random.default_rng(1).normal(0.5, 0.1, (2, 400))
    table = intervals(make_scores(values))
    np.testing.assert_allclose(table["lower"], np.quantile(values, 0.025, axis=1))


def test_models_with_different_numbers_of_the_same_items_cover():
    """Items missing at random, accuracy .95, 5 x 30: a difference of 0 is covered in at least 92 % of 400 boards."""
    rng, covered = np.random.default_rng(6), []
    for _ in range(400):
        own, shared = rng.standard_normal((2, 5, 30)), rng.standard_normal((5, 30))
        right = (np.sqrt(0.5) * (own + shared) < stats.norm.ppf(0.95)).astype(float)
        ran = rng.random(right.shape) >= 0.2
        n = ran.sum(axis=2)
        p = (right * ran).sum(axis=2) / n
        deviation = (right - p[..., None]) * ran / n[..., None] * np.sqrt(n / (n - 1))[..., None]
        covariance = np.einsum("iab,jab->ij", deviation, deviation) / 25
        s = p.mean(axis=1)
        first, second = ((s[i], covariance[i, i], s[i], 0.2 / n[i].min()) for i in (0, 1))
        lower, upper = limits.difference_limits(first, second, covariance[0, 1], paired=True)
        covered.append(lower <= 0 <= upper)
    assert np.mean(covered) > 0.92
