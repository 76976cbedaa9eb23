"""Two runs of 14,000 questions: seconds from start to verdict, and how often verdicts are right.

    python tests/benchmarks/check.py            # times, and the simulations with 4,000 runs each (minutes)
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

from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri, stdtr

from benchuq.comparison.limits import Changes, Share, difference_evidence, strata_of
from benchuq.comparison.moments import _satterthwaite
from benchuq.data.results import from_items
from benchuq.verdict.damage import _End, damage
from benchuq.verdict.noninferiority import _SHARES, _local_levels

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
        command = [sys.executable, "-m", "benchuq", "check", *map(str, paths), "-q"]
        status = subprocess.run(command, capture_output=True).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(time.perf_counter() - start)
        cpus.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return {"seconds": min(walls), "processor": min(cpus), "status": status}


def counted(lost, won, sizes, weights) -> Changes:
    """Changes of the mean over tasks, (stratum, case), of which so many questions were lost and won, (task, case)."""
    stratum, n = strata_of(weights / sizes), sizes[:, None]
    share = weights * (stratum == np.arange(stratum.max() + 1)[:, None])
    g, h, heaviest = lost / n, won / n, (share / sizes).max(axis=1, keepdims=True)
    variance = lambda x, y: share**2 @ (x * y / np.maximum(n - 1, 1))  # noqa: E731
    gain, loss = (Share(share @ x, variance(x, 1 - x), heaviest) for x in (g, h))
    return Changes(gain, loss, -variance(g, h), share.sum(axis=1, keepdims=True))


def simulated(loss, changing, n_cases, rng, sizes=SIZES) -> np.ndarray:
    """Evidence at a margin of 2 points (mean and tasks, case) that runs show where the true damage is `loss`."""
    sizes = np.asarray(sizes)
    loss = np.broadcast_to(loss, len(sizes))
    both = np.maximum(changing, loss)
    p = np.stack([(both + loss) / 2, (both - loss) / 2, 1 - both], axis=1)
    lost, won = np.moveaxis(np.stack([rng.multinomial(n, q, n_cases) for n, q in zip(sizes, p)]), -1, 0)[:2]
    weights = np.full(len(sizes), 1 / len(sizes)), *np.eye(len(sizes))
    return np.stack([difference_evidence(counted(lost, won, sizes, w), 0.02) for w in weights])


def five_benchmarks(loss, changing, n_cases, rng) -> dict:
    """Shares of runs with claims of both kinds, and by the rule that wants each benchmark inside the margin."""
    z = simulated(loss, changing, n_cases, rng).T
    p = {"worse": ndtr(-z), "not worse": ndtr(z)}
    found = {k: p[k] < _local_levels(p[k], np.arange(6) > 0, 0.05, share) for k, share in _SHARES.items()}
    worse, fine = found["worse"].any(axis=1), found["not worse"]
    return {
        "worse": worse.mean(),
        "not worse": (fine[:, 0] & ~worse).mean(),
        "some not worse": fine.any(axis=1).mean(),
        "each inside": (p["not worse"][:, 1:] < 0.025).all(axis=1).mean(),
    }


def false_claims(z) -> dict:
    """Shares of false claims at 5 %, from evidence where the true damage is the margin."""
    return {"false worse": (z > 1.6449).mean(), "false not worse": (z < -1.6449).mean()}


UNEVEN = {
    "2000, 20": ([2000, 20], [0, 0.04]),
    "nine of 1000, 5": ([1000] * 9 + [5], [0] * 9 + [0.2]),
    "10000, 1000, 30": ([10_000, 1000, 30], [0, 0, 0.06]),
    "three of 1000, two of 30": ([1000] * 3 + [30] * 2, [0] * 3 + [0.05] * 2),
}
GRADED = {"gains of 1 on 3 %, losses of .05": (-1, 0.05), "loss of 1 on 3 %, gains of .01": (1, -0.01)}


def graded(n, rare, often, n_cases, rng) -> tuple[_End, float]:
    """One task of graded answers: 3 of 100 lose `rare`, all others `often`; and the true damage."""
    x = np.where(rng.random((n_cases, n)) < 0.03, rare, often)
    sides = [np.maximum(x, 0), np.maximum(-x, 0)]
    gain, loss = (Share(g.mean(1)[None], g.var(1)[None] / (n - 1), np.full((1, n_cases), 1 / n)) for g in sides)
    return _End(
        Changes(gain, loss, -gain.mean * loss.mean / (n - 1), np.ones((1, n_cases)))
    ), 0.03 * rare + 0.97 * often


def clustered(n_tasks, n_clusters, each, spanning, n_cases, rng) -> np.ndarray:
    """Evidence on the mean for equal models, correlation .4 within clusters; are they the same in all tasks?"""
    z, n = [], n_clusters * each
    item = np.arange(n_tasks * n)
    cluster = item % n_clusters if spanning else item // each
    for _ in range(n_cases):
        easy = rng.standard_normal((2, cluster.max() + 1))[:, cluster]
        right = np.sqrt(0.4) * easy + np.sqrt(0.6) * rng.standard_normal((2, len(item))) < 0.5
        columns = {"task": np.tile(item // n, 2), "item": np.tile(item, 2), "cluster": np.tile(cluster, 2)}
        table = pd.DataFrame({"model": np.repeat(["old", "new"], len(item)), "score": right.ravel() * 1.0} | columns)
        z.append(damage(from_items(table), "old", "new").most.evidence(0.0)[0])
    return np.array(z)


def few_clusters(sizes, lost, won, alike, n_cases, rng) -> dict:
    """False claims at 5 % where clusters of these `sizes` change together; also by Student's t on clusters alone.

    One task; the damage is exactly lost - won. `alike`: correlation of the normal scores behind the changes.
    """
    sizes = np.asarray(sizes)
    n, share, start = sizes.sum(), sizes / sizes.sum(), np.r_[0, np.cumsum(sizes)[:-1]]
    common = np.repeat(rng.standard_normal((n_cases, len(sizes))), sizes, axis=1)
    u = np.sqrt(alike) * common + np.sqrt(1 - alike) * rng.standard_normal((n_cases, n))
    sums = [np.add.reduceat(x, start, axis=1, dtype=float) / n for x in (u < ndtri(lost), u > -ndtri(won))]
    g, h = (x.sum(axis=1) for x in sums)
    change = (sums[0] - sums[1] - np.outer(g - h, share)) / np.sqrt(1 - share)
    variance, k = np.square(change).sum(axis=1), n - 1
    fields = [g, g * (1 - g) / k, 0 * g + 1 / n, h, h * (1 - h) / k, 0 * g + 1 / n, -g * h / k, 0 * g + 1]
    fields = [x[None] for x in fields]
    changes = Changes(Share(*fields[:3]), Share(*fields[3:6]), *fields[6:]).with_variance(variance)
    df = _satterthwaite(csr_array(share[:, None]), np.array([1 / n]))
    away, t = g - h - (lost - won), 0 * g
    np.divide(away, np.sqrt(variance), out=t, where=variance > 0)
    t = np.where(variance > 0, t, 1e9 * np.sign(away))
    found = false_claims(_End(changes, np.full(n_cases, df)).evidence(lost - won))
    alone = false_claims(-ndtri(stdtr(df, -t)))
    return found | {f"{name}, t alone": x for name, x in alone.items()}


def clusters_at_the_margin(n_cases, rng) -> pd.DataFrame:
    """`few_clusters` of equal and unequal sizes; the last rows have large clusters and rare changes."""
    rows = {}
    for n in (5, 10, 20, 40):
        shapes = {"of 10": np.full(n, 10), "one with half": np.r_[10 * n // 2, np.full(n - 1, 5)]}
        shapes["of unequal size"] = np.maximum(1, 10 * np.exp(rng.normal(-0.5, 1, n))).astype(int)
        for name, sizes in shapes.items():
            for lost, won in ((0.025, 0.005), (0.06, 0.01), (0.16, 0.14)):
                for alike in (0.1, 0.3):
                    key = f"{n} clusters {name}, {lost} lost, {won} won, {alike}"
                    rows[key] = few_clusters(sizes, lost, won, alike, n_cases, rng)
    for n in (5, 10, 20, 40):
        for lost, won in ((0.025, 0.005), (0.06, 0.01)):
            rows[f"{n} clusters of 40, {lost} lost, {won} won, 0.3"] = few_clusters(
                np.full(n, 40), lost, won, 0.3, n_cases, rng
            )
    return pd.DataFrame(rows).T


def at_the_margin(n_cases, rng) -> pd.DataFrame:
    """False claims in the settings where right-or-wrong counts, skew, sizes and clusters are hard."""
    rows = {}
    for n in (50, 200, 1000, 3000):
        for q in (0.021, 0.1, 0.5):
            rows[f"one task of {n}, {q} changes"] = false_claims(simulated(0.02, q, n_cases, rng, [n])[0])
    for name, (sizes, loss) in UNEVEN.items():
        for q in (0.06, 0.1, 0.2):
            rows[f"{name}, {q} changes"] = false_claims(simulated(loss, q, n_cases, rng, sizes)[0])
    for name, setting in GRADED.items():
        for n in (50, 200, 1000):
            end, truth = graded(n, *setting, n_cases, rng)
            rows[f"{name}, {n}"] = false_claims(end.evidence(truth))
    few = max(n_cases // 20, 100)
    rows["20 clusters of 10"] = false_claims(clustered(1, 20, 10, False, few, rng))
    rows["100 clusters of 4 in each of 5 tasks"] = false_claims(clustered(5, 100, 4, True, few, rng))
    return pd.DataFrame(rows).T


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
    table = {(q, name): five_benchmarks(d, q, n, rng) for q in (0.1, 0.2) for name, d in truths.items()}
    print(pd.DataFrame(table).T.round(3).to_string(), "\n")
    print(at_the_margin(n, rng).round(3).to_string(), "\n")
    print(clusters_at_the_margin(n, rng).round(3).to_string())


if __name__ == "__main__":
    main()
