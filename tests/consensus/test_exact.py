"""Exact search: counting, listing and walking agree."""

import math

import numpy as np
import pytest

from benchuq.consensus import exact
from benchuq.consensus.costs import pair_costs


def block(seed=4):
    "Costs of nine alternatives that four rankers order at random."
    ranks = np.random.default_rng(seed).integers(1, 10, (4, 9)).astype(float)
    return pair_costs(ranks, np.ones(4, np.int64))


def test_counting_with_python_integers_agrees(monkeypatch):
    before, tied = block()
    table = exact._fill_table(before, tied, before.sum(), math.inf)
    sets = exact._on_optimal_paths(table, math.inf)
    assert exact._count(table, sets, math.inf) == len(exact._list_rankings(table, sets))
    monkeypatch.setattr(exact, "_FITS", 0)
    assert exact._count(table, sets, math.inf) == len(exact._list_rankings(table, sets))


@pytest.mark.parametrize("seed", range(5))
def test_a_tighter_start_changes_nothing(seed):
    before, tied = block(seed)
    loose = exact.solve_exactly(before, tied, before.sum())
    tight = exact.solve_exactly(before, tied, loose.cost)
    assert tight.cost == loose.cost and tight.n_rankings == loose.n_rankings
    np.testing.assert_array_equal(tight.rankings(), loose.rankings())
    assert {tuple(r.tolist()) for r in tight.walk()} == {tuple(r) for r in loose.rankings().tolist()}


def test_out_of_time_is_none():
    before, tied = block()
    assert exact.solve_exactly(before, tied, before.sum(), deadline=-1.0) is None
