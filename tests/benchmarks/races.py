"""How many cells it takes to name the best model, and how often the wrong one is named.

    python tests/benchmarks/races.py [REPLAYS] [SEED]      160 replays and seed 0 unless told otherwise

GATE: the best of six models, the other fifteen as the reference. VTAB: the best of five, eleven as the reference.
"""

import sys

from benchuq.data.published import load
from benchuq.data.results import accuracies
from benchuq.data.scores import benchmark_means
from benchuq.running.order import replay_races

n_replays, seed = [*map(int, sys.argv[1:]), *(160, 0)[len(sys.argv) - 1 :]]
gate = benchmark_means(load("gate"))
vtab = accuracies(load("vtab")).transpose("model", "task").to_pandas()
for name, board, n_new in (("GATE", gate, 6), ("VTAB", vtab, 5)):
    found = replay_races(board, n_new, n_replays, rng=seed)
    wrong, regret = int(found["wrong"].sum()), 100 * found["regret"].mean()
    print(f"{name}: {found['cells'].mean():.1%} of the cells; wrong {wrong} of {n_replays}; regret {regret:.3f} points")
