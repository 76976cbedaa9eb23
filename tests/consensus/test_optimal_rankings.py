"""Optimal rankings: counting, listing and the integer programme agree, up to the largest table."""

import numpy as np
import pytest

from benchuq.consensus import optimal_rankings as module
from benchuq.consensus.costs import best_found, pair_costs
from benchuq.consensus.optimal_rankings import count_rankings, list_rankings, solve_exactly


def block(seed=4):
    "Costs of nine alternatives that four rankers order at random."
    ranks = np.random.default_rng(seed).integers(1, 10, (4, 9)).astype(float)
    return pair_costs(ranks, np.ones(4, np.int64))


def test_counting_with_python_integers_agrees(monkeypatch):
    before, tied = block()
    optima = solve_exactly(before, tied, before.sum())
    assert count_rankings(optima) == len(list_rankings(optima))
    monkeypatch.setattr(module, "_FITS", 0)
    assert count_rankings(optima) == len(list_rankings(optima))


@pytest.mark.parametrize("seed", range(5))
def test_a_tighter_start_changes_nothing(seed):
    before, tied = block(seed)
    loose = solve_exactly(before, tied, before.sum())
    tight = solve_exactly(before, tied, loose.cost)
    assert tight.cost == loose.cost
    np.testing.assert_array_equal(*({tuple(r) for r in list_rankings(o).tolist()} for o in (tight, loose)))


@pytest.mark.parametrize("n, seed, count", [(16, 16, 106_880), (18, 18, 47_408), (20, 20, 1_182_192)])
def test_large_tables_count_what_they_did(n, seed, count):
    """Random ranks by four rankers: the numbers of the version that searched under a time limit."""
    ranks = np.random.default_rng(seed).integers(1, n + 1, (4, n)).astype(float)
    before, tied = pair_costs(ranks, np.ones(4, np.int64))
    start, cost = best_found(before, tied, ranks.mean(0))
    optima = solve_exactly(before, tied, cost)
    assert optima.cost == cost and count_rankings(optima) == count


def test_too_much_work_is_refused():
    for n in (18, 21):
        before, tied = pair_costs(np.array([range(n), range(n, 0, -1)], float), np.ones(2, int))
        assert solve_exactly(before, tied, int(tied.sum())) is None
