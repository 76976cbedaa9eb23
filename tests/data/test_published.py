"""Published boards: shapes, and means as printed. Public answers item by item."""

import pytest

from benchuq.data.published import load, load_digits


def test_gate_is_as_published(gate):
    assert len(set(gate["benchmark"].values)) == 31 and (gate["flag"] == "uncertain").sum() == 15
    assert gate["score"].notnull().all() and float(gate["score"].max()) <= 1


@pytest.mark.parametrize("name, sizes", [("vtab", (16, 19)), ("mmlu", (6, 4)), ("gate", (21, 48))])
def test_boards_by_name(name, sizes):
    assert tuple(load(name).sizes.values())[:2] == sizes


def test_vtab_sums_to_the_slides_category_sizes():
    sizes = load("vtab")["n_items"].groupby("category").sum().to_series()
    assert sizes.to_dict() == {"Natural": 75564, "Specialized": 87138, "Structured": 225202}


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="name must be one of .*'gate_all'"):
        load("imagenet")


def test_digits_are_the_same_for_the_same_seed():
    one, embeddings = load_digits(rng=1)
    two, again = load_digits(rng=1)
    assert one.equals(two) and (embeddings == again).all() and embeddings.shape == (1797, 12)
    assert dict(one.sizes) == {"model": 5, "item": 1797} and one["confidence"].max() <= 1
