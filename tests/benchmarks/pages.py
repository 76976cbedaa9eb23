"""Times, memory and sizes of `benchuq compare`, from start to page, and of its parts.

    python tests/benchmarks/pages.py                 # boards of 3, 30, 300 and 3,000 models
    python tests/benchmarks/pages.py small           # 20 x 1,000 and 134 x 500, beside evalstats and polars
    python tests/benchmarks/pages.py tasks | large   # 112 x 1,000 tasks of 50; 400 x 30,000 items
    python tests/benchmarks/pages.py parts           # where the time of a small run goes

evalstats and polars are no dependencies; OTHERS_PYTHON names an interpreter that has them (default: this one), and a
line says so where it does not. Wall time depends on what else the machine does; processor time less so. Both are
printed, with the peak of memory.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

OTHERS = os.environ.get("OTHERS_PYTHON", sys.executable)
POLARS = "import sys, polars; polars.read_csv(sys.argv[1])"
AWKWARD = ["x" * 200, "نموذج اللغة العربية", "$\\frac{a}{b}$ & <b>bold</b>", "a|b_c*d~e", "∑ ≤ ½ – 数学モデル"]


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


def run(words: list[str], label: str) -> float:
    "Run a command; print and return its wall time, with processor time and peak memory of it alone."
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall, cpu = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
    end = "" if status == 0 else "  FAILED: " + error.strip()[-300:]
    print(f"{label:<46} {wall:7.1f} s wall {cpu:7.1f} s processor {usage.ru_maxrss / 2**20:6.2f} GiB{end}", flush=True)
    return cpu


def compare(path: Path, folder: Path, *more: str) -> float:
    "`benchuq compare` from start to page."
    cpu = run([sys.executable, "-m", "benchuq", "compare", str(path), "--out", str(folder), "-q", *more], path.stem)
    page = folder / "leaderboard.html"
    if page.exists():
        print(f"{'':<46} page of {page.stat().st_size / 1e6:.2f} MB")
    return cpu


def beside(ours: float, program: str, path: Path, label: str) -> None:
    "Run the `program` of others on the same file, and print how many times its processor time ours is."
    module = label.split()[0].split(".")[0]
    if subprocess.run([OTHERS, "-c", f"import {module}"], capture_output=True, check=False).returncode:
        print(f"{label:<46} not measured: {OTHERS} has no {module}")
        return
    theirs = run([OTHERS, "-c", program, str(path)], label)
    print(f"{'':<46} ratio of ours to it {ours / theirs:.2f} (processor time)")


def small(folder: Path) -> None:
    "Two boards of public size, in proportion to what others take for less."
    for shape in ((20, 1000, 4), (134, 500, 12)):
        path = write(folder / f"{shape[0]} models x {shape[1]} items.csv", *shape)
        ours = compare(path, folder / "out")
        beside(ours, POLARS, path, "polars.read_csv")
        if shape[0] == 20:
            beside(ours, EVALSTATS, path, "evalstats compare")


EVALSTATS = """
import sys
import evalstats, pandas as pd
table = pd.read_csv(sys.argv[1])[["model", "item", "score"]].rename(columns={"item": "input"})
print(evalstats.compare(evalstats.load_from(table), factors="model"))
"""


def sizes(folder: Path) -> None:
    "Boards of 3 to 3,000 models."
    for n in (3, 30, 300, 3000):
        compare(write(folder / f"{n} models x 400 items.csv", n, 400, 8), folder / f"out{n}")


def tasks(folder: Path) -> None:
    "Many tasks of few items."
    compare(write(folder / "112 models x 1000 tasks of 50.csv", 112, 50_000, 1000), folder / "out")


def large(folder: Path) -> None:
    "Twelve million rows."
    path = write(folder / "400 models x 30000 items.csv", 400, 30_000, 10)
    read = "import sys; from benchuq import read; read(sys.argv[1])"
    beside(run([sys.executable, "-c", read, str(path)], "benchuq read"), POLARS, path, "polars.read_csv")
    compare(path, folder / "out")


def parts(folder: Path) -> None:
    "Where the processor time of 20 models x 1,000 items goes: imports, and each step from file to page."
    path = write(folder / "20 models x 1000 items.csv", 20, 1000, 4)
    start = time.process_time()
    print(f"this process until here, numpy and pandas in it {start:4.2f} s processor")

    def timed(label, step):
        before = time.process_time()
        made = step()
        print(f"{label:<46} {time.process_time() - before:6.2f} s processor")
        return made

    for name in ("xarray", "scipy.stats", "benchuq.readers.read", "benchuq.reporting.formats"):
        timed(f"import {name}", lambda name=name: importlib.import_module(name))
    from benchuq.readers.read import read
    from benchuq.reporting import answer, formats

    data = timed("read", lambda: read(path, progress=False))
    found = timed("answer", lambda: answer.answer(data))
    timed("terminal", lambda: formats.terminal(found))
    pages = timed("import benchuq.reporting.page", lambda: importlib.import_module("benchuq.reporting.page"))
    timed("page, tables and figure", lambda: pages.write_board(found, [str(path)], folder / "out"))
    print(f"{'in all':<46} {time.process_time() - start:6.2f} s processor")


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "sizes"
    chosen = {"small": small, "tasks": tasks, "large": large, "sizes": sizes, "parts": parts}[name]
    where = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())
    where.mkdir(parents=True, exist_ok=True)
    chosen(where)
