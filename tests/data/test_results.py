"""The door for tables in memory: what is refused, with which words, and that nothing is lost on the
way in.
"""

import numpy as np
import pandas as pd
import pytest

from benchuq.data import results

N_CORRECT = pd.DataFrame(
    {"law": [70, 65], "maths": [31, 40], "biology": [88, 90]}, index=["A", "B"]
)
ACCURACY = pd.DataFrame({"law": [70.0, 65.0], "maths": [62.0, 80.0]}, index=["A", "B"])
ANSWERS = pd.DataFrame(
    {"model": [*"AAAABBB"], "item": [1, 2, 1, 2, 1, 2, 1], "score": [1, 0, 1, 1, 1, 1, 0]}
).assign(task=["law", "law", "maths", "maths", "law", "law", "maths"])


@pytest.mark.parametrize(
    "make, words",
    [
        (
            lambda: results.from_counts(N_CORRECT, n_items=60),
            r"n_correct exceeds n_items for .*\(A, law\)",
        ),
        (
            lambda: results.from_counts(N_CORRECT, n_items={"law": 100}),
            r"missing \['biology', 'maths'\]",
        ),
        (
            lambda: results.from_counts(N_CORRECT.replace(31, np.nan), n_items=100),
            r"missing for \(A, maths\)",
        ),
        (lambda: results.from_accuracies(ACCURACY, 100), "percent=True"),
        (
            lambda: results.from_accuracies(ACCURACY.mul([1, 0.01], axis=0), 100, percent=True),
            r"all .* of \['B'\]",
        ),
        (lambda: results.from_items(pd.concat([ANSWERS, ANSWERS.tail(1)])), "data rows 7 and 8"),
        (lambda: results.from_items(ANSWERS.assign(score=2.0)), r"outside \[0, 1\]"),
        (
            lambda: results.from_items(ANSWERS.iloc[:6]),
            r"no item was run or scored for \(B, maths\)",
        ),
        (
            lambda: results.from_items(ANSWERS.drop(columns="item")),
            r"columns \['item'\] are missing",
        ),
        (
            lambda: results.to_counts(results.from_items(ANSWERS.assign(score=0.5))),
            "neither 0 nor 1",
        ),
    ],
)
def test_bad_tables_are_refused_with_the_place(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_long_and_wide_counts_agree():
    long = N_CORRECT.stack().rename("n_correct").rename_axis(["model", "task"]).reset_index()
    assert results.from_count_table(long.assign(n_items=100)).equals(
        results.from_counts(N_CORRECT, 100)
    )
    shuffled = results.from_count_table(
        long.sample(frac=1, random_state=1).assign(n_items=100, category=long["task"])
    )
    assert list(shuffled["category"].values) == list(shuffled["task"].values)
    with pytest.raises(ValueError, match="data rows 1 and 7"):
        results.from_count_table(pd.concat([long, long.head(1)]).assign(n_items=100))


def test_items_keep_missing_runs_categories_and_clusters():
    table = pd.DataFrame(
        {"model": [*"AAB"], "item": [*"xyx"], "score": [1, 0.5, 0], "confidence": [0.9, 0.4, 0.2]}
    )
    table = table.assign(task="t", category="c", cluster="p")
    items = results.from_items(table)
    assert (
        np.isnan(items["score"].sel(model="B", item="y"))
        and float(items["score"].sel(model="A", item="y")) == 0.5
    )
    assert list(items["category"].values) == ["c", "c"] and list(items["cluster"].values) == [
        "p",
        "p",
    ]
    assert float(items["confidence"].sel(model="A", item="x")) == 0.9
    with pytest.raises(ValueError, match="category of item .x. has not one value but"):
        results.from_items(table.assign(category=["c", "c", "d"]))


def test_reasons_for_missing_scores():
    failed = ANSWERS.assign(
        score=[1, 0, np.nan, 1, 1, np.nan, 0], reason=["", "", "not graded", None, "", "", ""]
    )
    reason = results.from_items(failed)["reason"]
    assert reason.sel(model="A").values.tolist() == ["", "", "not graded", ""]
    assert reason.sel(model="B").values.tolist() == [
        "",
        "unknown",
        "",
        "",
    ]  # the last was not asked
    with pytest.raises(ValueError, match="'score' is empty in data row 3"):
        results.from_items(failed.drop(columns="reason"))
    whole = results.from_items(failed)
    for wrong, words in [
        (
            whole.assign(reason=whole["reason"].where(whole["score"].isnull(), "timeout")),
            "both a score and a reason",
        ),
        (whole.assign(reason=whole["reason"].isel(model=0)), "reason has dims"),
        (whole.assign(reason=whole["score"]), "reason is no text"),
        (
            whole.assign(score=whole["score"].where(whole["task"] != "law")),
            r"no item was run or scored for \(A, law\)",
        ),
    ]:
        with pytest.raises(ValueError, match=words):
            results.validate(wrong)


def test_items_with_ids_used_by_several_tasks_stay_apart():
    table = pd.DataFrame({"model": "A", "task": ["law", "art"], "item": 1, "score": [1, 0]})
    assert list(results.from_items(table)["item"].values) == ["law/1", "art/1"]


def test_repeats_are_averaged_item_by_item():
    "Items count alike, however often they were answered; counts of them are refused."
    rows = {
        "model": "A",
        "task": "t",
        "item": [1, 1, 1, 2],
        "repeat": [1, 2, 3, 1],
        "score": [1, 0, 0, 1],
    }
    data = results.from_items(pd.DataFrame(rows))
    assert data["score"].dims == ("model", "item", "repeat") and data["repeat"].values.tolist() == [
        1,
        2,
        3,
    ]
    averaged = results.average_repeats(data)
    np.testing.assert_allclose(averaged["score"], [[1 / 3, 1]])
    assert results.accuracies(data).item() == pytest.approx(2 / 3)
    assert (
        "differ in number (A up to 3)" in averaged.attrs["notes"][0] and "notes" not in data.attrs
    )
    assert results.average_repeats(averaged) is averaged
    with pytest.raises(ValueError, match="answered several times"):
        results.to_counts(data)
    with pytest.raises(ValueError, match="score has dims"):
        results.validate(data.rename(repeat="epoch"))


def test_a_repeat_without_a_score_keeps_its_reason_only_if_all_have_none():
    rows = {
        "model": "A",
        "task": "t",
        "item": [1, 1, 2, 2],
        "repeat": [1, 2, 1, 2],
        "score": [1, None, None, None],
    }
    items = results.from_items(pd.DataFrame(rows | {"reason": ["", "timeout", "", "timeout"]}))
    averaged = results.average_repeats(items)
    assert averaged["reason"].values.tolist() == [["", "unknown"]]
    assert results.validate(averaged)["score"].values[0, 0] == 1
