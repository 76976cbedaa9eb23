"""Markup: what only guards."""

import pytest

from benchuq.markup import many, verb


@pytest.mark.parametrize(
    ("n", "said"),
    [(0, "0 models have"), (0.7, "1 model has"), (1, "1 model has"), (2, "2 models have")],
)
def test_a_number_its_noun_and_its_verb_agree(n, said):
    assert f"{many(n, 'model')} {verb(round(n), 'have')}" == said
