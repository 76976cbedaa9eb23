"""A judge's votes corrected by people's: a logistic regression, formulas of Chatzi et al. (2024),
and coverage.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import benchuq as bq
from benchuq.consensus.judged_votes import Ballots, judged_strengths, win_rates
from benchuq.consensus.votes import vote_sentences
from benchuq.studies.label_choices import (
    JudgedVotes,
    _by_chatzi,
    _their_wins,
    choice_of_labels,
)

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


@pytest.mark.simulation
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


def test_rank_sets_of_chatzi_are_those_of_their_formulas():
    votes, n, k = ballots(4), 300, 4
    rates = _by_chatzi(votes, k)
    total = len(votes.first) - n

    def deviations(share, rows):
        of_first, of_second = share
        first, second = votes.first[rows], votes.second[rows]
        won = [of_first[first == m].sum() + of_second[second == m].sum() for m in range(k)]
        size = [(first == m).sum() + (second == m).sum() for m in range(k)]
        rate, table = np.array(won) / size, np.zeros((k, len(first)))
        for r in range(len(first)):
            table[first[r], r] = of_first[r] - rate[first[r]]
            table[second[r], r] = of_second[r] - rate[second[r]]
        return rate, table

    def sides(x, rows):
        return (x[rows] == 1).astype(float), (x[rows] == 0).astype(float)

    some, rest = slice(0, n), slice(n, None)
    of_llm, of_people = sides(votes.judge, some), sides(votes.people, some)
    rate, big = deviations(sides(votes.judge, rest), rest)
    llm, human = deviations(of_llm, some)[1], deviations(of_people, some)[1]
    weight = np.trace(human @ llm.T / n) / ((1 + n / total) * np.trace(big @ big.T / total))
    gap = [weight * a - b for a, b in zip(of_llm, of_people)]
    off, small = deviations(gap, some)
    covariance = weight**2 * big @ big.T / total**2 + small @ small.T / n**2
    assert np.isclose(rates.weight, weight, atol=1e-10)
    assert np.allclose(rates.estimate, weight * rate - off, atol=1e-10)
    assert np.allclose(rates.covariance, covariance, atol=1e-10)
    bound = np.sqrt(stats.chi2.ppf(0.95, k))
    wins = _their_wins(rates, 0.95)
    for i, j in np.ndindex(k, k):
        gap = rates.estimate[i] - rates.estimate[j]
        error = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        assert wins[i, j] == (i != j and gap > bound * error)


@pytest.mark.simulation
@pytest.mark.parametrize("labels", [100, 300])
def test_win_rates_cover_and_rank_sets_hold_together(labels):
    votes = ballots(5, n=3000, labels=3000)
    sides = votes.first, votes.second
    everything = JudgedVotes(pd.Index(list("abcd")), sides, votes.judge, votes.people)
    runs = [
        choice_of_labels(everything, labels, 0.95, np.random.default_rng(seed))
        for seed in range(200)
    ]
    table = pd.DataFrame(runs)
    assert 0.93 < table["covered"].mean() < 0.97  # s.e. about .008
    assert table["rank sets hold"].mean() > 0.94
    assert table["length over labels alone"].max() < 1.02


def votes_of_voters(rng, voters=30, each=10, n=1500):
    "Votes of a judge on all, and of a few voters of whom each has leanings of their own."
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    voter = np.where(np.arange(n) < voters * each, np.arange(n) % voters, -1)
    leaning = np.vstack([rng.normal(0, 1.2, (voters, 4)), np.zeros(4)])
    own = STRENGTH + leaning[voter]
    at = np.arange(n)
    people = (rng.random(n) < special.expit(own[at, first] - own[at, second])).astype(float)
    judge = np.where(rng.random(n) < 0.8, people, 1 - people)
    votes = Ballots(first, second, judge, people)
    human = table(votes, people, slice(0, voters * each))
    named = human.assign(voter=[f"v{k}" for k in voter[: voters * each]])
    return table(votes, judge, slice(None)), named


@pytest.mark.simulation
def test_voters_of_people_are_units_where_they_are_named():
    runs = {"vote": [], "voter": [], None: []}
    for seed in range(60):
        judged, human = votes_of_voters(np.random.default_rng(seed))
        for units, kept in runs.items():
            found = bq.votes(judged, truth=human, units=units)
            kept.append((found.estimate, np.sqrt(np.diag(found.covariance))))
    assert found.units == "voter" and "other voters like these" in " ".join(vote_sentences(found))
    ratio = {}
    for units, kept in runs.items():
        estimates, errors = (np.array(x) for x in zip(*kept))
        ratio[units] = np.sqrt((errors**2).mean(axis=0) / estimates.var(axis=0, ddof=1)).mean()
    assert ratio["vote"] < 0.85 and 0.85 < ratio["voter"] < 1.2 and ratio[None] == ratio["voter"]
    with pytest.raises(ValueError, match="2 voters are too few"):
        bq.votes(judged, truth=human.assign(voter=human.index % 2), units="voter")


def test_prompts_that_judge_and_people_share_are_units():
    judged, human = votes_of_voters(np.random.default_rng(0))
    prompt = judged["num"] // 3
    judged, human = judged.assign(prompt=prompt), human.assign(prompt=prompt[: len(human)])
    found = bq.votes(judged, truth=human, units="voter,prompt")
    alone = bq.votes(judged, truth=human, units="voter")
    assert found.units == "voter,prompt"
    assert np.trace(found.covariance) > 0.9 * np.trace(alone.covariance)
