"""James-Stein against the textbook formula and Efron and Morris's baseball players."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.tables import read_table
from benchuq.subgroups.fay_herriot import fay_herriot
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


@pytest.mark.parametrize("estimator", [james_stein, fay_herriot])
@pytest.mark.parametrize("shape", [None, (19, 1), (38, 2), (8, 2)])
def test_coverage_near_one(estimator, shape):
    """60 data sets of 40 subgroups of ten answers, accuracy about .95: true coverage .935 or more, standard error
    below .007, so .915 is missed with odds of 1 in 400; with the given smoothed variances it is .62 to .73 at .95."""
    rng, hits = np.random.default_rng(7), []
    for _ in range(60):
        true = np.full(40, 0.95) if shape is None else rng.beta(*shape, 40)
        share = rng.binomial(10, true) / 10
        smoothed = (share * (1 - share) + (share * (1 - share)).mean() * 10 / 9) / 19
        e = estimator(pd.DataFrame({"n": 10, "estimate": share, "variance": smoothed}))
        hits.append(((e["lower"] <= true) & (true <= e["upper"])).mean())
    assert np.mean(hits) > 0.915


def test_bad_input(make_areas):
    groups, _, _ = make_areas()
    with pytest.raises(ValueError, match="at least 4"):
        james_stein(groups.head(3))
    with pytest.raises(ValueError, match="variance is 0"):
        james_stein(groups.assign(variance=0.0))
