"""Letters of groups: who shares one, and when there are none."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison.letters import group_letters


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_models_share_a_letter_exactly_if_they_are_alike(n, seed):
    distinct = np.triu(np.random.default_rng(seed).random((n, n)) < 0.4, 1)
    letters = group_letters(distinct)
    for i, j in combinations(range(n), 2):
        assert bool(set(letters[i]) & set(letters[j])) != distinct[i, j]


def test_letters_of_many_models_are_found_at_once_or_not_at_all():
    """Two camps of 500 need two letters; a long row of models that differ only from the far ones
    gets none.
    """
    camps = np.zeros((1000, 1000), bool)
    camps[:500, 500:] = True
    letters = group_letters(camps)
    assert set(letters[:500]) == {"a"} and set(letters[500:]) == {"b"}
    assert set(group_letters(np.subtract.outer(np.arange(1000), np.arange(1000)) < -50)) == {""}
