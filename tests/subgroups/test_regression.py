"""Difficulty of topics by hand; the additive regression beside scikit-learn; trees that learn or
give the mean.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, Ridge

from benchuq.subgroups.regression import _by_sum, _by_trees, topic_difficulty


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    x = np.column_stack([rng.normal(3, 2, 60), rng.integers(0, 2, 60)])
    weight = rng.uniform(0.5, 2, 60)
    return x, expit(0.4 * x[:, 0] - x[:, 1] + rng.normal(0, 0.3, 60)), weight / weight.mean()


def test_the_linear_case_is_ridge_regression(data):
    x, y, weight = data
    found, _ = _by_sum(x, 3 * y - 1, weight, x, penalty=2.0)
    mean, spread = np.array([x[:, 0].mean(), 0]), np.array([x[:, 0].std(), 1])
    ridge = Ridge(alpha=2.0).fit((x - mean) / spread, 3 * y - 1, weight)
    np.testing.assert_allclose(found, ridge.predict((x - mean) / spread), atol=1e-6)


def test_right_and_wrong_is_penalised_logistic_regression(data):
    x, y, _ = data
    y = (y > 0.6).astype(float)
    found, _ = _by_sum(x, y, np.ones(60), x)
    mean, spread = np.array([x[:, 0].mean(), 0]), np.array([x[:, 0].std(), 1])
    logistic = LogisticRegression(C=1.0, tol=1e-10, max_iter=1000).fit((x - mean) / spread, y)
    np.testing.assert_allclose(found, logistic.predict_proba((x - mean) / spread)[:, 1], atol=1e-5)


def test_difficulty_by_hand_leaves_the_model_out():
    index = pd.MultiIndex.from_product([list("ABC"), ["t", "u"]], names=["model", "task"])
    z = pd.Series([0.2, 0.9, 0.4, 0.8, 0.6, 0.7], index)
    d = topic_difficulty(z)
    np.testing.assert_allclose(d["A", "t"], -np.log(1.5 / 1.5))
    np.testing.assert_allclose(d["B", "u"], -np.log(2.1 / 0.9))
    moved = z.copy()
    moved["A", "t"] = 1.0
    of_moved = topic_difficulty(moved)
    assert of_moved["A", "t"] == pytest.approx(d["A", "t"]) and of_moved["B", "t"] < d["B", "t"]
    np.testing.assert_allclose(topic_difficulty(z * 10)["A", "t"], -5)
    with pytest.raises(ValueError, match="topic 't' has one model only"):
        topic_difficulty(z.loc[["A"]])


def test_trees_learn_and_fall_back_to_the_mean():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 5))
    y = np.where(x[:, 0] > 0, 0.7, 0.3) + rng.normal(0, 0.05, 300)
    assert np.corrcoef(_by_trees(x[:200], y[:200], x[200:], seed=0)[0], y[200:])[0, 1] > 0.9
    _, error = _by_trees(x[:60], rng.normal(size=60), x[:2], seed=0)
    assert error.stack().min() <= error[0].min()
    np.testing.assert_allclose(_by_trees(x[:3], y[:3], x[:2], seed=0)[0], y[:3].mean(), rtol=1e-6)
