"""Time of bootstrap draws against other ways of getting them, in one run.

    python tests/benchmarks/bootstrap.py [--slow]

Counts: the VTAB table (16 models x 19 tasks). Items: 20 models x 14,042 paired items in 57 tasks. Resamplers that
cannot make all draws in reasonable time make fewer, and their time is scaled; the table says so. rliable and arch take
part if they are installed. `--slow` lets every resampler make 100 draws instead of 20.
"""

import resource
import sys
import time

import numpy as np
import pandas as pd
import xarray as xr
from scipy import stats

from benchuq.data import published
from benchuq.sampling import aggregate
from benchuq.sampling.bootstrap import bootstrap

N_DRAWS = 10_000
FEW = 100 if "--slow" in sys.argv else 20


def clock(function, repeats=1):
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def vtab_items(counts):
    """0/1 answers by model and task that have the counts of VTAB; order in a task does not matter to a bootstrap."""
    n, k = counts["n_items"].values, counts["n_correct"].values
    return [[np.repeat([1.0, 0.0], [k[i, j], n[j] - k[i, j]]) for j in range(len(n))] for i in range(len(k))]


def numpy_items(answers, n_draws, rng):
    return [[[x[rng.integers(len(x), size=len(x))].mean() for _ in range(n_draws)] for x in row] for row in answers]


def scipy_items(answers, n_draws, rng):
    for row in answers:
        for x in row:
            stats.bootstrap((x,), np.mean, n_resamples=n_draws, method="percentile", batch=1, rng=rng)


def arch_items(answers, n_draws, rng):
    from arch.bootstrap import IIDBootstrap

    for row in answers:
        for x in row:
            IIDBootstrap(x, seed=rng).apply(np.mean, n_draws)


def rliable_items(answers, n_draws, rng):
    """rliable resamples the rows of one matrix (run, task) within each task: the tasks of one size go together."""
    from arch.bootstrap import IIDBootstrap
    from rliable import library

    # rliable 1.2 passes an argument that arch 6 and later no longer take.
    start = IIDBootstrap.__init__
    IIDBootstrap.__init__ = lambda self, *x, random_state=None, **named: start(self, *x, **named)
    try:
        for row in answers:
            by_size = {}
            for x in row:
                by_size.setdefault(len(x), []).append(x)
            for n, columns in by_size.items():
                matrix = {str(n): np.stack(columns, axis=1)}
                library.get_interval_estimates(matrix, lambda m: np.mean(m, axis=0), reps=n_draws)
    finally:
        IIDBootstrap.__init__ = start


def compare_counts():
    vtab = published.load("vtab")
    ours = clock(lambda: bootstrap(vtab, N_DRAWS, rng=1), repeats=3)
    answers = vtab_items(vtab)
    rows = [("benchuq, counts", N_DRAWS, ours)]
    for name, function in [
        ("plain NumPy, items", numpy_items),
        ("scipy.stats.bootstrap", scipy_items),
        ("arch", arch_items),
        ("rliable", rliable_items),
    ]:
        try:
            seconds = clock(lambda f=function: f(answers, FEW, np.random.default_rng(1)))
        except ImportError as error:
            rows.append((f"{name}: not run, {error}", 0, np.nan))
            continue
        rows.append((name, FEW, seconds * N_DRAWS / FEW))
    return pd.DataFrame(rows, columns=["method", "draws made", f"seconds for {N_DRAWS:,} draws"]).assign(
        ratio=lambda t: t.iloc[:, 2] / ours
    )


def whole_analysis():
    """Everything the VTAB report derives from one set of draws."""
    draws = bootstrap(published.load("vtab"), N_DRAWS, rng=1)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    scores = aggregate.mean(draws)
    aggregate.intervals(scores)
    aggregate.intervals(aggregate._geometric_mean(draws))
    aggregate.rank_table(draws, rng=1)
    aggregate.differences(scores)
    seconds = time.perf_counter() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024, memory / 1024


def compare_items():
    rng = np.random.default_rng(0)
    ability, difficulty = rng.normal(0.6, 0.3, (20, 1)), rng.normal(0, 1.5, 14_042)
    score = (rng.random((20, 14_042)) < 1 / (1 + np.exp(difficulty - ability))).astype(float)
    task = np.sort(rng.integers(0, 57, 14_042)).astype(str)
    data = xr.Dataset(
        {"score": (("model", "item"), score)},
        coords={"model": [f"m{i}" for i in range(20)], "item": np.arange(14_042), "task": ("item", task)},
    )
    columns = [score[:, task == t].T.copy() for t in dict.fromkeys(task)]

    def plain(n_draws):
        return [[x[rng.integers(len(x), size=len(x))].mean(axis=0) for x in columns] for _ in range(n_draws)]

    few = 10 * FEW
    slow = clock(lambda: plain(few)) * N_DRAWS / few
    rows = [("plain NumPy", 1, slow)]
    for n_jobs in (1, 2):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        rows.append(
            (
                "benchuq, items",
                n_jobs,
                clock(lambda n=n_jobs: bootstrap(data, N_DRAWS, rng=1, n_jobs=n), repeats=2),
            )
        )
        print(
            f"peak memory grew by {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024:.0f} MiB "
            f"with {n_jobs} thread(s)"
        )
    return pd.DataFrame(rows, columns=["method", "threads", f"seconds for {N_DRAWS:,} draws"]).assign(
        ratio=lambda t: slow / t.iloc[:, 2]
    )


if __name__ == "__main__":
    pd.set_option("display.width", 140, "display.precision", 3)
    print(compare_counts().to_string(index=False), "\n")
    seconds, grown, base = whole_analysis()
    print(
        f"means, geometric means, five rank schemes, all 120 differences from {N_DRAWS:,} draws: {seconds:.2f} s, "
        f"peak memory {base:.0f} MiB before, {grown:.0f} MiB more\n"
    )
    print(compare_items().to_string(index=False))
