"""The door: what is refused, with which words, and that nothing is lost on the way in."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.data import published, results

LONG = "model,task,n_correct,n_items\nA,law,7,10\nA,art,3,5\nB,law,6,10\nB,art,4,5\n"


def read(text, **kwargs):
    return results.read_csv(io.StringIO(text), **kwargs)


@pytest.mark.parametrize(
    "text, words",
    [
        (LONG.replace("A,law,7,10", "A,law,11,10"), r"n_correct exceeds n_items for \(A, law\)"),
        (LONG.replace("A,law,7,10", "A,law,-1,10"), r"n_correct is negative for \(A, law\)"),
        (LONG.replace("A,law,7,10", "A,law,6.5,10"), r"not a whole number for \(A, law\)"),
        (LONG.replace("A,law,7,10", "A,law,,10"), r"'n_correct' is empty in data row 1"),
        (LONG.replace("A,law,7,10", "A,law,seven,10"), r"'n_correct', data row 1: 'seven' is not a number"),
        (LONG.replace("B,law,6,10\n", ""), r"missing for \(B, law\)"),
        (LONG + "A,law,7,10\n", r"data rows 1 and 5"),
        (LONG.replace(",5", ",0").replace("3,0", "0,0").replace("4,0", "0,0"), r"n_items is 0 for \(art\)"),
        (LONG + "A,law,7,8,12\n", "data row 5 has 5 cells and the header 4"),
        (LONG.replace("n_items", "n_correct", 1), "several columns called"),
        (LONG.replace("A,law,7,10", "A,law,7,inf"), r"n_items is infinite for \(A, law\)"),
        ("", "cannot read"),
        ("model,task,n_correct,n_items\n", "no rows"),
        (
            "system,exam,right\nA,law,7\n",
            r"\['system', 'exam', 'right'\]; needed are \['model', 'task', 'n_correct', 'n_items'\]",
        ),
        ("model,law,art\nn_items,10,5\nA,0.7,1.2\n", r"above 1 for \(A, art\).*percent=True"),
        ("model,law,art\nn_items,10,5\nA,70,60\nB,0.6,0.8\n", r"mixed.*\['B'\]"),
        ("model,law,art\nA,0.7,0.6\n", "needs the test-set sizes"),
        ("model,law,art\nn_items,10,5\nA,0.7,0.6\nA,0.7,0.6\n", "model 'A' has more than one row"),
        ("model,law,art\nn_items,10,5\nA,0.7,\n", r"missing for \(A, art\)"),
        ("model,task,item,score\nA,law,1,1\nA,law,1,0\n", "data rows 1 and 2"),
        ("model,task,item,score\nA,law,1,1.5\n", r"outside \[0, 1\] for \(A, 1\)"),
        ("model,task,item,score\nA,law,1,\n", "leave the row out"),
    ],
)
def test_bad_files_are_refused_with_the_place_and_the_mend(text, words):
    with pytest.raises(ValueError, match=words):
        read(text)


def test_unreadable_files(tmp_path):
    binary = tmp_path / "binary.csv"
    binary.write_bytes(bytes(range(128, 256)) * 10)
    for path in (binary, tmp_path, tmp_path / "missing.csv"):
        with pytest.raises(ValueError, match="cannot read"):
            results.read_csv(path)


def test_the_three_layouts_agree():
    long = read(LONG)
    wide = read("model,law,art\nn_items,10,5\nA,0.7,0.6\nB,0.6,0.8\n")
    rows = [
        f"{m},{t},{i},{int(i < k)}"
        for m, t, k, n in [("A", "law", 7, 10), ("A", "art", 3, 5), ("B", "law", 6, 10), ("B", "art", 4, 5)]
        for i in range(n)
    ]
    items = results.to_counts(read("model,task,item,score\n" + "\n".join(rows)))
    assert long.equals(wide) and long.equals(items)
    percent = read("model,law,art\nA,70,60\nB,60,80\n", n_items={"law": 10, "art": 5}, percent=True)
    assert percent.equals(long)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 2**32 - 1))
def test_counts_survive_writing_and_reading(n_models, n_tasks, seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 1000, n_tasks)
    table = pd.DataFrame(
        rng.integers(0, sizes + 1, (n_models, n_tasks)),
        index=[f"m{i}" for i in range(n_models)],
        columns=[f"t{j}" for j in range(n_tasks)],
    )
    given_counts = results.from_counts(table, dict(zip(table.columns, sizes)))
    long = (
        given_counts.to_dataframe()
        .reset_index()[["model", "task", "n_correct", "n_items"]]
        .sample(frac=1, random_state=seed)
    )
    again = read(long.to_csv(index=False))
    assert again.sel(model=given_counts["model"], task=given_counts["task"]).equals(given_counts)


def test_items_keep_missing_runs_categories_and_clusters():
    table = pd.DataFrame(
        {
            "model": ["A", "A", "B"],
            "task": "t",
            "item": ["x", "y", "x"],
            "score": [1, 0.5, 0],
            "category": "c",
            "cluster": ["p", "p", "p"],
            "confidence": [0.9, 0.4, 0.2],
        }
    )
    items = results.from_items(table)
    assert np.isnan(items["score"].sel(model="B", item="y")) and float(items["score"].sel(model="A", item="y")) == 0.5
    assert list(items["category"].values) == ["c", "c"] and list(items["cluster"].values) == ["p", "p"]
    assert float(items["confidence"].sel(model="A", item="x")) == 0.9
    with pytest.raises(ValueError, match="several values of category"):
        results.from_items(table.assign(category=["c", "c", "d"]))


def test_items_with_ids_used_by_several_tasks_stay_apart():
    table = pd.DataFrame({"model": "A", "task": ["law", "art"], "item": 1, "score": [1, 0]})
    assert list(results.from_items(table)["item"].values) == ["law/1", "art/1"]


def test_sizes_may_differ_between_models():
    counts = read("model,task,n_correct,n_items\nA,law,7,10\nB,law,6,20\n")
    assert counts["n_items"].dims == ("model", "task")
    np.testing.assert_allclose(results.accuracies(counts).values.ravel(), [0.7, 0.3])


def test_vtab_sums_to_the_slides_category_sizes():
    sizes = published.load("vtab")["n_items"].groupby("category").sum().to_series()
    assert sizes.to_dict() == {"Natural": 75564, "Specialized": 87138, "Structured": 225202}


def test_a_model_may_be_called_na():
    assert "NA" in read(LONG.replace("A,", "NA,"))["model"].values
