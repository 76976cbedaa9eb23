"""Time of scores and all statements, in one run against resampling the same items.

    python tests/benchmarks/scores.py [--slow]

`scores` and `all_pairs` on 20 models x 14,042 paired items in 57 tasks, beside 10,000 resamples of the items by plain
NumPy (all models jointly) and by scipy.stats.bootstrap (the mean of one model on one task). Those make 20 resamples, or
100 with `--slow`, and their time is scaled. Then 400 models x 30,000 items. Goals: .5 s and 5 s. All in seconds of the
processor, so that other work on the machine does not count; with OMP_NUM_THREADS=1 they are those of one core.
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


def by_task(results):
    score, task = results["score"].values, results["task"].values
    return [score[:, task == t].T.copy() for t in dict.fromkeys(task)]


def numpy_items(columns, n_draws, rng):
    return [[x[rng.integers(len(x), size=len(x))].mean(axis=0) for x in columns] for _ in range(n_draws)]


def scipy_items(columns, n_draws, rng):
    for x in columns:
        for model in x.T:
            stats.bootstrap((model,), np.mean, n_resamples=n_draws, method="percentile", batch=n_draws, rng=rng)


def steps(results):
    """Seconds for each step of a board."""
    made = scores(results)
    return {
        "scores": seconds(lambda: scores(results), 2),
        "intervals": seconds(lambda: made.intervals(), 2),
        "all pairs": seconds(lambda: all_pairs(made), 2),
        "P(best)": seconds(lambda: best_probabilities(made), 2),
    }


if __name__ == "__main__":
    pd.set_option("display.width", 140, "display.precision", 3)
    table = {}
    for shape in ((20, 14_042), (400, 30_000)):
        table["{} x {:,}".format(*shape)] = steps(answers(*shape))
    table = pd.DataFrame(table).T.assign(total=lambda t: t.sum(axis=1), goal=[0.5, 5.0])
    print(table.to_string(), "\n")
    columns, ours = by_task(answers(20, 14_042)), table["total"].iloc[0]
    for name, function in (("plain NumPy", numpy_items), ("scipy.stats.bootstrap", scipy_items)):
        took = seconds(lambda f=function: f(columns, FEW, np.random.default_rng(1))) * N_DRAWS / FEW
        print(f"{name}: {took:.1f} s for {N_DRAWS:,} resamples, {took / ours:.0f} times as long")
