"""When predictions fail: each situation does what its name says, and the intervals notice only what they can."""

import numpy as np
import pytest

from benchuq.selection import failures


def test_as_assumed_the_intervals_hold():
    "8 boards, 4,800 holes; coverage over such runs has a standard deviation of .01."
    found = failures.completion_stress("as assumed", 8, rng=3)
    assert abs(found["covered"] - 0.9) < 0.05 and abs(found["bias"]) < 1.5


@pytest.mark.parametrize("situation", ["odd benchmark", "beyond the range", "selective"])
def test_otherwise_they_do_not(situation):
    "Coverage is below .87 in each situation, by more than four standard deviations over runs of 8 boards."
    found = failures.completion_stress(situation, 8, rng=4)
    assert found["covered"] < 0.88
    if situation != "odd benchmark":
        assert found["bias"] > 2


def test_selection_reports_what_is_good():
    scores, hole, _ = failures._selective(np.random.default_rng(0))
    assert scores[~hole].mean() > scores[hole].mean()


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="situation must be one of"):
        failures.completion_stress("rain")
    with pytest.raises(ValueError, match="n_boards"):
        failures.completion_stress(n_boards=0)
