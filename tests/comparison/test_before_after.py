"""The damage of each task from items, counts and estimates."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.before_after import before_after
from benchuq.data.results import from_counts, from_estimates, from_items


def answers(before, after, task="law", reason=None):
    rows = [
        {"model": m, "task": task, "item": i, "score": s, "reason": "timeout" if s is None else ""}
        for m, scores in (("A", before), ("B", after))
        for i, s in enumerate(scores)
        if s != "not run"
    ]
    return pd.DataFrame(rows).assign(score=lambda t: t["score"].astype(float))


def test_errors_are_taken_at_their_bounds():
    found = before_after(from_items(answers([1, 1, 0, None], [1, None, 0, 1])), "A", "B")
    assert np.allclose([found.seen.damage, found.least.damage, found.most.damage], [[0], [-0.25], [0.25]])
    assert found.n_unscored.tolist() == [2] and found.n_items.tolist() == [4]


def test_errors_as_wrong_or_left_out():
    data = from_items(answers([1, 1, 0, 1], [1, None, 0, 1]))
    assert before_after(data, "A", "B", unscored="wrong").seen.damage == 0.25
    left = before_after(data, "A", "B", unscored="left_out")
    assert left.seen.damage == left.most.damage == left.least.damage == 0


def test_only_shared_questions_count_and_are_said():
    found = before_after(from_items(answers([1, 1, 0, 1], [1, 0, 0, "not run"])), "A", "B")
    assert found.n_items.tolist() == [3] and np.isclose(found.seen.damage, 1 / 3)
    assert found.notes == ["law: of 4 questions of A and 3 of B, 3 are the same and were compared."]


def test_hardly_any_shared_question_is_refused():
    rows = answers([1] * 10, [1] * 10)
    with pytest.raises(ValueError, match="task 'law': only 1 of 10 questions of A and 10 of B are the same"):
        before_after(from_items(rows.assign(item=rows["item"] + 9 * (rows["model"] == "B"))), "A", "B")


def test_a_task_missing_on_either_side():
    rows = pd.concat(
        [answers([1, 0], [1, 1]), answers([1, 1], ["not run"] * 2, "art"), answers(["not run"], [1], "new")]
    )
    found = before_after(from_items(rows, holes=True), "A", "B")
    assert found.tasks == ["law", "art"] and np.isnan(found.seen.damage[1])
    assert found.least.damage[1] == 0 and found.most.damage[1] == 1
    assert [n.split(" was ")[0] for n in found.notes] == ["'art'", "'new'"]


def test_nothing_in_common_is_refused():
    rows = pd.concat([answers([1, 0], ["not run"] * 2), answers(["not run"] * 2, [1, 1], "art")])
    with pytest.raises(ValueError, match="no task in common"):
        before_after(from_items(rows, holes=True), "A", "B", unscored="left_out")


def test_repeats_are_averaged_first():
    rows = pd.concat([answers([1, 0], [0, 0]).assign(repeat=1), answers([1, 1], [1, 0]).assign(repeat=2)])
    assert before_after(from_items(rows), "A", "B").seen.damage == 0.5


def test_counts_and_estimates_are_not_paired():
    counts = from_counts(pd.DataFrame({"law": [80, 70]}, index=["A", "B"]), 100)
    found = before_after(counts, "A", "B")
    assert np.isclose(found.seen.square, (0.8 * 0.2 + 0.7 * 0.3) / 100, rtol=0.1) or found.seen.square > 0.0036
    table = pd.DataFrame({"f1": [0.8, 0.7]}, index=["A", "B"])
    silent = before_after(from_estimates(table), "A", "B")
    assert np.isnan(silent.seen.square).all() and "nothing can be decided" in silent.notes[-1]
    assert np.isfinite(before_after(from_estimates(table, table * 0 + 0.01), "A", "B").seen.square).all()


@pytest.mark.parametrize(
    "names, words", [(("A", "C"), "unknown models"), (("A", "A"), "baseline and candidate at once")]
)
def test_models_at_fault_are_named(names, words):
    with pytest.raises(ValueError, match=words):
        before_after(from_items(answers([1], [0])), *names)
