"""The regressions: trees that learn or fall back to the mean, and a Lasso against scikit-learn's."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Lasso, LinearRegression

from benchuq.subgroups.regression import StructuredRegression, SyntheticRegression, fit_noisy


def test_synthetic_regression_learns_and_falls_back():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 5))
    y = np.where(x[:, 0] > 0, 0.7, 0.3) + rng.normal(0, 0.05, 300)
    fit = SyntheticRegression(random_state=0).fit(x[:200], y[:200])
    assert np.corrcoef(fit.predict(x[200:]), y[200:])[0, 1] > 0.9
    noise = SyntheticRegression(random_state=0).fit(x[:60], rng.normal(size=60))
    assert noise.cv_error_.stack().min() <= noise.cv_error_[0].min()
    few = SyntheticRegression().fit(x[:3], y[:3])
    np.testing.assert_allclose(few.predict(x[:2]), y[:3].mean())
    weighted = SyntheticRegression().fit(x[:3], y[:3], sample_weight=[1, 1, 1e6])
    np.testing.assert_allclose(weighted.predict(x[:1]), y[2], atol=1e-4)


def test_structured_regression_solves_its_problem():
    """The same objective handed to scikit-learn's Lasso with explicit indicators, a free intercept and weights."""
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(40, 4)), rng.uniform(20, 200, 40)
    y = 0.5 + 0.1 * x[:, 0] + rng.normal(0, 0.1, 40)
    fit = StructuredRegression(random_state=0).fit(x, y, weight)
    design = np.hstack([(x - x.mean(axis=0)) / x.std(axis=0), np.eye(40)])
    reference = Lasso(fit.penalty_, tol=1e-10, max_iter=100_000).fit(design, y, weight / weight.mean())
    np.testing.assert_allclose(fit.fitted_, reference.predict(design), atol=2e-3)
    assert np.ptp(fit.fitted_ - fit.predict(x) - fit.row_intercepts_) < 1e-12
    with pytest.raises(ValueError, match="positive and finite"):
        fit.fit(x, y, np.r_[0.0, weight[1:]])


def test_noisy_values_are_weighted_as_each_regression_needs():
    rng = np.random.default_rng(4)
    x, variance = rng.normal(size=(40, 2)), rng.uniform(0.001, 0.05, 40)
    z = np.clip(0.5 + 0.1 * x[:, 0] + rng.normal(0, np.sqrt(variance)), 0, 1)
    model = StructuredRegression(random_state=3)
    fitted = fit_noisy(model, x, z, variance, seed=3)
    np.testing.assert_array_equal(fitted.predict(x), clone(model).fit(x, z, 1 / variance).predict(x))
    assert not hasattr(model, "coef_")  # the one that was handed in stays unfitted
    np.testing.assert_array_equal(
        fit_noisy(LinearRegression(), x, z, variance).predict(x), LinearRegression().fit(x, z).predict(x)
    )
