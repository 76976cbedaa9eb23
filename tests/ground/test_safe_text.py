"""Safe text: what is printed holds no order, and what a spreadsheet opens no formula."""

import json
import re
from pathlib import Path

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from benchuq.safe_text import one_line, plain, plain_json, quote_formulas


def test_formulas_are_quoted_and_nothing_else(tmp_path):
    index = pd.MultiIndex.from_tuples([("@x", 1), ("y", 2)], names=["model", "n"])
    frame = pd.DataFrame(
        {"=a": ["=1+1", "-0.3 (-0.5, 1)"], "b": [-1.5, 2.0], "c": ["+cmd", None]}, index=index
    )
    assert (
        quote_formulas(frame).to_csv()
        == "model,n,'=a,b,c\n'@x,1,'=1+1,-1.5,'+cmd\ny,2,\"-0.3 (-0.5, 1)\",2.0,\n"
    )
    for text in ("-2+3+cmd|' /C calc'!A0", "+1-1+A1", "\uff1dA1", " =1", "-1e5x", "- x"):
        assert quote_formulas(pd.Series([text])).iloc[0, 0] == f"'{text}", text
    assert quote_formulas(pd.Series(["\n=1", "\t@x"]))[0].tolist() == ["\\n=1", "\\t@x"]
    for text in (
        "-0.3 (-0.5, 1)",
        "+1.2 %",
        "-1e-5",
        "-",
        "- 0.3 \u00b1 0.1",
        "a=b",
        "-12.5 to -3",
    ):
        assert quote_formulas(pd.Series([text])).iloc[0, 0] == text, text
    for path in sorted((Path(__file__).parents[2] / "reports").glob("*/tables/*.csv")):
        table = pd.read_csv(path)
        pd.testing.assert_frame_equal(quote_formulas(table), table)


ORDERS = re.compile(r"^\s*::|##\w*\[", re.M)  # what GitHub's and Azure's logs take for commands


@given(st.lists(st.sampled_from([*":#[ a\n\r\t\x1b\x85\u2028\u202e\ud800", "::", "##[", "##vso["])))
def test_a_plain_text_is_one_visible_line_without_an_order(signs):
    text = "".join(signs)
    for shown in (plain(text), one_line(text)):
        assert shown.isprintable() and not ORDERS.search(shown)
        assert shown.encode().decode() == shown  # no halves of signs
        assert plain(shown) == shown
    whole = {"name": text}
    written = plain_json(json.dumps(whole, ensure_ascii=False, indent=1))
    assert json.loads(written) == whole and not ORDERS.search(written)
    assert all(line.isprintable() for line in written.split("\n"))


def test_names_that_differ_are_shown_differently():
    names = ["a b", "a\nb", "a\u2028b", "a\u202eb", "a\x1bb", "a\u200bb", "ab"]
    assert len(set(map(plain, names))) == len(names)
    assert [plain(name) for name in ("a::b", "#1", "## A", "é 数 😀", 5)] == [
        "a::b",
        "#1",
        "## A",
        "é 数 😀",
        "5",
    ]
