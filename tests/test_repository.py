"""Rules of the project: what is generated is generated, what is public is documented, what is bundled is described and
travels with a wheel.
"""

import importlib
import inspect
import re
import shutil
import subprocess
import sys
import sysconfig
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


def test_an_installed_wheel_finds_tables_and_reports(tmp_path):
    """The wheel goes into an environment of its own, which sees the dependencies of this one but not the checkout."""
    source = tmp_path / "source"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv", "*.egg-info", "build", "reports.*", ".hypothesis")
    )
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, source], check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    site = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    subprocess.run([*pip, "install", "--no-deps", "--target", site, next(tmp_path.glob("*.whl"))], check=True)
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    code = """
import benchuq
from benchuq.data import published
from benchuq.reporting import run as report
print(benchuq.__file__)
print(dict(published.load("vtab").sizes))
print(report.names())
print(len(report.parameters("vtab")))
"""
    lines = subprocess.run(
        [python, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert (
        Path(lines[0]).is_relative_to(tmp_path)
        and lines[1] == "{'model': 16, 'task': 19}"
        and "vtab" in lines[2]
        and lines[3] == "4"
    )
