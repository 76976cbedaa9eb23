"""Convergence: ArviZ's figures by name, problems in words, the mark on a result."""

import arviz as az
import numpy as np
import pytest
import xarray as xr

from benchuq.sampling.convergence import ConvergenceWarning, convergence_problems, convergence_table, mark_convergence


pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


def chains(shift=0.0, diverging=0):
    x = np.random.default_rng(1).normal(size=(4, 1000, 2)) + shift * np.arange(4)[:, None, None]
    theta = np.random.default_rng(2).random((4, 1000, 2, 3))
    draws = ("chain", "draw")
    arrays = {"alpha": ((*draws, "model"), x), "theta": ((*draws, "model", "task"), theta)}
    posterior = xr.Dataset(arrays, {"model": ["A", "B"], "task": list("xyz")})
    stats = xr.Dataset({"diverging": (draws, np.arange(4000).reshape(4, 1000) < diverging)})
    return xr.DataTree.from_dict({"posterior": posterior, "sample_stats": stats})


def test_figures_are_arvizs_and_named():
    tree = chains()
    table = convergence_table(tree)
    assert list(table.index) == ["alpha[A]", "alpha[B]", "mean_theta[A]", "mean_theta[B]"]
    assert table.loc["alpha[B]", "r_hat"] == float(az.rhat(tree.posterior.to_dataset())["alpha"].sel(model="B"))
    assert convergence_table(tree, ["theta"]).index[1] == "theta[A, y]"


def test_problems_are_said_in_words():
    assert convergence_problems(chains()) == []
    assert "R-hat of alpha" in convergence_problems(chains(shift=1))[0]
    assert convergence_problems(chains(diverging=3)) == ["3 divergent transitions"]


def test_the_mark():
    tree = chains()
    with pytest.warns(ConvergenceWarning, match="gibbs may not have converged: bad; draw more"):
        assert mark_convergence(tree, ["bad"], "gibbs", "draw more") is tree
    assert tree.attrs == {"method": "gibbs", "converged": 0, "problems": "bad"}


def test_an_unknown_variable_is_named():
    with pytest.raises(ValueError, match=r"unknown variables of the posterior \['gamma'\]"):
        convergence_table(chains(), ["gamma"])
