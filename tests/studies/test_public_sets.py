"""Digits under a seed; what could not be had is named, other errors pass."""

import pytest

from benchuq.data.tables import DataUnavailable
from benchuq.studies.public_sets import load_available, load_digits


def test_digits_are_the_same_for_the_same_seed():
    one, embeddings = load_digits(rng=1)
    two, again = load_digits(rng=1)
    assert one.equals(two) and (embeddings == again).all() and embeddings.shape == (1797, 12)
    assert dict(one.sizes) == {"model": 5, "item": 1797} and one["confidence"].max() <= 1


def test_what_could_not_be_had_is_named_and_other_errors_pass():
    def missing(error):
        raise error

    reason = DataUnavailable("x.csv is not on this machine")
    assert load_available({"x": lambda: missing(reason), "one": lambda: 1}) == ({"one": 1}, {"x": str(reason)})
    with pytest.raises(ValueError, match="bad"):
        load_available({"x": lambda: missing(ValueError("bad"))})
