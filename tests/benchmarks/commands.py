"""Times, memory and sizes of `benchuq compare` and `benchuq check`, from start to page, beside
polars reading the file.

    python tests/benchmarks/commands.py                 # boards of 3, 30, 300 and 3,000 models
    python tests/benchmarks/commands.py small           # 20 models x 1,000 items, 134 x 500
    python tests/benchmarks/commands.py tasks | large   # 112 x 1,000 tasks of 50; 400 x 30,000
    items
    python tests/benchmarks/commands.py check           # two runs of 14,000 items

polars is no dependency; the line fails where it is not installed. Wall time depends on what else
the machine does; processor time less so. Both are printed, with the peak of memory.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from clock import print_command

AWKWARD = [
    "x" * 200,
    "نموذج اللغة العربية",
    "$\\frac{a}{b}$ & <b>bold</b>",
    "a|b_c*d~e",
    "∑ ≤ ½ – 数学モデル",
]
SHAPES = {  # models, items, tasks
    "sizes": [(3, 400, 8), (30, 400, 8), (300, 400, 8), (3000, 400, 8)],
    "small": [(20, 1000, 4), (134, 500, 12)],
    "tasks": [(112, 50_000, 1000)],
    "large": [(400, 30_000, 10)],
}


def tables(n_models: int, n_items: int, n_tasks: int):
    """Right and wrong answers, a table a model, of different strength to questions of different
    difficulty.
    """
    rng = np.random.default_rng(1)
    chance = 1 / (1 + np.exp(rng.normal(0, 1, n_items) - rng.normal(0, 0.8, (n_models, 1))))
    task = np.arange(n_items) % n_tasks
    columns = {"task": [f"task{t:04d}" for t in task], "category": [f"field {t % 4}" for t in task]}
    columns |= {"item": [f"q{j}" for j in range(n_items)]}
    for i, p in enumerate(chance):
        name = AWKWARD[i] if i < len(AWKWARD) and n_models > 20 else f"model-{i:04d}"
        yield pd.DataFrame(
            {"model": name, **columns, "score": (rng.random(n_items) < p).astype(int)}
        )


def compare(folder: Path, *shape: int) -> None:
    "Time of a board from its table."
    path = folder / "answers.csv"
    for i, rows in enumerate(tables(*shape)):
        rows.to_csv(path, index=False, mode="a" if i else "w", header=not i)
    command = ["-m", "benchuq", "compare", path, "--out", folder / "out", "-q"]
    print_command("{} models x {:,} items".format(*shape), *command)
    print(f"{'':<46} page of {(folder / 'out/leaderboard.html').stat().st_size / 1e6:.2f} MB")
    print_command("polars.read_csv", "-c", "import sys, polars; polars.read_csv(sys.argv[1])", path)


def check(folder: Path) -> None:
    "Time of a verdict from two tables."
    paths = folder / "before.csv", folder / "after.csv"
    for path, rows in zip(paths, tables(2, 14_000, 56)):
        rows.to_csv(path, index=False)
    print_command("check, two runs of 14,000 items", "-m", "benchuq", "check", *paths, "-q")


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "sizes"
    with tempfile.TemporaryDirectory() as name:
        for shape in SHAPES.get(wanted, [()]):
            (compare if shape else check)(Path(name), *shape)
