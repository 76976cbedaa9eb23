"""What a browser makes of the explorer: the board's own numbers, and sliders that move them."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from benchuq.comparison import explorer
from benchuq.comparison.all_pairs import all_pairs
from benchuq.comparison.board import best_first
from benchuq.comparison.ranking import leaderboard
from benchuq.comparison.scores import score_intervals, scores
from benchuq.data.results import from_items
from benchuq.reporting.pages import page
from benchuq.reporting.weights import category_scores

NAMES = ["A", "<b>B</b>", "C", "D"]
WEIGHTS = {"u": 0.5, "v": 0.3, "w & co": 0.2}


def answers(n=80, p=((0.7, 0.5, 0.2), (0.5, 0.6, 0.5), (0.3, 0.3, 0.6), (0.3, 0.35, 0.6)), names=NAMES, seed=3):
    "Results of items: the models `names` on three tasks of `n` questions, with right answers correlated."
    rng, rows = np.random.default_rng(seed), []
    for t, (task, category) in enumerate(zip("xyz", WEIGHTS)):
        hard = rng.random(n)
        for name, chances in zip(names, p):
            right = 0.6 * hard + 0.4 * rng.random(n) < chances[t]
            columns = {"model": name, "task": task, "category": category, "item": np.arange(n)}
            rows.append(pd.DataFrame(columns | {"score": right.astype(float)}))
    return from_items(pd.concat(rows), holes=True)


def made(results, weights=WEIGHTS):
    "The explorer of a board, its critical value, and the scores of the categories."
    by_task = dict(zip("xyz", weights.values()))
    board, together = leaderboard(results, by_task), all_pairs(scores(results, by_task))
    parts, shares = category_scores(results, by_task)
    critical = together.attrs["critical_value"]
    return explorer.explorer(parts, shares, board, critical).markup, board, critical, parts


def rows(dom):
    body = re.search(r"<tbody>(.*?)</tbody>", dom, re.S)[1]
    cells = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
    ]
    return [[html.unescape(re.sub("<bdi>|</bdi>|<i .*|<b .*", "", c)).strip() for c in row] for row in cells]


def band(first, last):
    return f"{first}" if first == last else f"{first}\u2013{last}"


def expected(parts, critical, weights):
    "Name, score and limits in per cent, and bands of ranks by square-and-add over the categories, best first."
    w, used = np.array(weights), [part for part, weight in zip(parts.values(), weights) if weight > 0]
    w = w[w > 0][:, None]
    mean = np.stack([part.estimate for part in used])
    ends = [
        np.stack([score_intervals(part, level)[end] for part in used]) - mean
        for level in (0.95, 1 - 2 * ndtr(-critical))
        for end in ("lower", "upper")
    ]
    down, up, far, high = (np.sqrt((w**2 * end**2).sum(axis=0)) for end in ends)
    covariance = sum(weight**2 * part.covariance for weight, part in zip(w.ravel(), used))
    sd, score = np.sqrt(np.diag(covariance)), (w * mean).sum(axis=0)
    rho = covariance / np.outer(sd, sd)
    reach = far[:, None] ** 2 - 2 * rho * far[:, None] * high + high**2
    ahead = (score[:, None] > score) & ((score[:, None] - score) ** 2 > reach)
    found = []
    for i in best_first(score, NAMES):
        values = 100 * np.array([score[i], max(score[i] - down[i], 0), min(score[i] + up[i], 1)])
        found.append((NAMES[i], values, band(1 + ahead[:, i].sum(), len(score) - ahead[i].sum())))
    return found


def assert_alike(shown, wanted):
    for row, (name, values, ranks) in zip(shown, wanted, strict=True):
        assert (row[0], row[3]) == (name, ranks)
        np.testing.assert_allclose(np.array(re.findall(r"[-\d.]+", row[1]), float), values, atol=0.0521)


def test_at_the_weights_of_the_board_its_rows_are_shown(open_page):
    markup, board, *_ = made(answers())
    wanted = [
        (name, 100 * row[["estimate", "lower", "upper"]].to_numpy(float), band(row["rank_lower"], row["rank_upper"]))
        for name, row in board.iterrows()
    ]
    assert_alike(rows(open_page(page("Test", markup))), wanted)


def test_at_other_weights_the_explorer_computes_what_python_computes(open_page):
    markup, _, critical, parts = made(answers())
    for address, weights in [("#weights=100,0,0", [1, 0, 0]), ("#weights=10,10,80", [0.1, 0.1, 0.8])]:
        assert_alike(rows(open_page(page("Test", markup), address)), expected(parts, critical, weights))


def test_all_weight_on_one_category_gives_its_interval(open_page):
    markup, _, _, parts = made(answers())
    table = 100 * score_intervals(parts["v"])[["estimate", "lower", "upper"]]
    for row in rows(open_page(page("Test", markup), "#weights=0,7,0")):
        np.testing.assert_allclose(np.array(re.findall(r"[-\d.]+", row[1]), float), table.loc[row[0]], atol=0.0521)


def test_dragging_a_slider_changes_table_and_address(open_page):
    markup, _, critical, parts = made(answers())
    drag = """
    const s = document.querySelectorAll('.explorer input[type=range]'); s[0].value = 0; s[1].value = 0; s[2].value = 60;
    s[2].dispatchEvent(new Event('input')); document.title = location.hash;
    setTimeout(() => {}, 500);"""
    dom = open_page(page("Test", markup), script=drag)
    assert_alike(rows(dom), expected(parts, critical, [0, 0, 1]))
    assert "<title>#weights=0,0,60</title>" in dom and "<b>B</b>" not in dom


def test_a_phone_shows_the_explorer_without_scrolling_sideways(open_page):
    measure = "document.title = document.documentElement.scrollWidth - document.documentElement.clientWidth;"
    assert "<title>0</title>" in open_page(page("Test", made(answers())[0]), script=measure, width=500)


def test_the_explorer_asks_nothing_of_the_network():
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', made(answers())[0])


def test_small_categories_have_no_sliders():
    with pytest.raises(ValueError, match="they need 30 items in each category, and u has 29"):
        made(answers(29))


def test_names_are_text_and_never_markup():
    markup = made(answers())[0]
    assert "<b>B</b>" not in markup and "\\u003cb>B\\u003c/b>" in markup and "w &amp; co" in markup


def test_with_all_weight_on_one_category_the_leader_of_all_models_is_named(open_page):
    p = np.random.default_rng(5).uniform(0.3, 0.6, (700, 3))
    p[600] = 0.02, 0.02, 0.98  # far from the best on the board
    markup = made(answers(60, p, [f"m{i}" for i in range(700)]))[0]
    assert len(markup) < 2_500_000
    first = rows(open_page(page("Test", markup), "#weights=0,0,100"))[0]
    assert first[0] == "m600"


def test_a_model_without_a_category_is_left_out_while_that_counts(open_page):
    x = answers()
    x["score"] = x["score"].where((x["model"] != "A") | (x["category"] != "u"))
    text = page("Test", made(x)[0])
    assert "A" not in [r[0] for r in rows(open_page(text, "#weights=50,50,50"))]
    assert "A" in [r[0] for r in rows(open_page(text, "#weights=0,100,0"))]
