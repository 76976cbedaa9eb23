"""Effective draws per second of the exact sampler and of the papers' Gibbs steps, in one run.

    python tests/benchmarks/bayes.py

Data: VTAB (16 models x 19 tasks), and hard data of the same size on which each model scores the same on all tasks.
Effective draws: the smallest bulk figure over all alpha and beta. Then confusion counts of 16 models x 10 classes.
"""

import time
import warnings

warnings.simplefilter("ignore")

import arviz as az
import numpy as np
import pandas as pd

from benchuq.data.published import load
from benchuq.data.results import from_counts
from benchuq.sampling.confusion import confusion_draws
from benchuq.sampling.hierarchy import fit
from benchuq.studies.gibbs import fit_gibbs


def boards():
    vtab = load("vtab")
    n = vtab["n_items"].to_series()
    k = np.round(np.linspace(0.3, 0.8, 16)[:, None] * n.to_numpy())
    return {"vtab": vtab, "hard": from_counts(pd.DataFrame(k, vtab["model"].values, n.index), n)}


def main():
    rows = []
    for name, results in boards().items():
        for way, sample in {"exact": lambda x: fit(x, predictive=False, rng=1), "gibbs": fit_gibbs}.items():
            start = time.perf_counter()
            posterior = sample(results).posterior.to_dataset()
            took = time.perf_counter() - start
            effective = float(az.ess(posterior[["alpha", "beta"]]).to_array().min())
            rows.append((name, way, took, effective, effective / took))
    print(pd.DataFrame(rows, columns=["data", "method", "seconds", "effective", "per second"]).round(2).to_string())
    rng, cells = np.random.default_rng(1), ["tp", "fp", "fn", "tn"]
    index = pd.MultiIndex.from_product([range(16), range(10)], names=["model", "task"])
    counts = rng.multinomial(1000, rng.dirichlet([6, 3, 3, 88], 160))
    start = time.perf_counter()
    confusion_draws(pd.DataFrame(counts, index, cells).reset_index(), rng=1)
    print(f"confusion, 16 x 10 x 4,000 draws: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
