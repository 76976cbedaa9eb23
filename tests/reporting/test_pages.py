"""Pages: what they hold, and what a browser makes of them (sorting, code on demand, small screens)."""

import re

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook


from benchuq.reporting.pages import card, page, table_library, write_index, write_page
from benchuq.reporting.result_folder import write_manifest

TABLE = pd.DataFrame({"estimate": [0.21, 0.7, -3.0, 0.65]}, index=pd.Index(["a", "B", "c", "d"], name="model"))
WIDE = '<div class="output_subarea"><table><tr>' + "<td>many words in a cell</td>" * 20 + "</tr></table></div>"


def example(body):
    return page("Test", f'<button id="toggle-code">show code</button><div class="input">code</div>{body}')


def rows(dom):
    body = re.search(r"<tbody>(.*?)</tbody>", dom, re.S)[1]
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in found]


def test_tables_sort_and_code_unfolds(open_page):
    text = example(TABLE.assign(text=["0.2 (0.1, 0.3)", "0.7", "-3", "0.65"]).to_html())
    click = "document.querySelectorAll('thead th')[1].click();"
    up, down = (open_page(text, script=click * n) for n in (1, 2))
    values = [[float(r[1]) for r in rows(dom)] for dom in (up, down)]
    assert values[0] == sorted(TABLE["estimate"]) and values[1] == values[0][::-1]
    folded = "document.title = getComputedStyle(document.querySelector('div.input')).display;"
    assert "<title>none</title>" in open_page(text, script=folded)
    unfold = "document.getElementById('toggle-code').click();" + folded
    assert "<title>block</title>" in open_page(text, script=unfold)


def test_a_phone_shows_the_page_without_scrolling_sideways(open_page):
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    assert "<title>0</title>" in open_page(example(WIDE), script=measure, width=500)


def test_pages_ask_nothing_of_the_network():
    text = example(TABLE.to_html())
    assert table_library() in text
    text = text.replace(table_library(), "")
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', text)
    assert """content="default-src 'none'; img-src data:""" in text  # so whatever a library could do is forbidden


def test_the_markup_around_a_page_has_no_stray_line_breaks():
    text = page("<A> & B", "<p>x</p>")
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
    assert "<title>&lt;A&gt; &amp; B</title>" in text and '<body><main><p>x</p></main><script type="module">' in text


@pytest.fixture
def executed(tmp_path):
    folder = tmp_path / "r&d"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "a.csv").touch()
    text = "---\n- skip_exec: true\n---\n\n# A <i>title</i>\n\n> Which?\n\n## Part & parcel"
    nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), folder / "r&d.ipynb")
    return folder / "r&d.ipynb"


def test_a_page_links_its_sections_and_hides_directives(executed):
    target = write_page(executed)
    text = target.read_text()
    assert target == executed.with_suffix(".html") and "skip_exec" not in text
    assert re.search(
        r'<nav aria-label="sections"><ul><li><a href="#Part-[^"]*">Part &amp; parcel</a></li></ul></nav>', text
    )


def test_the_index_shows_every_report_once_and_escapes_names(executed):
    write_manifest(executed.parent, {"title": "A <i>title</i>", "blurb": "Which?"})
    entry = card(executed.parent)
    assert "A &lt;i&gt;title&lt;/i&gt;" in entry and 'href="r&amp;d/tables/a.csv"' in entry and "Which?" in entry
    (executed.parent / "other.ipynb").write_text(executed.read_text())  # not a report: named otherwise than its folder
    assert write_index(executed.parents[1]).read_text().count('class="report"') == 1


def test_the_index_names_what_it_cannot_read(executed):
    assert "r&amp;d: r&amp;d/manifest.json cannot be read" in write_index(executed.parents[1]).read_text()
    (executed.parent / "manifest.json").write_text('{"benchuq_manifest": 1, "files": ')
    assert "cannot be read (JSONDecodeError)" in write_index(executed.parents[1]).read_text()


@pytest.mark.parametrize("kind", ["own", "changed", "folder", "link"])
def test_an_index_of_the_user_stays(executed, kind):
    out = executed.parents[1]
    index = write_index(out)
    assert index.name == "index.html" and write_index(out) == index
    if kind == "changed":
        index.write_text(index.read_text().replace("Reports", "My reports"))
    else:
        index.unlink()
    if kind == "own":
        index.write_text("mine")
    if kind == "folder":
        index.mkdir()
    if kind == "link":
        index.symlink_to(executed)
    before = (index.is_symlink(), index.is_dir() or index.read_bytes())
    with pytest.warns(UserWarning, match="is yours and stays"):
        assert write_index(out).name == "benchuq.html"
    assert (index.is_symlink(), index.is_dir() or index.read_bytes()) == before
