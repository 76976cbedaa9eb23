"""Bundled tables: each can be read, and all follow one scheme of names."""

import re
from pathlib import Path

import pytest

from benchuq.data.tables import read_table

DATA = Path(__file__).parents[2] / "data"


def test_every_table_is_described_and_named_by_its_source():
    about = (DATA / "README.md").read_text(encoding="utf-8")
    sources = re.findall(r"`(\w+)`", next(line for line in about.splitlines() if "Sources:" in line))
    for path in DATA.glob("*.csv"):
        assert f"`{path.name}`" in about and len(read_table(path.stem))
        assert path.stem.startswith(tuple(f"{source}_" for source in sources))


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="no bundled table 'vtab'; there are .*'vtab_accuracies'"):
        read_table("vtab")
