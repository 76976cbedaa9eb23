"""Confusion counts: calibration, hard cases, metrics, error contracts."""

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.data.published import load
from benchuq.sampling.beta_binomial import Exponential, LogNormal
from benchuq.sampling.confusion import _cell_priors, _COUNT_METRICS, _sampled, confusion_draws
from benchuq.sampling.hierarchy import bayes
from benchuq.studies.model_checks import sbc_uniformity

CELLS = ["tp", "fp", "fn", "tn"]


def table_of(counts) -> pd.DataFrame:
    "A table from counts (model, task, cell)."
    models, tasks, cells = counts.shape
    index = pd.MultiIndex.from_product(
        [[f"m{i}" for i in range(models)], [f"t{j}" for j in range(tasks)]]
    )
    names = CELLS if cells == 4 else [f"c{k}" for k in range(cells)]
    return (
        pd.DataFrame(counts.reshape(-1, cells), index, names)
        .rename_axis(["model", "task"])
        .reset_index()
    )


def simulated(models, tasks, items, seed, weights=(7, 3, 3, 87)) -> np.ndarray:
    p = np.random.default_rng(seed).dirichlet(weights, size=(models, tasks))
    return np.random.default_rng(seed + 1).multinomial(items, p)


@pytest.mark.simulation
def test_calibration():
    """Concentrations from the prior, counts from them; ranks of the truth uniform (four cells, at
    0.001 each).
    """
    prior, rng, size = LogNormal(1.5, 0.6), np.random.default_rng(2), 400
    a = prior.sample(rng, (size, 4))
    counts = rng.multinomial(30, np.array([rng.dirichlet(row, size=5) for row in a]))
    priors = _cell_priors(prior, CELLS)
    ranks = [
        (_sampled(x, priors, 99, rng)[0] < true[:, None]).sum(axis=1) for x, true in zip(counts, a)
    ]
    assert sbc_uniformity(pd.DataFrame(ranks), bins=10).min() > 0.001


@pytest.mark.parametrize("spoil", ["empty cell", "narrow prior", "alike", "one task", "nine cells"])
def test_hard_cases(spoil):
    x, prior = simulated(1, 8, 60, 5)[0], Exponential()
    if spoil == "empty cell":
        x[:, 1] = 0
    if spoil == "narrow prior":
        prior = LogNormal(np.log(20), 0.005)
    if spoil == "alike":
        x[:] = [70, 30, 30, 870]
    x = {"one task": x[:1], "nine cells": np.concatenate([x, x, x[:, :1]], axis=1)}.get(spoil, x)
    priors = _cell_priors(prior, list(range(x.shape[1])))
    a, theta = _sampled(x, priors, 2000, np.random.default_rng(1))
    assert (a > 0).all() and np.allclose(theta.sum(axis=1), 1) and len(np.unique(a[0])) > 1700
    if spoil == "narrow prior":
        np.testing.assert_allclose(a.mean(axis=1), 20, atol=0.1)
        np.testing.assert_allclose(
            theta.mean(axis=-1), (x + 20) / (x + 20).sum(axis=1, keepdims=True), atol=0.01
        )


def test_metrics_and_the_face():
    table = table_of(simulated(2, 3, 200, 6))
    tp, fp, fn, tn = (
        confusion_draws(table, lambda c=c, **cells: cells[c], n_draws=300, rng=1) for c in CELLS
    )
    expected = {
        "precision": tp / (tp + fp),
        "recall": tp / (tp + fn),
        "specificity": tn / (tn + fp),
        "accuracy": tp + tn,
        "balanced_accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        "f1": 2 / ((tp + fp) / tp + (tp + fn) / tp),
    }
    assert set(expected) == set(_COUNT_METRICS)
    for name, value in expected.items():
        np.testing.assert_allclose(bq.bayes(table, 300, 1, metric=name), value)
    assert bayes(table, 50, rng=2).name == "f1"
    with pytest.raises(ValueError, match="metric is one of confusion counts"):
        bayes(load("vtab"), metric="f1")


def test_same_seed_whatever_order():
    table = table_of(simulated(3, 4, 100, 7))
    turned = table.sort_values("model", ascending=False, kind="stable")
    one, two = (confusion_draws(t, n_draws=100, rng=1) for t in (table, turned))
    assert two["model"].values[0] == "m2" and (one.sel(model=two["model"]) == two).all()


ROW = {"model": "A", "task": "t", "tp": 1, "fp": 2, "fn": 0, "tn": 9}


@pytest.mark.parametrize(
    "rows, message",
    [
        ([ROW, ROW], "more than once"),
        ([ROW | {"fp": -2}], r"negative.*\(A, t\)"),
        ([ROW | {"fp": 0.5}], r"not whole.*\(A, t\)"),
        ([ROW | {"fp": "many"}], r"no number.*\(A, t\)"),
        ([ROW, ROW | {"model": "B", "task": "u"}], r"\(A, u\)"),
        ([{"model": "A", "task": "t", "tn": 9}], "at least two cells"),
        ([{"model": "A", "tp": 3, "tn": 9}], "columns model, task"),
        ([{"model": "A", "task": "t", "tp": 0, "fp": 0}], "all counts are 0"),
    ],
)
def test_bad_tables_are_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        confusion_draws(pd.DataFrame(rows))


@pytest.mark.parametrize(
    "options, message",
    [
        ({"prior": lambda a: -a}, "prior must be"),
        ({"prior": {"tp": Exponential()}}, "each of the cells"),
        ({"prior": "flat"}, "prior must be one of"),
        ({"metric": "auc"}, "'f1'.*got 'auc'"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        confusion_draws(pd.DataFrame([ROW]), **options)
