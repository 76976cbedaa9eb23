"""Counts and fits that tests of several samplers share."""

import warnings

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.data.results import from_counts
from benchuq.sampling.confusion import CONFUSION_CELLS
from benchuq.sampling.hierarchy import fit


@pytest.fixture(scope="session")
def make_counts():
    """Function that turns rows of correct answers, one row a model, and numbers of items into results."""

    def counts(rows, n_items, models="AB"):
        rows = np.atleast_2d(rows)
        tasks = [f"t{j}" for j in range(rows.shape[1])]
        return from_counts(pd.DataFrame(rows, index=list(models[: len(rows)]), columns=tasks), n_items)

    return counts


@pytest.fixture(scope="session")
def quiet_fit():
    """`fit` without warnings and progress bars, for chains too short to converge."""

    def quiet(*args, **kwargs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return fit(*args, **kwargs)

    return quiet


@pytest.fixture(scope="session")
def make_confusion():
    """Function that simulates confusion counts: Dirichlet probabilities for each model and task, then items."""

    def confusion(models, tasks, items, rng, weights=(7, 3, 3, 87)):
        p = np.random.default_rng(rng).dirichlet(weights, size=(models, tasks))
        x = np.random.default_rng(rng + 1).multinomial(items, p)
        coords = {
            "model": [f"m{i}" for i in range(models)],
            "task": [f"t{j}" for j in range(tasks)],
            "cell": list(CONFUSION_CELLS),
        }
        return xr.Dataset({"count": (("model", "task", "cell"), x)}, coords=coords)

    return confusion
