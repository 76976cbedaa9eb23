"Components of variance against published numbers, statsmodels and restricted likelihood."

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.components import components
from benchuq.data.results import from_items
from benchuq.data.tables import read_table
from tests.comparison.made_ratings import (
    as_ratings,
    crossed_with_holes,
    exact_effects,
    four_ways,
    one_way,
)

# SummEval, coherence: 12 systems, 100 items, 3 experts; ratings from 1 to 5
SUMM_EVAL = {
    "model": 0.359417,
    "item": 0.113519,
    "rater": 0.123732,
    "model x item": 0.507780,
    "model x rater": 0.106091,
    "item x rater": 0.032001,
    "rest": 0.405676,
}
AXES = dict(zip(SUMM_EVAL, [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]))


@pytest.fixture(scope="module")
def summ_eval():
    parts = {AXES[name]: value for name, value in SUMM_EVAL.items()}
    score = exact_effects((12, 100, 3), parts, 1)
    return as_ratings((score - score.min()) / np.ptp(score), "rater"), np.ptp(score)


def test_seven_components_of_summ_eval(summ_eval):
    results, unit = summ_eval
    table = components(results).table
    assert list(table.index) == list(SUMM_EVAL)
    assert np.allclose(table["estimate"] * unit**2, list(SUMM_EVAL.values()), atol=1e-6)


def test_the_error_of_a_difference_with_items_alone_and_with_experts_too(summ_eval):
    results, unit = summ_eval
    alone, both = (components(results, units=u).errors()[1] * unit for u in ("item", "item,rater"))
    assert round(alone, 3) == 0.113 and round(both, 3) == 0.289


REFERENCE = json.loads((Path(__file__).parent / "reference/facets_reference.json").read_text())


def by_mean_squares(squares: dict) -> dict[str, float]:
    "Components of 4 models, 7 items, 3 raters and 2 repeats from their mean squares."
    rest = squares["model x item x rater"]
    item, rater = squares["model x item"], squares["model x rater"]
    both = squares["item x rater"]
    return {
        "repeat": squares["Residual"],
        "model x item x rater": (rest - squares["Residual"]) / 2,
        "model x item": (item - rest) / 6,
        "model x rater": (rater - rest) / 14,
        "item x rater": (both - rest) / 8,
        "model": (squares["model"] - item - rater + rest) / 42,
        "item": (squares["item"] - item - both + rest) / 24,
        "rater": (squares["rater"] - rater - both + rest) / 56,
    }


def test_a_balanced_analysis_of_variance_of_statsmodels():
    ours = components(as_ratings(four_ways(), "rater", "repeat")).table["estimate"]
    squares = read_table("statsmodels_mean_squares").set_index("source")["mean_square"]
    theirs = by_mean_squares(squares.to_dict())
    assert set(ours.index) == set(theirs)
    assert all(np.isclose(ours[name], theirs[name], rtol=0, atol=1e-8) for name in theirs)


def test_a_balanced_analysis_of_variance_of_statsmodels_as_it_is_installed():
    api = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova")
    score = np.random.default_rng(11).random((4, 7, 3, 2))
    names = ["model", "item", "rater", "repeat"]
    frame = pd.MultiIndex.from_product(map(range, score.shape), names=names).to_frame(index=False)
    fit = api.ols("s ~ C(model) * C(item) * C(rater)", frame.assign(s=score.ravel())).fit()
    table = anova.anova_lm(fit)
    named = table.index.str.replace(r"C\((\w+)\)", r"\1", regex=True).str.replace(":", " x ")
    theirs = by_mean_squares(dict(zip(named, table["mean_sq"])))
    ours = components(as_ratings(score, "rater", "repeat")).table["estimate"]
    assert all(np.isclose(ours[name], theirs[name], rtol=0, atol=1e-8) for name in theirs)


def test_unbalanced_components_solve_the_equations_of_dense_projections():
    "Henderson's method I from matrices: E y'Py is the sum of the components times tr(P Z Z')."
    score, kept = crossed_with_holes()
    y, place = score[kept], np.array(np.nonzero(kept))
    some = [s for s in product([False, True], repeat=3)]
    same = [np.all(place[list(s)][:, :, None] == place[list(s)][:, None], axis=0) for s in some]
    onto = [alike / alike.sum(axis=1, keepdims=True) for alike in same]
    seen = [y @ projection @ y for projection in onto]
    expected = [[(projection * alike).sum() for alike in same] for projection in onto]
    theirs = dict(zip(some, np.linalg.solve(expected, seen)))
    ours = components(as_ratings(score, "rater", kept=kept)).table["estimate"]
    names = ("model", "item", "rater")
    for chosen, value in theirs.items():
        name = " x ".join(n for n, is_in in zip(names, chosen) if is_in)
        if name:
            assert np.isclose(ours["rest" if all(chosen) else name], value, rtol=0, atol=1e-8)


def test_unbalanced_components_are_near_those_of_restricted_likelihood():
    score, kept = crossed_with_holes()
    ours = components(as_ratings(score, "rater", kept=kept)).table
    for name in ("model", "item", "rater"):
        error = (ours["upper"][name] - ours["lower"][name]) / 4
        assert abs(ours["estimate"][name] - REFERENCE["restricted"][name]) < error / 2


def components_of(y: np.ndarray, item: np.ndarray) -> pd.Series:
    "Ours, of one model."
    frame = pd.DataFrame({"model": "m", "task": "t", "item": item, "score": y})
    repeat = frame.groupby("item").cumcount()
    return components(from_items(frame.assign(repeat=repeat))).table["estimate"]


def test_one_way_unbalanced_components_by_the_textbook():
    y, item = one_way()
    n, ours = np.bincount(item), components_of(y, item)
    mean = np.bincount(item, y) / n
    between = (n * (mean - y.mean()) ** 2).sum() / 59
    within = np.square(y - mean[item]).sum() / (len(y) - 60)
    size = (len(y) - np.square(n).sum() / len(y)) / 59
    assert np.isclose(ours["item"], (between - within) / size, rtol=1e-8)
    assert np.isclose(ours["repeat"], within, rtol=1e-8)


def test_one_way_unbalanced_components_are_near_those_of_restricted_likelihood():
    ours, theirs = components_of(*one_way()), REFERENCE["restricted_one_way"]
    error = 0.25 * ours["item"]  # the standard error with 60 items is about a quarter
    assert abs(ours["item"] - theirs["item"]) < error / 2
    assert np.isclose(ours["repeat"], theirs["repeat"], rtol=0.02)


def test_negative_components_are_reported_and_count_as_none():
    score = np.random.default_rng(1).random((3, 4, 4))
    found = components(as_ratings(score, "rater"))
    negative = found.table["estimate"] < 0
    assert negative.any()
    assert all(np.isfinite(found.errors()))


def test_what_to_buy_is_what_more_levels_would_do(summ_eval):
    found = components(summ_eval[0])
    table = found.buy({"item": 2, "rater": 50, "answer": 0.1})
    twice = found.errors(rater=6)
    assert np.allclose(table.loc["twice the raters", ["error_score", "error_difference"]], twice)
    assert table["cost"]["as it is"] == 2 * 100 + 50 * 3 + 0.1 * 12 * 300
    best = found.cheapest(0.06, {"item": 2, "rater": 50, "answer": 0.1})
    assert best["error_difference"] <= 0.06
    assert found.errors(item=best["item"] - 1, rater=best["rater"])[1] > 0.06
    with pytest.raises(ValueError, match="no number of items, with up to 40"):
        found.cheapest(0.001, {"item": 1})


def test_fixed_facets_add_only_what_items_do_with_them(summ_eval):
    found = components(summ_eval[0], units="item")
    parts = found.table["estimate"]
    by_hand = 2 * (parts["model x item"] / 100 + parts["rest"] / 300)
    assert np.isclose(found.errors()[1] ** 2, by_hand)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda t: t[t["item"] == 0], "has one item only"),
        (lambda t: t.assign(twin=t["rater"]).rename(columns={"twin": "judge"}), "rater"),
    ],
)
def test_designs_that_say_nothing(change, message):
    table = pd.MultiIndex.from_product(
        [["A", "B"], range(4), range(3)], names=["model", "item", "rater"]
    )
    table = table.to_frame(index=False).assign(task="t", score=np.random.default_rng(1).random(24))
    results = from_items(change(table))
    if "judge" in results.coords:
        assert not any("judge" in source for source in components(results).table.index)
        return
    with pytest.raises(ValueError, match=message):
        components(results)
