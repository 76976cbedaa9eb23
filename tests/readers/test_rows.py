"""Rows: which questions are the same, and what is refused."""

from pathlib import Path

import pytest

from benchuq.readers.rows import read_runs
from benchuq.readers.runs import Options, Run


def test_questions_numbered_differently_are_paired_by_content(rows, gathered):
    options = Options()
    data = gathered(
        rows("A", ["1", "2"], [1, 0], content=[70, 80]),
        rows("B", ["2", "1"], [1, 0], content=[70, 80]),
        options=options,
    )
    assert data.sizes["item"] == 2 and (data["score"][0] == data["score"][1]).all()
    assert "paired by content" in options.sentences()[0]


def test_ids_used_by_several_tasks_get_the_task_as_prefix(rows, gathered):
    data = gathered(rows("A", ["1", "2"], [1, 0]), rows("A", ["1"], [1]).assign(task="art"))
    assert list(data["item"].values) == ["law/1", "law/2", "art/1"]


def test_two_rows_for_one_question_are_refused_with_both_places(rows, gathered):
    with pytest.raises(ValueError, match="item '1' appears twice: file 0, line 1 and file 1, line 2; keep one"):
        gathered(rows("A", ["1"], [1]), rows("A", ["2", "1"], [1, 1]))


def test_labels_must_be_the_same_on_every_row(rows, gathered):
    with pytest.raises(ValueError, match=r"category of task 'law' has not one value but \['p', 'q'\]"):
        gathered(rows("A", ["1", "2"], [1, 0], category=["p", "q"]))
    with pytest.raises(ValueError, match=r"cluster of item '1' has not one value but \['\(none\)', 'p'\]"):
        gathered(rows("A", ["1"], [1], cluster="p"), rows("B", ["1"], [1]))


def test_runs_without_rows_are_refused(rows):
    empty = Run("A", "law", Path("a.csv"), lambda: iter([rows("A", [], [])]))
    with pytest.raises(ValueError, match="a.csv holds no scores"):
        read_runs([empty], Options())
