"""Times of boards of votes, and their standard errors beside the bootstrap: python
tests/benchmarks/votes.py
"""

import tempfile
from pathlib import Path

import numpy as np
from clock import timed

import benchuq as bq
from benchuq.studies.vote_coverage import VoteSetting, simulate_votes

rng = np.random.default_rng(0)
table, _ = simulate_votes(VoteSetting(59, 8931, 1500), rng)
seconds, scores = timed(lambda: bq.votes(table))
print(
    f"votes of a frame, 8,931 of 59 models: {seconds:.3f} s; board "
    f"{timed(lambda: bq.leaderboard(scores))[0]:.3f} s"
)
print(f"the same by voter {timed(lambda: bq.votes(table, units='voter'))[0]:.3f} s")
resampled = [table.iloc[rng.integers(len(table), size=len(table))] for _ in range(200)]
seconds, draws = timed(lambda: [bq.votes(x).estimate for x in resampled], 1)
ratio = np.std(draws, axis=0, ddof=1) / np.sqrt(np.diag(scores.covariance))
print(
    f"bootstrap, 200 refits: {seconds:.1f} s; its standard errors over the sandwich's: "
    f"{ratio.mean():.3f}"
)

large, _ = simulate_votes(VoteSetting(200, 1_000_000, 100_000), rng)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "votes.csv"
    large.to_csv(path, index=False)
    for options in ({}, {"unit": "voter"}, {"covariates": ("position", "length")}):
        seconds, scores = timed(lambda options=options: bq.votes(path, **options), 1)
        board = timed(lambda scores=scores: bq.leaderboard(scores), 1)[0]
        print(
            f"a million votes of 200 models from a file, {options}: {seconds:.1f} s; board "
            f"{board:.1f} s"
        )
