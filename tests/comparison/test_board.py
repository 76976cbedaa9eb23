"""The board as an object: order, ties, and what notebooks show."""

import json

import numpy as np
import pandas as pd
import pytest

from benchuq.comparison import pairs
from benchuq.comparison.board import Leaderboard, best_first
from benchuq.comparison.ranking import leaderboard
from benchuq.data.results import from_counts
from benchuq.reporting.formats import format_board
from benchuq.reporting.rank_bands import rank_bands
from benchuq.sampling.bootstrap import bootstrap


def board(correct: dict, n=40):
    return leaderboard(bootstrap(from_counts(pd.DataFrame({"t": correct}), n), 400, rng=1))


def test_equal_scores_share_a_rank_and_stand_in_order_of_name():
    table = board({"d": 20, "c": 14, "b": 14, "a": 14})
    assert list(table.index) == ["d", "a", "b", "c"] and list(table["rank"]) == [1, 3, 3, 3]
    assert table["estimate"].tolist() == [0.5, 0.35, 0.35, 0.35]
    assert table._repr_html_().count("2 =") == 3 and table._repr_html_().count("35.0 (") == 3


def test_no_finite_sample_makes_a_model_certainly_the_best():
    """Three of three right against none. In notebooks, sentences, tables and files."""
    draws = bootstrap(from_counts(pd.DataFrame({"t": {"a": 3, "b": 0}}), 3), 400, rng=1)
    table = leaderboard(draws)
    assert 0 < table["p_best"].min() < 0.05 and table["p_best"].sum() == pytest.approx(1)
    certain = table.assign(p_best=[0.9996, 0.0004])
    shown = certain._repr_html_()
    assert ">&gt;0.99<" in shown and ">&lt;0.01<" in shown and "1.00" not in shown and "0.00" not in shown
    shown = rank_bands(certain)._repr_html_()
    assert ">&gt;0.99<" in shown and ">&lt;0.01<" in shown and "1.00<" not in shown and "0.00<" not in shown
    said = pairs.summary(draws, p_best=certain["p_best"])[0]
    assert said.endswith("; the probability that a is truly the best is over 0.99.")
    models = json.loads(format_board(table, "json"))["models"]
    assert all(0 < m["p_best"] < 1 for m in models)
    assert all(0 < float(row.split(",")[8]) < 1 for row in format_board(table, "csv").splitlines()[1:])


def test_rounding_in_the_last_bit_is_no_difference():
    assert list(best_first([0.1 + 0.2, 0.3], ["b", "a"])) == [1, 0]
    assert list(best_first([np.nan, 0.3, 0.4], list("abc"))) == [2, 1, 0]


def test_it_stays_a_data_frame(tmp_path):
    table = board({"a<b>": 30, "b": 14})
    assert isinstance(table, pd.DataFrame) and isinstance(table.head(1), Leaderboard)
    assert "a&lt;b&gt;" in table._repr_html_() and "<svg" not in table[["rank"]]._repr_html_()
    table.to_csv(tmp_path / "board.csv")
    assert list(pd.read_csv(tmp_path / "board.csv", index_col="model").columns) == list(table.columns)
    assert table.join(pd.Series({"b": 1}, name="new")).shape == (2, table.shape[1] + 1)


def test_only_models_that_none_is_shown_to_beat_are_marked():
    table = board({"a": 39, "b": 38, "c": 2})
    assert table._repr_html_().count("●") == 2 == (table["rank_lower"] == 1).sum()


def test_long_boards_say_how_many_rows_are_left():
    many = board({f"m{i:03d}": 20 for i in range(30)})
    with pd.option_context("display.max_rows", 10):
        assert many._repr_html_().count("<tr>") == 11 and "20 more rows" in many._repr_html_()


def test_scores_without_interval_are_shown():
    table = board({"a": 30, "b": 14}).assign(lower=np.nan, upper=np.nan)
    assert "<rect" not in table._repr_html_() and "<circle" in table._repr_html_()
