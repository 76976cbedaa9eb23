"""Finding the mass of a density: moments, and a box that holds everything."""

import numpy as np
import pytest
from scipy import stats

from benchuq.sampling.grid import DEPTH, bounding_box, lattice, locate, t_cloud, t_log_density


@pytest.mark.parametrize("scale, centre", [(1.0, (0, 0)), (1e-3, (5, -8)), (300.0, (2000, 10))])
def test_a_normal_density_is_found(scale, centre):
    "500 points: the centre within half, the spread within 30 % of a standard deviation."
    f = stats.multivariate_normal(centre, scale**2 * np.array([[1, 0.9], [0.9, 1]])).logpdf
    middle, axes = locate(f, np.zeros(2))
    np.testing.assert_allclose(middle, centre, atol=0.5 * scale)
    np.testing.assert_allclose(np.sqrt((axes**2).sum(axis=1)), scale, rtol=0.3)


def test_the_box_holds_all_within_depth():
    def density(z):
        return -0.5 * ((z[..., 0] / 9) ** 2 + (z[..., 1] - 2) ** 2)

    low, high = bounding_box(density)
    wide = lattice([-100, -100], [100, 100], 400)
    inside = wide[density(wide) > -DEPTH]
    assert (inside > low).all() and (inside < high).all() and (high - low).max() < 150


def test_cloud_and_its_density_belong_together():
    "Kolmogorov-Smirnov, p > 0.001."
    z = t_cloud(np.random.default_rng(2), 4000, 3)
    assert stats.kstest(z[:, 1], stats.t(8).cdf).pvalue > 0.001
    theirs = stats.multivariate_t(df=8, shape=np.eye(3)).logpdf(z)
    np.testing.assert_allclose(t_log_density(z) - t_log_density(z[0]), theirs - theirs[0])


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: locate(lambda x: np.full(len(x), -np.inf), np.zeros(2)), "no mass was found"),
        (lambda: bounding_box(lambda z: 0 * z[..., 0]), "does not fall off on every side"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
