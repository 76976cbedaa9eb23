"""Times, memory and sizes of `benchuq compare`, from start to page, beside polars reading the same file.

    python tests/benchmarks/pages.py                 # boards of 3, 30, 300 and 3,000 models
    python tests/benchmarks/pages.py small           # 20 models x 1,000 items, 134 x 500
    python tests/benchmarks/pages.py tasks | large   # 112 x 1,000 tasks of 50; 400 x 30,000 items

polars is no dependency; a line says so where it is not installed. Wall time depends on what else the machine does;
processor time less so. Both are printed, with the peak of memory.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

POLARS = "import sys, polars; polars.read_csv(sys.argv[1])"
AWKWARD = ["x" * 200, "نموذج اللغة العربية", "$\\frac{a}{b}$ & <b>bold</b>", "a|b_c*d~e", "∑ ≤ ½ – 数学モデル"]
SHAPES = {  # models, items, tasks
    "sizes": [(3, 400, 8), (30, 400, 8), (300, 400, 8), (3000, 400, 8)],
    "small": [(20, 1000, 4), (134, 500, 12)],
    "tasks": [(112, 50_000, 1000)],
    "large": [(400, 30_000, 10)],
}


def write(path: Path, n_models: int, n_items: int, n_tasks: int) -> Path:
    "Right and wrong answers of models of different strength to questions of different difficulty."
    rng = np.random.default_rng(1)
    chance = 1 / (1 + np.exp(rng.normal(0, 1, n_items) - rng.normal(0, 0.8, (n_models, 1))))
    score = (rng.random(chance.shape, dtype=np.float32) < chance).astype(np.int8)
    names = [AWKWARD[i] if i < len(AWKWARD) and n_models > 20 else f"model-{i:04d}" for i in range(n_models)]
    task = np.array([f"task{j % n_tasks:04d}" for j in range(n_items)])
    table = {"task": task, "category": np.array([f"field {j % n_tasks % 4}" for j in range(n_items)])}
    table |= {"item": [f"q{j}" for j in range(n_items)]}
    for i, name in enumerate(names):
        rows = pd.DataFrame({"model": name, **table, "score": score[i]})
        rows.to_csv(path, index=False, mode="a" if i else "w", header=not i)
    return path


def run(words: list[str], label: str) -> None:
    "Run a command; print its wall time, with processor time and peak memory of it alone."
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    end = "" if status == 0 else "  FAILED: " + error.strip()[-300:]
    print(f"{label:<46} {wall:7.1f} s wall {cpu:7.1f} s processor {usage.ru_maxrss / 2**20:6.2f} GiB{end}", flush=True)


if __name__ == "__main__":
    for n_models, n_items, n_tasks in SHAPES[sys.argv[1] if len(sys.argv) > 1 else "sizes"]:
        with tempfile.TemporaryDirectory() as folder:
            path = write(Path(folder, "answers.csv"), n_models, n_items, n_tasks)
            label = f"{n_models} models x {n_items:,} items"
            run([sys.executable, "-m", "benchuq", "compare", str(path), "--out", f"{folder}/out", "-q"], label)
            print(f"{'':<46} page of {Path(folder, 'out/leaderboard.html').stat().st_size / 1e6:.2f} MB")
            if importlib.util.find_spec("polars"):
                run([sys.executable, "-c", POLARS, str(path)], "polars.read_csv")
            else:
                print(f"{'polars.read_csv':<46} not measured: polars is not installed")
