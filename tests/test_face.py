"""The face: a dozen verbs, each loaded when first used, none shadowed by a chapter."""

import subprocess
import sys

import pytest

import benchuq as bq
from benchuq.data.tables import read_table


@pytest.mark.parametrize("name", bq.__all__)
def test_every_name_is_a_documented_function(name):
    assert callable(getattr(bq, name)) and getattr(bq, name).__doc__


def test_a_verb_stays_a_verb_after_its_chapter_was_imported():
    import benchuq.comparison.ranking
    import benchuq.reporting.run  # noqa: F401

    assert bq.leaderboard is benchuq.comparison.ranking.leaderboard and callable(bq.report)


def test_results_to_tables():
    results = bq.load("mmlu")
    board, pairs = bq.leaderboard(results), bq.compare(results)
    assert list(board) == [
        *("estimate", "lower", "upper", "level", "rank", "rank_lower", "rank_upper", "groups", "p_best", "conclusion")
    ]
    assert {"estimate", "lower", "upper", "level", "p_value", "distinguished", "additional_items"} <= set(pairs)
    assert len(board) == 6 and len(pairs) == 15


def test_a_path_and_a_table_are_results_like_any_others(tmp_path):
    "In a new Python, from nothing but the face."
    table = read_table("example_answers")
    table.to_csv(tmp_path / "table.csv", index=False)
    code = f"""
import pandas as pd, benchuq as bq
path = {str(tmp_path / "table.csv")!r}
table = pd.read_csv(path)
for verb in (bq.leaderboard, bq.compare):
    pd.testing.assert_frame_equal(pd.DataFrame(verb(path)), pd.DataFrame(verb(table)))
print(bq.scores(path, units="task"), "|", bq.leaderboard(table).index[0])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == f"Scores of 5 models on 13 tasks, error by task | {bq.leaderboard(table).index[0]}\n"


@pytest.mark.parametrize("command", ["import benchuq", "import benchuq.reporting.command"])
def test_nothing_heavy_is_imported_before_it_is_needed(command):
    heavy = {"numpy", "pandas", "xarray", "matplotlib", "scipy", "papermill", "nbformat", "pymc", "arviz", "xgboost"}
    code = f"import sys; {command}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not heavy & set(loaded)
