"""Standard scores and losses of subsets: the closed form against refits, missing scores, bad
input.
"""

import numpy as np
import pytest
import xarray as xr

from benchuq.data.scores import benchmarks
from benchuq.selection.meta_models import Ridge, StandardisedScores, SubsetLoss
from benchuq.studies.perceptron import Perceptron


def test_polarity_is_turned(make_score_table):
    scores = make_score_table()
    turned = scores.copy(deep=True)
    turned["score"] = turned["score"] * xr.where(turned["higher_is_better"], 1, -1)
    turned = turned.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    np.testing.assert_allclose(*(StandardisedScores.of(s).z for s in (scores, turned)))


def refit(data, mask, penalty, rest):
    columns = data.columns(mask)
    counted = data.weight * (~mask[data.owner] if rest else 1)
    loss = 0.0
    for i in range(len(data.z)):
        keep = np.arange(len(data.z)) != i
        for j in range(data.z.shape[1]):
            rows = keep & (data.weight[:, j] > 0)
            x = np.column_stack([np.ones(rows.sum()), data.z[rows][:, columns]])
            ridge = penalty * np.eye(x.shape[1])
            ridge[0, 0] = 0
            beta = np.linalg.solve(x.T @ x + ridge, x.T @ data.z[rows, j])
            loss += counted[i, j] * (np.r_[1, data.z[i, columns]] @ beta - data.z[i, j]) ** 2
    return loss / counted.sum()


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("rest", [False, True])
def test_closed_form_is_leave_one_out_by_refitting(make_score_table, gaps, rest):
    scores = make_score_table(gaps=gaps, seed=3)
    scorer = SubsetLoss(scores, Ridge(0.7), targets="rest" if rest else "all")
    masks = np.array([c for c in np.ndindex(*(2,) * 5) if 0 < sum(c) < 5][::4], bool)
    expected = [refit(scorer.data, mask, 0.7, rest) for mask in masks]
    np.testing.assert_allclose(scorer(masks), expected, rtol=1e-9)


def test_missing_targets_do_not_count_and_missing_inputs_say_nothing(gate):
    holes = gate.copy(deep=True)
    holes["score"][dict(model=4)] = np.where(
        gate["benchmark"] == "ADE20K", np.nan, gate["score"][4]
    )
    for kind in ("ridge", Perceptron()):
        scorer, changed = SubsetLoss(holes, kind, rng=0), SubsetLoss(holes, kind, rng=0)
        changed.data.z[4, changed.data.owner == changed.benchmarks.index("ADE20K")] = 0.0
        masks = np.array([scorer.mask(["ACDC"]), scorer.mask(["ADE20K", "CLEVR"])])
        assert np.isfinite(scorer(masks)).all() and (scorer(masks) == changed(masks)).all()


def test_the_number_of_workers_changes_no_digit(gate):
    some = np.random.default_rng(2).random((300, 31)) < 0.3
    assert (SubsetLoss(gate)(some) == SubsetLoss(gate, n_jobs=2)(some)).all()


def changed(gate, value):
    return gate.assign(score=gate["score"].where(gate["metric"] != "NYU mIoU", value))


BAD = {
    "are the same for all models": lambda g: SubsetLoss(changed(g, 0.5)),
    "no model has a score on metrics \\['NYU mIoU'\\]": lambda g: SubsetLoss(changed(g, np.nan)),
    "\\['NYU mIoU'\\] are known for fewer": lambda g: SubsetLoss(
        changed(g, g["score"].where(g["model"] < "cl"))
    ),
    "have no score at all": lambda g: SubsetLoss(
        g.assign(score=g["score"].where(g["model"] != "clip"))
    ),
    "unknown benchmarks \\['MNIST'\\]": lambda g: SubsetLoss(g).of_names(["MNIST"]),
    "each once": lambda g: SubsetLoss(g).of_names(["ACDC", "ACDC"]),
    "at least one benchmark": lambda g: SubsetLoss(g).of_names([]),
    "targets must be one of": lambda g: SubsetLoss(g, targets="some"),
    "meta_model must be one of": lambda g: SubsetLoss(g, "forest"),
    "nothing to predict": lambda g: SubsetLoss(g, targets="rest").of_names(benchmarks(g)),
    "penalty must be a positive number": lambda g: SubsetLoss(g, Ridge(0.0)),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)
