"""Levels for several looks."""

import numpy as np
import pytest
from scipy.stats import norm

from benchuq.verdict.looks import always_level, look_level, parse_look


def test_published_boundaries():
    z = [norm.isf(look_level(0.025, k, 5)) for k in range(1, 6)]  # Jennison and Turnbull's table
    assert np.allclose(z, [4.877, 3.357, 2.680, 2.290, 2.031], atol=0.002)


def test_one_look_is_no_look():
    assert look_level(0.05, 1, 1) == pytest.approx(0.05, abs=1e-6)


def test_looks_are_wrong_as_rarely_as_promised():
    # 20,000 Brownian motions: .05 has a standard error of .0015
    steps = np.random.default_rng(1).standard_normal((20_000, 4)).cumsum(axis=1)
    z = steps / np.sqrt(np.arange(1, 5))
    c = np.array([norm.isf(look_level(0.05, k, 4)) for k in range(1, 5)])
    assert abs((z > c).any(axis=1).mean() - 0.05) < 0.007


def test_always_holds_for_any_number_of_looks():
    # 4,000 paths of 2,000 questions, each looked at after every 10: at most .05, standard error .0034
    rng = np.random.default_rng(2)
    n = np.arange(10, 2001, 10)
    z = (rng.standard_normal((4000, 200)) * np.sqrt(10)).cumsum(axis=1) / np.sqrt(n)
    c = np.array([norm.isf(always_level(0.05, int(k), 500)) for k in n])
    assert 0.01 < (z > c).any(axis=1).mean() < 0.05 + 3 * 0.0034


def test_no_verdict_from_a_handful():
    assert always_level(0.05, 29) == 0 and always_level(0.0, 1000) == 0


@pytest.mark.parametrize("text", ["5/4", "0/4", "x", "2/", "/3", "always/x", "always/0", "-1/4", ""])
def test_looks_that_are_none(text):
    with pytest.raises(ValueError):
        parse_look(text)
