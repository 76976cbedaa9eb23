"""The tier files in `tiers/`: whole, and GATE's as the paper prints it."""

import shutil
from pathlib import Path

import pytest

import benchuq as bq
from benchuq.data.published import load
from benchuq.data.scores import benchmark_groups, benchmark_means
from benchuq.readers.tier_file import load_tier
from benchuq.running.plan import plan_commands, plan_tier
from benchuq.running.run import run_tier

TIERS = Path(__file__).parents[2] / "tiers"


@pytest.mark.parametrize("path", sorted(TIERS.glob("*/*.toml")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_tier_file_is_right_and_its_commands_can_be_read(path):
    plan = plan_tier(path, versions=False)
    assert plan.states and len(plan_commands(plan)) == len(plan.left)


def test_gate_has_the_groups_tiers_and_scores_of_the_paper(tmp_path, gate_tiers):
    tier = load_tier(TIERS / "gate" / "tier.toml")
    gate = load("gate")
    groups = {name.replace(" ", "-"): group for name, group in benchmark_groups(gate).items()}
    assert {name: b.group for name, b in tier.benchmarks.items()} == groups
    assert list(tier.models) == list(gate["model"].values)
    for name, hours in (("small", 12), ("base", 24)):
        assert set(tier.tiers[name]) == {b.replace(" ", "-") for b in gate_tiers[name]}
        assert sum(tier.benchmarks[b].cost for b in tier.tiers[name]) == pytest.approx(hours, rel=0.07)
    for name in ("tier.toml", "published.py"):
        shutil.copy(TIERS / "gate" / name, tmp_path)
    run_tier(tmp_path / "tier.toml", "small", ["clip"], progress=False)
    data = bq.read(tmp_path / "tier.toml", progress=False)
    found = data["score"].isel(model=0).to_series().groupby(data["task"].values).mean()
    truth = benchmark_means(gate).rename(columns=lambda n: n.replace(" ", "-")).loc["clip", found.index]
    assert found.to_numpy() == pytest.approx(truth.to_numpy())
