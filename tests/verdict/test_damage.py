"""The damage of each task and of the mean, from items, counts and estimates, and its limits."""

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.scores import scores
from benchuq.data.results import from_counts, from_estimates, from_items
from benchuq.verdict.damage import damage


def answers(before, after, task="law", reason=None):
    rows = [
        {"model": m, "task": task, "item": i, "score": s, "reason": "timeout" if s is None else ""}
        for m, scored in (("A", before), ("B", after))
        for i, s in enumerate(scored)
        if s != "not run"
    ]
    return pd.DataFrame(rows).assign(score=lambda t: t["score"].astype(float))


def differences(found):
    return [end.changes.difference()[1:].tolist() for end in (found.least, found.most)]


@pytest.mark.parametrize(
    "unscored, least, most, n_items",
    [("bounds", 0, 0.25, 4), ("wrong", 0.25, 0.25, 4), ("left_out", 0, 0, 3)],
)
def test_errors_at_their_bounds_wrong_or_left_out(unscored, least, most, n_items):
    found = damage(from_items(answers([1, 1, 0, 1], [1, None, 0, 1])), "A", "B", unscored=unscored)
    assert differences(found) == [[least], [most]] and found.n_items[1] == n_items
    assert np.allclose(found.scores[:, 1], [0.75, 0.5] if unscored == "wrong" else [2 / 3, 2 / 3])


def test_only_shared_questions_count_and_are_said():
    found = damage(from_items(answers([1, 1, 0, 1], [1, 0, 0, "not run"])), "A", "B")
    assert found.n_items.tolist() == [3, 3] and np.allclose(differences(found), 1 / 3)
    assert found.notes == ["law: of 4 questions of A and 3 of B, 3 are the same and were compared."]


def test_a_task_missing_on_either_side():
    rows = pd.concat(
        [
            answers([1, 0], [1, 1]),
            answers([1, 1], ["not run"] * 2, "art"),
            answers(["not run"], [1], "new"),
        ]
    )
    found = damage(from_items(rows, holes=True), "A", "B")
    assert (
        found.tasks == ["law", "art"]
        and np.isnan(found.scores[1, 2])
        and np.isnan(found.scores[1, 0])
    )
    assert [x[1] for x in differences(found)] == [0, 1]
    assert [n.split(" was ")[0] for n in found.notes] == ["'art'", "'new'"]


def test_nothing_in_common_is_refused():
    rows = pd.concat([answers([1, 0], ["not run"] * 2), answers(["not run"] * 2, [1, 1], "art")])
    counts = from_counts(
        pd.DataFrame({"a": [3, None], "b": [None, 3]}, index=["A", "B"]), 5, holes=True
    )
    for data in (from_items(rows, holes=True), counts):
        with pytest.raises(ValueError, match="no task in common"):
            damage(data, "A", "B", unscored="left_out")


def test_repeats_are_averaged_first():
    rows = pd.concat(
        [answers([1, 0], [0, 0]).assign(repeat=1), answers([1, 1], [1, 0]).assign(repeat=2)]
    )
    assert differences(damage(from_items(rows), "A", "B")) == [[0.5], [0.5]]


def test_counts_and_estimates_are_not_paired():
    counts = from_counts(pd.DataFrame({"law": [80, 70]}, index=["A", "B"]), 100)
    variance = damage(counts, "A", "B").most.changes.variance()
    assert np.allclose(variance, (0.8 * 0.2 + 0.7 * 0.3) / 99)
    table = pd.DataFrame({"f1": [0.8, 0.7]}, index=["A", "B"])
    silent = damage(from_estimates(table), "A", "B")
    assert (
        np.isnan(silent.most.changes.variance()).all()
        and "nothing can be decided" in silent.notes[-1]
    )
    assert np.isfinite(
        damage(from_estimates(table, table * 0 + 0.01), "A", "B").most.limits(2.0)
    ).all()


def test_a_task_of_one_cluster_is_refused():
    rows = pd.concat([answers([1, 0, 1], [1, 1, 0]), answers([1, 0], [1, 1], "art")])
    with pytest.raises(ValueError, match="tasks \\['art'\\] belong to one cluster"):
        damage(from_items(rows.assign(cluster=[0, 1, 2] * 2 + [7] * 4)), "A", "B")


@pytest.mark.parametrize(
    "kind", ["right or wrong", "graded", "clusters", "tasks of one item", "counts"]
)
def test_the_mean_is_judged_as_on_the_board(kind):
    rng = np.random.default_rng(3)
    task = np.array(["law"] * 90 + ["art"] * 30 + ["x", "y", "z"])
    rows = pd.DataFrame(
        {
            "model": np.repeat(["A", "B"], 123),
            "task": np.tile(task, 2),
            "item": np.tile(range(123), 2),
        }
    )
    score = rng.random(246) if kind == "graded" else (rng.random(246) < 0.6) * 1.0
    rows = rows.assign(score=score)
    if kind != "tasks of one item":
        rows = rows[rows["task"].isin(["law", "art"])]
    board = from_items(rows.assign(cluster=rows["item"] % 20) if kind == "clusters" else rows)
    if kind == "counts":
        board = from_counts(
            pd.DataFrame({"law": [60, 52], "art": [20, 24]}, index=["A", "B"]),
            {"law": 90, "art": 30},
        )
    end, on_board = damage(board, "A", "B").most, scores(board)
    for margin in (-0.1, 0, 0.05):
        assert np.isclose(end.evidence(margin)[0], on_board.evidence(0, 1, margin), atol=1e-6)
    assert np.allclose([x[0] for x in end.limits(2.0)], on_board.pair_limits(0, 1, 2.0))


@pytest.mark.parametrize("changed, decided", [((), False), (range(4), False), (range(6), True)])
def test_below_five_changed_clusters_questions_count_for_no_more_than_their_clusters(
    changed, decided
):
    """20 clusters of 40: one lost question in each of `changed`, so that clusters are never
    filled.
    """
    table = pd.DataFrame({"task": "law", "item": range(800), "cluster": np.arange(800) // 40})
    before, after = np.ones(800), np.ones(800)
    after[[40 * cluster for cluster in changed]] = 0
    parts = [table.assign(model=m, score=s) for m, s in (("A", before), ("B", after))]
    found = damage(from_items(pd.concat(parts)), "A", "B")
    assert (found.most.evidence(0.05)[0] < -1.645) == decided


def test_changes_that_fill_clusters_are_seldom_called_not_worse():
    """Of 40 cases at the margin; before, about half were false (s.e. .034 at .05)."""
    rng, false, cluster = np.random.default_rng(6), 0, np.arange(400) // 40
    table = pd.DataFrame({"task": "law", "item": range(400), "cluster": cluster})
    for _ in range(40):
        luck = np.where(rng.random(400) < 0.95, rng.random(10)[cluster], rng.random(400))
        after = (luck > 0.05).astype(float)
        parts = [table.assign(model="A", score=1.0), table.assign(model="B", score=after)]
        found = damage(from_items(pd.concat(parts)), "A", "B")
        false += found.most.evidence(0.05)[0] < -1.645
    assert false <= 6
