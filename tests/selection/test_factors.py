"""The factor model against a dense normal, its updates by hand, and on known truth."""

import numpy as np
import pytest

from benchuq.selection.factors import (
    Factors,
    _second_moments,
    _update_factors,
    _update_loadings,
    fit_factors,
)


def two_factors(n, m, rng, hidden):
    loading = np.column_stack([rng.normal(0, 0.5, m), rng.normal(1, 0.3, m), rng.normal(0, 0.5, m)])
    noise = rng.uniform(0.2, 0.6, m)
    y = (
        loading[:, 0]
        + rng.normal(size=(n, 2)) @ loading[:, 1:].T
        + np.sqrt(noise) * rng.normal(size=(n, m))
    )
    return y, rng.random((n, m)) < hidden, loading, noise


@pytest.mark.parametrize("seed", range(5))
def test_a_new_model_has_the_conditional_of_a_dense_normal(seed):
    rng = np.random.default_rng(seed)
    y, hole, loading, noise = two_factors(1, 9, rng, 0.4)
    fit = Factors(np.zeros(9), np.ones(9), loading, np.zeros((9, 3, 3)), noise, None, None, None)
    mean, variance = fit.of(np.where(hole, np.nan, y)).predict()
    dense, a, b = loading[:, 1:] @ loading[:, 1:].T + np.diag(noise), hole[0], ~hole[0]
    gain = dense[np.ix_(a, b)] @ np.linalg.inv(dense[np.ix_(b, b)])
    np.testing.assert_allclose(mean[0, a], loading[a, 0] + gain @ (y[0] - loading[:, 0])[b])
    np.testing.assert_allclose(
        (variance[0] + noise)[a], np.diag(dense)[a] - (gain * dense[np.ix_(a, b)]).sum(axis=1)
    )


def test_uncertain_loadings_draw_a_factor_to_zero():
    """The maximum of the expected log density, by hand, for one factor and known covariances of the
    loadings.
    """
    rng = np.random.default_rng(2)
    z, weight, b, s = (
        rng.normal(size=(1, 6)),
        rng.uniform(1, 3, (1, 6)),
        rng.normal(size=(6, 2)),
        rng.normal(size=(6, 2, 2)),
    )
    spread = s @ s.mT
    mean, variance = _update_factors(z, weight, b, spread)
    precision = 1 + weight[0] @ (b[:, 1] ** 2 + spread[:, 1, 1])
    pull = weight[0] @ (z[0] * b[:, 1] - b[:, 0] * b[:, 1] - spread[:, 0, 1])
    np.testing.assert_allclose([mean.item(), variance.item()], [pull / precision, 1 / precision])


def test_loadings_are_those_of_a_bayesian_regression_on_uncertain_factors():
    rng = np.random.default_rng(3)
    z, weight, f, v = (
        rng.normal(size=(7, 2)),
        rng.uniform(1, 3, (7, 2)),
        rng.normal(size=(7, 1)),
        rng.random((7, 1, 1)),
    )
    found, spread = _update_loadings(
        z, weight, *_second_moments(f, v), np.array([0.0, 0.8]), np.array([0.5, 0.1])
    )
    x = np.column_stack([np.ones(7), f])
    for j, w in enumerate(weight.T):
        precision = np.diag([2.0, 10.0]) + (x.T * w) @ x + np.diag([0, w @ v[:, 0, 0]])
        np.testing.assert_allclose(spread[j], np.linalg.inv(precision))
        np.testing.assert_allclose(precision @ found[j], [0, 8] + x.T @ (w * z[:, j]))


def test_holes_contribute_nothing():
    y, hole, *_ = two_factors(20, 8, np.random.default_rng(0), 0.3)
    one, other = (
        fit_factors(np.where(hole, np.nan, y), np.where(hole, e, 0.0)) for e in (0.0, 7.0)
    )
    np.testing.assert_array_equal(one.predict()[0], other.predict()[0])


def test_units_do_not_matter():
    y, hole, *_ = two_factors(20, 8, np.random.default_rng(0), 0.3)
    values = np.where(hole, np.nan, y)
    scaled = fit_factors(100 * values + 7)
    np.testing.assert_allclose(
        scaled.predict()[0], 100 * fit_factors(values).predict()[0] + 7, rtol=1e-6, atol=1e-6
    )


def test_a_stack_of_boards_is_each_board():
    rng = np.random.default_rng(0)
    boards = [
        np.where(hole, np.nan, y)
        for y, hole, *_ in (two_factors(20, 8, rng, 0.3) for _ in range(3))
    ]
    stack, error = fit_factors(np.stack(boards), 0.1), np.full((20, 8), 0.1)
    for i, board in enumerate(boards):
        fit = fit_factors(board, error)
        np.testing.assert_allclose(stack[i].predict(), fit.predict(), rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(stack.predict()[0][i], fit.predict()[0], rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(stack.cell_noise[i], fit.cell_noise, rtol=1e-7)


def test_a_benchmark_of_equal_scores_tells_no_unit_however_the_board_lies_in_memory():
    "The mean of equal scores may be off by a rounding, which is no spread."
    y, hole, *_ = two_factors(20, 8, np.random.default_rng(0), 0.3)
    values = np.where(hole, np.nan, y)
    values[:, 0] = np.where(np.arange(20) < 15, np.log(7 / 3), np.nan)
    one, other = (fit_factors(np.array(values, order=order)) for order in "CF")
    np.testing.assert_allclose(one.unit, other.unit, rtol=1e-12)
    np.testing.assert_allclose(one.predict()[0], other.predict()[0], rtol=1e-7, atol=1e-9)
