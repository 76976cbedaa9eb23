"Ratings with given components of variance, exactly or in the mean."

from itertools import combinations

import numpy as np
import pandas as pd
import xarray as xr

from benchuq.data.results import from_items


def as_ratings(score: np.ndarray, *facets: str, kept: np.ndarray | None = None) -> xr.Dataset:
    "Results of an array (model, item, facet...); `kept`: which cells were answered."
    names = ["model", "item", *facets]
    index = pd.MultiIndex.from_product([range(n) for n in score.shape], names=names)
    table = index.to_frame(index=False).assign(task="t", score=score.ravel())
    table["model"] = "m" + table["model"].astype(str)
    return from_items(table if kept is None else table[kept.ravel()])


def exact_effects(
    shape: tuple[int, ...], components: dict[tuple[int, ...], float], seed: int
) -> np.ndarray:
    """Scores whose mean squares are those expected of `components` (by axes), to rounding.

    Each effect is drawn, cleared of the means over all smaller sets of axes, and scaled.
    """
    rng, total = np.random.default_rng(seed), np.zeros(shape)
    axes = range(len(shape))
    for k in range(1, len(shape) + 1):
        for some in combinations(axes, k):
            over = [
                v * np.prod([shape[a] for a in axes if a not in c])
                for c, v in components.items()
                if set(some) <= set(c)
            ]
            effect = rng.normal(size=[shape[a] if a in some else 1 for a in axes])
            for axis in some:
                effect = effect - effect.mean(axis=axis, keepdims=True)
            df = np.prod([shape[a] - 1 for a in some])
            squares = np.square(effect).sum() * total.size / effect.size
            total = total + effect * np.sqrt(sum(over) * df / squares)
    return total
