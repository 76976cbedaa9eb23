"""Repeats, hidden scores and plans of the report `coverage`: a small seeded part, with the odds that it fails."""

import pandas as pd
import pytest

from benchuq.reporting import designs
from benchuq.reporting.boards import Board


@pytest.mark.parametrize("n_items, n_repeats, k", [(12, 5, 3), (100, 3, 2)])
def test_intervals_over_repeats_hold(n_items, n_repeats, k):
    """At least .94 less 4 standard errors (.0037 with 4,000 boards): a coverage of exactly .94 fails 3 in 100,000."""
    rows = pd.DataFrame(designs.repeat_rows(n_items, n_repeats, k, n_repetitions=4000, n_percentile=20, rng=1))
    assert (rows.query("rule == 'benchuq'")["measured"] > 0.925).all()
    assert set(rows["statement"]) == {"mean of repeats", "pass@k", "pass^k"}


def test_the_error_of_a_new_design_is_foretold():
    """100 pilots and 4,000 trials: both means within 1.5 %, so 5 % off by chance in less than one run in 1,000."""
    row = designs.design_row((300, 3), (100, 10), n_pilots=100, rng=1)
    assert row["ratio"] == pytest.approx(1, abs=0.05) and row["typical_error"] < 0.1


@pytest.mark.parametrize("share", [0.02, 0.1])
def test_bounds_hold_against_an_adversary(share):
    """.95 less 4 standard errors of 4,000 boards (.0034), and shorter than without pairing."""
    rows = pd.DataFrame(designs.missing_rows(Board(100, accuracy=0.7), share, 4000, 1)).set_index("rule")
    assert rows.loc["benchuq", "measured"] > 0.936
    assert rows.loc["benchuq", "length"] < rows.loc["benchuq", "unpaired"]


@pytest.mark.parametrize(
    "board", [Board(20, n_models=10, gap=0.1), Board(20, accuracy=0.95, gap=0.1, paired=False), Board(20, 3, gap=0.1)]
)
def test_planned_questions_settle_with_the_power_stated(board):
    """2,000 boards, a standard error of .009: .8 leaves .76 to .86 by chance in less than one run in 10,000."""
    rows = pd.DataFrame(designs.plan_rows(board, 2000, 1)).set_index("rule")["measured"]
    assert 0.76 < rows["benchuq"] < 0.86
    assert board.n_models == 2 or rows["papers"] < 0.5
