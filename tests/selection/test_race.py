"""What to run next: predictions, standing, races, and when a run may stop."""

import numpy as np
import pandas as pd
import pytest

from benchuq.selection.race import (
    validate_stopping,
    distrust,
    is_known,
    learn_reference,
    next_in_race,
    race,
    replay_races,
    standings,
)


@pytest.fixture(scope="module")
def factor_board():
    """Function that makes scores of models whose benchmarks share one factor."""

    def made(n_models=20, n_benchmarks=10, noise=0.03, seed=0):
        rng = np.random.default_rng(seed)
        skill, slope = rng.normal(0.5, 0.12, n_models), rng.uniform(0.6, 1.4, n_benchmarks)
        values = 0.5 + (skill[:, None] - 0.5) * slope + rng.normal(0, noise, (n_models, n_benchmarks))
        return pd.DataFrame(
            values.clip(0, 1), [f"m{i}" for i in range(n_models)], [f"b{j}" for j in range(n_benchmarks)]
        )

    return made


def test_left_out_errors_are_those_of_leaving_out(factor_board):
    from benchuq.selection.race import _left_out, _predict, _standardise

    values = factor_board(9, 5).to_numpy()
    centre, unit = _standardise(values[:, :2])
    z = (values[:, :2] - centre) / unit
    found = _left_out(z @ z.T, values[:, 2:].sum(axis=1) / 5)
    for i in range(9):  # by hand: fit without model i, in the units of all models
        others = np.arange(9) != i
        x, y = z[others], values[others, 2:].sum(axis=1) / 5
        xc, yc = x - x.mean(axis=0), y - y.mean()
        beta = xc.T @ np.linalg.solve(xc @ xc.T + np.eye(8), yc)
        assert found[i] == pytest.approx(values[i, 2:].sum() / 5 - y.mean() - (z[i] - x.mean(axis=0)) @ beta)
    full = np.full(5, np.nan)
    assert _predict(values, full) == pytest.approx(values.mean())
    assert _predict(values, values[3]) == pytest.approx(values[3].mean())


def test_short_ways_give_what_the_long_ones_give(factor_board):
    from benchuq.selection.race import _left_out, _one_more, _predict, _predict_along, _standardise

    values = factor_board(12, 6).to_numpy()
    centre, unit = _standardise(values)
    z, y = (values - centre) / unit, np.random.default_rng(1).normal(size=(12, 2))
    kernel = z[:, :3] @ z[:, :3].T
    inverse = np.linalg.inv(kernel + np.eye(12))
    errors, u, scale = _one_more(inverse, z[:, 4:], y)
    for j in (0, 1):
        more = kernel + np.outer(z[:, 4 + j], z[:, 4 + j])
        np.testing.assert_allclose(errors[:, j], _left_out(more, y[:, j]), rtol=1e-9)
        update = np.outer(u[:, j], u[:, j] / scale[j])
        np.testing.assert_allclose(inverse - update, np.linalg.inv(more + np.eye(12)), atol=1e-12)
    along = _predict_along(values[1:], values[0])
    assert along == pytest.approx([_predict(values[1:], np.r_[values[0, :k], [np.nan] * (6 - k)]) for k in range(6)])


def test_costs_change_the_path(factor_board):
    board = factor_board()
    plain = learn_reference(board)
    assert plain.error[0] > plain.error[3] > plain.error[-1] == 0 and sorted(plain.path) == sorted(board)
    dear = learn_reference(board, {b: 100.0 if b == plain.path[0] else 1.0 for b in board})
    assert dear.path[0] != plain.path[0]
    with pytest.raises(ValueError, match="the cost of 'b3' is not known"):
        learn_reference(board, {b: 1.0 for b in board if b != "b3"})
    with pytest.raises(ValueError, match="at least 8 models and 2 benchmarks; there are 7 models"):
        learn_reference(board.iloc[:7])


def test_standing_and_next(factor_board):
    board = factor_board(24)
    reference, truth = learn_reference(board.iloc[4:]), board.iloc[:4]
    empty = truth * np.nan
    table = standings(reference, empty)
    assert not is_known(table, 0.6) and table["estimate"].nunique() == 1
    assert next_in_race(reference, empty) == ("m0", reference.path[0])
    whole = standings(reference, truth)
    assert is_known(whole) and np.allclose(whole["estimate"], truth.mean(axis=1)[whole.index])
    assert next_in_race(reference, truth) is None
    with pytest.raises(ValueError, match="unknown benchmarks"):
        standings(reference, truth.rename(columns={"b1": "other"}))
    off = empty.copy()
    off.loc[:, reference.path[-1]] = truth[reference.path[-1]]  # not on the path: not less sure than the path says
    assert (standings(reference, off)["upper"] - standings(reference, off)["estimate"]).min() > 0


def test_races_name_the_best_and_save_cells(factor_board):
    board = factor_board(24, noise=0.02)
    found = replay_races(board, 5, 20, progress=False, rng=3)
    assert found["wrong"].mean() <= 0.15 and found["cells"].mean() < 0.6  # at most 1 in 20 expected; 4 or more: .016
    best, n = race(learn_reference(board.iloc[5:]), board.iloc[:5])
    assert best == board.iloc[:5].mean(axis=1).idxmax() and 5 <= n <= 50


def test_a_broken_promise_stops_early_stopping(factor_board, monkeypatch):
    from benchuq.selection import race as races

    board = factor_board(14)
    assert len(validate_stopping(board, 3, n_replays=4)) == 4
    wrong = pd.DataFrame({"cells": [0.1] * 20, "wrong": [True] * 5 + [False] * 15, "regret": [0.1] * 20})
    monkeypatch.setattr(races, "replay_races", lambda *a, **k: wrong)
    with pytest.raises(ValueError, match="the wrong model was named in 5 of 20 replays; run all cells"):
        validate_stopping(board, 3)
    with pytest.raises(ValueError, match="at least 10 reference models, there are 9"):
        validate_stopping(board.iloc[:9], 3)


def test_new_models_unlike_the_reference_are_noticed(factor_board):
    "What is predicted and then measured: as good as the reference's leave-one-out errors, or not to be trusted."
    board = factor_board(30)
    reference, truth = learn_reference(board.iloc[6:]), board.iloc[:6]
    part = truth[list(reference.path[:5])].reindex(columns=board.columns)
    assert distrust(reference, part) == "" and distrust(reference, truth) == ""
    x, y = board.iloc[6:][list(reference.path[:2])].to_numpy().T
    slope = (x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean()) + x.var())  # the penalty is one unit
    assert reference.steps[1, 1] == pytest.approx(slope)
    noisy = part + np.random.default_rng(0).normal(0, 0.15, part.shape)
    assert "predicted worse than the reference" in distrust(reference, noisy)
    once = truth[[reference.path[0]]].reindex(columns=board.columns)
    assert "m0 has run fewer than 2 benchmarks" in distrust(reference, once)
    noisy_truth = truth + np.random.default_rng(0).normal(0, 0.15, truth.shape)
    assert race(reference, noisy_truth)[1] > 1.5 * race(reference, truth)[1]


def test_a_fixed_order_runs_whole_benchmarks(factor_board):
    board = factor_board(24, noise=0.02)
    reference, truth = learn_reference(board.iloc[5:]), board.iloc[:5]
    best, n = race(reference, truth, policy="fixed")
    assert best == truth.mean(axis=1).idxmax() and n % 5 == 0 and n >= race(reference, truth)[1]
    with pytest.raises(ValueError, match="policy must be one of"):
        race(reference, truth, policy="random")
