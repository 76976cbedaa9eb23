"""The face: a dozen verbs, each loaded when first used, none shadowed by a chapter."""

import subprocess
import sys

import pytest

import benchuq as bq


@pytest.mark.parametrize("name", bq.__all__)
def test_every_name_is_a_documented_function(name):
    assert callable(getattr(bq, name)) and getattr(bq, name).__doc__


def test_a_verb_stays_a_verb_after_its_chapter_was_imported():
    import benchuq.comparison.ranking
    import benchuq.reporting.run  # noqa: F401

    assert bq.leaderboard is benchuq.comparison.ranking.leaderboard and callable(bq.report)


def test_draws_to_tables():
    draws = bq.bootstrap(bq.load("mmlu"), n_draws=500, rng=1)
    board, pairs = bq.leaderboard(draws), bq.compare(draws)
    assert list(board) == [
        *("estimate", "lower", "upper", "level", "rank", "rank_lower", "rank_upper", "groups", "p_best", "conclusion")
    ]
    assert {"estimate", "lower", "upper", "level", "p_value", "distinguished", "additional_items"} <= set(pairs)
    assert len(board) == 6 and len(pairs) == 15


@pytest.mark.parametrize("command", ["import benchuq", "import benchuq.reporting.command"])
def test_nothing_heavy_is_imported_before_it_is_needed(command):
    heavy = {"numpy", "pandas", "xarray", "matplotlib", "scipy", "papermill", "nbformat", "pymc", "arviz", "xgboost"}
    code = f"import sys; {command}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)
