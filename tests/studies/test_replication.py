"""The tables of UQ: what each is made of, that repetitions take the draws they should, and how they
are compared.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.data.published import load
from benchuq.studies.replication import (
    concordance,
    concordance_summary,
    replicate_uq_tables,
    tidy,
    uq_tables,
)
from benchuq.sampling import aggregate
from benchuq.sampling.bootstrap import bootstrap
from benchuq.studies import paper_tables

TOP = ["Sup-Rotation-100%", "Sup-Exemplar-100%"]
PAIRS = {tuple(TOP): "SR - SE"}
ROOT = Path(__file__).parents[2]
INDEX = pd.MultiIndex.from_tuples([("A", "Overall")])
TABLE = pd.DataFrame({"estimate": [0.68], "lower": [0.678], "upper": [0.681]}, index=INDEX)


@pytest.fixture(scope="module")
def vtab():
    return load("vtab")


def test_tables_are_the_functions_of_draws_that_they_claim(vtab):
    raw, predictive = (bootstrap(vtab, 60, rng, method="percentile") for rng in (1, 2))
    tables = uq_tables(raw, predictive, TOP, PAIRS, rng=3)
    assert list(tables) == [f"table{i}" for i in (6, 8, 4, 9, 10, 5, 7, 11, 2, 3)]
    for name, draws in [
        ("table6", raw),
        ("table9", paper_tables.normalise(raw)),
        ("table7", predictive),
    ]:
        means = aggregate.intervals(aggregate.category_means(draws, overall="equal"), 0.834)
        np.testing.assert_array_equal(tables[name]["lower"], 100 * means["lower"])
        ranks = tables[{"table6": "table8", "table9": "table10", "table7": "table11"}[name]]
        assert (
            set(ranks["column"]) == set(paper_tables._SCHEMES)
            and ranks["estimate"].between(1, 16).all()
        )
    by_mean = paper_tables.rank_table(raw, rng=3)["estimate"].xs("By avg", level=1)
    ours = tables["table8"].query("column == 'By avg'").set_index("row")["estimate"]
    np.testing.assert_array_equal(ours[by_mean.index], by_mean)
    for part, whole in [("table4", "table8"), ("table5", "table10")]:
        pd.testing.assert_frame_equal(tables[part], tables[whole][tables[whole]["row"].isin(TOP)])
    columns = ["Avg Acc (Bootstrap)", "Avg Norm Acc", "Avg Acc (Bayesian HM)"]
    assert tables["table2"]["column"].unique().tolist() == columns and len(tables["table2"]) == 6
    apart = 100 * (raw.sel(model=TOP[0]) - raw.sel(model=TOP[1])).mean("task").values
    first = tables["table3"].iloc[0]
    assert (
        first[["row", "column"]].tolist() == ["SR - SE", "Avg Acc Diff (Bootstrap)"]
        and len(tables["table3"]) == 3
    )
    assert np.quantile(apart, 0.025) == pytest.approx(first["lower"])


def test_repetitions_take_new_bootstrap_draws_and_the_next_predictive_ones(vtab):
    draws, predictive = bootstrap(vtab, 50, 1), bootstrap(vtab, 115, 2)
    sets = replicate_uq_tables(
        vtab, draws, predictive, 30, TOP, PAIRS, rng=np.random.default_rng(3), progress=False
    )
    assert len(sets) == 3  # the 5 predictive draws that are left are too few for another
    rng = np.random.default_rng(3)
    used = [slice(0, 50), slice(50, 80), slice(80, 110)]
    for i, (part, found) in enumerate(zip(used, sets)):
        raw = draws if i == 0 else bootstrap(vtab, 30, rng, method="percentile")
        for name, table in uq_tables(raw, predictive.isel(draw=part), TOP, PAIRS, rng=rng).items():
            pd.testing.assert_frame_equal(found[name], table, check_exact=True)


def test_concordance_by_hand():
    frame = tidy(TABLE)
    exact = [{"t": frame.assign(estimate=e)} for e in (68.0, 68.2)]
    for published, within in [(67.95, True), (67.94, False), (68.25, True), (68.26, False)]:
        table = concordance(frame.assign(table="t", estimate=published), exact).set_index(
            "quantity"
        )
        assert table.loc["estimate", "within"] == within, published
    summary = concordance_summary(concordance(frame.assign(table="t", estimate=68.26), exact)).loc[
        "all"
    ]
    assert summary["numbers"] == 3 and summary["within"] == 2 / 3
    assert summary["mean absolute difference of estimates"] == pytest.approx(0.16)


def test_vtab_concordance():
    table = pd.read_csv(ROOT / "reports/vtab/tables/concordance.csv")
    summary = concordance_summary(table).loc["all"]
    assert summary["within"] >= 0.99 and summary["mean absolute difference of estimates"] <= 0.05
