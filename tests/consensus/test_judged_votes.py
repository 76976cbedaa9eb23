"""A judge's votes corrected by people's: a logistic regression, formulas of Chatzi et al. (2024),
and coverage.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import special

import benchuq as bq
from benchuq.consensus.judged_votes import Ballots, judged_strengths, win_rates
from benchuq.consensus.votes import vote_sentences

STRENGTH = np.array([0.6, 0.2, -0.2, -0.6])


def ballots(seed, n=2000, labels=300, accuracy=0.85):
    "Votes of people, and of a judge that favours the first model, on `labels` of the rows."
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    people = (rng.random(n) < special.expit(STRENGTH[first] - STRENGTH[second])).astype(float)
    judge = np.where(rng.random(n) < accuracy, people, 1 - people)
    judge = np.where((rng.random(n) < 0.3) & (first == 0), 1.0, judge)
    return Ballots(first, second, judge, np.where(np.arange(n) < labels, people, np.nan))


def test_without_the_judge_strengths_solve_the_score_equation():
    votes = ballots(0)
    beta = judged_strengths(votes, 4, 0.0).strengths
    x = votes.design(4)[:300]
    assert np.abs(x.T @ (votes.people[:300] - special.expit(x @ beta))).max() < 1e-8
    assert abs(beta.sum()) < 1e-9


def test_with_all_votes_labelled_the_judge_changes_nothing():
    votes = ballots(1, labels=2000)
    plain = judged_strengths(votes, 4, 0.0)
    assert np.allclose(judged_strengths(votes, 4, 0.8).strengths, plain.strengths, atol=1e-9)


def test_win_rates_are_those_of_the_formulas_of_chatzi():
    votes, n = ballots(2), 300
    N = len(votes.first) - n
    one = [np.equal.outer(np.arange(4), x).astype(float) for x in (votes.first, votes.second)]
    human = [votes.people[:n] == 1, votes.people[:n] == 0]
    machine = [votes.judge == 1, votes.judge == 0]

    def average(share, rows):
        m1, m2 = (m[:, rows] for m in one)
        count = (m1 + m2).sum(axis=1)
        rate = (m1 @ share[0] + m2 @ share[1]) / count
        spread = m1 * (share[0] - m1.T @ rate) + m2 * (share[1] - m2.T @ rate)
        return rate, spread, count

    some, rest = slice(0, n), slice(n, None)
    of_machine = [x[rest].astype(float) for x in machine]
    rate, spread, count = average(of_machine, rest)
    before = average([x[some].astype(float) for x in machine], some)
    people = average([x.astype(float) for x in human], some)
    covariance = people[1] @ before[1].T / n
    weight = np.trace(covariance) / ((1 + n / N) * np.trace(spread @ spread.T / N))
    gap = [weight * m[some] - h for m, h in zip(machine, human)]
    b, spread_b, count_b = average(gap, some)
    found = win_rates(votes, 4, weight)
    assert np.allclose(found.estimate, weight * rate - b, atol=1e-10)
    # the paper divides by the number of votes, not by that of a model's comparisons
    of_sums = weight**2 * spread @ spread.T / N**2 * np.outer(N / count, N / count)
    of_sums += spread_b @ spread_b.T / n**2 * np.outer(n / count_b, n / count_b)
    assert np.allclose(found.covariance, of_sums, atol=1e-12)


def table(votes, share, rows):
    names = np.array(["ash", "elm", "fir", "oak"])
    winner = np.where(share == 1, "model_a", "model_b")
    columns = {"num": np.arange(len(share)), "winner": winner}
    columns |= {"model_a": names[votes.first], "model_b": names[votes.second]}
    return pd.DataFrame(columns)[rows]


def test_votes_of_a_judge_and_of_people_are_joined_and_cover():
    runs, covered, errors = 40, [], []
    for seed in range(runs):
        votes = ballots(seed, n=1500, labels=250)
        judged = table(votes, votes.judge, slice(None))
        human = table(votes, votes.people, slice(0, 250)).sample(frac=1, random_state=seed)
        found = bq.votes(judged, truth=human)
        off = np.abs(found.estimate - STRENGTH) / np.sqrt(np.diag(found.covariance))
        covered.append((off < 2).mean())
        alone = bq.votes(human, units="vote")
        errors.append(np.trace(found.covariance) / np.trace(alone.covariance))
    assert 0.88 < np.mean(covered) < 0.99
    assert np.mean(errors) < 0.9
    assert "correct those of a judge" in vote_sentences(found)[0]
    assert bq.leaderboard(found).index[0] == "ash"


def test_what_is_refused():
    votes = ballots(3)
    judged, human = (
        table(votes, votes.judge, slice(None)),
        table(votes, votes.people, slice(0, 300)),
    )
    cases = {
        "too few to correct": human[:29],
        "people voted on no answer": human[~(human[["model_a", "model_b"]] == "oak").any(axis=1)],
        "on no row": human.assign(num=human["num"] + 5000),
    }
    for words, labels in cases.items():
        with pytest.raises(ValueError, match=words):
            bq.votes(judged, truth=labels)
    with pytest.raises(ValueError, match="same number"):
        bq.votes(judged.drop(columns="num"), truth=human.drop(columns="num"))
    with pytest.raises(ValueError, match="leave these options out"):
        bq.votes(judged, truth=human, ties="davidson")
