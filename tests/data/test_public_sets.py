"""Public answers item by item: shapes, known accuracies, metrics."""

import numpy as np
import pytest

from benchuq.data import downloads, public_sets
from benchuq.studies.subsampling import subgroup_sizes


def available(name):
    try:
        downloads.fetch(name, timeout=3)
        return True
    except downloads.DataUnavailable:
        return False


@pytest.mark.skipif(not available("student-mat.csv"), reason="the tables are not on this machine")
def test_tables():
    accuracy, entropy = (
        public_sets.load_tabular("student_mathematics", m, rng=0) for m in ("accuracy", "cross_entropy")
    )
    assert set(np.unique(accuracy["score"])) == {0.0, 1.0} and entropy["score"].max() > 1
    assert subgroup_sizes(accuracy).min() >= 20
    np.testing.assert_allclose(public_sets.rescore(accuracy, "cross_entropy")["score"], entropy["score"], rtol=1e-12)
    assert public_sets.rescore(accuracy, "accuracy") is accuracy
    with pytest.raises(ValueError, match="metric must be one of"):
        public_sets.load_tabular("student_mathematics", "F1")


def test_unknown_tables_and_metrics():
    with pytest.raises(ValueError, match="name must be one of"):
        public_sets.load_tabular("census")
    with pytest.raises(ValueError, match="metric must be one of"):
        public_sets.prediction_scores(np.array([0.5]), np.array([1]), "F1")


def test_digits_are_the_same_for_the_same_seed():
    one, embeddings = public_sets.load_digits(5, rng=1)
    two, again = public_sets.load_digits(5, rng=1)
    assert one.equals(two) and (embeddings == again).all() and embeddings.shape == (1797, 5)
    assert dict(one.sizes) == {"model": 5, "item": 1797} and one["confidence"].max() <= 1
