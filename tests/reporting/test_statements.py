"""The ledger's short way to the statements of a page agrees with the library, and its tables are as they should be."""

import pytest

from benchuq.reporting import statements
from benchuq.reporting.boards import Board


@pytest.mark.parametrize(
    "board",
    [
        Board(30, 2, 4, gap=0.3),
        Board(30, 2, 4, gap=0.3, paired=False),
        Board(60, 1, 4, gap=0.3, n_clusters=20),
        Board(1, 60, 4, gap=0.3),
        Board(30, 2, 4, gap=0.2, continuous=True, missing=0.1),
    ],
)
def test_the_short_way_is_what_the_library_does(board):
    """Pairs near the critical value may differ by the luck of 1,000 draws: 1 in 100 do; of 120 more than 12 never."""
    assert statements.pipeline_agreement(board, 10, 1)["same"].mean() > 0.9


def test_calibration_counts_what_is_right():
    """Models far apart: every probability is near 1 and right; 30 boards, a miss about once in 1,000 runs."""
    table = statements.best_calibration(3, 400, 0.2, 30, 1)
    rows = statements.calibration_rows(table)
    assert sum(row["n_repetitions"] for row in rows) == len(table) == 60
    last = [row for row in rows if row["nominal"] > 0.95]
    assert len(last) == 2 and all(row["measured"] > 0.9 for row in last)
