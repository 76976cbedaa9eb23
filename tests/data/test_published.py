"""Published boards."""

from benchuq.data import published


def test_vtab_sums_to_the_slides_category_sizes():
    sizes = published.load("vtab")["n_items"].groupby("category").sum().to_series()
    assert sizes.to_dict() == {"Natural": 75564, "Specialized": 87138, "Structured": 225202}
