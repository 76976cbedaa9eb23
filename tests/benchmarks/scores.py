"""Time of scores and all statements, in one run against resampling the same items.

    python tests/benchmarks/scores.py [--slow]

`scores` and `all_pairs` on 20 models x 14,042 paired items in 57 tasks, beside 10,000 resamples of
the items by `bootstrap`, by plain NumPy (all models jointly) and by scipy.stats.bootstrap (the mean
of one model on one task). The last two make 20 resamples, or 100 with `--slow`, and their time is
scaled. Then 400 models x 30,000 items. Goals: .5 s and 5 s. In seconds of the processor, so that
other work does not count; with OMP_NUM_THREADS=1 those of one core.
"""

import sys
import time

import numpy as np
import pandas as pd
import xarray as xr
from clock import timed
from scipy import stats

from benchuq.comparison.all_pairs import all_pairs, best_probabilities
from benchuq.comparison.scores import scores
from benchuq.sampling.bootstrap import bootstrap

N_DRAWS = 10_000
FEW = 100 if "--slow" in sys.argv else 20


def seconds(function, repeats=1):
    return timed(function, repeats, time.process_time)[0]


def answers(n_models, n_items, n_tasks=57, seed=0):
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(0.6, 0.3, (n_models, 1)), rng.normal(0, 1.5, n_items)
    score = (rng.random((n_models, n_items)) < 1 / (1 + np.exp(difficulty - ability))).astype(float)
    coords = {"model": [f"m{i}" for i in range(n_models)], "item": np.arange(n_items)}
    task = [f"t{t}" for t in np.sort(rng.integers(0, n_tasks, n_items))]
    return xr.Dataset({"score": (("model", "item"), score)}, coords | {"task": ("item", task)})


def numpy_items(columns, n_draws, rng):
    return [
        [x[rng.integers(len(x), size=len(x))].mean(axis=0) for x in columns] for _ in range(n_draws)
    ]


def scipy_items(columns, n_draws, rng):
    for model in (model for x in columns for model in x.T):
        stats.bootstrap(
            (model,), np.mean, n_resamples=n_draws, method="percentile", batch=n_draws, rng=rng
        )


def steps(results):
    """Seconds for each step of a board."""
    made = scores(results)
    calls = {
        "scores": lambda: scores(results),
        "intervals": lambda: made.intervals(),
        "all pairs": lambda: all_pairs(made),
        "P(best)": lambda: best_probabilities(made),
    }
    return {name: seconds(call, 2) for name, call in calls.items()}


if __name__ == "__main__":
    pd.set_option("display.width", 140, "display.precision", 3)
    shapes = ((20, 14_042), (400, 30_000))
    table = pd.DataFrame({"{} x {:,}".format(*shape): steps(answers(*shape)) for shape in shapes}).T
    table = table.assign(total=table.sum(axis=1), goal=[0.5, 5.0])
    print(table.to_string(), "\n")
    board = answers(20, 14_042)
    columns = [x.values.T.copy() for _, x in board["score"].groupby("task")]
    took = {
        "bootstrap": seconds(lambda: bootstrap(board, N_DRAWS, rng=1, n_jobs=1, progress=False))
    }
    for name, ways in (("plain NumPy", numpy_items), ("scipy.stats.bootstrap", scipy_items)):
        took[name] = (
            seconds(lambda f=ways: f(columns, FEW, np.random.default_rng(1))) * N_DRAWS / FEW
        )
    for name, value in took.items():
        times = value / table["total"].iloc[0]
        print(
            f"{name}: {value:.1f} s for {N_DRAWS:,} resamples, {times:.0f} times as long as all "
            "steps"
        )
