"""How many cells it takes to name the best model, and how often the wrong one is named.

    python tests/benchmarks/races.py [REPLAYS] [SEED]      160 replays and seed 0 unless told
    otherwise
    python tests/benchmarks/races.py --drift [RACES]        new models unlike the reference; 60
    races of each kind

GATE: the best of six models, the other fifteen as the reference. VTAB: the best of five, eleven as
the reference.
"""

import sys
import warnings

import numpy as np
import pandas as pd

from benchuq.data.published import load
from benchuq.data.results import accuracies
from benchuq.data.scores import benchmark_means
from benchuq.selection.next_runs import _race, replay_races


def drifted(kind: str, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    "20 reference models and 6 new ones on 20 benchmarks: two factors on the logit scale."
    loading = np.column_stack(
        [rng.normal(0, 0.8, 20), rng.normal(0.9, 0.2, 20), rng.normal(0, 0.4, 20)]
    )
    old = (
        loading[:, 0]
        + rng.normal(size=(20, 2)) @ loading[:, 1:].T
        + 0.4 * rng.normal(size=(20, 20))
    )
    factor = rng.normal(size=(6, 2))
    if kind == "other factors":
        loading[:, 1:] = np.column_stack([rng.normal(0.9, 0.5, 20), rng.normal(0, 0.8, 20)])
    noise = 0.8 if kind == "noisier" else 0.4
    new = loading[:, 0] + factor @ loading[:, 1:].T + noise * rng.normal(size=(6, 20))
    return tuple(
        pd.DataFrame(1 / (1 + np.exp(-y)), columns=[f"b{j}" for j in range(20)]) for y in (old, new)
    )


if "--drift" in sys.argv:
    warnings.simplefilter(
        "ignore", UserWarning
    )  # of models without a score, with which a race begins
    n_races = int([*sys.argv, 60][2])
    for kind in ("like the reference", "other factors", "noisier"):
        found = []
        for seed in range(n_races):
            old, new = drifted(kind, np.random.default_rng((seed, 3)))
            best, n = _race(
                new.rename(index="new {}".format), old, 0.95, "adaptive", {"bounds": (0, 1)}
            )
            found.append((best != f"new {new.mean(axis=1).idxmax()}", n / new.size))
        wrong, cells = np.mean(found, axis=0)
        print(f"{kind}: wrong {wrong:.3f} of {n_races} races, {cells:.0%} of the cells")
    sys.exit()

n_replays, seed = [*map(int, sys.argv[1:]), *(160, 0)[len(sys.argv) - 1 :]]
gate = benchmark_means(load("gate"))
vtab = accuracies(load("vtab")).transpose("model", "task").to_pandas()
for name, board, n_new in (("GATE", gate, 6), ("VTAB", vtab, 5)):
    found = replay_races(board, n_new, n_replays, rng=seed)
    wrong, regret = int(found["wrong"].sum()), 100 * found["regret"].mean()
    print(
        f"{name}: {found['cells'].mean():.1%} of the cells; wrong {wrong} of {n_replays}; regret "
        f"{regret:.3f} points"
    )
