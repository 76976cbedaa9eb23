"""Stored results: what is written is what is read, and what is no such file is refused."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data import results
from benchuq.data.stored import read_results, write_results

ITEMS = pd.DataFrame({"model": [*"AAB"], "task": "law", "item": [1, 2, 1], "score": [1, np.nan, 0.5]})
REPEATS = pd.DataFrame({"model": "A", "task": "law", "item": [1, 1, 2], "repeat": [1, 2, 1], "score": [1, 0, 1]})
ACCURACY = pd.DataFrame({"law": [0.7, 0.6], "art": [0.6, np.nan]}, index=["A", "ünïcode, 1"])


@pytest.mark.parametrize(
    "data",
    [
        results.from_items(ITEMS.assign(reason=["", "timeout", ""], category="x", cluster=["p", "p", "p"])),
        results.from_items(REPEATS),
        results.from_accuracies(ACCURACY, 10, {"law": "x", "art": "y"}, holes=True),
        results.from_accuracies(ACCURACY.fillna(0), 10),
        results.from_estimates(ACCURACY, ACCURACY / 20, holes=True),
    ],
)
def test_what_is_written_is_read(tmp_path, data):
    data = data.assign_attrs(notes=["one", "two"], source="logs")
    assert read_results(write_results(data, tmp_path / "r.npz")).identical(data)


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "r.npz").write_bytes(content)
    with pytest.raises(ValueError, match="holds no results of benchuq"):
        read_results(tmp_path / "r.npz")
    np.savez(tmp_path / "r.npz", x=np.ones(3))
    with pytest.raises(ValueError, match="holds no results of benchuq"):
        read_results(tmp_path / "r.npz")
