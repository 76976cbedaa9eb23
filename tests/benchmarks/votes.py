"""Times of boards of votes, bootstrap beside sandwich, and how often joint statements are true:

    python tests/benchmarks/votes.py [boards]

Boards of equal models are the hardest: every "better" is false there. Votes are by voters of unequal diligence with
tastes of their own (`simulate` of tests/consensus/test_votes.py). `truth`: share of boards on which all rank sets hold.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "consensus"))

import numpy as np
import pandas as pd
from test_votes import simulate

import benchuq as bq
from benchuq.comparison.all_pairs import better_pairs
from benchuq.consensus import votes as module


def timed(function, repeat=3):
    "Best time of a few runs, and the result."
    best, result = np.inf, None
    for _ in range(repeat):
        start = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - start)
    return best, result


def bootstrap(fit, n_draws, rng):
    "Log strengths of resampled votes, (draw, model)."
    rows, draws = fit.rows, []
    for count in rng.multinomial(len(fit.ballots), rows["count"] / rows["count"].sum(), n_draws):
        found = module._solve(rows.assign(count=count)[count > 0], len(fit.models))
        draws.append(found.estimate[: len(fit.models)])
    return np.array(draws)


def times():
    rng = np.random.default_rng(0)
    table, _ = simulate(rng, 59, 8931, 1500)
    print(f"votes of a frame, 8,931 of 59 models: {timed(lambda: bq.votes(table))[0]:.3f} s")
    t, scores = timed(lambda: bq.votes(table, unit="voter"))
    print(f"the same by voter {t:.3f} s; board {timed(lambda: bq.leaderboard(scores))[0]:.3f} s")
    fit = scores.fit
    t, _ = timed(lambda: module.scores_by("vote", module._fit(fit.models, fit.ballots, (), False)))
    print(f"fit and sandwich alone {t:.3f} s")
    vote = bq.votes(table)
    t, draws = timed(lambda: bootstrap(vote.fit, 200, rng), 1)
    ratio = draws.std(axis=0, ddof=1) / np.sqrt(np.diag(vote.covariance))
    print(f"bootstrap, 200 refits: {t:.1f} s; its standard errors over the sandwich's: {ratio.mean():.3f}")
    large, _ = simulate(rng, 200, 1_000_000, 100_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        large.to_csv(path, index=False)
        for options in ({}, {"unit": "voter"}, {"covariates": ("position", "length")}):
            t, scores = timed(lambda options=options: bq.votes(path, **options), 1)
            board = timed(lambda scores=scores: bq.leaderboard(scores), 1)[0]
            print(f"a million votes of 200 models from a file, {options}: {t:.1f} s; board {board:.1f} s")
        print(f"sentences {timed(lambda: module.vote_sentences(scores), 1)[0]:.1f} s")


def coverage(boards):
    names = ("unit", "models", "votes", "voters", "taste", "spread", "truth", "apart")
    print(" ".join(f"{name:>6}" for name in names))
    settings = [
        ("vote", 5, 200, 200, 0.0), ("vote", 5, 1000, 200, 0.0), ("vote", 20, 600, 200, 0.0),
        ("vote", 20, 4000, 200, 0.0), ("vote", 60, 6000, 500, 0.0), ("voter", 5, 300, 12, 0.6),
        ("voter", 5, 300, 60, 0.6), ("voter", 10, 1000, 30, 0.6), ("voter", 20, 2000, 60, 0.6),
        ("voter", 20, 4000, 400, 1.0), ("voter", 60, 6000, 300, 0.6), ("voter", 60, 6000, 2000, 0.6),
    ]  # fmt: skip
    total = dict.fromkeys(("vote", "voter"), (0, 0))
    for unit, models, n, voters, taste in settings:
        for spread in (0.0, 0.4):
            true, apart = 0, []
            for seed in range(boards):
                table, strength = simulate(np.random.default_rng([seed, n, voters]), models, n, voters, taste, spread)
                better = better_pairs(bq.votes(table, unit=unit)).values
                true += not (better & (strength[:, None] <= strength)).any()
                apart.append(better.sum() / (models * (models - 1) / 2))
            total[unit] = total[unit][0] + true, total[unit][1] + boards
            line = (unit, models, n, voters, taste, spread, round(true / boards, 3), round(float(np.mean(apart)), 3))
            print(" ".join(f"{cell:>6}" for cell in line), flush=True)
    print({unit: f"{true / all_:.3f} of {all_}" for unit, (true, all_) in total.items()})


if __name__ == "__main__":
    pd.set_option("display.width", 120)
    times()
    coverage(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
