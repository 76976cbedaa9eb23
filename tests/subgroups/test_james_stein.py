"""James-Stein against the textbook formula and Efron and Morris's baseball players."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.tables import read_table
from benchuq.subgroups.james_stein import james_stein, moment_variance, weighted_fit


def test_james_stein_by_hand_and_baseball():
    """Equal variances: the textbook formula, positive part included; Efron and Morris's weight and mean."""
    rng = np.random.default_rng(0)
    for scale in (0.05, 1.0, 3.0):
        z = rng.normal(0, scale, 12)
        e = james_stein(pd.DataFrame({"estimate": z, "variance": 0.5}))
        shrunk = min(1, 9 * 0.5 / ((z - z.mean()) ** 2).sum())
        np.testing.assert_allclose(e["estimate"], z.mean() + (1 - shrunk) * (z - z.mean()), atol=1e-10)
    baseball = read_table("efron_morris_baseball")
    hits, n = baseball["hits"] / baseball["at_bats"], baseball["at_bats"]
    e = james_stein(pd.DataFrame({"estimate": hits, "variance": hits.mean() * (1 - hits.mean()) / n}))
    assert round(e["weight"].iloc[0], 3) == 0.212 and round(e["synthetic"].iloc[0], 3) == 0.265


def test_weighted_fit_and_moments(make_areas):
    groups, x, _ = make_areas()
    z, s2 = groups["estimate"].to_numpy(), groups["variance"].to_numpy()
    design = np.column_stack([np.ones(60), x])
    a = moment_variance(z, s2, design)
    beta, fitted = weighted_fit(a, z, s2, design)
    root = np.diag(1 / (a + s2))
    np.testing.assert_allclose(beta, np.linalg.solve(design.T @ root @ design, design.T @ root @ z))
    np.testing.assert_allclose(((z - fitted) ** 2 / (a + s2)).sum(), 58)
    assert moment_variance(fitted, s2, design) == 0


def test_bad_input(make_areas):
    groups, _, _ = make_areas()
    with pytest.raises(ValueError, match="at least 4"):
        james_stein(groups.head(3))
    with pytest.raises(ValueError, match="variance is 0"):
        james_stein(groups.assign(variance=0.0))
