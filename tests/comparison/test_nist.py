"""Variances of scores with many constant leading digits beside certified ones.

NIST's Statistical Reference Datasets, one-way analysis of variance: SmLs01 to SmLs09 (Simon,
Lesage 1989), of which the last three are of the highest level of difficulty, and AtmWtAg (Powell,
Murphy, Gramlich 1982). The page Validation shows F; here the digits are counted.
"""

import pytest

from benchuq.studies.validation import _f_and_within, _silver, _treatments


@pytest.mark.parametrize(("n", "certified"), [(21, 21.0), (201, 201.0), (2001, 2001.0)])
@pytest.mark.parametrize(
    ("offset", "of_f", "of_variance"), [(1, 12, 12), (1e6, 8, 8), (1e12, 3, 4)]
)
def test_f_of_simon_and_lesage(offset, of_f, of_variance, n, certified):
    """At 1e12 doubles are .00012 apart: data and means are stored so, which leaves the variance
    within treatments four digits and the ratio F three.
    """
    f, within = _f_and_within(_treatments(offset, n))
    assert f == pytest.approx(certified, rel=10**-of_f)
    assert within == pytest.approx(0.01, rel=10**-of_variance)


def test_f_of_the_atomic_weight_of_silver():
    f, within = _f_and_within(_silver())
    assert f == pytest.approx(1.59467335677930e01, rel=1e-8)
    assert within == pytest.approx(2.28155932971014e-10, rel=1e-8)
