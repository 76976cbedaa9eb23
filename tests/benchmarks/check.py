"""Two runs of 14,000 questions: seconds from start to verdict, and how often verdicts are right.

    python tests/benchmarks/check.py            # times, and the simulation with 4,000 runs each (a minute or two)
    python tests/benchmarks/check.py --quick    # 500 runs each

Times are of the whole command, in a process of its own: wall clock and processor, best of three. The logs are in the
form of lm-evaluation-harness, 56 tasks of 250 questions (36 MB a run), and tables of the same.
"""

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchuq.comparison.damage import Moments, claim_p_values, upper_limit, weigh
from benchuq.comparison.noninferiority import SHARES, local_levels

QUICK = "--quick" in sys.argv
SIZES = np.array([1319, 500, 198, 541, 164])
STAMP = "2024-01-01T00-00-00.000000"


def write_logs(folder: Path, side: str, score: np.ndarray) -> Path:
    """Logs of one run; `score` (task, question)."""
    out = folder / side
    out.mkdir()
    tasks = [f"mmlu_{t}" for t in range(len(score))]
    n = score.shape[1]
    for task, right in zip(tasks, score):
        lines = []
        for i, s in enumerate(right.tolist()):
            question = f"{task} question {i} " + "lorem ipsum " * 30
            lines.append(
                {
                    "doc_id": i,
                    "doc": {"question": question, "choices": list("abcd"), "answer": 1},
                    "target": "1",
                    "arguments": {f"gen_args_{k}": {"arg_0": question, "arg_1": f" {c}"} for k, c in enumerate("abcd")},
                    "resps": [[["-0.1", "False"]]] * 4,
                    "filtered_resps": [["-0.1", "False"]] * 4,
                    "filter": "none",
                    "metrics": ["acc"],
                    "doc_hash": hashlib.sha256(question.encode()).hexdigest(),
                    "acc": s,
                }
            )
        (out / f"samples_{task}_{STAMP}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    record = {
        "results": {task: {"acc,none": float(right.mean())} for task, right in zip(tasks, score)},
        "n-samples": {task: {"original": n, "effective": n} for task in tasks},
        "model_name": f"org/{side}",
        "config": {"model_args": f"pretrained=org/{side}"},
    }
    (out / f"results_{STAMP}.json").write_text(json.dumps(record))
    return out


def write_table(folder: Path, side: str, score: np.ndarray) -> Path:
    """The same as a table."""
    task, item = np.indices(score.shape)
    table = pd.DataFrame({"model": side, "task": task.ravel(), "item": item.ravel(), "score": score.ravel()})
    table.to_csv(folder / f"{side}.csv", index=False)
    return folder / f"{side}.csv"


def timed(paths) -> dict:
    """Best of three: seconds on the clock, and of the processor."""
    walls, cpus = [], []
    for _ in range(3):
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "benchuq", "check", *map(str, paths), "--no-progress"]
        status = subprocess.run(command, capture_output=True).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(time.perf_counter() - start)
        cpus.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return {"seconds": min(walls), "processor": min(cpus), "status": status}


def simulated(damage, changing, n_cases, rng):
    """Claims (case, mean and tasks) of both kinds, and the rule that wants each benchmark inside the margin."""
    damage = np.broadcast_to(damage, 5)
    both = np.maximum(changing, damage)
    p = np.stack([(both + damage) / 2, (both - damage) / 2, 1 - both], axis=1)
    lost, won = np.moveaxis(np.stack([rng.multinomial(n, q, n_cases) for n, q in zip(SIZES, p)], 1), -1, 0)[:2]
    tasks = Moments((lost - won) / SIZES, (lost + won) / SIZES, (lost + won) / SIZES**2, (lost * 0 + 1) / SIZES)
    moments = Moments(*(np.concatenate([m[:, None], x], 1) for m, x in zip(weigh(tasks, np.full(5, 0.2)), tasks)))
    pairs = zip(SHARES.items(), claim_p_values(moments, 0.02))
    found = {k: q < local_levels(q, np.arange(6) > 0, 0.05, share) for (k, share), q in pairs}
    worse, fine = found["worse"].any(axis=1), found["not worse"]
    few = Moments(*(x[:200] for x in tasks))
    return {
        "worse": worse.mean(),
        "not worse": (fine[:, 0] & ~worse).mean(),
        "some not worse": fine.any(axis=1).mean(),
        "each inside (200 runs)": (upper_limit(few, 0.025) < 0.02).all(axis=1).mean(),
    }


def main():
    rng = np.random.default_rng(1)
    before = (rng.random((56, 250)) < 0.7).astype(float)
    after = np.where(rng.random(before.shape) < 0.05, 1 - before, before)
    with tempfile.TemporaryDirectory() as name:
        ways = {"lm-evaluation-harness": write_logs, "tables": write_table}
        rows = {}
        for way, write in ways.items():
            rows[way] = timed([write(Path(name), side, s) for side, s in (("before", before), ("after", after))])
    print(pd.DataFrame(rows).T.round(2).to_string(), "\n")
    n = 500 if QUICK else 4000
    truths = {"unchanged": 0.0, "5 points lost": 0.05, "at the margin": 0.02}
    truths |= {f"10 points lost of {k} questions": np.where(SIZES == k, 0.1, 0) for k in SIZES}
    table = {(q, name): simulated(d, q, n, rng) for q in (0.1, 0.2) for name, d in truths.items()}
    print(pd.DataFrame(table).T.round(3).to_string())


if __name__ == "__main__":
    main()
