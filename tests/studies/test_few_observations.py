"""Structured regression beside scikit-learn's Lasso; embeddings of texts; clusters."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Lasso

from benchuq.studies.public_sets import DataUnavailable, fetch
from benchuq.studies import few_observations
from benchuq.studies.few_observations import (
    StructuredRegression,
    cluster_items,
    load_mmlu_pro,
    load_tabular,
    simulate_subgroups,
    text_embeddings,
)
from benchuq.studies.subsampling import subgroup_sizes


def test_structured_regression_solves_its_problem():
    """The same objective handed to scikit-learn's Lasso with explicit indicators, a free intercept
    and weights.
    """
    rng = np.random.default_rng(0)
    x, weight = rng.normal(size=(40, 4)), rng.uniform(20, 200, 40)
    y = 0.5 + 0.1 * x[:, 0] + rng.normal(0, 0.1, 40)
    fit = StructuredRegression(random_state=0).fit(x, y, weight)
    design = np.hstack([(x - x.mean(axis=0)) / x.std(axis=0), np.eye(40)])
    reference = Lasso(fit.penalty_, tol=1e-10, max_iter=100_000).fit(
        design, y, weight / weight.mean()
    )
    np.testing.assert_allclose(fit.fitted_, reference.predict(design), atol=2e-3)
    assert np.ptp(fit.fitted_ - fit.predict(x) - fit.row_intercepts_) < 1e-12
    with pytest.raises(ValueError, match="positive and finite"):
        fit.fit(x, y, np.r_[0.0, weight[1:]])


def test_text_embeddings_bring_like_texts_together():
    law = [
        "court judge contract law appeal",
        "judge contract court plaintiff",
        "law appeal plaintiff contract",
    ]
    sums = [
        "triangle angle integral sum",
        "integral sum matrix angle",
        "matrix triangle sum integral",
    ]
    x = text_embeddings(law * 3 + sums * 3, 2, rng=0)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    assert (x[:9] @ x[:9].T).min() > (x[:9] @ x[9:].T).max()


def test_clusters_find_what_is_there():
    rng = np.random.default_rng(0)
    centre = rng.normal(0, 20, (6, 4))
    true = np.repeat(np.arange(6), [100, 90, 80, 70, 60, 10])
    labels, silhouette = cluster_items(
        centre[true] + rng.normal(size=(410, 4)), (3, 6, 9), min_size=20, rng=0
    )
    assert silhouette.idxmax() == 6
    sizes = pd.Series(labels).value_counts()
    assert len(sizes) == 5 and sizes.min() >= 20
    assert all(len(set(labels[true == k])) == 1 for k in range(5))


def test_bad_input():
    with pytest.raises(ValueError, match="prior must be"):
        simulate_subgroups(5, prior="flat")
    with pytest.raises(ValueError, match="n_components must be smaller"):
        text_embeddings(["cat sat", "cat sat"], 5)
    with pytest.raises(ValueError, match="not finite in row 0"):
        cluster_items(np.full((100, 2), np.nan))
    with pytest.raises(ValueError, match="cannot form 10 clusters"):
        cluster_items(np.zeros((5, 2)), n_clusters=(10,))
    with pytest.raises(ValueError, match="fewer than min_size"):
        few_observations._merge_small(np.zeros(5, int), np.zeros((5, 1)), 9)


def test_predictions_of_one_seed_under_two_metrics():
    try:
        fetch("student-mat.csv")
    except DataUnavailable as reason:
        pytest.skip(str(reason))
    right, entropy = (
        load_tabular("student_mathematics", m, rng=0) for m in ("accuracy", "cross_entropy")
    )
    assert set(np.unique(right["score"])) == {0.0, 1.0} and entropy["score"].max() > 1
    assert subgroup_sizes(right).min() >= 20
    likely = right["confidence"].where(right["score"] == 1, 1 - right["confidence"])
    np.testing.assert_allclose(-np.log(likely), entropy["score"], rtol=1e-6)


def test_published_answers_to_mmlu_pro():
    try:
        results = load_mmlu_pro()
    except DataUnavailable as reason:
        pytest.skip(str(reason))
    assert dict(results.sizes) == {"model": 6, "item": 12032}
    assert len(np.unique(results["task"])) == 91 and len(np.unique(results["category"])) == 14
    np.testing.assert_allclose(
        results["score"].mean("item").sel(model="gemma-7b"), 0.323554, atol=1e-6
    )
