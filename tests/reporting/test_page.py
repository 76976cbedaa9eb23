"""Pages of boards of many shapes: every number that stands twice is the same, and sections appear
where they apply.
"""

import base64
import html
import json
import re
from functools import partial

import matplotlib
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.comparison.all_pairs import all_pairs
from benchuq.consensus.votes import votes
from benchuq.data.results import from_estimates, from_items
from benchuq import markup
from benchuq.data.scales import show
from benchuq.markup import escape, name_markup, table
from benchuq.reporting.about import About
from benchuq.reporting.answer import answer, texts_of
from benchuq.reporting.formats import format_board, terminal
from benchuq.reporting.page import _board_page, _own_folder, write_board
from benchuq.reporting.exhibits import read_manifest
from benchuq.reporting.sections import board_sections

matplotlib.use("agg")
pytestmark = pytest.mark.filterwarnings("ignore:fewer than 20 clusters")
NUMBER = "[\u2212\\d.]+"


def items(
    n_models=5,
    sizes=(30,),
    *,
    score=None,
    category=None,
    cluster=None,
    spread=1.0,
    names=None,
    seed=0,
):
    """Results of items: right or wrong by ability and shared difficulty, or the array `score`
    (model, item[, repeat]).
    """
    rng, sizes = np.random.default_rng(seed), list(sizes)
    task = np.repeat([f"task {t}" for t in range(len(sizes))], sizes).astype(object)
    if score is None:
        margin = spread * np.linspace(1, -1, n_models)[:, None] + rng.normal(0, 1, len(task))
        score = (rng.random(margin.shape) < 1 / (1 + np.exp(-margin))).astype(float)
    coords = {"item": np.arange(len(task)), "task": ("item", task)}
    coords["model"] = np.array(names or [f"m{i:03d}" for i in range(len(score))], object)
    if category is not None:
        coords["category"] = (
            "item",
            np.array(list(category), object)[np.repeat(range(len(sizes)), sizes)],
        )
    if cluster is not None:
        coords["cluster"] = ("item", cluster)
    return xr.Dataset({"score": (("model", "item", "repeat")[: score.ndim], score)}, coords)


def estimates(n_models, n_tasks, error=np.nan, seed=0):
    "Published scores, without standard errors or with one."
    p = np.linspace(0.8, 0.6, n_models)[:, None] + np.random.default_rng(seed).normal(
        0, 0.05, (n_models, n_tasks)
    )
    coords = {
        "model": [f"m{i:03d}" for i in range(n_models)],
        "task": [f"task {t}" for t in range(n_tasks)],
    }
    values = {"estimate": p.clip(0, 1), "standard_error": np.full(p.shape, error)}
    return xr.Dataset({name: (("model", "task"), v) for name, v in values.items()}, coords)


def counts(n_models=3, sizes=(100, 50), seed=0):
    rng, sizes = np.random.default_rng(seed), np.array(sizes)
    k = rng.binomial(sizes, np.linspace(0.8, 0.4, n_models)[:, None] * np.ones(len(sizes)))
    coords = {
        "model": [f"m{i:03d}" for i in range(n_models)],
        "task": [f"task {t}" for t in range(len(sizes))],
    }
    return xr.Dataset({"n_correct": (("model", "task"), k), "n_items": ("task", sizes)}, coords)


def with_holes(results, *holes):
    "The results without some blocks (model, first item, last item)."
    for model, first, last in holes:
        results["score"][model, first:last] = np.nan
    return results


def drawn(seed):
    "A board of a random kind: its models, tasks, sizes, categories, clusters, repeats and holes."
    rng = np.random.default_rng(seed)
    models, sizes = int(rng.integers(2, 12)), rng.integers(2, 40, rng.integers(1, 8))
    kind, n = (
        rng.choice(
            ["items", "graded", "repeats", "holes", "clusters", "counts", "errors", "nothing"]
        ),
        sum(sizes),
    )
    if kind in ("counts", "errors", "nothing"):
        error = {"errors": 0.03}.get(kind, np.nan)
        return (
            counts(models, sizes, seed)
            if kind == "counts"
            else estimates(models, len(sizes), error, seed)
        )
    shape = {"graded": (models, n), "repeats": (models, n, 3)}.get(kind)
    score = (
        None
        if shape is None
        else rng.beta(2, 1, shape)
        if kind == "graded"
        else rng.integers(0, 2, shape) * 1.0
    )
    category = rng.choice(list("abc"), len(sizes)) if rng.random() < 0.5 else None
    cluster = np.arange(n) // 3 if kind == "clusters" else None
    made = items(
        models,
        sizes,
        score=score,
        category=category,
        cluster=cluster,
        spread=rng.uniform(0, 3),
        seed=seed,
    )
    return with_holes(made, (0, 0, sizes[0]), (models - 1, 1, n)) if kind == "holes" else made


EVIL = ["<script>alert(1)</script>", 'a"b', "x" * 180, "=1+1", "\u202eabc"]
SHAPES = {
    "one model": lambda: items(1),
    "one task": lambda: items(22, (80,)),
    "5 x 13": lambda: items(5, (12,) * 13, category="aaabbbcccdddd"),
    "other tasks": lambda: items(5, (12,) * 13, category="aaabbbcccdddd"),
    "one item a task": lambda: items(5, (1,) * 40),
    "a winner": lambda: items(8, (900,), spread=4),
    "all equal": lambda: items(4, (50,), score=np.ones((4, 50))),
    "ties": lambda: items(
        4, (50, 50), score=np.repeat(items(2, (50, 50))["score"].values, 2, axis=0)
    ),
    "holes": lambda: with_holes(items(9, (40,) * 6), (0, 0, 40), (3, 80, 120)),
    "models that hardly ran": lambda: with_holes(items(9, (40,) * 6), (0, 40, 240), (3, 0, 239)),
    "nobody ran half": lambda: with_holes(
        items(3, (20,) * 3), (0, 20, 60), (1, 0, 20), (1, 40, 60), (2, 0, 40)
    ),
    "no sizes": lambda: estimates(9, 12),
    "no sizes, one task": lambda: estimates(4, 1),
    "evil names": lambda: items(5, (40, 40, 40), names=EVIL, category=["<b>", "&", "c" * 99]),
    "120 models": lambda: items(120, (50,) * 4, category="abab"),
}
BOARDS = [*SHAPES, *range(30)]


@pytest.fixture(scope="module", params=BOARDS, ids=str)
def made(request):
    units = "task" if request.param == "other tasks" else None
    found = answer(SHAPES.get(request.param, lambda: drawn(request.param))(), units=units)
    sections = board_sections(found)
    return (
        found,
        sections,
        _board_page(found, sections, About(source="file.csv", date="22 November 2026")),
    )


def text(markup):
    return html.unescape(re.sub("<[^>]+>", "", markup)).strip()


def board_of(page):
    "Cells of the board by model, from the table of the page: rank, score, limits."
    body = re.search(r'aria-label="board".*?<thead>(.*?)</thead><tbody>(.*?)</tbody>', page, re.S)
    heads = [text(cell) for cell in re.findall("<th .*?</th>", body[1])]
    rows = [
        [text(c) for c in re.findall("<t[hd].*?</t[hd]>", row)]
        for row in re.findall("<tr>.*?</tr>", body[2])
    ]
    cells = [dict(zip(heads, row, strict=True)) for row in rows]
    return {c["model"]: (c.get("rank"), c["score"], c.get("95 % interval", "")) for c in cells}


def drawn_board(dom):
    "The same from the elements that the script made."
    found = {}
    for row in re.findall(r'<tr data-i="\d+"[^>]*>(.*?)</tr>', dom, re.S):
        rank = re.search('<td class="rank"><span>(.*?)</span>', row)
        score, limits = re.search(
            '<td class="score"><b>(.*?)</b> <small>(.*?)</small>', row
        ).groups()
        found[text(re.search("<th.*?</th>", row)[0])] = (rank and rank[1], score, limits)
    return found


def shown(name):
    return str(name).replace("\u202e", "\\u202e")


def test_page_files_and_terminal_say_the_same(made):
    found, _, page = made
    board = board_of(page)
    assert list(board) == [shown(m) for m in found.board.index]
    read = {shown(m["model"]): m for m in json.loads(format_board(found, "json"))["models"]}
    for name, (rank, score, limits) in board.items():
        row = read[name]
        assert score == f"{100 * row['estimate']:.1f}"
        assert limits == (
            "" if row["lower"] is None else f"{100 * row['lower']:.1f} to {100 * row['upper']:.1f}"
        )
        assert (rank is None) == ("rank_lower" not in row)
        ends = () if rank is None else sorted({row["rank_lower"], row["rank_upper"]})
        assert rank is None or rank == "–".join(map(str, ends))
    assert found.headline in text(page) and found.headline in terminal(found, top=3)
    printed = terminal(found, top=10**6, width=250).split("\n\n")[1].splitlines()[1:]
    printed = [line for line in printed if not line.startswith("---")]
    markdown = [r for r in format_board(found, "markdown").splitlines() if r.startswith("|")][2:]
    latex = [
        r for r in format_board(found, "latex").splitlines() if r.endswith(r" \\") and "&" in r
    ][-len(board) :]
    for (rank, score, limits), *lines in zip(board.values(), printed, markdown, latex, strict=True):
        for line in lines:
            pair = limits.replace(" to ", ", ")
            assert score in line and (limits in line or pair in line)
            assert rank is None or rank in line.replace("--", "–")


def payload(page):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])


def test_a_pair_has_one_difference_everywhere(made):
    found, sections, page = made
    if found.family is None:
        assert payload(page)["pairs"] is None
        return
    numbers = payload(page)["pairs"]
    ends = np.frombuffer(base64.b64decode(numbers["ends"]), "<i2").reshape(-1, 3)
    codes = np.frombuffer(base64.b64decode(numbers["p"]), "<u2")
    models, n = list(found.board.index), len(numbers["names"])
    file = sections["pairs"].tables["pairs"]
    wins = re.findall(
        r"<tr><th scope=row>.*?</tr>",
        re.search(r'<table class="wins">(.*?)</table>', page, re.S)[1],
    )
    wins = [[text(cell) for cell in re.findall("<td>.*?</td>", row)] for row in wins]
    rows = list(zip(*np.triu_indices(n, 1)))
    for k in np.random.default_rng(0).permutation(len(rows))[:60]:
        i, j = rows[k]
        row = file.loc[(models[i], models[j])]
        difference, lower, upper = (f"{100 * row[k]:z.1f}" for k in ("estimate", "lower", "upper"))
        assert [f"{x / 10:z.1f}" for x in ends[k]] == [difference, lower, upper]
        assert (codes[k] >= 20_000) == row["distinguished"] and abs(
            codes[k] % 20_000 / 1e4 - row["p_value"]
        ) < 2e-4
        difference = difference.replace("-", "\u2212")
        if max(i, j) < len(wins):
            assert wins[i][j] == difference and wins[j][
                i
            ] == f"{-100 * row['estimate']:z.1f}".replace("-", "\u2212")
    assert (
        found.decided == int(all_pairs(found.scored)["better"].sum())
        and f"{found.decided:,} of" in page
    )


def test_a_page_is_safe_small_and_without_empty_rooms(made):
    _, sections, page = made
    assert "<script>alert" not in page and len(page.encode()) < 1_000_000
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(|fetch\(|XMLHttpRequest', page)
    assert """content="default-src 'none'; img-src data:""" in page
    assert not re.search(
        r"\bnan\b|\binf\b|\bNone\b",
        text(re.sub("<script.*?</script>|<style.*?</style>", "", page, flags=re.S)),
    )
    for part in sections.values():
        assert bool(part.body) == (f">{html.escape(part.title)}</h2>" in page)
        assert part.body or not part.otherwise or part.title.lower() in page


def test_models_that_hardly_ran_are_below_the_board():
    found = answer(SHAPES["models that hardly ran"]())
    assert list(found.below.index) == ["m000", "m003"] and len(found.board) == 7
    alone = answer(SHAPES["models that hardly ran"]().isel(model=[1, 2, 4, 5, 6, 7, 8]))
    pd.testing.assert_frame_equal(found.board, alone.board)
    page = _board_page(found, {})
    assert "m000" not in board_of(page) and "40 of 240 questions, 17 % of the score" in text(page)
    csv = format_board(found, "csv")
    assert re.search(r"^m000,,,,", csv, re.M)
    assert '"rank_lower": 1,' in format_board(found, "json")
    assert len(answer(SHAPES["nobody ran half"]()).board) == 3


def test_differences_from_a_baseline_are_those_of_the_pairs():
    found = answer(items(6, (60, 60)), baseline="m003")
    file = board_sections(found)["pairs"].tables["baseline"]
    read = {m["model"]: m for m in json.loads(format_board(found, "json"))["models"]}
    texts = texts_of(found).set_index("model")["difference"]
    assert list(file.index) != [] and texts["m003"] == "" and read["m003"]["difference"] is None
    for name, row in file.iterrows():
        assert (
            read[name]["difference"] == row["estimate"]
            and read[name]["difference_lower"] == row["lower"]
        )
        assert texts[name] in format_board(found, "markdown") and texts[name] in terminal(found)
        assert texts[name] == " ({} to {})".join(["{}", ""]).format(
            *(f"{100 * x:z.1f}".replace("-", "\u2212") for x in row[["estimate", "lower", "upper"]])
        )
    large = answer(counts(402, (200,)), baseline="m401")
    assert "m401" in large.pairs["model"].values and "difference" in format_board(large, "csv")


def test_votes_have_a_page_like_any_board():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 300)
    b = (a + rng.integers(1, 3, 300)) % 3
    won = rng.random(300) < 1 / (1 + np.exp((a - b) * 1.5))
    names = {"model_a": np.take(list("ABC"), a), "model_b": np.take(list("ABC"), b)}
    found = answer(votes(pd.DataFrame(names | {"winner": np.where(won, "model_a", "model_b")})))
    page = _board_page(found, board_sections(found))
    assert found.headline.startswith("A is the best of 3 models") and found.headline in text(page)
    assert "300 votes" in terminal(found)
    difference = found.pairs["difference"].sel(model="A", other="C").item()
    assert 0.25 < difference < 0.5


def test_a_folder_is_named_after_the_file_and_never_taken_from_another(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    assert (
        str(_own_folder("runs", "runs", "")) == "runs-2"
        and str(_own_folder("a/board.csv", "board.csv", "")) == "board"
    )
    found = answer(items(3))
    for path, folder in (
        ("board.csv", "board"),
        ("a/board.csv", "board"),
        ("board.parquet", "board-2"),
    ):
        assert str(write_board(found, [path]).parent) == folder
    listed = read_manifest("board")["files"]
    assert (
        "leaderboard.html" in listed
        and "figures/leaderboard.pdf" in listed
        and "manifest.json" not in listed
    )


PRESS = """
const root = document.getElementById('weights');
const sliders = root.querySelectorAll('input[type=range]');
sliders.forEach((s, c) => { s.value = c ? 0 : 100; }); sliders[0].dispatchEvent(new Event('input'));
document.title = [...document.querySelectorAll('tr[data-i]')].slice(0, 3)
  .map(r => r.querySelector('.score').textContent).join('|');"""


def test_sliders_move_the_board_and_all_weight_on_one_category_gives_its_scores(open_page):
    results = items(6, (60, 60, 60))
    found = answer(results)
    page = _board_page(found, {})
    dom = open_page(page, script=PRESS)
    alone = answer(results.isel(item=range(60))).board.head(3)
    wanted = [
        f"{100 * r.estimate:.1f} {100 * r.lower:.1f} to {100 * r.upper:.1f}"
        for r in alone.itertuples()
    ]
    assert f"<title>{'|'.join(wanted)}</title>" in dom


@pytest.mark.parametrize("shape", ["5 x 13", "evil names", "holes", "no sizes", "one task"])
def test_a_browser_draws_the_numbers_of_the_table(open_page, shape):
    page = _board_page(answer(SHAPES[shape]()), {})
    assert drawn_board(open_page(page)) == board_of(page)


def test_the_usual_weights_are_one_press_away(open_page):
    page = _board_page(answer(items(12, (60, 60), spread=2)), {})
    press = "document.querySelectorAll('.presets button')[0]?.click();"
    assert drawn_board(open_page(page, "#weights=0.5,0.5", script=press)) == board_of(page)


def test_a_click_on_a_row_chooses_a_pair(open_page):
    found = answer(items(12, (60, 60), spread=2))
    click = "document.querySelectorAll('tr[data-i]')[4].click();"
    pair = found.pairs.sel(model=found.board.index[4], other=found.board.index[1])
    ends = (
        f"{100 * float(pair[k]):z.1f}".replace("-", "\u2212")
        for k in ("difference", "lower", "upper")
    )
    assert "{} points ({} to {})".format(*ends) in text(
        open_page(_board_page(found, {}), script=click)
    )


WIDE = (
    '<div class="output_subarea"><table><tr>'
    + "<td>many words in a cell</td>" * 20
    + "</tr></table></div>"
)


def example(body):
    return markup.page(
        "Test", f'<button id="toggle-code">show code</button><div class="input">code</div>{body}'
    )


def board_page(shape):
    found = answer(SHAPES[shape]())
    return _board_page(found, board_sections(found))


PAGES = {shape: partial(board_page, shape) for shape in ("evil names", "no sizes", "120 models")}
PAGES["output of a report"] = partial(example, WIDE)


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_scrolls_no_page_sideways(open_page, name):
    page = PAGES[name]()
    measure = (
        "document.title = document.documentElement.scrollWidth - "
        "document.documentElement.clientWidth;"
    )
    assert "<title>0</title>" in open_page(page, script=measure, width=500)


def test_clusters_over_several_tasks_are_said():
    rows = [
        (m, f"t{t}", f"t{t}q{i}", float(i % 3 > 0), f"p{i // 4}")
        for m in "AB"
        for t in range(2)
        for i in range(20)
    ]
    found = answer(
        from_items(pd.DataFrame(rows, columns=["model", "task", "item", "score", "cluster"]))
    )
    said = board_sections(found)["data"].body
    assert (
        "The questions belong to 5 clusters; 5 of them reach over several tasks, and count once."
        in said
    )


def test_code_unfolds(open_page):
    folded = "document.title = getComputedStyle(document.querySelector('div.input')).display;"
    assert "<title>none</title>" in open_page(example(""), script=folded)
    unfold = "document.getElementById('toggle-code').click();" + folded
    assert "<title>block</title>" in open_page(example(""), script=unfold)


def test_text_is_never_markup_and_minus_is_minus():
    text = table(["<i>", "b"], [["<b>\u202ename</b>", "<script>"]], "a & b")
    assert not re.search("<i>|<b>|<script>|\u202e", text) and 'aria-label="a &amp; b"' in text
    assert escape("a\nb") == "a\\nb" and name_markup("") == '<bdi dir="auto">(no name)</bdi>'
    assert [show(x) for x in (-0.01, -0.0001, 0.1, float("nan"))] == [
        "\u22121.0",
        "0.0",
        "10.0",
        "",
    ]


def test_scores_alone_are_shown_by_task():
    tasks = [f"task {i}" for i in range(6)]
    rng = np.random.default_rng(2)
    scored = pd.DataFrame(rng.uniform(0.3, 0.9, (3, 6)), ["Ash", "Elm", "Fir"], tasks)
    found = answer(from_estimates(scored))
    assert found.scored.units == "task"
    section = board_sections(found)["categories"]
    assert section.title == "By task"
    for score in scored.to_numpy().ravel():
        assert f"<td>{100 * score:.1f}</td>" in section.body
    table = section.tables["categories"]["estimate"]
    assert table["Fir", "task 3"] == pytest.approx(scored.loc["Fir", "task 3"])
