"""The factor model against a dense normal, against sampling of the same posterior, and on known truth."""

import numpy as np
import pytest

from benchuq.selection.factors import Factors, _update_factors, _update_loadings, fit_factors


def two_factors(n, m, rng, hidden):
    loading = np.column_stack([rng.normal(0, 0.5, m), rng.normal(1, 0.3, m), rng.normal(0, 0.5, m)])
    noise = rng.uniform(0.2, 0.6, m)
    y = loading[:, 0] + rng.normal(size=(n, 2)) @ loading[:, 1:].T + np.sqrt(noise) * rng.normal(size=(n, m))
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
    np.testing.assert_allclose((variance[0] + noise)[a], np.diag(dense)[a] - (gain * dense[np.ix_(a, b)]).sum(axis=1))


def test_variational_predictions_agree_with_sampling():
    """One factor, noise and priors known: 4,000 Gibbs draws of the same posterior.

    Monte Carlo error of a mean is below .02 of the range of 1; the means may differ by .15, the sds by a third.
    """
    rng = np.random.default_rng(1)
    n, m, noise, mean, variance = 25, 12, 0.4, np.array([0.0, 0.9]), np.array([0.3, 0.1])
    loading = mean + np.sqrt(variance) * rng.normal(size=(m, 2))
    y = loading[:, 0] + rng.normal(size=(n, 1)) @ loading[:, 1:].T + np.sqrt(noise) * rng.normal(size=(n, m))
    hole = rng.random((n, m)) < 0.4
    z, weight = np.where(hole, 0, y), ~hole / noise
    b, spread = np.tile(mean, (m, 1)), np.tile(np.diag(variance), (m, 1, 1))
    for _ in range(200):
        f, v = _update_factors(z, weight, b, spread)
        g = np.column_stack([np.ones(n), f])
        second = g[:, :, None] * g[:, None, :]
        second[:, 1:, 1:] += v
        b, spread = _update_loadings(z, weight, g, second, mean, variance)
    guess = g @ b.T
    sd = np.sqrt(np.einsum("nij,mij->nm", second, spread + b[:, :, None] * b[:, None, :]) - guess**2)
    draws, state = [], np.tile(mean, (m, 1))
    for k in range(4500):
        f, v = _update_factors(z, weight, state, np.zeros((m, 2, 2)))
        f = f + np.sqrt(v[:, :, 0]) * rng.normal(size=(n, 1))
        g = np.column_stack([np.ones(n), f])
        b, spread = _update_loadings(z, weight, g, g[:, :, None] * g[:, None, :], mean, variance)
        state = b + np.einsum("mij,mj->mi", np.linalg.cholesky(spread), rng.normal(size=(m, 2)))
        if k >= 500:
            draws.append(g @ state.T)
    draws = np.array(draws)[:, hole]
    np.testing.assert_allclose(guess[hole], draws.mean(axis=0), atol=0.15)
    assert 0.67 < np.median(sd[hole] / draws.std(axis=0)) < 1.1


def test_holes_contribute_nothing():
    y, hole, *_ = two_factors(20, 8, np.random.default_rng(0), 0.3)
    one, other = (fit_factors(np.where(hole, np.nan, y), np.where(hole, e, 0.0)) for e in (0.0, 7.0))
    np.testing.assert_array_equal(one.predict()[0], other.predict()[0])


def test_units_do_not_matter():
    y, hole, *_ = two_factors(20, 8, np.random.default_rng(0), 0.3)
    values = np.where(hole, np.nan, y)
    scaled = fit_factors(100 * values + 7)
    np.testing.assert_allclose(scaled.predict()[0], 100 * fit_factors(values).predict()[0] + 7, rtol=1e-6, atol=1e-6)


def test_a_stack_of_boards_is_each_board():
    rng = np.random.default_rng(0)
    boards = [np.where(hole, np.nan, y) for y, hole, *_ in (two_factors(20, 8, rng, 0.3) for _ in range(3))]
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
