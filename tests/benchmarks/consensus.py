"""Times of Kemeny's consensus and of a Gibbs sweep: python tests/benchmarks/consensus.py

Exact rankings of random tables with ties beside plain enumeration of all weak orders (small tables only), and the
worst case of two rankers who disagree on every pair.
"""

import itertools

import numpy as np
import pandas as pd
from clock import timed

from benchuq.consensus import thurstone
from benchuq.consensus.kemeny import kemeny


def enumerate_all(ranks):
    "Every weak order, one after the other in portions: number of optima and least distance."
    n = ranks.shape[1]
    i, j = np.triu_indices(n, 1)
    signs = np.sign(ranks[:, i] - ranks[:, j])
    cost = np.stack([np.abs(s - signs).sum(0) for s in (-1, 0, 1)])
    best, count = np.inf, 0
    every = itertools.product(range(1, n + 1), repeat=n)
    while portion := list(itertools.islice(every, 100_000)):
        orders = np.array(portion, np.int8)
        used = (orders[:, :, None] == np.arange(1, n + 1)).any(1)
        orders = orders[used.sum(1) == orders.max(1)]
        total = np.take_along_axis(cost, np.sign(orders[:, i] - orders[:, j]) + 1, 0).sum(1)
        if len(total) and total.min() < best:
            best, count = total.min(), 0
        count += int((total == best).sum())
    return count, best


def listed(ranks):
    result = kemeny(pd.DataFrame(ranks))
    return result.n_rankings, result.distance, len(result.rankings)


def main():
    rng = np.random.default_rng(2024)
    print("all optima, counted and listed; worst of 5 random tables with ties")
    print(f"{'n':>5} {'rankers':>7} {'most optima':>12} {'seconds':>9} {'enumeration':>12} {'ratio':>8}")
    for n, k in [(5, 4), (6, 4), (6, 20), *itertools.product((12, 14, 15, 16), (4, 20, 57))]:
        tables = [rng.integers(1, n + 1, (k, n)) for _ in range(5)]
        runs = [timed(lambda r=r: listed(r), 2) for r in tables]
        worst = max(t for t, _ in runs)
        plain = ratio = ""
        if n <= 6:
            slow = [timed(lambda r=r: enumerate_all(r), 1) for r in tables]
            assert all(a[:2] == b for (_, a), (_, b) in zip(runs, slow, strict=True))
            plain, ratio = f"{max(t for t, _ in slow):.3f}", f"{max(t for t, _ in slow) / worst:.0f}"
        print(f"{n:5} {k:7} {max(m for _, (m, _, _) in runs):12,} {worst:9.4f} {plain:>12} {ratio:>8}")

    print("\nworst case: two opposite rankers, every weak order is optimal (counted, not listed)")
    for n in (12, 14, 16):
        t, result = timed(lambda n=n: kemeny(pd.DataFrame([range(1, n + 1), range(n, 0, -1)])), 2)
        print(f"{n:5} {result.n_rankings:>28,} {t:9.4f}")

    print("\nlarger random tables: one optimum, by integer programming")
    for n, k in itertools.product((18, 20), (4, 20)):
        t, result = timed(lambda n=n, k=k: kemeny(pd.DataFrame(rng.integers(1, n + 1, (k, n)))), 1)
        print(f"{n:5} {k:7} {result.n_rankings:12,} {t:9.4f}")

    print("\nThurstone: 12 alternatives, 4 rankers, milliseconds for one sweep of one chain")
    ranks = np.argsort(rng.random((4, 12)), axis=1) + 1.0
    to = thurstone._Layout(ranks)
    for chains in (1, 4, 16, 64):
        z, mu = thurstone._start(to, 12, chains, rng)

        def sweeps(z=z, mu=mu, chains=chains):
            for _ in range(1000):
                z, mu = thurstone._sweep(z, mu, np.ones(chains), to, rng)

        t, _ = timed(sweeps)
        print(f"{chains:5} chains {t / chains:9.4f}")


if __name__ == "__main__":
    main()
