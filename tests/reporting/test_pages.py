"""Pages of reports: what they hold, what a browser makes of them, and the index."""

import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from benchuq.markup import escape, page, points, table
from benchuq.reporting.result_folder import new_results
from benchuq.reporting.run import write_index, write_page

WIDE = '<div class="output_subarea"><table><tr>' + "<td>many words in a cell</td>" * 20 + "</tr></table></div>"


def example(body):
    return page("Test", f'<button id="toggle-code">show code</button><div class="input">code</div>{body}')


def test_code_unfolds(open_page):
    folded = "document.title = getComputedStyle(document.querySelector('div.input')).display;"
    assert "<title>none</title>" in open_page(example(""), script=folded)
    unfold = "document.getElementById('toggle-code').click();" + folded
    assert "<title>block</title>" in open_page(example(""), script=unfold)


def test_a_phone_shows_the_page_without_scrolling_sideways(open_page):
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    for body in (WIDE, table(["model"] * 30, [["many words"] * 30], "wide")):
        assert "<title>0</title>" in open_page(example(body), script=measure, width=500)


def test_pages_ask_nothing_of_the_network():
    text = example(table(["model", "score"], [["a", "1"]], "scores"))
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text)
    assert """content="default-src 'none'; img-src data:""" in text


def test_text_is_never_markup_and_minus_is_minus():
    text = table(["<i>", "b"], [["<b>\u202ename</b>", "<script>"]], "a & b")
    assert not re.search("<i>|<b>|<script>|\u202e", text) and 'aria-label="a &amp; b"' in text
    assert escape("a\nb") == "a\N{REPLACEMENT CHARACTER}b" and escape("") == "(no name)"
    assert [points(x) for x in (-0.01, -0.0001, 0.1, float("nan"))] == ["\u22121.0", "0.0", "10.0", ""]


@pytest.fixture
def executed(tmp_path):
    folder = tmp_path / "r&d"
    text = "---\n- skip_exec: true\n---\n\n# A <i>title</i>\n\n> Which?\n\n## Part & parcel"
    with new_results(folder, {"title": "A <i>title</i>", "blurb": "Which?"}) as new:
        (new / "tables").mkdir()
        (new / "tables" / "a.csv").touch()
        nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), new / "r&d.ipynb")
    return folder / "r&d.ipynb"


def test_a_page_links_its_sections_and_hides_directives(executed):
    target = write_page(executed)
    text = target.read_text()
    assert target == executed.with_suffix(".html") and "skip_exec" not in text
    link = r'<nav aria-label="sections"><ul><li><a href="#Part-[^"]*">Part &amp; parcel</a></li></ul></nav>'
    assert re.search(link, text)


def test_the_index_shows_every_report_once_and_escapes_names(executed):
    (executed.parent / "other.ipynb").write_text(executed.read_text())  # not a report: named otherwise than its folder
    text = write_index(executed.parents[1]).read_text()
    assert "A &lt;i&gt;title&lt;/i&gt;" in text and 'href="r&amp;d/tables/a.csv"' in text and "Which?" in text
    assert text.count('class="report"') == 1


def test_the_index_names_what_it_cannot_read(executed):
    (executed.parent / "manifest.json").write_text('{"benchuq_manifest": 1, "files": ')
    assert (
        "r&amp;d: r&amp;d/manifest.json cannot be read (JSONDecodeError)"
        in write_index(executed.parents[1]).read_text()
    )


@pytest.mark.parametrize("kind", ["own", "folder"])
def test_an_index_of_the_user_stays(executed, kind):
    out = executed.parents[1]
    index = write_index(out)
    assert index.name == "index.html" and write_index(out) == index
    index.unlink()
    index.write_text("mine") if kind == "own" else index.mkdir()
    assert write_index(out).name == "benchuq.html"
    assert index.is_dir() or index.read_text() == "mine"
