"""Effective draws per second of the exact sampler and of the papers' Gibbs steps: python tests/benchmarks/bayes.py

Data: VTAB (16 models x 19 tasks), and hard data of the same size on which each model scores the same on all tasks.
Effective draws: the smallest bulk figure over all alpha and beta.
"""

import arviz as az
import numpy as np
import pandas as pd
from clock import timed

from benchuq.data.published import load
from benchuq.data.results import from_counts
from benchuq.sampling.hierarchy import fit
from benchuq.studies.gibbs import fit_gibbs

vtab, rows = load("vtab"), []
n = vtab["n_items"].to_series()
k = np.round(np.linspace(0.3, 0.8, 16)[:, None] * n.to_numpy())
for name, results in {"vtab": vtab, "hard": from_counts(pd.DataFrame(k, vtab["model"].values, n.index), n)}.items():
    for way, sample in {"exact": lambda x: fit(x, predictive=False, rng=1), "gibbs": fit_gibbs}.items():
        seconds, tree = timed(lambda results=results, sample=sample: sample(results), 1)
        effective = float(az.ess(tree.posterior.to_dataset()[["alpha", "beta"]]).to_array().min())
        rows.append((name, way, seconds, effective, effective / seconds))
print(pd.DataFrame(rows, columns=["data", "method", "seconds", "effective", "per second"]).round(2).to_string())
