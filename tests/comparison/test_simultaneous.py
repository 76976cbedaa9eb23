"""One comparison of all pairs: exactness of the critical value, no contradictions, few false boards."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.comparison import simultaneous
from benchuq.comparison.aggregate import mean
from benchuq.comparison.simultaneous import comparison_with_each, observed_scores, simultaneous_comparison
from benchuq.data.results import from_counts
from benchuq.sampling.bootstrap import bootstrap


def board(counts, n, n_draws=400, rng=1):
    frame = pd.DataFrame(counts, index=[f"m{i}" for i in range(len(counts))])
    return mean(bootstrap(from_counts(frame, n), n_draws, rng))


def test_part_of_a_family_has_the_limits_of_the_whole(make_scores):
    scores = make_scores(
        0.5 + 0.02 * np.random.default_rng(1).standard_normal((12, 400)) + np.arange(12)[:, None] / 100
    )
    whole, family = simultaneous.simultaneous_comparison(scores), simultaneous.better_pairs(scores)
    part = simultaneous.simultaneous_comparison(scores.isel(model=[3, 7, 11]), family=family)
    for name in ("lower", "upper", "p_value", "better"):
        np.testing.assert_allclose(part[name], whole[name][[3, 7, 11], [3, 7, 11]])


def test_the_critical_value_is_tukeys_for_independent_models(make_scores):
    """8 models, 20,000 draws: the Monte-Carlo error of the quantile is below .02."""
    scores = make_scores(np.random.default_rng(1).standard_normal((8, 20_000)))
    found = simultaneous_comparison(scores).attrs["critical_value"]
    assert found == pytest.approx(stats.studentized_range.ppf(0.95, 8, np.inf) / np.sqrt(2), abs=0.05)


@pytest.mark.parametrize("n", [1, 2, 7, 40, 300])
def test_interval_p_value_and_statement_agree(n):
    rng = np.random.default_rng(n)
    compared = simultaneous_comparison(board(rng.binomial(n, rng.random((6, 3))), n))
    better, lower, p = compared["better"].values, compared["lower"].values, compared["p_value"].values
    np.testing.assert_array_equal(better, lower > 0)
    np.testing.assert_array_equal(better | better.T, p <= 0.05)
    np.testing.assert_allclose(lower, -compared["upper"].values.T, atol=1e-9)
    assert (np.diag(p) == 1).all() and not better.diagonal().any()


def test_many_models_do_not_make_p_values_of_one():
    """134 models, one far ahead: its pairs are distinguished although there are 8,911 of them and 1,000 draws."""
    counts = np.r_[[[480]], np.random.default_rng(2).binomial(500, 0.6, (133, 1))]
    compared = simultaneous_comparison(board(counts, 500, 1000))
    assert compared["better"].sel(model="m0").sum() == 133 and compared["p_value"].sel(model="m0").max() == 1
    assert float(compared["p_value"].sel(model="m0", other="m1")) < 0.002


def test_equal_models_are_seldom_distinguished():
    """10 equal models, 5 tasks of 6: at most 5 % of boards hold a false statement; 100 boards, odds below 1e-3."""
    rng = np.random.default_rng(3)
    false = [bool(simultaneous_comparison(board(rng.binomial(6, 0.7, (10, 5)), 6))["better"].any()) for _ in range(100)]
    assert np.mean(false) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 100)


def test_one_model_alone_is_judged_no_more_strictly():
    rng = np.random.default_rng(4)
    scores = board(rng.binomial(200, rng.random((6, 2))), 200)
    together, alone = simultaneous_comparison(scores), comparison_with_each(scores)
    assert (alone["better"] | ~together["better"]).all()
    assert not (alone["better"] & alone["worse"]).any()


def test_too_few_draws_name_the_number_needed():
    scores = board(np.array([[3], [5]]), 9, n_draws=150)
    with pytest.raises(ValueError, match="level 0.95 needs at least 200 draws, there are 150"):
        simultaneous_comparison(scores)
    with pytest.raises(ValueError, match="at least two models"):
        simultaneous_comparison(scores.isel(model=[0]))
    np.testing.assert_allclose(observed_scores(scores), [3 / 9, 5 / 9])


def test_the_short_way_to_better_agrees_and_blocks_do_not_matter(monkeypatch):
    counts = pd.DataFrame(np.random.default_rng(3).binomial(80, 0.7, (30, 2)), [f"m{i}" for i in range(30)])
    scores = mean(bootstrap(from_counts(counts, 80), 500, rng=1))
    whole = simultaneous.simultaneous_comparison(scores)
    monkeypatch.setattr(simultaneous, "_MOST_PAIRS", 7)
    monkeypatch.setattr(simultaneous, "_IN_CACHE", 1)
    assert whole.identical(simultaneous.simultaneous_comparison(scores))
    assert (simultaneous.better_pairs(scores) == whole["better"]).all()
