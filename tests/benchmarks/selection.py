"""Speed of subset scoring by the perceptron and by ridge regression: python tests/benchmarks/selection.py [--full]

With --full also the whole published search.
"""

import sys

import numpy as np
from clock import timed

from benchuq.data.published import load
from benchuq.selection.meta_models import SubsetLoss
from benchuq.selection.search import select
from benchuq.studies.perceptron import Perceptron

scores, rng = load("gate"), np.random.default_rng(0)
masks = np.zeros((550, 31), bool)
for row in masks:
    row[rng.choice(31, 8, replace=False)] = True
for name, model, some in (("perceptron", Perceptron(), masks), ("ridge", "ridge", np.tile(masks, (20, 1)))):
    for jobs in (1, 2):
        loss = SubsetLoss(scores, model, rng=0, n_jobs=jobs)
        seconds, _ = timed(lambda loss=loss, some=some: loss(some))
        print(f"{name}, 8 benchmarks, {jobs} worker(s): {1e6 * seconds / len(some):,.1f} microseconds per subset")
if "--full" in sys.argv:
    for jobs in (1, 2):
        seconds, found = timed(
            lambda jobs=jobs: select(scores, 8, Perceptron(), method="evolution", rng=0, n_jobs=jobs, progress=False), 1
        )
        print(f"search as published ({found.n_scored} distinct subsets), {jobs} worker(s): {seconds:.1f} s")
