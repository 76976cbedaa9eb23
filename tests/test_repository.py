"""Rules of the project: what is public is documented, what is bundled is described, links lead somewhere."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(p.relative_to(ROOT).with_suffix("").parts)
    for p in (ROOT / "benchuq").rglob("*.py")
    if not p.stem.startswith("_")
)
NOTEBOOKS = sorted((ROOT / "nbs").rglob("*.ipynb"))
NOTEBOOKS = [p for p in NOTEBOOKS if ".ipynb_checkpoints" not in p.parts]


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_documented(name):
    module = importlib.import_module(name)
    bare = [
        n
        for n in module.__all__
        if inspect.isroutine(f := getattr(module, n)) or inspect.isclass(f)
        if not inspect.getdoc(getattr(module, n))
    ]
    assert not bare and module.__doc__


@pytest.mark.parametrize("name", MODULES)
def test_texts_are_not_broken_by_a_formatter(name):
    "A docstring's summary is one line, and an error message has no line breaks followed by spaces."
    tree = ast.parse((ROOT / name.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    texts = [c for n in nodes if isinstance(n, ast.Raise) for c in ast.walk(n) if isinstance(c, ast.Constant)]
    assert [c.value for c in texts if isinstance(c.value, str) and "\n " in c.value] == []
    documented = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(n)]
    assert [n.name for n in documented if "\n" in ast.get_docstring(n).split("\n\n")[0]] == []


def _definitions(tree: ast.Module):
    """Public functions, and methods of public classes, by name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node, []
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and (method.name == "__init__" or method.name[0] != "_"):
                    yield f"{node.name}.{method.name}", method, ["self", "cls"]


@pytest.mark.parametrize("name", MODULES)
def test_public_functions_are_annotated(name):
    tree = ast.parse((ROOT / name.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8"))
    bare = []
    for label, node, own in _definitions(tree):
        a = node.args
        every = [*a.posonlyargs, *a.args, *a.kwonlyargs, *(x for x in (a.vararg, a.kwarg) if x)]
        bare += [f"{label}({x.arg})" for x in every if x.annotation is None and x.arg not in own]
        bare += [f"{label} ->"] if node.returns is None and node.name != "__init__" else []
    assert bare == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks(path):
    notebook = nbformat.read(path, 4)
    tagged = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])]
    assert len(tagged) == (path.parent.name == "templates")
    exported = [c.source for c in notebook.cells if c.cell_type == "code" and c.source.startswith("#| export")]
    assert all(len(source.splitlines()) <= 60 for source in exported)
    assert not any(o.output_type == "error" for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
    if path.parent.name == "templates":
        assert not any(re.search(r"^\s*(def|class) ", c.source, re.M) for c in notebook.cells if c.cell_type == "code")


def test_every_bundled_table_is_described():
    rows = re.findall(r"^\| (`.+?) \|", (ROOT / "data" / "README.md").read_text(encoding="utf-8"), re.M)
    described = {name for row in rows for name in re.findall(r"`(\w+\.csv)`", row)}
    assert described == {p.name for p in (ROOT / "data").glob("*.csv")}


def test_readme_links_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links and [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_is_read_in_minutes():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text) <= 7000 and "pip install benchuq" in text and "make compare" in text
