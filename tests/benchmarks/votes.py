"""Times of boards of votes, and their standard errors beside the bootstrap: python tests/benchmarks/votes.py"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from clock import timed

import benchuq as bq
from benchuq.consensus import votes as module
from benchuq.studies.vote_coverage import VoteSetting, simulate_votes


def bootstrap(fit, n_draws, rng):
    "Log strengths of resampled votes, (draw, model)."
    rows, draws = fit.rows, []
    for count in rng.multinomial(len(fit.ballots), rows["count"] / rows["count"].sum(), n_draws):
        found = module._solve(rows.assign(count=count)[count > 0], len(fit.models))
        draws.append(found.estimate[: len(fit.models)])
    return np.array(draws)


def parity(table, scores):
    "Largest difference of the log strengths from those of evalica, if it is installed."
    try:
        from evalica import Winner, bradley_terry
    except ModuleNotFoundError:
        print("evalica is not installed, so strengths are not compared: pip install evalica")
        return
    won = table["winner"].map({"model_a": Winner.X, "model_b": Winner.Y, "tie": Winner.Draw})
    seconds, found = timed(
        lambda: bradley_terry(table["model_a"], table["model_b"], won, tolerance=1e-12, limit=10_000), 1
    )
    strengths = np.log(found.scores).reindex(scores.models)
    print(f"strengths beside evalica's: {np.abs(strengths - strengths.mean() - scores.estimate).max():.1e}", end="")
    print(f", which take {seconds:.3f} s")


def times():
    rng = np.random.default_rng(0)
    table, _ = simulate_votes(VoteSetting(59, 8931, 1500), rng)
    print(f"votes of a frame, 8,931 of 59 models: {timed(lambda: bq.votes(table))[0]:.3f} s")
    t, scores = timed(lambda: bq.votes(table, unit="voter"))
    print(f"the same by voter {t:.3f} s; board {timed(lambda: bq.leaderboard(scores))[0]:.3f} s")
    fit = scores.fit
    t, _ = timed(lambda: module.VoteScores.by("vote", module._fit(fit.models, fit.ballots, (), False)))
    print(f"fit and sandwich alone {t:.3f} s")
    vote = bq.votes(table)
    parity(table, vote)
    t, draws = timed(lambda: bootstrap(vote.fit, 200, rng), 1)
    ratio = draws.std(axis=0, ddof=1) / np.sqrt(np.diag(vote.covariance))
    print(f"bootstrap, 200 refits: {t:.1f} s; its standard errors over the sandwich's: {ratio.mean():.3f}")
    large, _ = simulate_votes(VoteSetting(200, 1_000_000, 100_000), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        large.to_csv(path, index=False)
        for options in ({}, {"unit": "voter"}, {"covariates": ("position", "length")}):
            t, scores = timed(lambda options=options: bq.votes(path, **options), 1)
            board = timed(lambda scores=scores: bq.leaderboard(scores), 1)[0]
            print(f"a million votes of 200 models from a file, {options}: {t:.1f} s; board {board:.1f} s")
        print(f"sentences {timed(lambda: module.vote_sentences(scores), 1)[0]:.1f} s")


if __name__ == "__main__":
    pd.set_option("display.width", 120)
    times()
