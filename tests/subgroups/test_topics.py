"""Pooled topics on simulated boards with known truth."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data.results import from_items
from benchuq.studies.few_observations import simulate_board
from benchuq.subgroups.direct import score_moments
from benchuq.subgroups import topics
from benchuq.subgroups.topics import pooled_topics

REPOSITORIES = (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1)  # questions of SWE-bench Verified


def rms(error):
    return float((error**2).mean() ** 0.5)


@pytest.mark.parametrize("items", [0, 1.5])
def test_boards_with_hard_and_easy_topics(items):
    """8 boards like SWE-bench: the pooled error is at most that of model plus topic means, well
    below the direct one; estimates hardly move between seeds; coverage at least .88 (true .93 to
    .95, standard error .015: odds below 1 in 1,000)."""
    errors = []
    for seed in range(8):
        board, truth = simulate_board(REPOSITORIES, 30, mean=-0.6, item_spread=items, rng=seed)
        one, two = (topics._pooled_estimates(board, rng=k)[0] for k in (0, 1))
        z = one["direct"]
        means = (
            z.groupby("model").transform("mean") + z.groupby("task").transform("mean") - z.mean()
        )
        error = [rms(estimate - truth) for estimate in (z, means.clip(0, 1), one["estimate"])]
        moved = rms(one["estimate"] - two["estimate"]) / error[0]
        errors.append([*error, moved, truth.between(one["lower"], one["upper"]).mean()])
    direct, means, pooled, moved, covered = np.mean(errors, axis=0)
    assert pooled < 1.02 * means and pooled < 0.7 * direct and moved < 0.02 and covered > 0.88


def test_shared_share_by_hand():
    """Two models with the same answers share everything, unrelated ones about nothing; missing ones
    do not count.
    """
    rng = np.random.default_rng(0)
    same = rng.integers(0, 2, 400).astype(float)

    def board(rows):
        coords = {
            "model": ["A", "B"],
            "item": np.arange(400),
            "task": ("item", np.repeat(["a", "b"], 200)),
        }
        return xr.Dataset({"score": (("model", "item"), np.array(rows))}, coords=coords)

    def share(rows):
        return topics._shared_share(board(rows), "task", score_moments(board(rows)))

    assert share([same, same]) == pytest.approx(1)
    assert share([same, rng.permuted(same.reshape(2, 200), axis=1).ravel()]) < 0.2
    half = same.copy()
    half[::2] = np.nan
    assert 0.4 < share([same, half]) < 0.8


def test_estimated_errors_are_right_on_average():
    """16 boards of 30 topics: mean estimated squares agree with the true ones within 20 and 30 %
    (standard errors 3 and 7 %: odds below 1 in 10,000)."""
    claimed, actual = [], []
    for seed in range(16):
        board, truth = simulate_board([10] * 30, 6, mean=1.0, rng=seed)
        table, parts = topics._pooled_estimates(board, rng=0)
        claimed.append(topics._risk(parts, parts.attrs["fit"], parts.attrs["shared"])[0])
        actual.append([rms(table["direct"] - truth) ** 2, rms(table["estimate"] - truth) ** 2])
    ratio = np.mean(claimed, axis=0) / np.mean(actual, axis=0)
    assert abs(ratio[0] - 1) < 0.2 and abs(ratio[1] - 1) < 0.3


def test_pooling_is_not_shown_where_it_does_not_help():
    """Large topics without any order among models: the direct estimates stand, at least 7 of 8
    times.
    """
    boards = [simulate_board([200] * 20, 4, spread=(0.5, 0.5, 2.0), rng=k)[0] for k in range(8)]
    said = [
        sentence
        for table, sentence in (pooled_topics(board, rng=0) for board in boards)
        if table is None
    ]
    assert len(said) >= 7 and "direct estimates stand" in said[0]


@pytest.mark.parametrize("n_topics", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("n_models", [1, 2, 20])
@pytest.mark.parametrize("size", [1, 30])
@pytest.mark.parametrize("mean", [0, 50])
def test_every_shape_gives_a_table_or_a_sentence(n_topics, n_models, size, mean):
    board, _ = simulate_board([size] * n_topics, n_models, mean=mean, rng=1)
    table, sentence = pooled_topics(board, rng=0)
    assert sentence and "\n" not in sentence
    if table is not None:
        assert (table["upper"] - table["lower"] > 0.005).all() and table.notna().all(axis=None)


def test_a_hundred_models_keep_their_topics():
    """Boards of 65 to 126 models lost them to an overflow of pandas' int8 codes."""
    board, truth = simulate_board([20] * 12, 100, rng=0)
    table, _ = pooled_topics(board, rng=0)
    assert len(table) == 1200 and rms(table["estimate"] - truth) < rms(table["direct"] - truth)


def test_a_fractional_task_beside_binary_ones():
    """Ten tasks of ten right-or-wrong questions, one with fractions: binary rows barely change."""
    board, _ = simulate_board([10] * 10, 5, item_spread=1.0, rng=2)
    rows = board["score"].to_series().rename("score").reset_index()
    rows["task"] = board["task"].to_series()[rows["item"]].to_numpy()
    extra = rows[rows["task"] == "topic 000"].assign(task="f1", item=lambda t: t["item"] + 1000)
    extra["score"] = np.random.default_rng(0).uniform(0.3, 0.7, len(extra))
    table, _ = topics._pooled_estimates(from_items(pd.concat([rows, extra])), rng=0)
    alone, _ = topics._pooled_estimates(from_items(rows), rng=0)
    assert (table["upper"] > table["lower"]).all()
    assert rms(table["estimate"].loc[alone.index] - alone["estimate"]) < 0.03


def test_only_small_topics_are_told_of_and_bad_input():
    board, _ = simulate_board(REPOSITORIES, 10, mean=-0.6, rng=0)
    assert pooled_topics(board, max_items=30, rng=0)[0]["n"].max() <= 30
    assert (
        pooled_topics(board.isel(task=slice(3)), max_items=5)[1]
        == "Every topic has more than 5 questions."
    )
    with pytest.raises(ValueError, match="level"):
        pooled_topics(board, level=95)
    with pytest.raises(ValueError, match="max_items"):
        pooled_topics(board, max_items=0)


def test_outliers_are_flagged_and_named():
    """One right answer of 30 where 15 to 29 are foretold: flagged on each of eight boards; of 952
    others at most 4.
    """
    others, shown = 0, 0
    for seed in range(8):
        board, _ = simulate_board([30] * 12, 10, mean=1.5, spread=(0.5, 0.5, 0.25), rng=seed)
        board["n_correct"][2, 5] = 1
        table, (found, sentence) = (
            topics._pooled_estimates(board, rng=0)[0],
            pooled_topics(board, rng=0),
        )
        assert table.loc[("model 02", "topic 005"), "outlier"]
        assert found is None or "model 02 on topic 005" in sentence
        others += table["outlier"].sum() - 1
        shown += found is not None
    assert others <= 4 and shown >= 3  # a false discovery rate of .05 beside 8 true ones
