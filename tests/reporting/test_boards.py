"""Simulated boards have the truth that they should."""

import numpy as np

from benchuq.reporting import boards
from benchuq.reporting.boards import Board


def test_scores_have_the_truth_and_the_likeness_asked_for():
    """Means within 5 standard errors."""
    rng = np.random.default_rng(1)
    for board in (Board(40, 3, 3, gap=0.2, spread=0.5), Board(40, 1, 2, continuous=True), Board(40, n_clusters=8)):
        scores = boards.simulate_scores(board, 3000, rng)
        by_board = scores.mean(axis=-1)
        error = by_board.std(axis=0) / np.sqrt(3000)
        np.testing.assert_array_less(np.abs(by_board.mean(axis=0) - board.truth()), 5 * error)
    first, second = boards.simulate_scores(Board(200), 200, rng)[:, :, 0].swapaxes(0, 1).reshape(2, -1)
    assert abs(np.corrcoef(first, second)[0, 1] - 0.5) < 5 / np.sqrt(len(first))
    missing = np.isnan(boards.simulate_scores(Board(200, missing=0.2), 200, rng)).mean()
    assert abs(missing - 0.2) < 0.01
