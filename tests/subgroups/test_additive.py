"""The additive regression: its score equations, the closed form of its linear case, and the scikit-learn regressor."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, Ridge

from benchuq.subgroups.additive import fit_additive
from benchuq.subgroups.regression import AdditiveRegression


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.normal(3, 2, 60), rng.integers(0, 2, 60)])
    weight = rng.uniform(0.5, 2, 60)
    return x, expit(0.4 * x[:, 0] - x[:, 1] + rng.normal(0, 0.3, 60)), weight / weight.mean()


def test_the_linear_case_is_ridge_regression(data):
    x, y, weight = data
    fit = fit_additive(x, 3 * y - 1, weight, penalty=2.0)
    mean, spread = np.array([x[:, 0].mean(), 0]), np.array([x[:, 0].std(), 1])
    ridge = Ridge(alpha=2.0).fit((x - mean) / spread, 3 * y - 1, weight)
    assert not fit.bounded
    np.testing.assert_allclose(fit.predict(x), ridge.predict((x - mean) / spread), atol=1e-6)


def test_right_and_wrong_is_penalised_logistic_regression(data):
    x, y, _ = data
    y = (y > 0.6).astype(float)
    fit = fit_additive(x, y, penalty=1.0)
    mean, spread = np.array([x[:, 0].mean(), 0]), np.array([x[:, 0].std(), 1])
    logistic = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit((x - mean) / spread, y)
    np.testing.assert_allclose(fit.predict(x), logistic.predict_proba((x - mean) / spread)[:, 1], atol=1e-5)


def test_shares_solve_their_score_equations(data):
    x, y, weight = data
    fit = fit_additive(x, y, weight)
    assert fit.bounded
    residual, spread = weight * (y - fit.predict(x)), np.array([x[:, 0].std(), 1])
    assert abs(residual.sum()) < 1e-4
    np.testing.assert_allclose(((x - [x[:, 0].mean(), 0]) / spread).T @ residual, fit.coef * spread, atol=1e-6)


def test_the_regressor_is_the_same(data):
    x, y, weight = data
    regressor, fit = AdditiveRegression(penalty=0.3).fit(x, y, 7 * weight), fit_additive(x, y, weight, 0.3)
    np.testing.assert_allclose(regressor.predict(x), fit.predict(x), rtol=1e-12)
    np.testing.assert_allclose(regressor.coef_, fit.coef, rtol=1e-12)
