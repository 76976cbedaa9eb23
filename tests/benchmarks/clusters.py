"""Coverage and length of intervals for scores of clusters, beside CR2, in some 1,300 settings.

`python tests/benchmarks/clusters.py [RUNS] [SEED]` prints one line of summary for each rule: 1,000
runs take a minute.
"""

import sys

import numpy as np
import pandas as pd
from scipy import special, stats

from benchuq.comparison.limits import Clusters, Parts

SHAPES = [("equal", k, m) for k in (5, 10, 20, 40, 100) for m in (5, 20, 200)]
SHAPES += [("equal", k, 2) for k in (5, 30, 100)]
SHAPES += [("lognormal", k, m) for k in (10, 20, 50) for m in (5, 30)] + [("lognormal", 100, 20)]
SHAPES += [("one large", k, m) for k, m in ((30, 5), (100, 1), (15, 10), (5, 50))]


def sizes_of(shape: str, n_clusters: int, size: int, rng) -> np.ndarray:
    "Items of each cluster."
    sizes = np.full(n_clusters, size)
    if shape == "lognormal":
        return np.maximum(1, np.round(size * rng.lognormal(-0.5, 1, n_clusters))).astype(int)
    sizes[0] *= 20 if shape == "one large" else 1
    return sizes


def answers(sizes, accuracy, icc, graded, runs, rng) -> tuple[np.ndarray, np.ndarray]:
    "Mean and mean square of the scores in each cluster, (cluster, run)."
    a, b = accuracy * (1 / max(icc, 1e-9) - 1), (1 - accuracy) * (1 / max(icc, 1e-9) - 1)
    p = rng.beta(a, b, (len(sizes), runs)) if icc else np.full((len(sizes), runs), accuracy)
    if not graded:
        mean = rng.binomial(sizes[:, None], p) / sizes[:, None]
        return mean, mean
    scores = [rng.binomial(4, chance, (size, runs)) / 4 for size, chance in zip(sizes, p)]
    return np.stack([x.mean(0) for x in scores]), np.stack([(x**2).mean(0) for x in scores])


def measure(sizes, accuracy, icc, graded, runs, rng) -> dict[str, float]:
    """Coverage of this rule, of the further cluster and of CR2, and the length of the first two
    over that of CR2.
    """
    mean, square = answers(sizes, accuracy, icc, graded, runs, rng)
    n, weight = sizes.sum(), (sizes / sizes.sum())[:, None]
    score, second = (weight * mean).sum(0), (weight * square).sum(0)
    variance = ((weight * (mean - score)) ** 2 / (1 - weight)).sum(0)
    scaled = weight[:, 0] / np.sqrt(1 - weight[:, 0])
    beside = np.square(scaled @ scaled) - (scaled**4).sum()
    df = 1 / (beside + (weight**2).sum())
    one, every = np.ones((1, runs)), np.broadcast_to(weight, mean.shape)
    own = Parts(score[None], variance[None], one * weight.max(), second[None], one)
    items = own._replace(variance=(second - score**2)[None] / (n - 1), item_weight=one / n)
    clusters = Clusters.of(own, items, every, weight * mean, df)
    z, reach = special.ndtri(0.975), stats.t.isf(0.025, df) * np.sqrt(variance)
    limits = {
        "rule": clusters.limits(own, z),
        "further cluster": own.limits(z),
        "CR2": (score - reach, score + reach),
    }
    row = {}
    for name, (lower, upper) in limits.items():
        row[name] = ((lower <= accuracy + 1e-12) & (accuracy <= upper + 1e-12)).mean()
        row[f"length {name}"] = (np.clip(upper, 0, 1) - np.clip(lower, 0, 1)).mean()
    return row


def main(runs: int = 1000, seed: int = 1) -> None:
    "Print coverage, and the length relative to CR2 in settings where that covers .94 or more."
    rng, rows = np.random.default_rng(seed), []
    for graded in (False, True):
        for shape, n_clusters, size in SHAPES:
            for icc in (0, 0.05, 0.2, 0.6, 0.9):
                for accuracy in (0.5, 0.8, 0.9, 0.95, 0.98):
                    sizes = sizes_of(shape, n_clusters, size, rng)
                    if graded and sizes.sum() > 1000:
                        continue
                    about = {
                        "shape": f"{n_clusters} {shape} {size}",
                        "icc": icc,
                        "graded": graded,
                        "accuracy": accuracy,
                        "items": sizes.sum(),
                    }
                    rows.append(about | measure(sizes, accuracy, icc, graded, runs, rng))
    table = pd.DataFrame(rows)
    print(table.sort_values("rule").head(12).round(3).to_string())
    valid = table[table["CR2"] >= 0.94]
    print(f"{len(table)} settings, {runs} runs each; CR2 covers .94 or more in {len(valid)}")
    for name in ("rule", "further cluster", "CR2"):
        ratio = valid[f"length {name}"] / valid["length CR2"]
        long, dependent = ratio > 1.3, valid["icc"] > 0
        print(
            f"{name}: covers {table[name].min():.3f} to {table[name].max():.3f}, below .93 in "
            f"{(table[name] < 0.93).sum()}; length over that of CR2 where this is valid: median "
            f"{ratio.median():.2f}, above 1.3 in {long.sum()}, of these {(long & dependent).sum()} "
            "with icc > 0"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
