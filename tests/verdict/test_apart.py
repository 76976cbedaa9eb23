"""Two runs read from two places."""

import shutil

import numpy as np
import pytest

from benchuq.verdict.apart import read_apart

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
    data, models = read_apart(tables(baseline=["A,law,1,1"], candidate=["B,law,1,0"]))
    assert models == {"baseline": ["A"], "candidate": ["B"]} and data["score"].values.tolist() == [[1], [0]]


def test_the_same_name_bears_its_side(tables):
    data, models = read_apart(tables(baseline=["A,law,1,1", "C,law,1,1"], candidate=["A,law,1,0"]))
    assert models == {"baseline": ["A (baseline)", "C"], "candidate": ["A (candidate)"]}
    assert data["score"].sel(model="A (candidate)").item() == 0


def test_settings_that_differ_are_said(harness):
    runs = sorted(harness.iterdir())
    data, _ = read_apart(dict(zip(["baseline", "candidate"], runs)))
    said = [n for n in data.attrs["notes"] if n.startswith("Settings differ")]
    assert len(said) == 1 and "random_seed 1 and 2" in said[0] and "capitals" in said[0]


def test_the_same_model_run_twice(harness, tmp_path):
    one = sorted(harness.iterdir())[0]
    copy = shutil.copytree(one, tmp_path / "again" / one.name)
    data, models = read_apart({"baseline": one, "candidate": copy})
    assert data.sizes["model"] == 2 and models["candidate"] == ["example/dummy-1 (candidate)"]
    assert np.array_equal(*data["score"].values, equal_nan=True)


def test_the_same_file_is_refused(tables, tmp_path):
    paths = tables(baseline=["A,law,1,1"])
    link = tmp_path / "link.csv"
    link.symlink_to(paths["baseline"])
    with pytest.raises(ValueError, match="baseline and candidate are the same file"):
        read_apart(paths | {"candidate": link})


def test_counts_of_two_runs_are_joined(harness):
    for file in harness.rglob("samples*"):
        file.unlink()
    data, _ = read_apart(dict(zip(["baseline", "candidate"], sorted(harness.iterdir()))))
    assert data["n_correct"].dims == ("model", "task") and data["n_items"].notnull().all()


def test_answers_against_counts(harness):
    one, other = sorted(harness.iterdir())
    for file in other.glob("samples*"):
        file.unlink()
    data, _ = read_apart({"baseline": one, "candidate": other})
    assert data.sizes == {"model": 2, "task": 3}


def test_nothing_there(tmp_path, harness):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="found no logs in .*candidate"):
        read_apart({"baseline": harness, "candidate": tmp_path / "empty"})
