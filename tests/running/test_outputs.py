"""What a command wrote: whole, or the reason why it is no result."""

import pytest

from benchuq.readers.tier_file import Benchmark
from benchuq.running.outputs import read_output


@pytest.fixture
def output(tmp_path):
    """Function that reads the output of a command that wrote this table."""

    def read(text, **settings):
        (tmp_path / "items.csv").write_text(text)
        return read_output(tmp_path, "clip", Benchmark("digits", "probe", **settings))

    return read


def test_tables_become_the_same_bytes(output):
    text, about = output("score,item\n1,q1\n0.250,q2\n", items=2)
    assert text == "item,score\nq1,1.0\nq2,0.25\n"
    assert about == {"rows": 2, "items": 2, "unscored": 0, "score": 0.625, "notes": []}
    text, about = output('item,score,reason\n"a, ""b""",1,\nq2,,timeout\n')
    assert text == 'item,score,reason\n"a, ""b""",1.0,\nq2,,timeout\n' and about["unscored"] == 1
    text, about = output("item,repeat,score\nq1,1,1\nq1,2,0\nq2,1,0\nq2,2,0\n", items=2)
    assert about["items"] == 2 and about["rows"] == 4
    text, _ = output("task,item,score\na,q1,1\nb,q1,0\n", split=True)
    assert text.startswith("task,item,score\na,q1")


@pytest.mark.parametrize(
    "table, settings, said",
    [
        ("item,score\nq1,1\n", {"items": 2}, "the results have 1 items; benchmarks.digits.items is 2"),
        ("item,score\nq1,1\nq1,0\n", {}, "item 'q1' appears twice"),
        ("item,score\nq1,1\nq2,\n", {}, "item 'q2' has no score"),
        ("item,score\nq1,1\nq2,NaN\n", {}, "item 'q2' has no score"),
        ("item,score\nq1,1.5\n", {}, "is outside \\[0, 1\\]"),
        ("item,score\nq1,one\n", {}, "is not a number"),
        ("item,score\nq1,1\n,1\n", {}, "is empty in data row 2"),
        ("item,score\nq1,1\nq2\n", {}, "row 2 has 1 cells"),
        ("model,item,score\nbert,q1,1\n", {}, "names other models: bert"),
        ("task,item,score\na,q1,1\nb,q1,1\n", {}, "2 tasks, .*set split = true"),
        ("item,repeat,score\nq1,1,1\nq1,2,1\nq2,1,0\n", {}, "item 'q2' has 1 of 2 repeats"),
        ("item\nq1\n", {}, "items.csv has no column score"),
        ("item,score\n", {}, "no items|no column|no rows"),
        ("", {}, "is empty"),
        ("item,score,reason\nq1,,timeout\n", {}, "no item has a score"),
    ],
)
def test_what_is_no_whole_result(output, table, settings, said):
    with pytest.raises(ValueError, match=said):
        output(table, **settings)


def test_logs(logs, tmp_path):
    text, about = read_output(logs / "harness/example__dummy-1", "m", Benchmark("b", "r", split=True), "acc")
    assert text.startswith("task,item,score") and about["notes"][0].startswith("Read as lm-evaluation-harness")
    with pytest.raises(ValueError, match="the log names 2 models"):
        read_output(logs / "harness", "m", Benchmark("b", "r", split=True))
    with pytest.raises(ValueError, match="wrote nothing"):
        read_output(tmp_path, "m", Benchmark("b", "r"))
    (tmp_path / "note.txt").write_text("x")
    with pytest.raises(ValueError, match="found no logs"):
        read_output(tmp_path, "m", Benchmark("b", "r"))
