"""Time of bootstrap draws against other ways of getting them, in one run.

    python tests/benchmarks/bootstrap.py

Counts: the VTAB table (16 models x 19 tasks), beside plain NumPy and scipy.stats.bootstrap, which make few draws; their
time is scaled. Items: 20 models x 14,042 paired items in 57 tasks, by one thread and two.
"""

import resource

import numpy as np
import pandas as pd
from clock import timed
from scipy import stats
from scores import answers

from benchuq.data.published import load
from benchuq.sampling.bootstrap import bootstrap

N_DRAWS, FEW = 10_000, 20


def numpy_items(right, n_draws, rng):
    return [[x[rng.integers(len(x), size=len(x))].mean() for _ in range(n_draws)] for x in right]


def scipy_items(right, n_draws, rng):
    return [stats.bootstrap((x,), np.mean, n_resamples=n_draws, method="percentile", batch=1, rng=rng) for x in right]


def counts() -> pd.DataFrame:
    """Seconds for all draws of the counts; the order of answers in a task does not matter to a bootstrap."""
    vtab = load("vtab")
    n, k = np.broadcast_arrays(vtab["n_items"].values, vtab["n_correct"].values)
    right = [np.repeat([1.0, 0.0], [b, a - b]) for a, b in zip(n.ravel(), k.ravel())]
    seconds = {"benchuq": timed(lambda: bootstrap(vtab, N_DRAWS, rng=1, progress=False))[0]}
    for name, way in {"plain NumPy": numpy_items, "scipy.stats.bootstrap": scipy_items}.items():
        seconds[name] = timed(lambda way=way: way(right, FEW, np.random.default_rng(1)), 1)[0] * N_DRAWS / FEW
    table = pd.Series(seconds, name=f"seconds for {N_DRAWS:,} draws").to_frame()
    return table.assign(ratio=lambda t: t.iloc[:, 0] / seconds["benchuq"])


if __name__ == "__main__":
    print(counts().round(3).to_string(), "\n")
    data = answers(20, 14_042)
    for n_jobs in (1, 2):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds, _ = timed(lambda n=n_jobs: bootstrap(data, N_DRAWS, rng=1, n_jobs=n, progress=False), 2)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"items, {n_jobs} thread(s): {seconds:.2f} s, peak memory {grown:.0f} MiB more")
