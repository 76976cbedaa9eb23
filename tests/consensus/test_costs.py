"""Costs of pairs, blocks, and rankings with a bound."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from benchuq.consensus import costs
from benchuq.consensus.ranks import kendall_distance


def random_ranks(seed, n_rankers=5, n=7):
    return np.random.default_rng(seed).integers(1, n + 1, (n_rankers, n)).astype(float)


@pytest.mark.parametrize("seed", range(10))
def test_costs_add_up_to_the_distances(seed):
    r, ranking = random_ranks(seed), random_ranks(seed + 100)[0]
    before, tied = costs.pair_costs(r, np.arange(5))
    expected = sum(2 * w * kendall_distance(ranking, row) for w, row in zip(range(5), r, strict=True))
    assert costs.ranking_cost(ranking, before, tied) == expected


def test_weights_become_whole_numbers():
    names = pd.Index(["x", "y", "z"])
    whole, unit = costs.whole_weights({"z": 0.5, "x": 0.25, "y": 0.25}, names)
    assert whole.tolist() == [1, 1, 2] and unit == Fraction(1, 4)
    assert costs.whole_weights(None, names)[0].tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="every ranker"):
        costs.whole_weights({"x": 1}, names)


def test_blocks_are_in_order():
    parts = np.concatenate([random_ranks(k, n=4) + 10 * k for k in (2, 0, 1)], axis=1)
    blocks = costs.split_blocks(*costs.pair_costs(parts, np.ones(5, int)))
    place = np.concatenate(blocks)
    assert (np.sort(place) == np.arange(12)).all() and (np.diff((place // 4 + 2) % 3) >= 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_integer_programme_is_never_above_the_start(seed, monkeypatch):
    r = random_ranks(seed, n=9)
    before, tied = costs.pair_costs(r, np.ones(5, int))
    start = costs.ranking_cost(r[0], before, tied)
    moved = costs.ranking_cost(costs.move_alternatives(r[0], before, tied), before, tied)
    ranking, bound = costs.best_found(before, tied, r[0])
    assert bound == costs.ranking_cost(ranking, before, tied) <= moved <= start
    monkeypatch.setattr(costs, "_LARGEST_PROGRAM", 8)
    ranking, plain = costs.best_found(before, tied, r[0])
    assert (ranking == r[0]).all() and plain <= bound
