"""Times, memory and sizes of `benchuq compare` and `benchuq check`, from start to page, beside polars reading the file.

    python tests/benchmarks/commands.py                 # boards of 3, 30, 300 and 3,000 models
    python tests/benchmarks/commands.py small           # 20 models x 1,000 items, 134 x 500
    python tests/benchmarks/commands.py tasks | large   # 112 x 1,000 tasks of 50; 400 x 30,000 items
    python tests/benchmarks/commands.py check           # two runs of 14,000 items, as a table and as logs of lm-eval

polars is no dependency; the line fails where it is not installed. Wall time depends on what else the machine does;
processor time less so. Both are printed, with the peak of memory.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from clock import print_command

LOGS = Path(__file__).parents[1] / "logs" / "harness" / "example__dummy-1"
AWKWARD = ["x" * 200, "نموذج اللغة العربية", "$\\frac{a}{b}$ & <b>bold</b>", "a|b_c*d~e", "∑ ≤ ½ – 数学モデル"]
SHAPES = {  # models, items, tasks
    "sizes": [(3, 400, 8), (30, 400, 8), (300, 400, 8), (3000, 400, 8)],
    "small": [(20, 1000, 4), (134, 500, 12)],
    "tasks": [(112, 50_000, 1000)],
    "large": [(400, 30_000, 10)],
}


def tables(n_models: int, n_items: int, n_tasks: int):
    "Right and wrong answers, a table a model, of different strength to questions of different difficulty."
    rng = np.random.default_rng(1)
    chance = 1 / (1 + np.exp(rng.normal(0, 1, n_items) - rng.normal(0, 0.8, (n_models, 1))))
    task = np.arange(n_items) % n_tasks
    columns = {"task": [f"task{t:04d}" for t in task], "category": [f"field {t % 4}" for t in task]}
    columns |= {"item": [f"q{j}" for j in range(n_items)]}
    for i, p in enumerate(chance):
        name = AWKWARD[i] if i < len(AWKWARD) and n_models > 20 else f"model-{i:04d}"
        yield pd.DataFrame({"model": name, **columns, "score": (rng.random(n_items) < p).astype(int)})


def write_logs(folder: Path, table: pd.DataFrame) -> None:
    "A run in the form of lm-evaluation-harness: the first answer of a real log, again and again."
    folder.mkdir()
    summary, answers = (next(LOGS.glob(pattern)) for pattern in ("results_*", "samples_capitals_*"))
    first = json.loads(answers.read_text().splitlines()[0])
    record = json.loads(summary.read_text()) | {"model_name": table["model"][0], "results": {}, "n-samples": {}}
    for task, part in table.groupby("task"):
        record["results"][task] = {"acc,none": part["score"].mean()}
        record["n-samples"][task] = {"original": len(part), "effective": len(part)}
        lines = ""
        for i, (item, score) in enumerate(zip(part["item"], part["score"])):
            own = {"doc_id": i, "doc_hash": hashlib.sha256(item.encode()).hexdigest(), "acc": float(score)}
            lines += json.dumps(first | own) + "\n"
        (folder / answers.name.replace("capitals", task)).write_text(lines)
    (folder / summary.name).write_text(json.dumps(record))


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
    "Time of a verdict from two tables and from two logs."
    runs = dict(zip(("before", "after"), tables(2, 14_000, 56)))
    for name, rows in runs.items():
        rows.to_csv(folder / f"{name}.csv", index=False)
        write_logs(folder / name, rows)
    for kind, end in (("tables", ".csv"), ("logs", "")):
        print_command(f"check, two {kind}", "-m", "benchuq", "check", *(folder / f"{n}{end}" for n in runs), "-q")


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "sizes"
    with tempfile.TemporaryDirectory() as name:
        for shape in SHAPES.get(wanted, [()]):
            (compare if shape else check)(Path(name), *shape)
