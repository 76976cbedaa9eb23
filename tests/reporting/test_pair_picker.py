"""Two models chosen on a page: the numbers of Python, the questions that decided, and any names."""

import base64
import json
import re

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.all_pairs import all_pairs
from benchuq.comparison.scores import scores
from benchuq.data import results
from benchuq.reporting.pages import page
from benchuq.reporting.pair_picker import _MOST_PAIRS, _MOST_SCORES, pair_picker

NAMES = ["A", "<b>B</b>", 'C"x', "نموذج"]


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(1)
    score = (rng.random((4, 200)) < np.array([0.8, 0.75, 0.5, 0.2])[:, None]).astype(float)
    rows = [(m, "t", f"q{k}", score[i, k]) for i, m in enumerate(NAMES) for k in range(200)]
    return results.from_items(pd.DataFrame(rows, columns=["model", "task", "item", "score"]))


@pytest.fixture(scope="module")
def comparison(answers):
    return all_pairs(scores(answers))


def chosen(open_page, markup, first, second):
    give = f"const f = document.querySelectorAll('.pairs input'); f[0].value = {json.dumps(first)};"
    give += f"f[1].value = {json.dumps(second)}; f[1].dispatchEvent(new Event('change'));"
    return open_page(page("Test", markup), script=give)


def test_a_chosen_pair_is_that_of_the_comparison(open_page, answers, comparison):
    dom = chosen(open_page, pair_picker(comparison, answers).markup, NAMES[3], NAMES[0])
    said = re.search(r"<output[^>]*>(.*?)</output>", dom)[1]
    pair = comparison.sel(model="A", other=NAMES[3])
    for end in ("lower", "upper"):
        assert f"{100 * float(pair[end]):.1f}" in said
    assert "; distinguished" in said and "p &lt; 0.0005" in said or "p = 0.00" in said


def test_the_questions_that_decided_are_counted(open_page, answers, comparison):
    dom = chosen(open_page, pair_picker(comparison, answers).markup, "A", NAMES[1])
    a, b = (answers["score"].sel(model=m).values for m in ("A", NAMES[1]))
    assert f"<summary>{int((a > b).sum())} questions right for A only" in dom
    assert f"<summary>{int((b > a).sum())} questions right for &lt;b&gt;B&lt;/b&gt; only" in dom
    first = answers["item"].values[np.flatnonzero(a > b)[0]]
    assert f"<li>{first}</li>" in dom


def test_an_unknown_name_is_answered_with_a_hint(open_page, answers, comparison):
    assert "Choose two different models" in chosen(open_page, pair_picker(comparison, answers).markup, "A", "nobody")


def test_names_are_text(comparison):
    markup = pair_picker(comparison).markup
    assert "<b>B</b>" not in markup and 'value="C"x"' not in markup


def test_only_what_fits_is_embedded(answers, comparison):
    many = comparison.isel(model=np.arange(3000) % 4, other=np.arange(3000) % 4)
    many = many.assign_coords(model=[f"m{i}" for i in range(3000)])
    markup = pair_picker(many).markup
    assert "Pairs among the best 447 of 3,000 models" in markup and len(markup) < 1_500_000
    data = json.loads(re.search(r'application/json">(.*?)</script>', markup)[1])
    assert len(base64.b64decode(data["p"])) // 2 == 447 * 446 // 2 <= _MOST_PAIRS

    long = answers.isel(item=np.arange(400_000) % 200).assign_coords(item=[f"q{i}" for i in range(400_000)])
    assert len(long["item"]) * 2 <= _MOST_SCORES
    markup = pair_picker(comparison, long.isel(item=slice(300_000))).markup  # names alone are too long
    assert json.loads(re.search(r'application/json">(.*?)</script>', markup)[1])["items"] is None
