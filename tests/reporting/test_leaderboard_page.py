"""The report `leaderboard` on boards of many shapes: a page for each, whose sections agree."""

import ast
import re

import IPython.display
import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data.results import from_counts
from benchuq.readers import read as readers
from benchuq.reporting.catalogue import report_source
from benchuq.reporting.exhibits import Sentences
from benchuq.reporting.exhibits import Exhibits
from benchuq.reporting.rank_bands import RankBands

matplotlib.use("agg")
pytestmark = [
    pytest.mark.filterwarnings("ignore:fewer than 20 clusters"),
    pytest.mark.filterwarnings("ignore:.*Glyph:UserWarning"),
]


def items(n_models=5, sizes=(30,), *, score=None, category=None, cluster=None, spread=1.0, names=None, seed=0):
    "Results of items: right or wrong by ability and shared difficulty, or the array `score` (model, item)."
    rng = np.random.default_rng(seed)
    task = np.repeat([f"task {t}" for t in range(len(sizes))], sizes)
    if score is None:
        margin = spread * np.linspace(1, -1, n_models)[:, None] + rng.normal(0, 1, len(task))
        score = (rng.random(margin.shape) < 1 / (1 + np.exp(-margin))).astype(float)
    coords = {
        "model": np.array(names or [f"m{i:03d}" for i in range(n_models)], object),
        "item": np.arange(len(task)),
        "task": ("item", task.astype(object)),
    }
    if category is not None:
        coords["category"] = ("item", np.array(list(category), object)[np.repeat(range(len(sizes)), sizes)])
    if cluster is not None:
        coords["cluster"] = ("item", cluster)
    return xr.Dataset({"score": (("model", "item"), score)}, coords)


def counts(n_models=5, sizes=(30, 50), *, category=None, seed=0):
    "Results of counts."
    p = np.linspace(0.8, 0.6, n_models)[:, None] * np.ones(len(sizes))
    n_correct = np.random.default_rng(seed).binomial(sizes, p)
    coords = {"model": [f"m{i:03d}" for i in range(n_models)], "task": [f"task {t}" for t in range(len(sizes))]}
    results = xr.Dataset({"n_correct": (("model", "task"), n_correct), "n_items": ("task", list(sizes))}, coords)
    return results if category is None else results.assign_coords(category=("task", list(category)))


def run_page(results, monkeypatch, until=None, **parameters) -> dict:
    """Run the cells of the template on `results`, all, or up to the one that makes the name `until`.

    Returns its names, and what it displayed under `shown`.
    """
    shown, names = [], {"__name__": "page"}
    show = lambda *things, **_: shown.extend(things)  # noqa: E731
    monkeypatch.setattr(IPython.display, "display", show)
    monkeypatch.setattr(readers, "read", lambda *_, **__: results)
    for cell in nbformat.read(report_source("leaderboard"), 4).cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(cell.source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "leaderboard", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "leaderboard", "eval"), names)
            shown.extend([] if value is None else [value])
        if "parameters" in cell.metadata.get("tags", []):
            names |= {"path": "results"} | parameters
        if until in names:
            break
    plt.close("all")
    return names | {"shown": shown}


def said(page) -> str:
    "All sentences of a page."
    return "\n".join(line for thing in page["shown"] if isinstance(thing, Sentences) for line in thing)


def right_against_wrong(n):
    return items(2, (n,), score=np.array([[1.0] * n, [0.0] * n]))


def one_of_thirty():
    results = items(5, (30,))
    results["score"][4, 1:] = np.nan
    return results


def unscored():
    results = items(5, (60, 60))
    score, reason = results["score"].values.copy(), np.full((5, 120), "", object)
    score[2, :9], reason[2, :9] = np.nan, "error"
    return results.assign(score=(("model", "item"), score), reason=(("model", "item"), reason))


def repeats():
    score = np.random.default_rng(1).integers(0, 2, (4, 40, 3)).astype(float)
    coords = {"model": list("abcd"), "item": range(40), "task": ("item", ["t"] * 20 + ["u"] * 20), "repeat": range(3)}
    return xr.Dataset({"score": (("model", "item", "repeat"), score)}, coords)


def long_names():
    names = [f"{letter}_{'long name $' * 18}" for letter in "ABCDE"]
    return items(5, (30, 30, 30), names=names, category=[c * 200 for c in "xyz"])


def continuous():
    return items(6, (40, 40), score=np.random.default_rng(2).beta(3, 2, (6, 80)))


def holes():
    results = items(6, (40, 40, 40))
    results["score"][0, :40] = np.nan
    results["score"][3, 80:] = np.nan
    return results


SHAPES = {
    "one model": lambda: items(1),
    "two models": lambda: items(2),
    "one item a task": lambda: items(5, (1,) * 40),
    "AIME": lambda: items(20, (30,)),
    "one quiz": lambda: items(22, (80,)),
    "three tasks": lambda: items(10, (80,) * 3),
    **{f"all right, all wrong, {n} items": lambda n=n: right_against_wrong(n) for n in (1, 2, 3, 5)},
    "four equal models, tasks of one": lambda: items(4, (1,) * 40 + (7, 7, 7), spread=0),
    "1 of 30 items": one_of_thirty,
    "SWE-bench": lambda: items(134, (500,), spread=2),
    "300 models": lambda: items(300, (50,) * 4, category="abab"),
    **{f"{k} categories": lambda k=k: items(6, (20,) * k, category=[f"c{i}" for i in range(k)]) for k in (1, 2, 3, 17)},
    "categories of 1, 2, 3, 17": lambda: items(6, (20,) * 23, category="a" + "b" * 2 + "c" * 3 + "d" * 17),
    "long names": long_names,
    "counts": lambda: counts(6, (30, 50, 80), category="abc"),
    "counts, one task": lambda: counts(6, (30,)),
    "continuous": continuous,
    "two clusters a task": lambda: items(4, (40, 40), cluster=np.arange(80) // 20),
    "one cluster a task": lambda: items(4, (40, 40), cluster=np.arange(80) // 40),
    "50 clusters": lambda: items(4, (200,), cluster=np.arange(200) // 4),
    "repeats": repeats,
    "holes": holes,
    "unscored items": unscored,
    "equal answers": lambda: items(4, (30,), score=np.tile(np.arange(30) % 2.0, (4, 1))),
    "all right": lambda: items(4, (30,), score=np.ones((4, 30))),
}


DRAWN = ("long names", "one model", "1 of 30 items")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    "Pages by shape, made when they are first asked for, with the folder of their tables."
    made = {}

    def page(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("page")
            with pytest.MonkeyPatch.context() as patch:
                if name not in DRAWN:  # saving figures takes most of the time
                    patch.setattr(Exhibits, "picture", lambda *_: plt.close("all"))
                made[name] = run_page(SHAPES[name](), patch, output_dir=str(folder)) | {"folder": folder}
        return made[name]

    return page


@pytest.mark.parametrize("shape", SHAPES)
def test_every_board_has_a_page_and_nothing_on_it_is_not_a_number(shape, pages):
    page = pages(shape)
    assert any(isinstance(thing, RankBands) for thing in page["shown"])
    text = said(page) + "".join(t.to_html() for t in page["shown"] if isinstance(t, pd.DataFrame))
    assert "(nan" not in text and "nan points" not in text and " inf " not in text
    assert len(page["board"]) == page["data"].sizes["model"]


@pytest.mark.parametrize("shape", [s for s in SHAPES if s != "holes"])
def test_the_score_printed_is_the_score_observed_everywhere(shape, pages):
    page = pages(shape)
    share = page["task_shares"].to_series()
    score = page["accuracy"].to_pandas().reindex(columns=share.index) @ share
    board = page["board"]
    np.testing.assert_allclose(board["estimate"], score[board.index], atol=1e-9)
    assert list(board.index) == sorted(score.index, key=lambda m: (-round(score[m], 12), m))
    shown = next(thing for thing in page["shown"] if isinstance(thing, RankBands))._repr_html_()
    assert re.findall(r"<td class=\"value\" data-order=\d\.\d{6}>([\d.]+)", shown)[: len(board)] == [
        f"{100 * s:.1f}" for s in score[board.index]
    ]
    file = pd.read_csv(page["folder"] / "tables/leaderboard.csv", index_col=0)["estimate"]
    np.testing.assert_allclose(file, score[file.index], atol=1e-9)
    if (page["folder"] / "tables/categories.csv").exists():
        parts = pd.read_csv(page["folder"] / "tables/categories.csv").set_index(["model", "category"])["estimate"]
        np.testing.assert_allclose(parts.xs("Overall", level=1)[score.index], score, atol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_summary_board_pairs_and_baseline_speak_of_the_same_models(shape, pages):
    page = pages(shape)
    table, board = page["compared"], page["board"]
    if table is None:
        return
    n = len(board)
    apart = table["distinguished"]
    if n > 1:
        assert len(table) == n * (n - 1) // 2
        assert f"{apart.sum():,} of {len(table):,} pairs of models can be distinguished" in said(page)
    beaten = [pair[d > 0] for pair, d in table.loc[apart, "estimate"].items()]
    worse = pd.Series(beaten, dtype=object).value_counts()
    assert (board["rank_lower"] == 1 + worse.reindex(board.index).fillna(0)).all()
    best, may = board.index[0], list(board.index[board["rank_lower"] == 1])
    claim = next(line for line in said(page).split("\n") if "the highest score of" in line)
    assert claim.startswith(best) and f"of {n} models, {100 * board['estimate'].iloc[0]:.1f}" in claim
    if may == [best]:
        assert "do not exclude" not in claim
    else:
        more = re.search(r" and (\d+) more (is|are)? ?the best", claim)
        assert "do not exclude" in claim and (more is None or int(more[1]) + 3 == len(may) - 1)
    versus = page["versus"]
    assert len(versus) == n - 1
    if np.isfinite(page["data"].get("score", xr.DataArray(0))).all():
        difference = (board["estimate"] - board["estimate"].iloc[0])[versus.index]
        np.testing.assert_allclose(versus["estimate"], difference, atol=1e-6)
    else:
        assert "A difference is that on the items that both answered" in said(page)


def test_sections_say_what_they_would_need(pages):
    assert "No pairs are shown: it takes 2 models, and there is one." in said(pages("one model"))
    assert "There are no sliders: they need between 2 and 40 categories or tasks" in said(pages("AIME"))
    assert "There are no sliders: they need 30 items in each category, and c0 has 20" in said(pages("17 categories"))
    assert "There is no triangle of weights: it takes three categories or tasks" in said(pages("2 categories"))
    lone = said(pages("one cluster a task"))
    assert "Scores are shown without intervals and are not compared: all items of tasks" in lone


def test_ties_are_ties(monkeypatch):
    table = pd.DataFrame({"quiz": [20, 14, 14, 14, 9]}, index=["w", "z", "y", "x", "v"])
    page = run_page(from_counts(table, 40), monkeypatch, "said")
    assert list(page["board"].index) == ["w", "x", "y", "z", "v"] and list(page["board"]["rank"]) == [1, 3, 3, 3, 5]
    table = pd.DataFrame({"quiz": [14, 14, 9]}, index=["b", "a", "c"])
    assert "a and b share the highest score of 3 models, 35.0, but" in said(
        run_page(from_counts(table, 40), monkeypatch, "said")
    )


def test_weights_are_stated_and_used(monkeypatch, tmp_path):
    data = items(4, (10, 90), category="ab", seed=4)
    file = tmp_path / "w.csv"
    file.write_text("category,weight\na,3\nb,1\n")
    for weights, words in {
        "size": "each weighted by its number of items (from 10 % to 90 %)",
        str(file): "weighted as given (a 75 %, b 25 %)",
        "{'task 0': 1, 'task 1': 1}": "weighted as given (task 0 50 %, task 1 50 %)",
    }.items():
        page = run_page(data, monkeypatch, "said", weights=weights)
        assert words in said(page)
        score = page["accuracy"].sel(model=page["order"]).values @ page["task_shares"].values
        np.testing.assert_allclose(page["board"]["estimate"], score)
    with pytest.raises(ValueError, match="weights must be one of"):
        run_page(data, monkeypatch, weights="sise")


def test_a_chosen_baseline(monkeypatch):
    monkeypatch.setattr(Exhibits, "picture", lambda *_: None)
    page = run_page(items(4, (100,), spread=2), monkeypatch, baseline="m002")
    assert list(page["versus"].index) == ["m000", "m001", "m003"] and page["versus"].loc["m000", "estimate"] > 0
    page = run_page(items(4, (100,)), monkeypatch, baseline="M2")
    assert "No baseline is compared with the others: unknown models ['M2']; there are ['m000'" in said(page)


def test_corners_of_the_triangle_have_the_weight_that_they_say(pages, monkeypatch):
    page = pages("17 categories")
    weight = page["plan"]["weight"]
    assert float(weight.sel(category="c0").max()) == pytest.approx(3 / 17)
    np.testing.assert_allclose(weight.sel(category="c9"), 1 / 17)
    axes = page["weighting"].plot_weight_map(page["plan"])
    assert axes.taxis.get_major_formatter()(1.0, 0) == "0.18"


def test_nothing_false_is_said_of_equal_models(monkeypatch):
    """20 boards of 5 equal models: more than 5 false statements have probability below .0004 at the nominal .05."""
    monkeypatch.setattr(Exhibits, "picture", lambda *_: None)  # only what is said counts here, at the top
    false = 0
    for seed in range(20):
        page = run_page(items(5, (40, 40), spread=0, seed=seed), monkeypatch, "said")
        false += bool(page["compared"]["distinguished"].any() or "0 of 10 pairs" not in said(page))
    assert false <= 5


def test_the_population_is_named_and_changes_the_page(monkeypatch):
    monkeypatch.setattr(Exhibits, "picture", lambda *_: None)
    data = items(6, (40,) * 12, seed=3)
    page, tasks = run_page(data, monkeypatch), run_page(data, monkeypatch, units="task")
    assert said(page).startswith("These statements are about other questions like these, within these 12 tasks.")
    assert said(tasks).startswith("These statements are about other tasks like these.")
    rows = [
        next(t for t in p["shown"] if isinstance(t, pd.DataFrame) and "may be the best" in t) for p in (page, tasks)
    ]
    pd.testing.assert_frame_equal(rows[0], rows[1].iloc[::-1])
    for found, row in ((page, rows[0].iloc[0]), (tasks, rows[0].iloc[1])):
        assert row["may be the best"] == (found["board"]["rank_lower"] == 1).sum()
        assert row["pairs distinguished"] == f"{found['compared']['distinguished'].sum()} of 15"
    assert "it takes ten tasks, and the board has 2" in said(run_page(items(3, (40, 40)), monkeypatch))


def test_a_task_too_small_for_its_weight_is_named(monkeypatch):
    words = "task 2 has 2 of 202 questions and 33.3 % of the weight"
    assert words in said(run_page(items(4, (100, 100, 2)), monkeypatch, "said"))
    assert words not in said(run_page(items(4, (100, 100, 2)), monkeypatch, "said", weights="size"))


def test_probabilities_of_rank_one_are_those_of_the_board(pages):
    page = pages("AIME")
    first = page["moves"].sel(rank=1).to_series()
    np.testing.assert_allclose(first, page["p_best"][first.index], atol=0.001)
