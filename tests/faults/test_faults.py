"""A few rounds of the bench, of chaos and of the fuzzer; `bench.py`, `chaos.py` and `fuzz.py` run
them in full.
"""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import bench
import chaos
import fuzz


@pytest.mark.skipif(
    not hasattr(os, "fork") or not Path("/proc").is_dir(), reason="needs fork and /proc"
)
@pytest.mark.filterwarnings(
    "default"
)  # a damaged file is said in a warning, which the run survives
def test_faults_lose_and_mix_nothing():
    assert bench.bench(6, 3) == []


def test_a_few_kills():
    summary = chaos.chaos(9, 3, seed=3)
    assert chaos.is_clean(summary), summary


@pytest.mark.parametrize("name", fuzz.ORACLES)
def test_damaged_files_are_read_right_or_refused_in_one_line(name):
    assert fuzz.fuzz(30, 3, names=(name,)) == []
