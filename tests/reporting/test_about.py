"""What a page says of itself: links, licence, filters, previews, and nothing of the machine."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.reporting.about import About, about_from, command_of, filters_of, model_markup
from benchuq.reporting.answer import answer
from benchuq.reporting.command import main
from benchuq.reporting.page import write_board


@pytest.fixture
def answers(tmp_path):
    "A file of counts of three models on twelve tasks, in a folder with a private name."
    rng, folder = np.random.default_rng(1), tmp_path / "secret"
    folder.mkdir()
    rows = [
        (model, f"task {t}", int(rng.binomial(60, p)), 60)
        for model, p in (("Ash", 0.8), ("Elm", 0.6), ("<Fir>", 0.5))
        for t in range(12)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "n_correct", "n_items"])
    table.to_csv(folder / "board.csv", index=False)
    return folder / "board.csv"


def write_links(folder, *rows):
    path = folder / "models.csv"
    path.write_text("\n".join(["model,link,kind,billions", *rows]))
    return path


def test_words_of_a_page_may_hold_commas():
    about = about_from("title=Trees, shrubs,licence=CC BY 4.0, with care,date=2026")
    assert about == {"title": "Trees, shrubs", "licence": "CC BY 4.0, with care", "date": "2026"}


@pytest.mark.parametrize(
    "text, words",
    [
        ("titel=Trees", "words of --page.*titel"),
        ("url=javascript:alert(1)", "is no address"),
        ("Trees", "words of --page"),
    ],
)
def test_other_words_are_refused(text, words):
    with pytest.raises(ValueError, match=words):
        about_from(text)


@pytest.mark.parametrize(
    "rows, words",
    [
        (
            ["Ash,https://a.org,x,1", "Ash,https://b.org,y,2"],
            "line 3: model 'Ash' stands there twice",
        ),
        (["Ash,javascript:alert(1),x,1"], "line 2: 'javascript:alert"),
        (['Ash,"https://a.org/"" onclick=""x",x,1'], "line 2: .* is no address"),
    ],
)
def test_links_are_addresses_of_the_web(tmp_path, rows, words):
    with pytest.raises(ValueError, match=words):
        about_from(f"links={write_links(tmp_path, *rows)}")


def test_filters_are_words_or_highest_values():
    table = pd.DataFrame(
        {
            "link": "https://a.org",
            "kind": ["x", "y", "x"],
            "billions": ["7", "9", "70"],
            "note": "n",
        },
        index=list("ABC"),
    )
    words, numbers = filters_of(About(models=table), ["C", "B", "A", "D"])
    assert words == {"name": "kind", "most": False, "values": ["x", "y", "x", ""]}
    assert numbers == {"name": "billions", "most": True, "values": [70.0, 9.0, 7.0, None]}
    assert model_markup("<D>", About(models=table)) == '<bdi dir="auto">&lt;D&gt;</bdi>'


def test_a_page_that_is_published(answers, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["Ash,https://a.org/ash,open,7", "Elm,,closed,70", "<Fir>,https://a.org/fir,open,9"]
    links = write_links(tmp_path, *rows)
    words = f"title=Trees,source=https://a.org/data,date=2026-11-01,licence=CC0,links={links}"
    how = ["--page", words + ",url=https://a.org/board", "--figure", "width=84mm,font=7,wins"]
    assert main(["compare", str(answers), "-q", "-o", "out", *how]) == 0
    text = (tmp_path / "out" / "leaderboard.html").read_text()
    for part in ("Trees", 'href="https://a.org/data"', "data of 2026-11-01", "CC0"):
        assert part in text
    assert 'property="og:image" content="https://a.org/board/figures/leaderboard.png"' in text
    assert '<a href="https://a.org/ash" rel="noopener"><bdi dir="auto">Ash</bdi></a>' in text
    data = json.loads(re.search(r'application/json">(.*?)</script>', text, re.S)[1])
    assert {each["name"] for each in data["filters"]} == {"kind", "billions"}
    assert (tmp_path / "out" / "figures" / "wins.pdf").is_file()
    for path in (tmp_path / "out").rglob("*.*"):
        content = path.read_bytes()
        assert b"secret" not in content and str(tmp_path).encode() not in content, path


def test_both_populations_are_linked_from_ten_tasks_on(answers, tmp_path):
    out = tmp_path / "out"
    assert main(["compare", str(answers), "-q", "-o", str(out)]) == 0
    first, second = (out / f"leaderboard{end}.html" for end in ("", "-task"))
    assert 'href="leaderboard-task.html">tasks like these</a>' in first.read_text()
    assert 'href="leaderboard.html">these 12 tasks</a>' in second.read_text()
    board = answer(pd.read_csv(answers), units="task").board
    assert f"{100 * board['lower'].iloc[0]:.1f} to" in second.read_text()
    few = pd.read_csv(answers).query("task != 'task 1' and task != 'task 2' and task != 'task 3'")
    page = write_board(answer(few), ["few.csv"], tmp_path / "few")
    assert "class=switch" not in page.read_text() and len(list(page.parent.glob("*.html"))) == 1


def test_another_question_does_not_take_the_place_of_the_first(answers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = pd.read_csv(answers)
    first = write_board(answer(data), [str(answers)])
    second = write_board(answer(data, units="task"), [str(answers)])
    again = write_board(answer(data), [str(answers)])
    assert [str(path.parent) for path in (first, second, again)] == ["board", "board-2", "board"]
    with pytest.warns(UserWarning, match="units item.*units task.* now"):
        write_board(answer(data, units="task"), [str(answers)], "board")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_board(answer(data, units="task"), [str(answers)], "board")


@pytest.mark.filterwarnings("always::UserWarning")
def test_other_choices_go_to_a_folder_of_their_own(answers, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    weights = tmp_path / "deep" / "w.csv"
    weights.parent.mkdir()
    rows = [f"task {t},{1 + t}\n" for t in range(12)]
    weights.write_text("".join(["task,weight\n", *rows]))
    questions = (
        (),
        ("--tasks", "task 1", "task 2"),
        ("--models", "Ash", "Elm"),
        ("--weights", str(weights)),
        ("--level", "0.9"),
        ("--units", "task"),
    )
    pages = {}
    for options in (*questions, questions[0], questions[3]):
        assert main(["compare", str(answers), "-q", *options]) == 0
        folder = Path(capsys.readouterr().out.strip()).parent.name
        assert pages.setdefault(options, folder) == folder
    assert list(pages.values()) == ["board", *(f"board-{n}" for n in range(2, 7))]
    manifest = Path("board-4/manifest.json").read_text()
    assert "--weights w.csv" in manifest and str(tmp_path) not in manifest
    assert main(["compare", str(answers), "-q", "--tasks", "task 1", "-o", "board"]) == 0
    said = capsys.readouterr().err
    assert re.search("held the answer for .*; it holds the one for .*--tasks 'task 1' now", said)


def test_a_command_has_no_folders():
    assert command_of(["/home/me/a b.csv", "c"], ["--units", "task"]) == (
        "benchuq compare 'a b.csv' c --units task"
    )


def test_sizes_of_figures_are_lengths(answers, capsys):
    for wrong in ("width=wide", "size=3", "heat"):
        assert main(["compare", str(answers), "-q", "--figure", wrong]) == 2
        assert "choose from width=3.3in, font=8" in capsys.readouterr().err
