"""The tables of UQ: what each is made of, and that repetitions take the draws they should."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.published import load
from benchuq.studies.replication import SCHEME_NAMES, difference_table, replicate_uq_tables, uq_tables
from benchuq.sampling import aggregate
from benchuq.sampling.bootstrap import bootstrap
from benchuq.studies import paper_tables

TOP = ["Sup-Rotation-100%", "Sup-Exemplar-100%"]
PAIRS = {tuple(TOP): "SR - SE"}


@pytest.fixture(scope="module")
def vtab():
    return load("vtab")


def test_tables_are_the_functions_of_draws_that_they_claim(vtab):
    raw, predictive = (bootstrap(vtab, 60, rng, method="percentile") for rng in (1, 2))
    tables = uq_tables(raw, predictive, TOP, PAIRS, rng=3)
    assert list(tables) == [f"table{i}" for i in (6, 8, 4, 9, 10, 5, 7, 11, 2, 3)]
    for name, draws in [("table6", raw), ("table9", paper_tables.normalise(raw)), ("table7", predictive)]:
        means = aggregate.intervals(aggregate.category_means(draws, overall="equal"), 0.834)
        np.testing.assert_array_equal(tables[name]["lower"], 100 * means["lower"])
        ranks = tables[{"table6": "table8", "table9": "table10", "table7": "table11"}[name]]
        assert set(ranks["column"]) == set(SCHEME_NAMES.values()) and ranks["estimate"].between(1, 16).all()
    by_mean = paper_tables.rank_table(raw, rng=3)["estimate"].xs("mean", level=1)
    ours = tables["table8"].query("column == 'By avg'").set_index("row")["estimate"]
    np.testing.assert_array_equal(ours[by_mean.index], by_mean)
    for part, whole in [("table4", "table8"), ("table5", "table10")]:
        pd.testing.assert_frame_equal(tables[part], tables[whole][tables[whole]["row"].isin(TOP)])
    assert tables["table2"]["column"].unique().tolist() == [
        "Avg Acc (Bootstrap)",
        "Avg Norm Acc",
        "Avg Acc (Bayesian HM)",
    ]
    assert len(tables["table2"]) == 6 and len(tables["table3"]) == 3


def test_differences_by_hand(vtab):
    draws = bootstrap(vtab, 60, rng=1)
    table = difference_table(draws, PAIRS, "x")
    scores = 100 * draws.mean("task")
    apart = (scores.sel(model=TOP[0]) - scores.sel(model=TOP[1])).values
    assert table[["row", "column"]].values.tolist() == [["SR - SE", "x"]]
    assert np.quantile(apart, 0.025) == pytest.approx(table["lower"].item())


def test_repetitions_take_new_bootstrap_draws_and_the_next_predictive_ones(vtab):
    draws, predictive = bootstrap(vtab, 50, 1), bootstrap(vtab, 115, 2)
    sets = replicate_uq_tables(vtab, draws, predictive, 30, TOP, PAIRS, rng=np.random.default_rng(3), progress=False)
    assert len(sets) == 3  # the 5 predictive draws that are left are too few for another
    rng = np.random.default_rng(3)
    used = [slice(0, 50), slice(50, 80), slice(80, 110)]
    for i, (part, found) in enumerate(zip(used, sets)):
        raw = draws if i == 0 else bootstrap(vtab, 30, rng, method="percentile")
        for name, table in uq_tables(raw, predictive.isel(draw=part), TOP, PAIRS, rng=rng).items():
            pd.testing.assert_frame_equal(found[name], table, check_exact=True)
