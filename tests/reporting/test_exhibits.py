"""What a report saves."""

import matplotlib.pyplot as plt
import pandas as pd

from benchuq.reporting.exhibits import Exhibits, Sentences

TABLE = pd.DataFrame({"estimate": [0.68], "lower": [0.678], "upper": [0.681]})


def test_tables_are_written_in_full_precision_and_read_back(tmp_path):
    frame = pd.DataFrame({"x": [0.1, 1 / 3]}, index=pd.Index(["a", "b"], name="row"))
    out = Exhibits(tmp_path)
    assert out.table("named", frame) is frame
    out.table("plain", frame.reset_index(drop=True))
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "tables/named.csv", index_col="row"), frame, check_exact=True)
    assert (tmp_path / "tables/plain.csv").read_bytes() == b"x\n0.1\n0.3333333333333333\n"


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
