"""Sections that say why they cannot speak, and weights that are said."""

import numpy as np
import pytest
import xarray as xr

from benchuq.checks import check_level
from benchuq.reporting import sections, weights


@pytest.fixture
def shown(monkeypatch):
    things = []
    monkeypatch.setattr(sections.IPython.display, "display", things.append)
    return things


def test_a_refusal_becomes_a_sentence(shown):
    with sections.section("No pairs are shown"):
        sections.need(True, "never said")
        sections.need(0, "it takes two models.")
    with sections.section("No intervals are shown"):
        check_level(2)
    with sections.section("Never said"):
        pass
    assert [list(s) for s in shown] == [
        ["No pairs are shown: it takes two models."],
        ["No intervals are shown: level must lie between 0 and 1, got 2; 95 % is 0.95."],
    ]


@pytest.mark.parametrize("bug", [lambda: np.ones(2) + np.ones(3), lambda: int("x"), lambda: {}["x"]])
def test_a_bug_is_raised(bug, shown):
    with pytest.raises((ValueError, KeyError)), sections.section("Nothing"):
        bug()
    assert not shown


def accuracy(values, sizes=None, category=None):
    models, tasks = [f"m{i}" for i in range(len(values))], [f"t{j}" for j in range(len(values[0]))]
    out = xr.DataArray(np.array(values, float), dims=("model", "task"), coords={"model": models, "task": tasks})
    extra = {"n_items": sizes, "category": category}
    return out.assign_coords({name: ("task", list(value)) for name, value in extra.items() if value is not None})


def test_every_weighting_is_stated():
    x = accuracy([[0.5, 0.6, 0.7]], [10, 20, 70], "aab")
    stated = weights.weighting_stated
    assert stated(x) == "The score is the mean over 3 tasks, each with the same weight."
    assert stated(x, "size").endswith("each weighted by its number of items (from 10 % to 70 %).")
    assert stated(x, "category").endswith("each of the 2 categories has the same weight, shared equally by its tasks.")
    assert stated(x, {"t0": 0.75, "t1": 0.25, "t2": 0}).endswith(
        "(t0 75 %, t1 25 %, t2 0 %; 1 of them counts nothing)."
    )
    assert stated(accuracy([[0.5]])) == "The score is that on the one task, t0."
    with pytest.raises(ValueError, match=r"missing \['t2'\]"):
        stated(x, {"t0": 0.75, "t1": 0.25})


def test_leaders_under_other_weightings():
    x = accuracy([[0.9, 0.5], [0.4, 0.6]], [10, 90])
    assert weights.other_weightings(x) == [
        "With the same weight for each item (weights=size) the highest score would be 58.0, of m1, and not of m0."
    ]
    assert weights.other_weightings(x, "size")[0].endswith("would be 70.0, of m0, and not of m1.")
    assert weights.other_weightings(accuracy([[0.9, 0.5], [0.4, 0.6]], [10, 10])) == []
    assert weights.leaders(accuracy([[0.5, 0.6], [0.6, 0.5]])) == (["m0", "m1"], 0.55)
    assert weights.leaders(accuracy([[0.9, np.nan], [0.6, 0.5]]))[0] == ["m1"]
    with pytest.raises(ValueError, match="no model has run every task"):
        weights.leaders(accuracy([[0.9, np.nan]]))


def test_weights_from_files_and_text(tmp_path):
    file = tmp_path / "w.csv"
    file.write_text("task,weight\nt0,3\nt1,1\n")
    assert weights.read_weights(str(file)) == {"t0": 0.75, "t1": 0.25} == weights.read_weights("{'t0': 3, 't1': 1}")
    assert weights.read_weights("size") == "size"
    for text, message in {
        "task,weight\nt0,3\nt0,1\n": "w.csv, line 3: 't0' appears twice",
        "task,weight\nt0,-3\n": "'t0' has weight -3",
        "task,weight\nt0,much\n": "'t0' has weight 'much'; give a number",
        "task,weight\nt0,0\n": "all weights are 0",
        "task,share\nt0,3\n": r"two columns, task \(or category\) and weight; found \['task', 'share'\]",
    }.items():
        file.write_text(text)
        with pytest.raises(ValueError, match=message):
            weights.read_weights(str(file))
    with pytest.raises(ValueError, match="no mapping such as"):
        weights.read_weights("{coding: 2}")
    with pytest.raises(ValueError, match="there is no file"):
        weights.read_weights(str(tmp_path / "no.csv"))
