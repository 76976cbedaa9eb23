"""Pairs of models: the gain of pairing, power, sentences."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison import aggregate, pairs, ranking
from benchuq.comparison.simultaneous import simultaneous_comparison
from benchuq.data import results
from benchuq.sampling.bootstrap import bootstrap


def test_efficiency_gain_by_hand(make_scores):
    rng = np.random.default_rng(1)
    common, a, b = rng.normal(size=(3, 5000))
    table = pairs.efficiency_gain(make_scores([common + a, common + b]), [("m0", "m1")])
    cov = np.cov(common + a, common + b)
    assert table["correlation"].iloc[0] == pytest.approx(cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1]))
    assert table["efficiency_gain"].iloc[0] == pytest.approx((cov[0, 0] + cov[1, 1]) / np.var(a - b, ddof=1))


def test_models_that_never_vary(make_scores):
    table = pairs.efficiency_gain(make_scores([[1] * 9, [1] * 9]), [("m0", "m1")])
    assert np.isnan(table["correlation"].iloc[0]) and np.isinf(table["efficiency_gain"].iloc[0])


def quiz(shift, n=300, seed=0):
    hard = np.random.default_rng(seed).random(n)
    frames = [
        pd.DataFrame({"model": m, "task": "t", "item": range(n), "score": (hard < p).astype(int)})
        for m, p in [("A", 0.6), ("B", 0.6 - shift), ("C", 0.2)]
    ]
    return bootstrap(results.from_items(pd.concat(frames)), 2000, rng=1)


def test_nothing_in_the_table_contradicts_anything_else():
    draws = quiz(0.02)
    table, means = pairs.compare(draws), aggregate.mean(draws)
    better = ranking.significantly_better(means)
    assert all(table.loc[pair, "distinguished"] == (better.loc[pair] or better.loc[pair[::-1]]) for pair in table.index)
    assert (table["distinguished"] == (table["lower"] > 0) | (table["upper"] < 0)).all()
    assert (table["distinguished"] == (table["p_value"] <= 0.05)).all()
    assert (table.loc[table["distinguished"], "additional_items"] == 0).all()
    assert (table.loc[~table["distinguished"], "additional_items"] >= 1).all()


def all_right_against_all_wrong(n, paired):
    "Two models on `n` questions, one right on all and the other wrong."
    if not paired:
        return results.from_counts(pd.DataFrame({"t": [n, 0]}, index=["right", "wrong"]), n)
    rows = [{"model": m, "task": "t", "item": i, "score": s} for m, s in [("right", 1), ("wrong", 0)] for i in range(n)]
    return results.from_items(pd.DataFrame(rows))


@pytest.mark.parametrize("n, unpaired, paired", [(1, 1, 1), (2, 1 / 3, 1 / 2), (3, 0.1, 1 / 4), (5, 2 / 252, 1 / 16)])
def test_all_right_against_all_wrong_is_judged_as_by_the_exact_tests(n, unpaired, paired):
    """Fisher's exact test and the sign test. Draws of these data have no spread, so nothing is random here."""
    for is_paired, exact in [(False, unpaired), (True, paired)]:
        table = pairs.compare(bootstrap(all_right_against_all_wrong(n, is_paired), 400, rng=1))
        row = table.iloc[0]
        assert row["distinguished"] == (exact <= 0.05) and (row["lower"] > 0) == (exact <= 0.05)


def test_one_comparison_serves_all():
    draws = quiz(0.1)
    scores = aggregate.mean(draws)
    together = simultaneous_comparison(scores)
    pd.testing.assert_frame_equal(pairs.compare(draws), pairs.compare(scores, comparison=together))
    assert aggregate.mean(scores) is scores


def test_sentences():
    equal = pairs.summary(quiz(0.0))
    assert equal[0].startswith("A and B share the highest score of 3 models, ") and "no feasible number" in equal[1]
    assert "but the data do not exclude that B is the best; the probability that A is truly the best is 0." in equal[0]
    clear = pairs.summary(quiz(0.3))
    score = 100 * float(quiz(0.3)["observed"].sel(model="A").mean())
    assert clear[0] == f"A has the highest score of 3 models, {score:.1f}, and is distinguished from all others."
    assert any("as many" in s for s in clear)
    with pytest.raises(ValueError, match="at least two models"):
        pairs.summary(quiz(0.1).isel(model=[0]))


def test_the_number_of_questions_comes_with_the_draws():
    draws = quiz(0.02)
    pd.testing.assert_frame_equal(pairs.compare(draws), pairs.compare(draws, n_items=300))
    assert pairs.summary(draws) == pairs.summary(draws, n_items=300)
    with pytest.raises(ValueError, match="give n_items"):
        pairs.compare(draws.drop_vars(["n_items", "n_units"]))
    with pytest.raises(ValueError, match="n_items must be a positive number"):
        pairs.compare(draws, n_items=0)


def test_bad_level_and_power():
    with pytest.raises(ValueError, match="power must lie between 0 and 1"):
        pairs.compare(quiz(0.1), power=80)
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        pairs.compare(quiz(0.1), level=95)
    with pytest.raises(ValueError, match="level 0.999 needs at least 10,000 draws, there are 2,000"):
        pairs.compare(quiz(0.1), level=0.999)


def test_of_equal_models_none_is_said_to_be_better():
    """40 boards of 6 equal models: a false statement on more than 8 has probability below .0002 at the nominal .05."""
    rng, wrong = np.random.default_rng(5), 0
    for seed in range(40):
        counts = pd.DataFrame({t: rng.binomial(60, 0.7, 6) for t in "st"}, index=list("abcdef"))
        said = pairs.summary(bootstrap(results.from_counts(counts, 60), 400, rng=seed))
        wrong += "is distinguished from all others" in said[0] or not any(s.startswith("0 of 15 pairs") for s in said)
    assert wrong <= 8


def test_a_baseline_is_compared_with_every_other_model():
    table = pairs.compare(quiz(0.1))
    against = pairs.against(table, "B")
    assert list(against.index) == ["A", "C"] and against.loc["A", "estimate"] == table.loc[("A", "B"), "estimate"]
    assert against.loc["C", "estimate"] == -table.loc[("B", "C"), "estimate"]
    assert against.loc["C", "upper"] == -table.loc[("B", "C"), "lower"]
    with pytest.raises(ValueError, match=r"unknown models \['D'\]; there are \['A', 'B', 'C'\]"):
        pairs.against(table, "D")
