"""Speed of subset scoring, side by side in one run: python tests/benchmarks/selection.py [--full]

The perceptron in batches against a plain loop over subsets and splits with the same architecture, splits and epochs in
PyTorch, where it can be imported; ridge regression per subset; with --full the whole published search.
"""

import argparse
import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

from benchuq.data.published import load
from benchuq.selection.meta_models import SubsetLoss
from benchuq.selection.search import select
from benchuq.studies.perceptron import Perceptron

try:
    import torch
except ImportError:
    torch = None


def torch_loop(loss, mask):
    """One network after the other with torch.nn and torch.optim.AdamW; starting weights are torch's own."""
    data, settings, losses = loss.data, loss.meta_model, []
    columns = data.columns(mask)
    z, weight = torch.tensor(data.z, dtype=torch.float32), torch.tensor(data.weight, dtype=torch.float32)
    for test in loss.state["test"]:
        train = np.setdiff1d(np.arange(len(data.z)), test)
        net = torch.nn.Sequential(
            torch.nn.Linear(len(columns), settings.hidden),
            torch.nn.LeakyReLU(0.01),
            torch.nn.Linear(settings.hidden, data.z.shape[1]),
        )
        optimiser = torch.optim.AdamW(net.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
        x, y, w = z[train][:, columns], z[train], weight[train] / weight[train].sum()
        for _ in range(settings.epochs):
            optimiser.zero_grad()
            (w * (net(x) - y) ** 2).sum().backward()
            optimiser.step()
        with torch.no_grad():
            w = weight[test] / weight[test].sum()
            losses.append(float((w * (net(z[test][:, columns]) - z[test]) ** 2).sum()))
    return np.mean(losses)


def seconds(function, repeats=3):
    """Best wall time of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main(full: bool) -> None:
    scores, rng = load("gate"), np.random.default_rng(0)
    masks = np.zeros((550, 31), bool)
    for row in masks:
        row[rng.choice(31, 8, replace=False)] = True
    one, two = (SubsetLoss(scores, Perceptron(), rng=0, n_jobs=jobs) for jobs in (1, 2))
    few, rows = masks[:20], []
    if torch is None:
        print("PyTorch cannot be imported here: there is no plain loop to compare with")
    else:
        torch.set_num_threads(1)
        rows.append(("PyTorch loop", seconds(lambda: [torch_loop(one, m) for m in few], 2) / len(few)))
    rows += [
        ("batched, 1 worker", seconds(lambda: one.losses(masks)) / len(masks)),
        ("batched, 2 workers", seconds(lambda: two.losses(masks)) / len(masks)),
    ]
    table = pd.DataFrame(rows, columns=["perceptron, 8 benchmarks", "s"]).set_index("perceptron, 8 benchmarks")
    table = pd.DataFrame({"ms per subset": 1e3 * table["s"], "subsets per second": 1 / table["s"]})
    for loop in [r for r in table.index if "loop" in r]:
        table[f"times faster than {loop}"] = table["subsets per second"] / table.loc[loop, "subsets per second"]
    print(table.round(2).to_string(), end="\n\n")

    many = np.tile(masks, (20, 1))
    ridge = [SubsetLoss(scores, "ridge", n_jobs=jobs) for jobs in (1, 2)]
    for loss in ridge:
        print(
            f"ridge, {loss.n_jobs} worker(s): "
            f"{1e6 * seconds(lambda s=loss: s.losses(many)) / len(many):.1f} microseconds per subset"
        )
    if full:
        for jobs in (1, 2):
            start = time.perf_counter()
            found = select(scores, 8, Perceptron(), method="evolution", rng=0, n_jobs=jobs, progress=False)
            print(
                f"perceptron search as published (1,000 initial, 10 generations, {found.n_scored} distinct subsets), "
                f"{jobs} worker(s): {time.perf_counter() - start:.1f} s"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="also run the whole published search")
    main(parser.parse_args().full)
