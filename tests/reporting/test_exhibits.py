"""What a report saves and how its numbers are set beside published ones."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from benchuq.reporting.exhibits import Exhibits, Sentences, concordance, concordance_summary, tidy

ROOT = Path(__file__).parents[2]
INDEX = pd.MultiIndex.from_tuples([("A", "Overall")])
TABLE = pd.DataFrame({"estimate": [0.68], "lower": [0.678], "upper": [0.681]}, index=INDEX)


def test_tables_are_written_in_full_precision_and_read_back(tmp_path):
    frame = pd.DataFrame({"x": [0.1, 1 / 3]}, index=pd.Index(["a", "b"], name="row"))
    out = Exhibits(tmp_path)
    assert out.table("named", frame) is frame
    out.table("plain", frame.reset_index(drop=True))
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "tables/named.csv", index_col="row"), frame, check_exact=True)
    assert (tmp_path / "tables/plain.csv").read_bytes() == b"x\n0.1\n0.3333333333333333\n"


def test_a_tidy_table_on_disk(tmp_path):
    Exhibits(tmp_path).table("table_1", tidy(TABLE))
    text = (tmp_path / "tables/table_1.csv").read_text()
    assert text == "row,column,estimate,lower,upper\nA,Overall,68.0,67.80000000000001,68.10000000000001\n"
    assert tidy(TABLE, scale=1)["estimate"].item() == 0.68


def test_figures_are_written_as_png_svg_and_pdf_and_the_same_twice(tmp_path):
    copies = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        figure, ax = plt.subplots(figsize=(1, 1))
        ax.plot([0, 1])
        assert Exhibits(folder).figure("f", ax) is figure
        plt.close(figure)
        copies.append({p.name: p.read_bytes() for p in (folder / "figures").iterdir()})
    assert copies[0] == copies[1] and set(copies[0]) == {"f.pdf", "f.png", "f.svg"}


def test_without_a_folder_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = Exhibits("")
    out.table("t", TABLE)
    out.figure("f", plt.figure(figsize=(1, 1)))
    plt.close("all")
    assert list(tmp_path.iterdir()) == []


def test_sentences_are_escaped():
    shown = Sentences(["<b>A</b> & B", 3])
    assert shown._repr_html_() == "<ul><li>&lt;b&gt;A&lt;/b&gt; &amp; B</li><li>3</li></ul>"
    assert repr(shown) == "- <b>A</b> & B\n- 3" and shown == ["<b>A</b> & B", "3"]


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
