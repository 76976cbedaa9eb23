"""Not worse and cheaper: the joint claim of `check --cost`."""

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.reporting.command import main


def table(model, price, p, seed, n=400):
    "Answers of a model, hard questions costing all models more."
    hard = np.random.default_rng(0).normal(size=n)
    rng = np.random.default_rng(seed)
    score = (rng.random(n) < p).astype(int)
    cost = price * np.exp(hard + 0.5 * rng.normal(size=n))
    return pd.DataFrame({"model": model, "item": range(n), "score": score, "cost_usd": cost})


def test_a_cheaper_candidate_in_the_terminal_and_the_summary(tmp_path, capsys):
    for name, price, p, seed in (("old", 1.0, 0.8, 1), ("new", 0.16, 0.85, 2)):
        table(name, price, p, seed).to_csv(tmp_path / f"{name}.csv", index=False)
    places = [str(tmp_path / "old.csv"), str(tmp_path / "new.csv")]
    summary = tmp_path / "summary.md"
    words = ["check", *places, "--margin", "0.05", "--cost", "cost", "--saving", "20%"]
    assert main([*words, "-o", str(summary)]) == 0
    said = capsys.readouterr().out
    assert "new: not worse and cheaper by 20 % or more (cost: 8" in said.splitlines()[1]
    assert "not worse and cheaper by 20 % or more" in summary.read_text(encoding="utf-8")


@pytest.mark.simulation
def test_at_the_boundary_the_claim_is_rarely_made():
    false = 0
    for seed in range(100):
        both = pd.concat([table("old", 1.0, 0.8, 2 * seed), table("new", 0.8, 0.8, 2 * seed + 1)])
        found = bq.check(both, "old", "new", 0.2, cost="cost", saving=0.2)
        false += " is not shown" not in found.sentences("new")[1]
    assert false <= 12  # nominal .05; 13 and more of 100 have probability .002


@pytest.mark.simulation
def test_not_worse_and_cheaper_is_rarely_claimed_of_what_is_worse_by_the_margin():
    false = 0
    for seed in range(60):
        both = pd.concat(
            [table("old", 1.0, 0.8, 2 * seed, 200), table("new", 0.2, 0.75, 2 * seed + 1, 200)]
        )
        found = bq.check(both, "old", "new", 0.05, cost="cost", saving=0.2)
        false += " is not shown" not in found.sentences("new")[1]
    assert false <= 9  # nominal .05; ten and more of 60 have probability .001


def test_several_costs_are_told_one_after_the_other():
    both = pd.concat([table("old", 1.0, 0.8, 1), table("new", 0.2, 0.8, 2)])
    both["seconds"] = 3 * both["cost_usd"]
    found = bq.check(both, "old", "new", 0.2, cost="cost,seconds", saving=0.2)
    _, first, second, *_ = found.sentences("new")
    assert "(cost: " in first and "(seconds: " in second
    with pytest.raises(ValueError, match="name a cost"):
        bq.check(both, "old", "new", 0.2, cost=" ,")


def test_what_cannot_be_judged_is_refused():
    both = pd.concat([table("old", 1.0, 0.8, 1), table("new", 0.8, 0.8, 2)])
    with pytest.raises(ValueError, match="such as 0.2"):
        bq.check(both, "old", "new", cost="cost", saving=20)
    with pytest.raises(ValueError, match="tested once"):
        bq.check(both, "old", "new", cost="cost", look="always")
    with pytest.raises(ValueError, match="one baseline"):
        bq.check(both, None, "new", cost="cost")


@pytest.mark.parametrize("power, is_uneven", [(1.0, False), (1.4, True)])
def test_a_claim_of_cheaper_is_doubted_where_costs_are_far_more_uneven(power, is_uneven):
    """A power of the candidate's costs makes the dearest answers dearer yet; the mean is held."""
    new = table("new", 1.0, 0.8, 2)
    cost = new["cost_usd"] ** power
    new["cost_usd"] = 0.2 * cost / cost.mean()
    both = pd.concat([table("old", 1.0, 0.8, 1), new])
    notes = bq.check(both, "old", "new", 0.2, cost="cost", saving=0.2).notes
    assert (
        any("The cost of new is far more uneven than that of old" in n for n in notes) is is_uneven
    )
