"""How long the frontier of a board of 25 models and 500 questions takes, beside the plain board."""

import numpy as np
import xarray as xr
from clock import timed

from benchuq.comparison.frontier import frontier
from benchuq.comparison.scores import scores


def board(models: int = 25, items: int = 500) -> xr.Dataset:
    "Answers with lognormal costs."
    rng = np.random.default_rng(1)
    coords = {"model": [f"m{i}" for i in range(models)], "item": list(map(str, range(items)))}
    right = rng.random((models, items)) < np.linspace(0.2, 0.8, models)[:, None]
    data = {"score": (("model", "item"), right.astype(float))}
    data["cost"] = ("model", "item"), np.exp(rng.normal(size=(models, items))), {"unit": "$"}
    return xr.Dataset(data, coords | {"task": ("item", np.full(items, "t", object))})


if __name__ == "__main__":
    data = board()
    plain, _ = timed(lambda: scores(data))
    whole, found = timed(lambda: frontier(data))
    print(
        f"board {plain:.3f} s, frontier {whole:.3f} s; {found['status'].value_counts().to_dict()}"
    )
