"""Rows: which questions are the same, what a model did not answer, and what is refused."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.data.results import validate
from benchuq.readers.rows import (
    RowBuffer,
    complete_counts,
    complete_items,
    count_reasons,
    read_runs,
    rows_to_results,
)
from benchuq.readers.runs import Options, Run


def rows(model, items, scores, **more):
    return pd.DataFrame(
        {"model": model, "task": "law", "item": items, "score": scores, "line": np.arange(len(items)) + 1} | more
    )


def gathered(*tables, options=None):
    buffer = RowBuffer()
    for i, table in enumerate(tables):
        buffer.add(table, f"file {i}, line")
    return rows_to_results(buffer, options or Options())


def test_questions_numbered_differently_are_paired_by_content():
    options = Options()
    data = gathered(
        rows("A", ["1", "2"], [1, 0], content=[70, 80]),
        rows("B", ["2", "1"], [1, 0], content=[70, 80]),
        options=options,
    )
    assert data.sizes["item"] == 2 and (data["score"][0] == data["score"][1]).all()
    assert "paired by content" in options.sentences()[0]


def test_ids_used_by_several_tasks_get_the_task_as_prefix():
    data = gathered(rows("A", ["1", "2"], [1, 0]), rows("A", ["1"], [1]).assign(task="art"))
    assert list(data["item"].values) == ["law/1", "law/2", "art/1"]


def test_two_rows_for_one_question_are_refused_with_both_places():
    with pytest.raises(ValueError, match="item '1' appears twice: file 0, line 1 and file 1, line 2; keep one"):
        gathered(rows("A", ["1"], [1]), rows("A", ["2", "1"], [1, 1]))


def test_labels_must_be_the_same_on_every_row():
    with pytest.raises(ValueError, match=r"category of task 'law' has not one value but \['p', 'q'\]"):
        gathered(rows("A", ["1", "2"], [1, 0], category=["p", "q"]))
    with pytest.raises(ValueError, match=r"cluster of item '1' has not one value but \['\(none\)', 'p'\]"):
        gathered(rows("A", ["1"], [1], cluster="p"), rows("B", ["1"], [1]))


def test_questions_without_a_score_are_counted_by_model_and_reason():
    options = Options()
    failed = rows("A", ["1", "2", "3"], [1, np.nan, np.nan], reason=["", "timeout", ""])
    data = gathered(failed, rows("B", ["1", "2"], [1, np.nan]))
    assert data["reason"].values.tolist() == [["", "timeout", "unknown"], ["", "unknown", ""]]
    kept = complete_items(data, options)
    assert validate(kept) is kept
    assert options.sentences() == [
        "Model A: 2 of 3 questions have no score (1 timeout, 1 unknown).",
        "Model B: 1 of 2 questions have no score (1 unknown).",
        "1 of 3 questions were not answered by every model; missing, not wrong.",
    ]


def test_a_task_without_a_single_score_is_a_gap_that_says_why():
    options = Options(incomplete="tasks")
    data = gathered(
        rows("A", ["1", "2"], [np.nan, np.nan], reason="error: TimeoutError"),
        rows("A", ["7"], [1]).assign(task="art"),
        rows("B", ["1", "2"], [1, 0]),
        rows("B", ["7"], [1]).assign(task="art"),
    )
    with pytest.raises(ValueError, match=r"no answers for \(A, law: no score, 2 error: TimeoutError\)"):
        complete_items(data, Options())
    assert set(complete_items(data, options)["task"].values) == {"art"}
    with pytest.raises(ValueError, match=r"no item was run or scored for \(A, law\)"):
        validate(data)


def test_many_reasons_and_many_models_stay_short():
    assert count_reasons([*"aaabbcdefg"]) == "3 a, 2 b, 1 c, 1 d, 1 e and 2 for other reasons"
    options = Options()
    complete_items(gathered(*[rows(f"m{i}", ["1", "2"], [1, np.nan]) for i in range(14)]), options)
    assert len(options.sentences()) == 11 and "4 questions of 4 more models have no score." in options.sentences()


def test_runs_without_rows_are_refused():
    empty = Run("A", "law", Path("a.csv"), lambda: iter([rows("A", [], [])]))
    with pytest.raises(ValueError, match="a.csv holds no scores"):
        read_runs([empty], Options())


def test_tasks_or_models_with_gaps_are_left_out_when_asked():
    data = gathered(rows("A", ["1", "2"], [1, 0]), rows("B", ["1"], [1]), rows("A", ["7"], [1]).assign(task="art"))
    with pytest.raises(ValueError, match=r"no answers for \(B, art\). Leave out"):
        complete_items(data, Options())
    assert set(complete_items(data, Options(incomplete="tasks"))["task"].values) == {"law"}
    assert list(complete_items(data, Options(incomplete="models"))["model"].values) == ["A"]
    counts = pd.DataFrame({"model": ["A", "B"], "task": ["law", "art"]})
    with pytest.raises(ValueError, match="there is no task that all models ran"):
        complete_counts(counts, Options(incomplete="tasks"))
