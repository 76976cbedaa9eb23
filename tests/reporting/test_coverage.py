"""Printed intervals and statements hold on simulated boards: a small seeded part of the report `coverage`.

Each test says how often it would fail with another seed.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.reporting import boards, coverage, statements
from benchuq.reporting.boards import Board


@pytest.mark.parametrize(
    "board",
    [
        Board(12),
        Board(30, accuracy=0.95),
        Board(100, accuracy=0.98),
        Board(500, accuracy=0.5),
        Board(12, 20),
        Board(1, 60),
        Board(30, 5, paired=False),
        Board(30, gap=0.1),
        Board(100, n_clusters=10),
        Board(30, continuous=True),
    ],
)
def test_limits_hold_the_truth(board):
    """At least .94 less 4 Monte-Carlo standard errors (.0037 with 4,000 boards): a coverage of exactly .94 fails 3
    times in 100,000, one of .90 always.
    """
    rows = pd.DataFrame(boards.interval_rows(board, 4000, 1, n_percentile=20, n_draws=50))
    ours = rows[rows["rule"] == "benchuq"].set_index("statement")["measured"]
    assert (ours > 0.94 - 4 * np.sqrt(0.94 * 0.06 / 4000)).all(), ours


def test_the_papers_rule_is_found_short_where_it_is():
    """Tasks of one item have no spread under plain resampling, and few clusters too little: measured about .1 and .65;
    with 400 boards .3 and .8 are over 6 standard errors away.
    """
    for board, most in ((Board(1, 100), 0.3), (Board(100, n_clusters=5), 0.8)):
        rows = pd.DataFrame(boards.interval_rows(board, 10, 1, n_percentile=400, n_draws=200))
        assert rows.query("rule == 'papers' and statement == 'score'")["measured"].item() < most


@pytest.mark.parametrize("paired", [True, False])
def test_equal_models_are_rarely_told_apart(paired):
    """Ten equal models, 300 boards: a true rate of 5 % gives more than .05 + 4 standard errors = .10 once in 10,000."""
    board = Board(60, 2, 10, paired=paired)
    rows = pd.DataFrame(statements.statement_rows(board, 300, 1, n_draws=400)).set_index(["statement", "rule"])
    wrong = 1 - rows["measured"].xs("benchuq", level="rule")
    assert (wrong < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 300)).all()
    assert rows.loc[("partial order", "papers"), "measured"] < 0.5  # as in DESIGN 5.10: .53 at 6 models, more at 10


def test_shortfalls_are_named():
    row = boards.ledger_row(Board(100), "score", "benchuq", 0.95, np.r_[np.ones(800), np.zeros(200)])
    rows = [row, {**row, "measured": 0.95}, {**row, "rule": "papers"}, {**row, "n_items": 3}]
    found = coverage.shortfalls(pd.DataFrame(rows).assign(part="one task"))
    assert found["kind"].tolist() == ["below"] and found["why"].tolist() == ["no reason known"]
    assert "0.800 (1 x 100 items, accuracy 0.8)" in coverage.explain(found)[0]
    assert "No setting" in coverage.explain(found.iloc[:0])[0]


def test_what_no_rule_can_do_better():
    """Exact sums: 50 questions at .98, counts 47 to 50 against 48 to 50; four items that tell are no evidence."""
    assert coverage.least_coverage(50, 0.98) == pytest.approx(stats.binom.sf(46, 50, 0.98))
    assert stats.binom.sf(47, 50, 0.98) < 0.94
    assert coverage.least_paired_coverage(4, 1.0) == 1
    assert 0.94 <= coverage.least_paired_coverage(500, 0.5) < 0.96
