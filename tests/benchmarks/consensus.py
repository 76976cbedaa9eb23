"""Times of Kemeny's consensus, all optima counted and listed: python tests/benchmarks/consensus.py

Random tables with ties, the worst of five; beyond 16 alternatives one optimum, by integer
programming. And the worst case of two rankers who disagree on every pair, where every weak order is
optimal (counted, not listed).
"""

import itertools

import numpy as np
import pandas as pd
from clock import timed

from benchuq.consensus.kemeny import kemeny


def solved(ranks) -> tuple[float, int]:
    "Seconds, and the number of optima."
    seconds, result = timed(lambda: kemeny(pd.DataFrame(ranks)), 2)
    if result.n_rankings < 10**6:
        seconds += timed(lambda: result.rankings, 1)[0]
    return seconds, result.n_rankings


rng = np.random.default_rng(2024)
print(f"{'alternatives':>12} {'rankers':>7} {'optima':>28} {'seconds':>9}")
for n, k in itertools.product((12, 14, 15, 16, 18, 20), (4, 20, 57)):
    runs = [solved(rng.integers(1, n + 1, (k, n))) for _ in range(5 if n <= 16 else 1)]
    print(
        f"{n:12} {k:7} {max(count for _, count in runs):28,} "
        f"{max(seconds for seconds, _ in runs):9.4f}"
    )
for n in (12, 14, 16):
    seconds, count = solved([range(1, n + 1), range(n, 0, -1)])
    print(f"{n:12} {'2':>7} {count:28,} {seconds:9.4f}")
