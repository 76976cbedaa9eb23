"""A few rounds of the bench and of the fuzzer; `python tests/faults/bench.py` and `fuzz.py` run them in full."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import bench
import fuzz


@pytest.mark.skipif(not hasattr(os, "fork") or not Path("/proc").is_dir(), reason="needs fork and /proc")
@pytest.mark.filterwarnings("default")  # a damaged file is said in a warning, which the run survives
def test_faults_lose_and_mix_nothing():
    assert bench.bench(6, 3) == []


@pytest.mark.parametrize("name", fuzz.ORACLES)
def test_damaged_files_are_read_right_or_refused_in_one_line(name):
    assert fuzz.fuzz(30, 3, names=(name,)) == []
