"""Tables of scores: means and weights, bad tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.data.scores import balanced_means, from_scores, metric_weights, subset_names


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_means_are_the_weighted_sum_of_metrics(make_score_table, seed):
    scores = make_score_table(seed=seed)
    scores = scores.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    weighted = scores["score"].to_pandas() @ metric_weights(scores)
    np.testing.assert_allclose(balanced_means(scores)["mean"], weighted)


VALUES = pd.DataFrame({"digits": [0.9, 0.8], "letters": [0.7, 0.6]}, index=["A", "B"])
BAD = {
    "no model has a score on metrics \\['letters'\\]": lambda: from_scores(VALUES.assign(letters=np.nan)),
    "models \\['C'\\] have no score at all": lambda: from_scores(VALUES.reindex(["A", "B", "C"])),
    "no entry for metrics \\['letters'\\]": lambda: from_scores(VALUES, group={"digits": "2-D"}),
    "model 'A', metric 'letters': 'high' is not a number": lambda: from_scores(VALUES.assign(letters="high")),
    "model 'A' appears more than once": lambda: from_scores(pd.concat([VALUES, VALUES.head(1)])),
    "lies in several groups": lambda: from_scores(VALUES, "one", {"digits": "2-D", "letters": "3-D"}),
    "no metric in which higher is better": lambda: balanced_means(from_scores(VALUES, higher_is_better=False)),
    "unknown benchmarks \\['MNIST'\\]": lambda: balanced_means(from_scores(VALUES), ["MNIST"]),
    "each once": lambda: subset_names(from_scores(VALUES), ["digits", "digits"]),
    "at least one benchmark": lambda: subset_names(from_scores(VALUES), []),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_tables_are_named(message):
    with pytest.raises(ValueError, match=message):
        BAD[message]()
