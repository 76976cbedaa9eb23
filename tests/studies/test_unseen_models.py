"""Models that a search has not seen: left-out models take no part, and the intervals hold."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.scores import benchmarks
from benchuq.studies import unseen_models as unseen


def test_left_out_models_take_no_part(gate):
    seen = []

    def choose(train, rng=None):
        seen.append(set(train["model"].values))
        return ["ADE20K"]

    every = set(gate["model"].values)
    table = unseen.nested_losses(
        gate, {"x": choose}, splits=[["clip", "bert"], ["vit"]], progress=False, rng=0
    )
    assert seen == [every - {"clip", "bert"}, every - {"vit"}]
    changed = gate.copy(deep=True)
    changed["score"].loc[dict(model="bert")] = 0.5
    other = unseen.nested_losses(
        changed, {"x": ["ADE20K"]}, splits=[["clip", "bert"]], progress=False, rng=0
    )
    assert other["loss"][0] == table["loss"][0] and other["loss"][1] != table["loss"][1]
    left_out = unseen.leave_one_out_coverage(gate, choose, models=["bert"], progress=False, rng=0)
    assert (
        seen[-1] == every - {"bert"} and len(left_out) == 47 and set(left_out["model"]) == {"bert"}
    )
    changed["score"].loc[dict(model="bert", metric="ADE20K mIoU")] = gate["score"].sel(
        model="bert", metric="ADE20K mIoU"
    )
    again = unseen.leave_one_out_coverage(
        changed, ["ADE20K"], models=["bert"], progress=False, rng=0
    )
    pd.testing.assert_series_equal(left_out["estimate"], again["estimate"])


@pytest.mark.simulation
def test_coverage_on_gate(gate, gate_tiers):
    table = unseen.leave_one_out_coverage(gate, gate_tiers["small"], progress=False, rng=0)
    assert len(table) == 21 * 39 and 0.85 < table["covered"].mean() < 0.97
    assert ((table["lower"] <= table["estimate"]) & (table["estimate"] <= table["upper"])).all()
    assert table["lower"].min() >= 0 and table["upper"].max() <= 1


@pytest.mark.simulation
def test_coverage_with_holes(gate):
    "With 40 % of the cells empty every other score is still predicted, and most intervals hold."
    holes = gate.assign(
        score=gate["score"].where(np.random.default_rng(0).random(gate["score"].shape) > 0.4)
    )
    some = ["ADE20K", "ImageNet-1K", "CUBirds", "UCF-101"]
    table = unseen.leave_one_out_coverage(holes, some, progress=False, rng=0)
    assert table["estimate"].notna().all() and len(table) > 300 and table["covered"].mean() > 0.85


BAD = {
    "unknown models \\['gpt'\\]": lambda g: unseen.nested_losses(
        g, {"x": ["ACDC"]}, splits=[["gpt"]]
    ),
    "leave no benchmark": lambda g: unseen.nested_losses(
        g, {"x": benchmarks(g)}, targets="common", progress=False
    ),
    "targets must be one of": lambda g: unseen.nested_losses(g, {"x": ["ACDC"]}, targets="some"),
    "unknown names": lambda g: unseen.compare_nested(
        unseen.nested_losses(g, {"x": ["ACDC"]}, progress=False), "y"
    ),
    "unknown benchmarks": lambda g: unseen.leave_one_out_coverage(g, ["MNIST"], progress=False),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)
