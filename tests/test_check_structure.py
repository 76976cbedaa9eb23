"""The script that guards the layout: each rule broken once in a small tree of its own."""

import json
import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "check_structure.py"))
faults_in = TOOL["main"]


def notebook(*sources, outputs=()):
    cells = [{"cell_type": "code", "source": s, "outputs": list(outputs)} for s in sources]
    return json.dumps({"cells": cells})


@pytest.fixture
def tree(tmp_path):
    "Two chapters and a report that keep every rule."

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return faults_in(tmp_path)

    clean = {
        "nbs/templates/report.ipynb": notebook("from benchuq.sampling.draws import draw\ndraw()"),
        "tools/exceptions.toml": "[fragments]\n'data.tables' = 'read by one'\n",
        "benchuq/data/tables.py": "def read_table():\n    return 1\n",
        "benchuq/sampling/draws.py": "from ..data.tables import read_table\n\ndef draw():\n    "
        "return read_table()\n",
        "nbs/1_data/10_tables.ipynb": notebook("#| export\ndef read_table():\n    return 1"),
        "nbs/3_sampling/10_draws.ipynb": notebook("#| export\ndef draw():\n    return 1"),
    }
    assert write(clean) == []
    return write


@pytest.mark.parametrize(
    "name, text, words",
    [
        ("benchuq/data/tables.py", "def f():\n    from ..sampling.draws import draw\n", "upward"),
        ("benchuq/data/tables.py", "from .tables import x\n", "circle"),
        ("benchuq/sampling/draws.py", "from ..data.tables import _secret\n", "make it public"),
        (
            "benchuq/sampling/draws.py",
            "import importlib\nimportlib.import_module('json')\n",
            "through importlib",
        ),
        (
            "benchuq/sampling/draws.py",
            "def read_table():\n    return 2\n",
            "a name means one thing",
        ),
        (
            "nbs/3_sampling/10_draws.ipynb",
            notebook("board = [1]\nboard[0]\nprint(board)"),
            "shows nothing of board[0]",
        ),
        (
            "nbs/templates/report.ipynb",
            notebook("import benchuq as bq\nbq.leaderboard(1).round(2)\nassert True"),
            "shows nothing of bq.leaderboard(1).round(2)",
        ),
        (
            "nbs/3_sampling/10_draws.ipynb",
            notebook("#| export\n" + "x = 1\n" * 105),
            "cell of 106 lines",
        ),
        (
            "nbs/3_sampling/10_draws.ipynb",
            notebook("1", outputs=["y" * 300_001]),
            "characters of outputs",
        ),
        ("tools/exceptions.toml", "", "has 2 lines and one importer, sampling.draws"),
        (
            "benchuq/data/tables.py",
            "def read_table():\n    return 1\n\nSPARE = 1\n",
            "data.tables.SPARE has no user",
        ),
        (
            "benchuq/data/tables.py",
            "import ctypes\ndef read_table():\n    return 1\n",
            "imports ctypes",
        ),
        (
            "benchuq/data/tables.py",
            "import sys\nsys.modules['x'] = sys\n",
            "assigns to sys.modules['x']",
        ),
        (
            "benchuq/data/tables.py",
            "from pandas import io\nio.html.lxml = 1\n",
            "assigns to io.html.lxml",
        ),
        (
            "benchuq/data/tables.py",
            "def f():\n    return g()\n\ndef g():\n    return 1\n",
            "line 1 uses g, which is",
        ),
    ],
)
def test_each_rule_is_seen_to_fail(tree, name, text, words):
    assert any(words in fault for fault in tree({name: text}))


def test_calls_for_their_effect_lose_no_display(tree):
    sources = (
        '"Docstring"\nax.set(title="A")\nprint(1)\nfile.write_text("A")\n1',
        "def clean(x):\n    del x[0]\n\n\nclean([1])\n1",
    )
    assert tree({"nbs/3_sampling/10_draws.ipynb": notebook(*sources)}) == []


def test_an_example_names_what_was_defined():
    definition = "#| export\ndef draw():\n    return 1"
    for example, is_shown in [("draw()", True), ("3", False), ("x = draw()", False)]:
        cells = json.loads(notebook(definition, example))["cells"]
        assert TOOL["shown"](cells) == [is_shown]


def test_a_format_has_a_row_and_a_test(tree):
    quiz = "from .runs import Format\n\nQUIZ = Format('quiz')\n" + "# more\n" * 60
    files = {
        "benchuq/readers/runs.py": "class Format:\n    pass\n",
        "benchuq/readers/quiz.py": quiz,
    }
    files |= {"benchuq/readers/read.py": "from . import quiz, runs\n"}
    faults = "\n".join(tree(files))
    assert (
        "has no tests/readers/test_quiz.py" in faults and "does not list the format QUIZ" in faults
    )
    more = {
        "benchuq/readers/read.py": "from .quiz import QUIZ\nfrom . import runs\n",
        "tests/readers/test_quiz.py": "",
    }
    assert not any("quiz" in fault for fault in tree(more))


def test_types_that_public_functions_give_need_no_other_user(tree):
    text = "class Table:\n    pass\n\ndef read_table() -> Table:\n    return Table()\n"
    assert tree({"benchuq/data/tables.py": text}) == []
