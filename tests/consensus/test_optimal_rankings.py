"""Optimal rankings: counting, listing and the integer programme agree, up to the largest table."""

import numpy as np

from benchuq.consensus.costs import best_found, pair_costs
from benchuq.consensus.optimal_rankings import count_rankings, list_rankings, solve_exactly


def block(seed=4):
    "Costs of nine alternatives that four rankers order at random."
    ranks = np.random.default_rng(seed).integers(1, 10, (4, 9)).astype(float)
    return pair_costs(ranks, np.ones(4, np.int64))


def test_counting_and_listing_agree():
    optima = solve_exactly(*block())
    assert count_rankings(optima) == len(list_rankings(optima))


def test_sixteen_alternatives_count_what_they_did():
    """Random ranks by four rankers: the number of the version that searched under a time limit."""
    ranks = np.random.default_rng(16).integers(1, 17, (4, 16)).astype(float)
    before, tied = pair_costs(ranks, np.ones(4, np.int64))
    optima = solve_exactly(before, tied)
    assert optima.cost == best_found(before, tied, ranks.mean(0))[1] and count_rankings(optima) == 106_880
