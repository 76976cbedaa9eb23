"""From answers to a leaderboard: time and memory at 400 models x 30,000 items, and against evalstats at 20 x 1,000.

    python tests/benchmarks/leaderboard.py

evalstats takes part if it can be imported, in this process or by the interpreter named in EVALSTATS_PYTHON.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchuq.comparison import pairs, ranking
from benchuq.comparison.scores import scores
from benchuq.readers.read import read

THEIRS = """
import sys, time, warnings
warnings.simplefilter("ignore")
import evalstats
start = time.perf_counter()
evalstats.compare(evalstats.load_from(sys.argv[1]), factors="model")
print(time.perf_counter() - start)
"""


def answers(n_models, n_items, seed=0):
    rng = np.random.default_rng(seed)
    hard, able = rng.normal(0, 1.5, n_items), np.linspace(0, 1.5, n_models)[:, None]
    return (rng.random((n_models, n_items)) < 1 / (1 + np.exp(hard - able))).astype(int)


def write(path, score, n_tasks):
    n_models, n_items = score.shape
    task = np.arange(n_items) * n_tasks // n_items
    with open(path, "w", encoding="utf-8") as file:
        file.write("model,task,category,item,score\n")
        for i in range(n_models):
            file.writelines(f"m{i},t{t},c{t % 3},{k},{s}\n" for k, (t, s) in enumerate(zip(task, score[i])))


def ours(path):
    clock = [time.perf_counter()]
    data = read(path, progress=False)
    clock.append(time.perf_counter())
    scored = scores(data)
    clock.append(time.perf_counter())
    board = ranking.leaderboard(scored)
    pairs.compare(scored.select(board.index[:20]))
    clock.append(time.perf_counter())
    return dict(zip(["read", "scores", "tables"], np.diff(clock).tolist()))


def theirs(path):
    python = os.environ.get("EVALSTATS_PYTHON", sys.executable)
    done = subprocess.run([python, "-c", THEIRS, path], capture_output=True, text=True)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.csv", Path(folder) / "large.csv"
        write(small, answers(20, 1000), 10)
        ours(small)
        parts = ours(small)
        print("20 models x 1,000 items, file to tables:", {k: round(v, 2) for k, v in parts.items()})
        seconds = theirs(small)
        if isinstance(seconds, float):
            print(
                f"evalstats.compare from the same file: {seconds:.2f} s, "
                f"{seconds / sum(parts.values()):.1f} times as long"
            )
        else:
            print(f"evalstats did not run: {seconds}")
        write(large, answers(400, 30_000), 60)
        parts = ours(large)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            "400 models x 30,000 items:",
            {k: round(v, 1) for k, v in parts.items()},
            f"peak memory {peak:.2f} GiB",
        )
