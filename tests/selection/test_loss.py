"""Losses of subsets: missing scores and bad input."""

import numpy as np
import pytest

from benchuq.data.scores import benchmarks
from benchuq.selection.loss import SubsetLoss, subset_loss
from benchuq.studies.perceptron import Perceptron


def test_missing_targets_do_not_count_and_missing_inputs_say_nothing(gate):
    holes = gate.copy(deep=True)
    holes["score"][dict(model=4)] = np.where(gate["benchmark"] == "ADE20K", np.nan, gate["score"][4])
    for kind in ("ridge", Perceptron()):
        scorer = SubsetLoss(holes, kind, rng=0)
        changed = SubsetLoss(holes, kind, rng=0)
        changed.data.z[4, changed.data.owner == changed.benchmarks.index("ADE20K")] = 0.0
        masks = np.array([scorer.mask(["ACDC"]), scorer.mask(["ADE20K", "CLEVR"])])
        assert np.isfinite(scorer(masks)).all() and (scorer(masks) == changed(masks)).all()


def test_metric_known_for_two_models_is_named(make_score_table, known_to_few):
    with pytest.raises(ValueError, match="\\['m3'\\] are known for fewer than three models"):
        subset_loss(known_to_few(make_score_table(), "m3", 2), ["b0"], "ridge")


BAD = {
    "are the same for all models": lambda g: subset_loss(
        g.assign(score=g["score"].where(g["metric"] != "NYU mIoU", 0.5)), ["ACDC"]
    ),
    "no model has a score on metrics \\['NYU mIoU'\\]": lambda g: subset_loss(
        g.assign(score=g["score"].where(g["metric"] != "NYU mIoU")), ["ACDC"]
    ),
    "have no score at all": lambda g: subset_loss(g.assign(score=g["score"].where(g["model"] != "clip")), ["ACDC"]),
    "unknown benchmarks \\['MNIST'\\]": lambda g: subset_loss(g, ["MNIST"]),
    "each once": lambda g: subset_loss(g, ["ACDC", "ACDC"]),
    "at least one benchmark": lambda g: subset_loss(g, []),
    "targets must be one of": lambda g: subset_loss(g, ["ACDC"], targets="some"),
    "meta_model must be one of": lambda g: subset_loss(g, ["ACDC"], "forest"),
    "nothing to predict": lambda g: subset_loss(g, benchmarks(g), targets="rest"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)
