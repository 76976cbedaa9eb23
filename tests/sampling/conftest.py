"""Counts that several tests share."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.results import from_counts


@pytest.fixture(scope="session")
def make_counts():
    """Function that turns rows of correct answers, one row a model, and numbers of items into
    results.
    """

    def counts(rows, n_items, models="AB"):
        rows = np.atleast_2d(rows)
        tasks = [f"t{j}" for j in range(rows.shape[1])]
        return from_counts(
            pd.DataFrame(rows, index=list(models[: len(rows)]), columns=tasks), n_items
        )

    return counts
