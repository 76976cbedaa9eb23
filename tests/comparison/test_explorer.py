"""What a browser makes of the explorer: the numbers of Python, and sliders that move them."""

import html
import re

import numpy as np
import pytest
import xarray as xr

from benchuq.comparison import aggregate, explorer, ranking
from benchuq.reporting.pages import page


def draws():
    rng = np.random.default_rng(3)
    centre = np.array([[0.7, 0.5, 0.2], [0.5, 0.6, 0.5], [0.3, 0.3, 0.6]])[:, :, None]
    return xr.DataArray(
        (centre + rng.normal(0, 0.03, (3, 3, 400))).round(4),
        dims=("model", "task", "draw"),
        coords={"model": ["A", "<b>B</b>", "C"], "task": list("xyz"), "category": ("task", ["u", "v", "w & co"])},
    )


def rows(dom):
    body = re.search(r"<tbody>(.*?)</tbody>", dom, re.S)[1]
    cells = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    ]
    return [[html.unescape(re.sub("<span.*?</span>", "", c)).strip() for c in row] for row in cells]


def expected(weights):
    x = draws()
    scores = aggregate.mean(x, dict(zip(["u", "v", "w & co"], weights)))
    table = aggregate.intervals(scores).assign(p=ranking.rank_probabilities(scores).sel(rank=1).to_series())
    table = table.sort_values("estimate", ascending=False)
    return [[m, text, f"{p:.2f}"] for m, text, p in zip(table.index, aggregate.format_intervals(table), table["p"])]


def test_the_explorer_computes_what_python_computes(open_page):
    text = page("Test", explorer.explorer(draws()).markup)
    for address, weights in [
        ("", [1 / 3] * 3),
        ("#weights=100,0,0", [1, 0, 0]),
        ("#weights=10,10,80", [0.1, 0.1, 0.8]),
    ]:
        shown = [[r[0], r[1], r[3]] for r in rows(open_page(text, address))]
        assert shown == expected(weights), address


def test_dragging_a_slider_changes_table_and_address(open_page):
    drag = """
    const s = document.querySelectorAll('.explorer input'); s[0].value = 0; s[1].value = 0; s[2].value = 60;
    s[2].dispatchEvent(new Event('input')); document.title = location.hash;"""
    dom = open_page(page("Test", explorer.explorer(draws()).markup), script=drag)
    assert [[r[0], r[1], r[3]] for r in rows(dom)] == expected([0, 0, 1])
    assert "<title>#weights=0,0,60</title>" in dom and "<b>B</b>" not in dom


def test_a_phone_shows_the_explorer_without_scrolling_sideways(open_page):
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    text = page("Test", explorer.explorer(draws()).markup)
    assert "<title>0</title>" in open_page(text, script=measure, width=500)


def test_the_explorer_asks_nothing_of_the_network():
    text = page("Test", explorer.explorer(draws()).markup)
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text)


def test_bad_input():
    with pytest.raises(ValueError, match="no categories"):
        explorer.explorer(draws().drop_vars("category"))
    with pytest.raises(ValueError, match="level must lie between 0 and 1, got 95"):
        explorer.explorer(draws(), level=95)


def test_names_are_text_and_never_markup():
    markup = explorer.explorer(draws()).markup
    assert "<b>B</b>" not in markup and "\\u003cb>B\\u003c/b>" in markup and "w &amp; co" in markup


def test_large_results_keep_fewer_draws():
    x = draws().isel(draw=np.arange(400).repeat(200))
    data = explorer._payload(x, 0.95)
    assert np.size(data["draws"]) <= explorer._LIMIT and len(data["draws"][0][0]) > 1000
