"""Pages: what a browser makes of the house's style and script, and text that is never markup."""

import re

from benchuq.markup import escape, name_markup, page, points, table

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


def test_text_is_never_markup_and_minus_is_minus():
    text = table(["<i>", "b"], [["<b>\u202ename</b>", "<script>"]], "a & b")
    assert not re.search("<i>|<b>|<script>|\u202e", text) and 'aria-label="a &amp; b"' in text
    assert escape("a\nb") == "a\N{REPLACEMENT CHARACTER}b" and name_markup("") == '<bdi dir="auto">(no name)</bdi>'
    assert [points(x) for x in (-0.01, -0.0001, 0.1, float("nan"))] == ["\u22121.0", "0.0", "10.0", ""]
