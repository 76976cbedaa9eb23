"""Tiers travel through files; ranks."""

import pandas as pd
import pytest

from benchuq.studies import search_studies, tiers
from benchuq.selection.search import Evolution


def test_pareto_falls_and_tiers_travel(gate, tmp_path):
    few = Evolution(n_initial=50, n_winners=10, n_children=3, n_generations=2)
    front = search_studies.pareto(gate, 2.0, [2, 4, 8], "ridge", settings=few, progress=False, rng=0)
    assert (
        (front["cost"] <= 8).all() and front["loss"].is_monotonic_decreasing and front["cost"].is_monotonic_increasing
    )
    table = tiers.make_tiers(gate, {"mine": front["subset"].iloc[-1]}, 2.0)
    again = tiers.load_tiers(tiers.save_tiers(table, tmp_path / "tiers.csv"))
    pd.testing.assert_frame_equal(table, again)
    assert set(tiers.apply_tier(gate, again, "mine")["benchmark"].values) == set(front["subset"].iloc[-1])


def test_tier_files_are_checked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("tier,name\na,ACDC\n")
    with pytest.raises(ValueError, match="columns \\['benchmark'\\] are missing"):
        tiers.load_tiers(path)
    path.write_text("tier,benchmark\na,ACDC\na,ACDC\n")
    with pytest.raises(ValueError, match="twice in a tier"):
        tiers.load_tiers(path)


def test_ranks_turn_metrics_in_which_lower_is_better(make_score_table):
    scores = make_score_table()
    ranks, score = tiers.metric_ranks(scores, reference="m0"), scores["score"].to_pandas()
    assert ranks["m0"].idxmin() == score["m0"].idxmax() and ranks["m5"].idxmin() == score["m5"].idxmin()
    assert ranks.columns[0] == "m0" and ranks.mean(axis=1).is_monotonic_increasing


BAD = {
    "unknown tiers \\['huge'\\]": lambda g: tiers.apply_tier(g, tiers.load_tiers(), "huge"),
    "unknown metrics": lambda g: tiers.metric_ranks(g, reference="ImageNet"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)
