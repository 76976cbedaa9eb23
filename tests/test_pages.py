"""What a browser makes of a page: explorer, sorting, code on demand, small screens. Runs where Chromium is installed."""

import html
import re
import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr

from benchuq.comparison import aggregate, explorer, ranking
from benchuq.reporting import run as report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --virtual-time-budget=3000 --dump-dom""".split()


def draws():
    rng = np.random.default_rng(3)
    centre = np.array([[0.7, 0.5, 0.2], [0.5, 0.6, 0.5], [0.3, 0.3, 0.6]])[:, :, None]
    return xr.DataArray(
        (centre + rng.normal(0, 0.03, (3, 3, 400))).round(4),
        dims=("model", "task", "draw"),
        coords={"model": ["A", "<b>B</b>", "C"], "task": list("xyz"), "category": ("task", ["u", "v", "w & co"])},
    )


def page(body):
    return report._page("Test", f'<button id="toggle-code">show code</button><div class="input">code</div>{body}')


def opened(tmp_path, text, address="", script="", width=1000):
    """The page's elements after its scripts and `script` have run."""
    file = tmp_path / "page.html"
    file.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    command = [
        CHROMIUM,
        *FLAGS,
        f"--window-size={width},900",
        f"--user-data-dir={tmp_path / 'profile'}",
        f"file://{file}{address}",
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


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


@needs_browser
def test_the_explorer_computes_what_python_computes(tmp_path):
    text = page(explorer.explorer(draws()).markup)
    for address, weights in [
        ("", [1 / 3] * 3),
        ("#weights=100,0,0", [1, 0, 0]),
        ("#weights=10,10,80", [0.1, 0.1, 0.8]),
    ]:
        shown = [[r[0], r[1], r[3]] for r in rows(opened(tmp_path, text, address))]
        assert shown == expected(weights), address


@needs_browser
def test_dragging_a_slider_changes_table_and_address(tmp_path):
    drag = """
    const s = document.querySelectorAll('.explorer input'); s[0].value = 0; s[1].value = 0; s[2].value = 60;
    s[2].dispatchEvent(new Event('input')); document.title = location.hash;"""
    dom = opened(tmp_path, page(explorer.explorer(draws()).markup), script=drag)
    assert [[r[0], r[1], r[3]] for r in rows(dom)] == expected([0, 0, 1])
    assert "<title>#weights=0,0,60</title>" in dom and "<b>B</b>" not in dom


@needs_browser
def test_tables_sort_and_code_unfolds(tmp_path):
    table = aggregate.intervals(aggregate.mean(draws()))
    text = page(table.assign(text=aggregate.format_intervals(table)).to_html())
    click = "document.querySelectorAll('thead th')[1].click();"
    up, down = (opened(tmp_path, text, script=click * n) for n in (1, 2))
    values = [[float(r[1]) for r in rows(dom)] for dom in (up, down)]
    assert values[0] == sorted(values[0]) and values[1] == values[0][::-1]
    folded = "document.title = getComputedStyle(document.querySelector('div.input')).display;"
    assert "<title>none</title>" in opened(tmp_path, text, script=folded)
    unfold = "document.getElementById('toggle-code').click();" + folded
    assert "<title>block</title>" in opened(tmp_path, text, script=unfold)


@needs_browser
def test_a_phone_shows_the_page_without_scrolling_sideways(tmp_path):
    wide = '<div class="output_subarea"><table><tr>' + "<td>many words in a cell</td>" * 20 + "</tr></table></div>"
    text = page(explorer.explorer(draws()).markup + wide)
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    assert "<title>0</title>" in opened(tmp_path, text, script=measure, width=500)


def test_pages_ask_nothing_of_the_network():
    text = page(explorer.explorer(draws()).markup)
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text)


def test_bad_input():
    with pytest.raises(ValueError, match="no categories"):
        explorer.explorer(draws().drop_vars("category"))


def test_large_results_keep_fewer_draws():
    x = draws().isel(draw=np.arange(400).repeat(200))
    data = explorer._payload(x, 0.95)
    assert np.size(data["draws"]) <= explorer.LIMIT and len(data["draws"][0][0]) > 1000
