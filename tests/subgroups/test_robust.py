"""Critical values against published values and limits; the notebook has the supremum by linear
programming.
"""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import ncx2, norm

from benchuq.data.tables import read_table
from benchuq.subgroups import robust
from benchuq.subgroups.robust import critical_value, naive_noncoverage


def miss(t, chi):
    """P(|N(sqrt(t), 1)| > chi), from the noncentral chi-squared distribution: not the library's
    formula.
    """
    return ncx2.sf(chi**2, 1, t)


def test_published_values():
    np.testing.assert_allclose(critical_value(0, [1, 3, 50, np.inf]), norm.ppf(0.975), atol=1e-12)
    table = read_table("ebci_critical_values")
    found = [critical_value(row.m2, row.kappa, row.level) for row in table.itertuples()]
    np.testing.assert_allclose(found, table["critical_value"], atol=1e-8)
    m2, kappa, chi = (
        np.array([1, 2.8**2]),
        np.array([3.0, 8.0]),
        np.array([11.9699639845401, 7.1324290147839279896]),
    )
    np.testing.assert_allclose(robust._worst(m2, kappa, chi), [6.0216e-05, 0.09805099], atol=1e-8)


def test_known_bias():
    """kappa = 1 means that the bias is known: the quantile of the folded normal distribution."""
    for m2 in (0.5, 3.0, 40.0):
        chi = brentq(lambda c, t=m2: miss(t, c) - 0.05, 1, 50)
        np.testing.assert_allclose(critical_value(m2, 1), chi, atol=1e-9)


def test_large_bias():
    """At m2 = 1e8 the noise hardly matters: one-sided Chebyshev (Cantelli) bounds, and sqrt(m2) at
    kappa = 1.
    """
    m2 = 1e8
    np.testing.assert_allclose(critical_value(m2, 1), np.sqrt(m2) + norm.ppf(0.95), rtol=1e-9)
    np.testing.assert_allclose(critical_value(m2, np.inf), np.sqrt(m2 / 0.05), rtol=1e-3)
    np.testing.assert_allclose(
        critical_value(m2, 3), np.sqrt(m2 + np.sqrt(2 * 0.95 / 0.05) * m2), rtol=1e-3
    )
    assert critical_value(np.inf, 3) == np.inf
    for kappa in (1, 3, 30, np.inf):  # the limit for still larger ones joins on
        np.testing.assert_allclose(
            critical_value(1.01e16, kappa),
            critical_value(0.99e16, kappa) * np.sqrt(1.01 / 0.99),
            rtol=1e-6,
        )


def test_errors():
    for call, match in (
        (lambda: critical_value(-1), "m2"),
        (lambda: critical_value(np.nan), "m2"),
        (lambda: critical_value(1, kappa=0.9), "kappa .* at least 1"),
        (lambda: critical_value(1, level=95), "level"),
        (lambda: naive_noncoverage(0), r"weight must lie in \(0, 1\]"),
        (lambda: naive_noncoverage(0.5, kappa=0.9), "kappa"),
    ):
        with pytest.raises(ValueError, match=match):
            call()
