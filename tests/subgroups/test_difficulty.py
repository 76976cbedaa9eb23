"""Difficulty of topics over the other models, by hand."""

import numpy as np
import pandas as pd
import pytest

from benchuq.subgroups.difficulty import topic_difficulty


def test_difficulty_by_hand_leaves_the_model_out():
    index = pd.MultiIndex.from_product([list("ABC"), ["t", "u"]], names=["model", "task"])
    z = pd.Series([0.2, 0.9, 0.4, 0.8, 0.6, 0.7], index)
    d = topic_difficulty(z)
    np.testing.assert_allclose(d["A", "t"], -np.log(1.5 / 1.5))
    np.testing.assert_allclose(d["B", "u"], -np.log(2.1 / 0.9))
    moved = z.copy()
    moved["A", "t"] = 1.0
    assert (
        topic_difficulty(moved)["A", "t"] == pytest.approx(d["A", "t"])
        and topic_difficulty(moved)["B", "t"] < d["B", "t"]
    )
    np.testing.assert_allclose(topic_difficulty(z * 10)["A", "t"], -5)
    with pytest.raises(ValueError, match="topic 't' has one model only"):
        topic_difficulty(z.loc[["A"]])
