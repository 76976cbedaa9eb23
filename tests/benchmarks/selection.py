"""Speed of scoring subsets by the perceptron and by ridge regression: python tests/benchmarks/selection.py"""

import numpy as np
from clock import timed

from benchuq.data.published import load
from benchuq.selection.meta_models import SubsetLoss
from benchuq.studies.perceptron import Perceptron

scores, rng = load("gate"), np.random.default_rng(0)
masks = rng.permuted(np.tile(np.arange(31) < 8, (550, 1)), axis=1)
for name, model, some in (("perceptron", Perceptron(), masks), ("ridge", "ridge", np.tile(masks, (20, 1)))):
    for jobs in (1, 2):
        loss = SubsetLoss(scores, model, rng=0, n_jobs=jobs)
        seconds, _ = timed(lambda loss=loss, some=some: loss(some))
        print(f"{name}, 8 benchmarks, {jobs} worker(s): {1e6 * seconds / len(some):,.1f} microseconds per subset")
