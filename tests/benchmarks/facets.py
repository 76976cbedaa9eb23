"""Seconds of scores with several samples, components and noise: 12 x 100 x 3 answers, and 20 x 500
x 5 x 8.

python tests/benchmarks/facets.py
"""

from time import perf_counter

import numpy as np
import pandas as pd

import benchuq as bq
from benchuq.data.results import from_items


def answers(shape: tuple[int, ...], *facets: str):
    "Results of random scores of models, items and facets."
    levels = pd.MultiIndex.from_product(map(range, shape), names=["model", "item", *facets])
    table = levels.to_frame(index=False).assign(task="t")
    return from_items(table.assign(score=np.random.default_rng(1).random(len(table))))


def seconds(verb, *arguments, **options) -> float:
    "The fastest of three calls."
    times = []
    for _ in range(3):
        start = perf_counter()
        verb(*arguments, **options)
        times.append(perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    for shape, facets in (((12, 100, 3), ["rater"]), ((20, 500, 5, 8), ["template", "rater"])):
        results = answers(shape, *facets)
        units = ["item", *facets]
        took = {"scores": seconds(bq.scores, results, units=units)}
        took["components"] = seconds(bq.components, results)
        took["agreement"] = seconds(bq.agreement, results, "rater")
        print(shape, {name: round(t, 2) for name, t in took.items()}, flush=True)
