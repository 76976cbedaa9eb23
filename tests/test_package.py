"""What is said of a release in several places is the same: version, date, supported Pythons."""

import re
from configparser import ConfigParser
from pathlib import Path

import nbformat
import pytest
import yaml

import benchuq

ROOT = Path(__file__).parents[1]
CONFIG = ConfigParser(delimiters=["="], interpolation=None)
CONFIG.read(ROOT / "settings.ini", encoding="utf-8")
SETTINGS = CONFIG["DEFAULT"]


def test_one_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^## \[(\d\S*)\] - (\S+)$", changes, re.M).groups()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert SETTINGS["version"] == benchuq.__version__ == version == citation["version"]
    assert str(citation["date-released"]) == date
    assert f"[{version}]: " in changes and "[Unreleased]: " in changes


def test_the_four_sources_are_cited():
    """As in README.md, by the family names of the authors."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [a["family-names"] for r in citation["references"] for a in r["authors"] if "family-names" in a]
    assert len(citation["references"]) == 4 and [n for n in names if n not in readme] == []


def test_lower_bounds_are_declared():
    bare = [r for r in SETTINGS["requirements"].split() if not re.search(r"[>=]=", r)]
    assert bare == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-extras.lock"])
def test_locks_hold_what_is_declared(name):
    """Also after a change of settings.ini: `make lock`."""
    locked = set(re.findall(r"^([\w.-]+)==", (ROOT / name).read_text(encoding="utf-8"), re.M))
    extras = ("dask", "inspect", "docs", "dist") if "extras" in name else ()
    core = ("bayes", "subgroups", "reports", "parquet")
    declared = [
        r
        for kind in ("", "dev_", *(f"{x}_" for x in (*core, *extras)))
        for r in SETTINGS[f"{kind}requirements"].split()
    ]
    assert {re.match(r"[\w.-]+", r)[0].lower() for r in declared} <= {n.lower() for n in locked}


def test_both_stacks_are_locked():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for line in ("pymc==5.", "pymc==6.", "arviz==0.", "arviz==1.", "numpy==2.4", "numpy==2.5"):
        assert re.search(rf"^{re.escape(line)}", text, re.M), line


def test_notebooks_do_not_say_which_python_ran_them_nor_where():
    """The kernel is called python3, whatever version it has, and no stored output holds a path of a machine."""
    for path in (ROOT / "nbs").rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in path.parts:
            notebook = nbformat.read(path, 4)
            assert notebook.metadata.kernelspec["name"] == "python3", path
            outputs = [o for c in notebook.cells for o in c.get("outputs", [])]
            assert "site-packages" not in str(outputs) and str(ROOT) not in str(outputs), path
