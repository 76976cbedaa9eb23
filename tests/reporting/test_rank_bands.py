"""The board as rank bands: any number of models, any names, with and without ranks."""

import re

import numpy as np
import pandas as pd
import pytest

from benchuq.reporting.pages import page
from benchuq.reporting.rank_bands import plot_rank_bands, rank_bands, rank_reading, shares_first, short_names

NASTY = [
    "x" * 200,
    "<script>alert(1)</script>",
    "نموذج " * 40,
    "$\\frac{a}",
    "a\u202e\u0000b",
    '" onload="x',
    "'q' data-x='",
]


def board(n, names=None):
    estimate = np.linspace(0.9, 0.1, n)
    low = np.maximum(np.arange(1, n + 1) - 5, 1)
    high = np.minimum(np.arange(1, n + 1) + 5, n)
    index = pd.Index(names or [f"model-{i}" for i in range(n)], name="model")
    columns = {"estimate": estimate, "lower": estimate - 0.05, "upper": estimate + 0.05, "level": 0.95}
    ranks = {"rank": np.arange(1, n + 1), "rank_lower": low, "rank_upper": high, "groups": "", "p_best": 1 / n}
    return pd.DataFrame(columns | ranks, index=index)


@pytest.mark.parametrize("n", [1, 3, 300, 3000])
def test_every_model_has_a_row_and_rows_stay_short(n):
    markup = rank_bands(board(n))._repr_html_()
    assert markup.count("<th scope=row") == n
    assert len(markup) < 2_000 + 800 * n
    assert markup.count("class=first") == min(n, 6) == shares_first(board(n)).sum()


def test_names_are_text_and_short():
    markup = rank_bands(board(7, NASTY))._repr_html_()
    assert "<script>" not in markup and 'onload="' not in markup and "data-x='" not in markup
    assert not re.search("[\u0000\u202e]", re.sub(r"title=\"[^\"]*\"|data-search='[^']*'", "", markup))
    assert all(0 < len(name) <= 44 for name in short_names([*NASTY, "", 7]))
    short = short_names(["begin" + "x" * 100 + "end"])[0]
    assert short.startswith("begin") and short.endswith("end")


def test_short_names_stay_distinct():
    short = short_names(["a" * 60 + "b" + "c" * 60, "a" * 60 + "c" * 61, "short"])
    assert len(set(short)) == 3 and short[2] == "short" and max(map(len, short)) <= 48


def test_scores_without_intervals_and_ranks_that_are_shared():
    table = board(4).assign(rank=[1.5, 1.5, 3, np.nan], p_best=[0.5, 0.4, np.nan, np.nan])
    table[["lower", "upper"]] = np.nan
    table.loc["model-3", "estimate"] = np.nan
    markup = rank_bands(table)._repr_html_()
    assert "nan%" not in markup and "nan<" not in markup.replace('nan</td><td class="track', "")
    assert (
        markup.count(">1 =<") == 2
        and ">3<" in markup
        and markup.count('<td class="rare" data-order=-1.000000></td>') == 2
    )


def test_the_reading_is_one_number_or_two():
    table = board(3).assign(rank_lower=[1, 2, 2], rank_upper=[1, 3, 3])
    assert rank_reading(table).tolist() == ["1", "2-3", "2-3"]


def test_a_board_without_ranks_shows_scores():
    markup = rank_bands(board(2)[["estimate", "lower", "upper"]])._repr_html_()
    assert "ranks" not in markup and "90.0 (85.0, 95.0)" in markup


def test_the_picture_holds_any_names_and_as_many_rows_as_asked():
    ax = plot_rank_bands(board(7, NASTY))
    ax.figure.canvas.draw()
    assert len(plot_rank_bands(board(100), 40).get_yticklabels()) == 40


def test_the_page_pages_searches_and_stands_without_script(open_page):
    text = page("Board", rank_bands(board(300))._repr_html_())
    count = "document.title = document.querySelectorAll('table.board tbody tr').length;"
    assert "<title>25</title>" in open_page(text, script=count)
    seek = "const s = document.querySelector('input[type=search]'); s.value = 'model-299';"
    seek += "s.dispatchEvent(new Event('input')); setTimeout(() => {" + count + "}, 800);"
    assert "<title>1</title>" in open_page(text, script=seek)
    bare = re.sub(r"<script>.*?</script>", "", text, flags=re.S)
    assert bare.count("<th scope=row") == 300
