"""What a command wrote: whole, or the reason why it is no result; and finished cells as one table."""

import hashlib
import json

import numpy as np
import pytest

import benchuq as bq
from benchuq.running.cells import Cell, cells_of, folder_of
from benchuq.running.results import read_output, write_finished
from benchuq.running.suite import Benchmark
from tests.running.conftest import TEXT

CELL = Cell("clip", "digits", 0)


@pytest.fixture
def output(tmp_path):
    """Function that reads the output of a command that wrote this table."""
    (tmp_path / "out").mkdir()

    def read(text, name="items.csv", **settings):
        (tmp_path / "out" / name).write_text(text)
        return read_output(tmp_path / "out", CELL, Benchmark(recipe="probe", **settings))

    return read


def test_tables_become_the_same_bytes(output):
    text, about = output("score,item\n1,q1\n0.250,q2\n", items=2)
    assert text == "item,score\nq1,1.0\nq2,0.25\n"
    assert about == {"rows": 2, "items": 2, "unscored": 0, "score": 0.625, "notes": []}
    text, about = output('item,score,reason,answer\n"a, ""b""",1,,x\nq2,,timeout,y\n')
    assert text == 'item,score,reason\n"a, ""b""",1.0,\nq2,,timeout\n' and about["unscored"] == 1
    assert about["notes"] == ["Columns left out: answer."]
    text, about = output("item,repeat,score\nq1,1,1\nq1,2,0\nq2,1,0\nq2,2,0\n", items=2)
    assert about["items"] == 2 and about["rows"] == 4
    text, _ = output("task,item,score\na,q1,1\nb,q2,0\n", split=True)
    assert text == "task,item,score\na,q1,1.0\nb,q2,0.0\n"


@pytest.mark.parametrize("name, text", [("answers.csv", "item,score\nq1,1\n"), ("a.tsv", "item\tscore\nq1\t1\n")])
def test_the_only_table_may_have_any_name(output, name, text):
    assert output(text, name)[0] == "item,score\nq1,1.0\n"
    with pytest.raises(ValueError, match="names 2 models"):  # which of two tables is a guess
        output("item,score\nq2,1\n", "more.csv")


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
        ("item,score\nq1,1\nq2\n", {}, "item 'q2' has no score"),
        ("model,item,score\nbert,q1,1\n", {}, "names other models: bert"),
        ("task,item,score\na,q1,1\nb,q1,1\n", {}, "2 tasks, .*set split = true"),
        ("item,repeat,score\nq1,1,1\nq1,2,1\nq2,1,0\n", {}, "item 'q2' was answered 1 times, others 2 times"),
        ("item\nq1\n", {}, "items.csv has no column score"),
        ("item,score\nq1,1,2\n", {}, "data row 1 has more cells than the header"),
        ("item,score\nq1,1\nq2,1,2\n", {}, "Expected 2 fields in line 3, saw 3"),
        ("item,score\n", {}, "no rows below its header"),
        ("", {}, "items.csv cannot be read"),
        ("item,score,reason\nq1,,timeout\n", {}, "there is no score at all: .*timeout"),
    ],
)
def test_what_is_no_whole_result(output, table, settings, said):
    with pytest.raises(ValueError, match=said):
        output(table, **settings)


def test_logs(logs, tmp_path):
    text, about = read_output(logs / "harness/example__dummy-1", CELL, Benchmark(recipe="r", split=True), "acc")
    assert text.startswith("task,item,score") and about["notes"][0].startswith("Read as lm-evaluation-harness")
    with pytest.raises(ValueError, match="the log names 2 models"):
        read_output(logs / "harness", CELL, Benchmark(recipe="r", split=True))
    with pytest.raises(ValueError, match="wrote nothing"):
        read_output(tmp_path, CELL, Benchmark(recipe="r"))
    (tmp_path / "note.txt").write_text("x")
    with pytest.raises(ValueError, match="found no logs"):
        read_output(tmp_path, CELL, Benchmark(recipe="r"))


@pytest.fixture
def finish():
    """Function that leaves a finished cell with these items."""

    def done(suite, cell, text):
        folder_of(suite, cell).mkdir(parents=True)
        (folder_of(suite, cell) / "items.csv").write_text(text)
        record = {"rows": len(text.splitlines()) - 1, "seconds": 1, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        (folder_of(suite, cell) / "record.json").write_text(json.dumps(record))

    return done


def test_finished_cells_are_a_table_with_seeds_as_repeats(made, finish):
    suite = made()
    for cell in cells_of(suite):
        if cell.id != ("bert", "words", 1):
            finish(suite, cell, f"item,score,confidence\nq1,{cell.seed},0.5\nq2,0.5,\n")
    path = write_finished(suite.path)
    assert path == suite.store / "results.csv"
    data = bq.read(path, epochs="coordinate")
    assert data["score"].dims == ("model", "item", "repeat")
    assert data["score"].sel(model="clip", repeat=1).values.tolist() == [1, 0.5, 1, 0.5]
    assert np.isnan(data["score"].sel(model="bert", repeat=1).values).all()
    assert dict(zip(data["task"].values, data["category"].values)) == {"words": "text", "digits": "image"}
    assert bq.read(path)["score"].sel(model="clip").values.tolist() == [0.5] * 4


def test_tasks_reasons_epochs_and_what_only_some_cells_have(made, finish):
    suite = made(TEXT.replace('group = "text"', "split = true").replace("[0, 1]", "[3]"))
    for cell in cells_of(suite):
        text = "task,item,repeat,score,cluster,reason\na,q1,1,1,x,\na,q1,2,,x,timeout\nb,q1,1,0,y,\nb,q1,2,0.5,y,\n"
        finish(suite, cell, text if cell.benchmark == "words" else "item,score\nq1,1\n")
    data = bq.read(write_finished(suite), epochs="coordinate")
    assert set(data["task"].values) == {"words/a", "words/b", "digits"} and data.sizes["repeat"] == 2
    assert "timeout" in data["reason"].values and set(data["cluster"].values) == {"x", "y", "digits/q1"}
    assert dict(zip(data["task"].values, data["category"].values))["words/a"] == "words/a"


def test_what_was_changed_or_is_not_there_is_refused(made, finish):
    suite = made()
    with pytest.raises(ValueError, match="no cell of 6 is finished"):
        write_finished(suite)
    cell = cells_of(suite)[0]
    finish(suite, cell, "item,score\nq1,1\n")
    (folder_of(suite, cell) / "items.csv").write_text("item,score\nq1,0\n")
    with pytest.raises(ValueError, match="items.csv was changed after its run"):
        write_finished(suite)
    (folder_of(suite, cell) / "items.csv").unlink()
    with pytest.raises(ValueError, match="cannot read .*items.csv"):
        write_finished(suite)
    with pytest.raises(ValueError, match="write the table of suite.toml first"):
        bq.read(suite.path)
