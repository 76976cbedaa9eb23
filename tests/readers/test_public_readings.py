"""Published tables: which are sure, which are shown and whether their one proposal is right, and
which are refused.
"""

import importlib.util
import json
import shlex
import sys
from pathlib import Path

import pytest

from benchuq.reporting.command import make_parser

HERE = Path(__file__).parents[1] / "tables"
SHAPES = json.loads((HERE / "index.json").read_text(encoding="utf-8"))
_SPEC = importlib.util.spec_from_file_location(
    "judge_of_tables", HERE.parents[1] / "tools" / "judge_tables.py"
)
judge = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = judge
_SPEC.loader.exec_module(judge)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["file"])
def test_a_published_table_is_read_as_expected(shape):
    verdict = judge.judge(HERE / shape["file"], shape)
    assert verdict.reading == shape["reading"], verdict.said
    if verdict.reading == "sure":
        assert verdict.is_right, "wrong without a word"
    if verdict.reading == "shown":
        assert verdict.is_right is shape.get("proposal"), verdict.said
    if "models" in shape and verdict.reading == "sure" and "proposed" not in shape:
        assert list(verdict.proposal.rows()["model"].unique()) == shape["models"]


def test_most_tables_are_sure_and_most_proposals_right():
    readable = [shape for shape in SHAPES if "refused" not in shape]
    assert sum(shape["reading"] == "sure" for shape in readable) >= 85
    proposals = [shape["proposal"] for shape in SHAPES if "proposal" in shape]
    assert sum(proposals) >= 0.7 * len(proposals)
    assert not any(shape["reading"] == "sure" for shape in SHAPES if "refused" in shape)


@pytest.mark.parametrize("file", ["eureka.csv", "open_asr_average.csv", "unnamed_benchmarks.csv"])
def test_what_a_reading_prints_can_be_pasted(file):
    reading = judge.read_table(HERE / file)
    for change in reading.changes:
        parsed = make_parser().parse_args(["compare", str(HERE / file), *shlex.split(change)])
        assert parsed.columns or parsed.read
