"""Printed numbers beside those of many repetitions."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.studies.replication import concordance, concordance_summary, tidy

ROOT = Path(__file__).parents[2]
INDEX = pd.MultiIndex.from_tuples([("A", "Overall")])
TABLE = pd.DataFrame({"estimate": [0.68], "lower": [0.678], "upper": [0.681]}, index=INDEX)


def test_concordance_by_hand():
    frame, rng = tidy(TABLE), np.random.default_rng(1)
    repeats = [{"table_1": frame.assign(estimate=68 + rng.normal(0, 0.1), lower=67.8, upper=68.1)} for _ in range(100)]
    assert concordance(frame.assign(table="table_1"), repeats)["within"].all()
    assert not concordance(frame.assign(table="table_1", estimate=69), repeats)["within"].all()
    exact = [{"t": frame.assign(estimate=e)} for e in (68.0, 68.2)]
    for published, within in [(67.95, True), (67.94, False), (68.25, True), (68.26, False)]:
        table = concordance(frame.assign(table="t", estimate=published), exact).set_index("quantity")
        assert table.loc["estimate", "within"] == within, published
    summary = concordance_summary(concordance(frame.assign(table="t", estimate=68.26), exact)).loc["all"]
    assert summary["numbers"] == 3 and summary["within"] == 2 / 3
    assert summary["mean absolute difference of estimates"] == pytest.approx(0.16)


def test_a_published_entry_without_a_replication():
    with pytest.raises(ValueError, match="no replication has 3 of the published entries, the first .'table_2'"):
        concordance(tidy(TABLE).assign(table="table_2"), [{"table_1": tidy(TABLE)}])


def test_vtab_concordance():
    table = pd.read_csv(ROOT / "reports/vtab/tables/concordance.csv")
    summary = concordance_summary(table).loc["all"]
    assert summary["within"] >= 0.99 and summary["mean absolute difference of estimates"] <= 0.05
