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


def with_holes(seed: int) -> np.ndarray:
    "Ratings of 60 answers by 5 raters on a scale of five points, a third of them missing."
    rng = np.random.default_rng(seed)
    score = np.round(4 * rng.beta(2, 2, (60, 1)) + rng.normal(0, 0.7, (60, 5))).clip(0, 4) / 4
    score[rng.random(score.shape) < 1 / 3] = np.nan
    return score[(~np.isnan(score)).any(axis=1)]


def four_ways() -> np.ndarray:
    "Scores (model, item, rater, repeat), complete."
    return np.random.default_rng(2).random((4, 7, 3, 2))


def crossed_with_holes() -> tuple[np.ndarray, np.ndarray]:
    "Scores (model, item, rater) of which three in ten were given, and which these are."
    rng = np.random.default_rng(5)
    effects = zip((0.4, 0.3, 0.2, 0.2), [(8, 1, 1), (1, 25, 1), (1, 1, 6), (8, 25, 6)])
    score = sum(spread * rng.normal(size=shape) for spread, shape in effects)
    return (score - score.min()) / np.ptp(score), rng.random(score.shape) < 0.3


def one_way() -> tuple[np.ndarray, np.ndarray]:
    "Scores of one model, and the number of their item: 60 items of two to eight answers."
    rng = np.random.default_rng(3)
    n = rng.integers(2, 9, 60)
    item = np.repeat(np.arange(60), n)
    return 0.5 + 0.05 * rng.normal(size=60)[item] + 0.04 * rng.normal(size=len(item)), item
