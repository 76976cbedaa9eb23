"""Confusion counts: calibration, agreement with PyMC, hard cases, metrics, error contracts."""

import arviz as az
import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data.published import load
from benchuq.sampling import confusion
from benchuq.sampling.beta_binomial import Exponential, LogNormal, TruncatedNormal
from benchuq.sampling.chains import _run_nuts
from benchuq.sampling.convergence import convergence_table
from benchuq.sampling.hierarchy import bayes
from benchuq.studies.model_checks import sbc_uniformity


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


def test_confusion_calibration():
    "Concentrations from the prior, counts from them; ranks of the truth uniform (four cells and F1, at 0.001 each)."
    prior, rng, size = LogNormal(1.5, 0.6), np.random.default_rng(2), 400
    a = prior.sample(rng, (size, 4))
    p = np.array([rng.dirichlet(row, size=5) for row in a])
    data = xr.Dataset(
        {"count": (("model", "task", "cell"), rng.multinomial(30, p))},
        coords={
            "model": [f"m{i}" for i in range(size)],
            "task": list("abcde"),
            "cell": list(confusion.CONFUSION_CELLS),
        },
    )
    tree = confusion.fit_confusion(data, prior, n_draws=99, rng=3)
    ranks = pd.DataFrame(
        (tree.posterior["concentration"].isel(chain=0).transpose("model", "draw", "cell").values < a[:, None]).sum(
            axis=1
        )
    )
    f1 = confusion.CONFUSION_METRICS["f1"](*p.transpose(2, 0, 1)[:3])
    ranks["f1"] = (confusion.metric_draws(tree).mean("task").values < f1.mean(axis=1)[:, None]).sum(axis=1)
    assert sbc_uniformity(ranks, bins=10).min() > 0.001


def test_confusion_against_pymc(make_confusion):
    import pymc as pm

    data = make_confusion(1, 6, 80, 4)
    x = data["count"].values[0]
    with pm.Model() as model:
        a = pm.LogNormal("a", 1, 1, shape=4)
        pm.DirichletMultinomial("x", n=x.sum(axis=1), a=a, observed=x)
    trace = _run_nuts(model, 2000, 1, n_chains=2, n_tune=500, progress=False)
    ours = np.log(
        confusion.fit_confusion(data, LogNormal(1, 1), n_draws=20_000, rng=1).posterior["concentration"].isel(model=0)
    )
    theirs = np.log(trace.posterior["a"])
    error = az.mcse(theirs.to_dataset(name="a"))["a"].values + ours.std().item() / np.sqrt(20_000)
    assert (abs(theirs.mean(["chain", "draw"]).values - ours.mean(["chain", "draw"]).values) < 4 * error).all()
    np.testing.assert_allclose(theirs.std(["chain", "draw"]), ours.std(["chain", "draw"]), rtol=0.12)


@pytest.mark.parametrize("spoil", ["empty cell", "narrow prior", "alike", "one task", "nine cells"])
def test_confusion_hard_cases(spoil, make_confusion):
    data, prior = make_confusion(2, 8, 60, 5), Exponential()
    if spoil == "empty cell":
        data["count"][:, :, 1] = 0
    if spoil == "narrow prior":
        prior = TruncatedNormal(20, 0.1)
    if spoil == "alike":
        data["count"][:] = [70, 30, 30, 870]
    if spoil == "one task":
        data = data.isel(task=[0])
    if spoil == "nine cells":
        data = xr.concat(
            [data.assign_coords(cell=[f"{c}{i}" for c in confusion.CONFUSION_CELLS]) for i in range(2)], "cell"
        )
    tree = confusion.fit_confusion(data, prior, n_draws=2000, rng=1)
    a, theta = tree.posterior["concentration"], tree.posterior["theta"]
    assert (a > 0).all() and np.allclose(theta.sum("cell"), 1) and convergence_table(tree)["ess_bulk"].min() > 1000
    assert len(np.unique(a.values[0, :, 0, 0])) > 1700
    if spoil == "narrow prior":
        np.testing.assert_allclose(a.mean("draw"), 20, atol=0.1)


def test_metrics(make_confusion):
    data = make_confusion(2, 3, 200, 6)
    tree = confusion.fit_confusion(data, n_draws=300, rng=1, predictive=True)
    tp, fp, fn, tn = (
        tree.posterior["theta"].isel(chain=0).sel(cell=c).transpose("model", "task", "draw").values
        for c in confusion.CONFUSION_CELLS
    )
    expected = {
        "precision": tp / (tp + fp),
        "recall": tp / (tp + fn),
        "specificity": tn / (tn + fp),
        "accuracy": tp + tn,
        "balanced_accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        "f1": 2 / ((tp + fp) / tp + (tp + fn) / tp),
    }
    assert set(expected) == set(confusion.CONFUSION_METRICS)
    for name, value in expected.items():
        np.testing.assert_allclose(confusion.metric_draws(tree, name), value)
    np.testing.assert_allclose(confusion.metric_draws(tree, lambda tn, **_: tn), tn)
    new = tree.posterior_predictive["count"]
    assert (new.sum("cell") == 200).all() and confusion.metric_draws(tree, predictive=True).dims == (
        "model",
        "task",
        "draw",
    )


def test_bayes_takes_a_table_of_confusion_counts(make_confusion):
    data = make_confusion(2, 3, 50, 8)
    table = data["count"].to_series().unstack("cell").reset_index()
    expected = confusion.metric_draws(confusion.fit_confusion(data, n_draws=50, rng=2), "recall")
    found = bayes(table, 50, rng=2, metric="recall")
    np.testing.assert_allclose(found.sel(model=expected["model"]), expected)
    np.testing.assert_allclose(bayes(data, 50, rng=2, metric="recall"), expected)
    assert bayes(table, 50, rng=2).name == "f1"
    with pytest.raises(ValueError, match="method must be one of"):
        bayes(table, method="nuts")
    with pytest.raises(ValueError, match="metric is one of confusion counts"):
        bayes(load("vtab"), metric="f1")


def test_confusion_same_seed_whatever_order(make_confusion):
    data = make_confusion(3, 4, 100, 7)
    one, two = (
        confusion.fit_confusion(data, n_draws=100, rng=1),
        confusion.fit_confusion(data.isel(model=[2, 0]), n_draws=100, rng=1, n_jobs=2),
    )
    assert (one.posterior["theta"].sel(model=two.posterior["model"]) == two.posterior["theta"]).all()


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
        confusion.from_confusion(pd.DataFrame(rows))


def test_bad_options_are_refused(make_confusion):
    data = make_confusion(1, 2, 9, 0)
    tree = confusion.fit_confusion(data, n_draws=20, rng=1)
    with pytest.raises(ValueError, match="prior must be"):
        confusion.fit_confusion(data, prior=lambda a: -a)
    with pytest.raises(ValueError, match="each of the cells"):
        confusion.fit_confusion(data, prior={"tp": Exponential()})
    with pytest.raises(ValueError, match="'f1'.*got 'auc'"):
        confusion.metric_draws(tree, "auc")
    with pytest.raises(ValueError, match="predictive=True"):
        confusion.metric_draws(tree, predictive=True)


def test_priors_by_name_and_the_default_covers():
    """The default holds 160 true accuracies near .9 in .94 or more; below .85 by chance in no run of 10,000."""
    rng = np.random.default_rng(4)
    true = rng.dirichlet([9, 1, 1, 9], (20, 8))
    data = xr.Dataset(
        {"count": (("model", "task", "cell"), rng.multinomial(20, true))},
        coords={
            "model": [f"m{i}" for i in range(20)],
            "task": list("abcdefgh"),
            "cell": list(confusion.CONFUSION_CELLS),
        },
    )
    covered = {}
    for prior in ("default", "uq"):
        draws = confusion.metric_draws(confusion.fit_confusion(data, prior, n_draws=400, rng=1), "accuracy")
        lower, upper = draws.quantile([0.025, 0.975], "draw").values
        value = true[..., 0] + true[..., 3]
        covered[prior] = ((lower <= value) & (value <= upper)).mean()
    assert covered["default"] > 0.85 > covered["uq"]
    with pytest.raises(ValueError, match="prior must be one of"):
        confusion.fit_confusion(data, "flat")
