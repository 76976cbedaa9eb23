"""How often are verdicts on two runs wrong where the true damage is exactly the margin?

    python tests/benchmarks/check.py            # 4,000 runs of each setting (minutes)
    python tests/benchmarks/check.py --quick    # 500 runs

Shares of false claims at a nominal 5 %: single tasks, graded answers, and clusters that change
together, these also by Student's t on the sums of the clusters.
"""

import sys

import numpy as np
import pandas as pd
import xarray as xr
from scipy.special import ndtri, stdtrit

from benchuq.comparison.scores import scores

AT_ONCE = 100  # runs of which one board is made, side by side
SIDES = (("worse", 1), ("not worse", -1))
GRADED = {
    "gains of 1 on 3 %, losses of .05": (-1, 0.05),
    "loss of 1 on 3 %, gains of .01": (1, -0.01),
}


def one_task(n, changing, n_cases, rng, damage=0.02):
    """Changes (run, question) on one task of which a share `changing` is answered otherwise."""
    u = rng.random((n_cases, n))
    return (u < (changing + damage) / 2) * 1.0 - (u > 1 - (changing - damage) / 2)


def together(cluster, lost, won, alike, n_cases, rng):
    """Changes (run, question) that have the correlation `alike` of their normal scores within a
    `cluster`.
    """
    common = rng.standard_normal((n_cases, cluster.max() + 1))[:, cluster]
    u = np.sqrt(alike) * common + np.sqrt(1 - alike) * rng.standard_normal((n_cases, len(cluster)))
    return (u < ndtri(lost)) * 1.0 - (u > -ndtri(won))


def false_claims(change, damage, task=0, cluster=None) -> dict:
    """Shares of false claims where baseline less candidate is `change` (run, question), and in
    truth `damage`.
    """
    ours, alone = [], []
    for part in np.array_split(change, -(-len(change) // AT_ONCE)):
        models, n = np.arange(2 * len(part)), part.shape[1]
        sides = np.stack([np.maximum(part, 0), np.maximum(-part, 0)], axis=1).reshape(
            len(models), n
        )
        coords = {
            "model": models.astype(str),
            "item": np.arange(n),
            "task": ("item", np.broadcast_to(task, n)),
        }
        coords |= {} if cluster is None else {"cluster": ("item", cluster)}
        board = scores(xr.Dataset({"score": (("model", "item"), sides)}, coords))
        pairs = models[::2], models[1::2]
        ours.append(board.evidence(*pairs, damage) / 1.6449)
        difference, error = board.difference_and_error(*pairs)
        with np.errstate(divide="ignore"):
            alone.append((difference - damage) / error / stdtrit(board.df, 0.95))
    found = {"": ours} | ({} if cluster is None else {", t alone": alone})
    parts = {name: np.concatenate(z) for name, z in found.items()}
    return {
        f"false {kind}{k}": (sign * z > 1).mean() for k, z in parts.items() for kind, sign in SIDES
    }


def single_tasks(n_cases, rng) -> pd.DataFrame:
    """Right or wrong answers, and graded ones: 3 of 100 lose much, or gain it, and all others
    change a little.
    """
    rows = {}
    for n in (50, 200, 1000, 3000):
        for q in (0.021, 0.1, 0.5):
            rows[f"one task of {n}, {q} changes"] = false_claims(one_task(n, q, n_cases, rng), 0.02)
    for name, (rare, often) in GRADED.items():
        for n in (50, 200, 1000):
            change = np.where(rng.random((n_cases, n)) < 0.03, rare, often)
            rows[f"{name}, {n}"] = false_claims(change, 0.03 * rare + 0.97 * often)
    return pd.DataFrame(rows).T


def clusters(n_cases, rng) -> pd.DataFrame:
    """Clusters of equal and unequal size, with few and many changes; and such that all tasks have
    in common.
    """
    rows = {}
    for n in (5, 10, 20, 40):
        shapes = {"of 10": np.full(n, 10), "one with half": np.r_[10 * n // 2, np.full(n - 1, 5)]}
        shapes["of unequal size"] = np.maximum(1, 10 * np.exp(rng.normal(-0.5, 1, n))).astype(int)
        shapes["of 40"] = np.full(n, 40)
        for name, sizes in shapes.items():
            for lost, won in ((0.025, 0.005), (0.06, 0.01), (0.16, 0.14)):
                for alike in (0.1, 0.3):
                    cluster = np.repeat(np.arange(n), sizes)
                    change = together(cluster, lost, won, alike, n_cases, rng)
                    key = f"{n} clusters {name}, {lost} lost, {won} won, {alike}"
                    rows[key] = false_claims(change, lost - won, cluster=cluster)
    task, cluster = np.divmod(np.arange(2000), 400)
    change = together(cluster // 4, 0.1, 0.1, 0.4, n_cases, rng)
    rows["100 clusters of 4 in each of 5 tasks"] = false_claims(change, 0.0, task, cluster // 4)
    return pd.DataFrame(rows).T


if __name__ == "__main__":
    n_cases, rng = 500 if "--quick" in sys.argv else 4000, np.random.default_rng(1)
    for setting in (single_tasks, clusters):
        print(setting(n_cases, rng).round(3).to_string(), "\n")
