"""Published boards: shapes, and means as printed. Public answers item by item: known shapes, metrics, seeds."""

import numpy as np
import pytest

from benchuq.data import published
from benchuq.data.published import load
from benchuq.data.scores import balanced_means
from benchuq.data.tables import DataUnavailable, fetch, read_table
from benchuq.studies.subsampling import subgroup_sizes


def test_gate_has_the_published_shape(gate):
    assert gate["score"].shape == (21, 48)
    assert len(set(gate["benchmark"].values)) == 31
    assert gate["score"].notnull().all() and float(gate["score"].max()) <= 1
    assert (gate["flag"] == "uncertain").sum() == 15


@pytest.mark.parametrize("tier, tolerance, n", [("Small", 0.1, 19), ("Base", 0.72, 20), ("Full", 0.45, 19)])
def test_printed_means(gate_tiers, tier, tolerance, n):
    subset = None if tier == "Full" else gate_tiers[tier.lower()]
    ours = 100 * balanced_means(load("gate_means"), subset)["mean"]
    printed = read_table("gate_means").query(f"statistic == '{tier} GATE Mean'").set_index("model")["value"]
    gap = (ours - printed).abs().drop(["seffv2", "whspr"]).dropna()  # these two lack scores that enter the means
    assert len(gap) == 19 and gap.max() < tolerance
    assert printed.notna().sum() >= n


@pytest.mark.parametrize("name, sizes", [("vtab", (16, 19)), ("mmlu", (6, 4)), ("gate", (21, 48))])
def test_boards_by_name(name, sizes):
    assert tuple(load(name).sizes.values())[:2] == sizes


def test_vtab_sums_to_the_slides_category_sizes():
    sizes = load("vtab")["n_items"].groupby("category").sum().to_series()
    assert sizes.to_dict() == {"Natural": 75564, "Specialized": 87138, "Structured": 225202}


@pytest.mark.parametrize(
    "run, message",
    [
        (lambda: load("imagenet"), "name must be one of .*'gate_all'"),
        (lambda: published.load_tabular("census"), "name must be one of"),
        (lambda: published.load_tabular("student_mathematics", "F1"), "metric must be one of"),
    ],
)
def test_unknown_names_are_refused(run, message):
    with pytest.raises(ValueError, match=message):
        run()


def test_predictions_of_one_seed_under_two_metrics():
    try:
        fetch("student-mat.csv", timeout=3)
    except DataUnavailable as reason:
        pytest.skip(str(reason))
    right, entropy = (published.load_tabular("student_mathematics", m, rng=0) for m in ("accuracy", "cross_entropy"))
    assert set(np.unique(right["score"])) == {0.0, 1.0} and entropy["score"].max() > 1
    assert subgroup_sizes(right).min() >= 20
    likely = right["confidence"].where(right["score"] == 1, 1 - right["confidence"])
    np.testing.assert_allclose(-np.log(likely), entropy["score"], rtol=1e-6)


def test_digits_are_the_same_for_the_same_seed():
    one, embeddings = published.load_digits(5, rng=1)
    two, again = published.load_digits(5, rng=1)
    assert one.equals(two) and (embeddings == again).all() and embeddings.shape == (1797, 5)
    assert dict(one.sizes) == {"model": 5, "item": 1797} and one["confidence"].max() <= 1
