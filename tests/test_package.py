"""What is said of a release in several places is the same: version, date, supported Pythons."""

import re
from configparser import ConfigParser
from pathlib import Path

import pytest
import yaml

import benchuq

ROOT = Path(__file__).parents[1]
CONFIG = ConfigParser(delimiters=["="], interpolation=None)
CONFIG.read(ROOT / "settings.ini", encoding="utf-8")
SETTINGS = CONFIG["DEFAULT"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_one_version():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.search(r"^## \[(\d\S*)\] - (\S+)$", changes, re.M).groups()
    assert SETTINGS["version"] == benchuq.__version__ == version == CITATION["version"]
    assert str(CITATION["date-released"]) == date
    assert f"[{version}]: " in changes and "[Unreleased]: " in changes


def test_the_four_sources_are_cited():
    """As in README.md, by the family names of the authors."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    names = [
        a["family-names"]
        for r in CITATION["references"]
        for a in r["authors"]
        if "family-names" in a
    ]
    assert len(CITATION["references"]) == 4 and [n for n in names if n not in readme] == []


def test_lower_bounds_are_declared():
    assert [r for r in SETTINGS["requirements"].split() if not re.search(r"[>=]=", r)] == []


@pytest.mark.parametrize(
    "name, extras",
    [("requirements.lock", ""), ("requirements-extras.lock", "dask inspect parity docs dist")],
)
def test_locks_hold_what_is_declared(name, extras):
    """Also after a change of settings.ini: `make lock`."""
    locked = set(
        re.findall(r"^([\w.-]+)==", (ROOT / name).read_text(encoding="utf-8").lower(), re.M)
    )
    kinds = ["", *(f"{kind}_" for kind in f"dev bayes subgroups reports parquet {extras}".split())]
    declared = " ".join(SETTINGS[f"{kind}requirements"] for kind in kinds).lower().split()
    assert {re.match(r"[\w.-]+", r)[0] for r in declared} <= locked


def test_both_stacks_are_locked():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for line in ("pymc==5.", "pymc==6.", "arviz==0.", "arviz==1.", "numpy==2.4", "numpy==2.5"):
        assert re.search(rf"^{re.escape(line)}", text, re.M), line
