"""What a browser makes of the explorer: the numbers of Python, and sliders that move them."""

import html
import re

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

from benchuq.comparison import aggregate, explorer
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
    return [[html.unescape(re.sub("<bdi>|</bdi>|<i .*|<b .*", "", c)).strip() for c in row] for row in cells]


def expected(weights, x=None):
    "Name, mean and normal limits in per cent, and bands of ranks by Bonferroni's rule, best first."
    scores = aggregate.mean(draws() if x is None else x, dict(zip(["u", "v", "w & co"], weights)))
    mean, covariance = scores.mean("draw").values, np.cov(scores.values, ddof=0)
    half = 1.959964 * np.sqrt(np.diag(covariance))
    critical = norm.isf(0.025 / 3)
    se = np.sqrt(np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance)
    ahead = mean[:, None] - mean > critical * se
    found = []
    for i in np.argsort(-mean):
        first, last = 1 + ahead[:, i].sum(), len(mean) - ahead[i].sum()
        ranks = f"{first}" if first == last else f"{first}\u2013{last}"
        found.append(
            (str(scores["model"].values[i]), 100 * np.array([mean[i], mean[i] - half[i], mean[i] + half[i]]), ranks)
        )
    return found


def assert_alike(shown, wanted):
    for row, (name, values, ranks) in zip(shown, wanted, strict=True):
        assert (row[0], row[3]) == (name, ranks)
        assert (
            np.abs(np.array(re.findall(r"[-\d.]+", row[1]), float) - values).max() < 0.35
        )  # draws of 3 tasks, by chance a little correlated


def test_the_explorer_computes_what_python_computes(open_page):
    text = page("Test", explorer.explorer(draws()).markup)
    for address, weights in [
        ("", [1 / 3] * 3),
        ("#weights=100,0,0", [1, 0, 0]),
        ("#weights=10,10,80", [0.1, 0.1, 0.8]),
    ]:
        assert_alike(rows(open_page(text, address)), expected(weights))


def test_dragging_a_slider_changes_table_and_address(open_page):
    drag = """
    const s = document.querySelectorAll('.explorer input[type=range]'); s[0].value = 0; s[1].value = 0; s[2].value = 60;
    s[2].dispatchEvent(new Event('input')); document.title = location.hash;
    setTimeout(() => {}, 500);"""
    dom = open_page(page("Test", explorer.explorer(draws()).markup), script=drag)
    assert_alike(rows(dom), expected([0, 0, 1]))
    assert "<title>#weights=0,0,60</title>" in dom and "<b>B</b>" not in dom


def test_a_phone_shows_the_explorer_without_scrolling_sideways(open_page):
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    text = page("Test", explorer.explorer(draws()).markup)
    assert "<title>0</title>" in open_page(text, script=measure, width=500)


def test_the_explorer_asks_nothing_of_the_network():
    text = explorer.explorer(draws()).markup
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text)


def test_bad_input():
    with pytest.raises(ValueError, match="no categories"):
        explorer.explorer(draws().drop_vars("category"))
    with pytest.raises(ValueError, match="level must lie between 0 and 1, got 95"):
        explorer.explorer(draws(), level=95)


def test_names_are_text_and_never_markup():
    markup = explorer.explorer(draws()).markup
    assert "<b>B</b>" not in markup and "\\u003cb>B\\u003c/b>" in markup and "w &amp; co" in markup


def test_with_all_weight_on_one_category_the_leader_of_all_models_is_named(open_page):
    rng = np.random.default_rng(5)
    centre = rng.uniform(0.3, 0.6, (700, 3, 1))
    centre[600] = np.array([0.05, 0.05, 0.95])[:, None]  # far from the best under equal weights
    x = xr.DataArray(
        centre + rng.normal(0, 0.01, (700, 3, 50)),
        dims=("model", "task", "draw"),
        coords={"model": [f"m{i}" for i in range(700)], "task": list("xyz"), "category": ("task", list("uvw"))},
    )
    markup = explorer.explorer(x).markup
    assert len(markup) < 2_000_000
    first = rows(open_page(page("Test", markup), "#weights=0,0,100"))[0]
    assert first[0] == "m600" and first[1].startswith("95.")


def test_a_model_without_a_category_is_left_out_while_that_counts(open_page):
    x = draws().where((draws()["model"] != "A") | (draws()["category"] != "u"))
    text = page("Test", explorer.explorer(x).markup)
    assert [r[0] for r in rows(open_page(text))] == ["<b>B</b>", "C"]
    assert rows(open_page(text, "#weights=0,100,0"))[1][0] == "A"
