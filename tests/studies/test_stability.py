"""Stability of a ranking under resampling, and the partial order of settled pairs."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison.all_pairs import better_pairs
from benchuq.comparison.scores import scores
from benchuq.studies import stability

matplotlib.use("Agg")


def test_ranking_stability_by_hand(make_scores):
    x = make_scores([[3, 3, 1, 3], [2, 2, 2, 2], [1, 1, 3, 2]])
    table = stability.ranking_stability(x)
    assert table["whole ranking"] == 0.5 and table["best model"] == 0.75
    assert table["pairs"] == pytest.approx((3 + 3 + 0 + 2) / 12)
    with pytest.raises(ValueError, match=r"every score of every model; missing for \['m0', 'm2'\]"):
        stability.ranking_stability(x.where(x < 3))


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_joint_order_is_a_partial_order_with_every_distinguished_pair(make_scores, seed):
    rng = np.random.default_rng(seed)
    x = make_scores(rng.normal(rng.normal(0, 1, (6, 1)), 0.3, (6, 250)))
    settled = stability.joint_order(x)
    order = settled.to_numpy()
    assert not (order & order.T).any() and not ((order.astype(int) @ order > 0) & ~order).any()
    better = better_pairs(scores(x)).to_pandas().loc[settled.index, settled.index]
    assert (settled | ~better).all(axis=None)


def test_a_diagram_has_every_model_and_only_the_lines_needed(make_scores):
    draws = make_scores(np.random.default_rng(0).normal([[2], [1.9], [0], [-3]], 0.3, (4, 500)))
    ax = stability.plot_hasse(stability.joint_order(draws))
    assert {t.get_text() for t in ax.texts} == {"m0", "m1", "m2", "m3"} and len(ax.lines) == 3


def test_pairs_in_a_circle_are_no_diagram():
    cycle = pd.DataFrame([[0, 1, 0], [0, 0, 1], [1, 0, 0]], list("ABC"), list("ABC")).astype(bool)
    with pytest.raises(ValueError, match="no partial order"):
        stability.plot_hasse(cycle)
