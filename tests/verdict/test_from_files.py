"""Two runs read from two places."""

import shutil

import numpy as np
import pytest

from benchuq.readers.runs import Options
from benchuq.verdict.from_files import _read_sides

HEAD = "model,task,item,score\n"


@pytest.fixture
def tables(tmp_path):
    """Function that writes a table for each side and gives their paths."""

    def written(**rows):
        paths = {}
        for side, lines in rows.items():
            paths[side] = tmp_path / f"{side}.csv"
            paths[side].write_text(HEAD + "\n".join(lines))
        return paths

    return written


def test_names_that_differ_stay(tables):
    data, models = _read_sides(tables(baseline=["A,law,1,1"], candidate=["B,law,1,0"]), Options())
    assert models == {"baseline": ["A"], "candidate": ["B"]} and data["score"].values.tolist() == [[1], [0]]


def test_the_same_name_bears_its_side(tables):
    data, models = _read_sides(tables(baseline=["A,law,1,1", "C,law,1,1"], candidate=["A,law,1,0"]), Options())
    assert models == {"baseline": ["A (baseline)", "C"], "candidate": ["A (candidate)"]}
    assert data["score"].sel(model="A (candidate)").item() == 0


def test_settings_that_differ_are_said(harness):
    runs = sorted(harness.iterdir())
    data, _ = _read_sides(dict(zip(["baseline", "candidate"], runs)), Options())
    said = [n for n in data.attrs["notes"] if n.startswith("Settings differ")]
    assert len(said) == 1 and "random_seed 1 and 2" in said[0] and "capitals" in said[0]


def test_the_same_model_run_twice(harness, tmp_path):
    one = sorted(harness.iterdir())[0]
    copy = shutil.copytree(one, tmp_path / "again" / one.name)
    data, models = _read_sides({"baseline": one, "candidate": copy}, Options())
    assert data.sizes["model"] == 2 and models["candidate"] == ["example/dummy-1 (candidate)"]
    assert np.array_equal(*data["score"].values, equal_nan=True)


def test_the_same_file_is_refused(tables, tmp_path):
    paths = tables(baseline=["A,law,1,1"])
    link = tmp_path / "link.csv"
    link.symlink_to(paths["baseline"])
    with pytest.raises(ValueError, match="baseline and candidate are the same file"):
        _read_sides(paths | {"candidate": link}, Options())


def test_counts_of_two_runs_are_joined(harness):
    for file in harness.rglob("samples*"):
        file.unlink()
    data, _ = _read_sides(dict(zip(["baseline", "candidate"], sorted(harness.iterdir()))), Options())
    assert data["n_correct"].dims == ("model", "task") and data["n_items"].notnull().all()


def test_answers_against_counts(harness):
    one, other = sorted(harness.iterdir())
    for file in other.glob("samples*"):
        file.unlink()
    data, _ = _read_sides({"baseline": one, "candidate": other}, Options())
    assert data.sizes == {"model": 2, "task": 3}


def test_nothing_there(tmp_path, harness):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="found no logs in .*empty"):
        _read_sides({"baseline": harness, "candidate": tmp_path / "empty"}, Options())
