"""Rules of the project that no tool checks: notebooks, annotations, one-line errors, bundled
tables, links.
"""

import ast
import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
MODULES = [p for p in sorted((ROOT / "benchuq").rglob("*.py")) if not p.stem.startswith("_")]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_errors_are_one_line():
    "No formatter put line breaks followed by spaces into a message."
    for path in MODULES:
        raised = [
            n
            for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(n, ast.Raise)
        ]
        texts = [c.value for n in raised for c in ast.walk(n) if isinstance(c, ast.Constant)]
        assert [text for text in texts if isinstance(text, str) and "\n " in text] == [], path


def _public(body: list[ast.stmt]):
    "Public functions, and methods of public classes."
    for node in body:
        is_public = (
            not getattr(node, "name", "_").startswith("_")
            or getattr(node, "name", "") == "__init__"
        )
        if isinstance(node, ast.FunctionDef) and is_public:
            yield node
        elif isinstance(node, ast.ClassDef) and is_public:
            yield from _public(node.body)


def test_arguments_of_public_functions_are_annotated():
    for path in MODULES:
        for node in _public(ast.parse(path.read_text(encoding="utf-8")).body):
            a = node.args
            every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x)]
            bare = [x.arg for x in every if x.annotation is None and x.arg not in ("self", "cls")]
            assert bare == [], f"{path}: {node.name}"


def test_notebooks():
    """Reports have one cell of parameters and define nothing; no output is an error or holds a path
    of a machine.
    """
    for path in sorted((ROOT / "nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts:
            continue
        notebook, is_report = nbformat.read(path, 4), path.parent.name == "templates"
        code = [c for c in notebook.cells if c.cell_type == "code"]
        assert sum("parameters" in c.metadata.get("tags", []) for c in code) == is_report, path
        assert not is_report or not any(
            re.search(r"^\s*(def|class) ", c.source, re.M) for c in code
        ), path
        outputs = [output for c in code for output in c.outputs]
        assert not any(o.output_type == "error" for o in outputs), path
        assert "site-packages" not in str(outputs) and str(ROOT) not in str(outputs), path
        assert notebook.metadata.kernelspec["name"] == "python3", path  # whatever version ran it


def test_every_bundled_table_is_described():
    rows = re.findall(
        r"^\| (`.+?) \|", (ROOT / "data" / "README.md").read_text(encoding="utf-8"), re.M
    )
    described = {name for row in rows for name in re.findall(r"`(\w+\.csv)`", row)}
    assert described == {p.name for p in (ROOT / "data").glob("*.csv")}


def test_the_readme_is_read_in_minutes_and_its_links_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links and [link for link in links if not (ROOT / link).exists()] == []
    assert len(README) <= 7000 and "pip install benchuq" in README and "make compare" in README
