"""Cells of a tier file: identity, what is finished, and finished cells as results."""

import hashlib
import json

import numpy as np
import pytest

import benchuq as bq
from benchuq.readers.tier_cells import cells_of, digest_of, folder_of, is_done, recognise
from benchuq.readers.tier_file import load_tier

TEXT = """
seeds = [0, 1]
[recipes.probe]
command = ["{python}", "probe.py", "{model}", "{benchmark}", "{seed}", "{out}"]
uses = ["probe.py"]
timeout = 1
[models.clip]
takes = ["image"]
[models.bert]
[benchmarks.words]
recipe = "probe"
group = "text"
[benchmarks.digits]
recipe = "probe"
group = "image"
needs = ["image"]
"""


@pytest.fixture
def made(tmp_path):
    """Function that makes a tier file of this text, beside a probe with this code."""

    def make(text=TEXT, code="1"):
        (tmp_path / "probe.py").write_text(code)
        (tmp_path / "tier.toml").write_text(text)
        return load_tier(tmp_path / "tier.toml")

    return make


@pytest.fixture
def finish():
    """Function that leaves a finished cell with these items."""

    def done(tier, cell, text):
        folder_of(tier, cell).mkdir(parents=True)
        (folder_of(tier, cell) / "items.csv").write_text(text)
        record = {"rows": len(text.splitlines()) - 1, "seconds": 1, "sha256": hashlib.sha256(text.encode()).hexdigest()}
        (folder_of(tier, cell) / "record.json").write_text(json.dumps(record))

    return done


def keys(tier, **how):
    return [c.key for c in cells_of(tier, **how)[0]]


def test_identity_is_what_could_change_the_result(made):
    before = keys(made())
    assert len(set(before)) == 6 and cells_of(made())[1] == [("bert", "digits")]
    for old, new in [("timeout = 1", "timeout = 2"), ('group = "text"', 'group = "t"\nitems = 4\ncost = 1')]:
        assert keys(made(TEXT.replace(old, new))) == before
    assert not set(keys(made(code="2"))) & set(before)
    for new in ('env = {A = "1"}', 'metric = "f1"'):
        assert not set(keys(made(TEXT.replace("timeout = 1", new)))) & set(before)
    some = keys(made(TEXT.replace('recipe = "probe"\ngroup = "text"', 'recipe = "probe"\nsplit = true')))
    assert [a == b for a, b in zip(some, before)] == [False] * 4 + [True] * 2


def test_versions_are_part_of_it_and_unknown_ones_give_no_key(made):
    tier = made(TEXT.replace("timeout = 1", 'packages = ["numpy"]'))
    assert set(keys(tier)) == {""} and not any(is_done(tier, c) for c in cells_of(tier)[0])
    (query,) = {c.query for c in cells_of(tier)[0]}
    assert keys(tier, versions={query: "1"}) != keys(tier, versions={query: "2"})


def test_digests_of_folders(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("1")
    before = digest_of(tmp_path / "a")
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "y").write_text("1")
    assert digest_of(tmp_path / "a") == before
    (tmp_path / "a" / "x").rename(tmp_path / "a" / "z")
    assert digest_of(tmp_path / "a") != before


def test_finished_cells_are_results_with_seeds_as_repeats(made, finish):
    tier = made()
    cells, _ = cells_of(tier)
    for cell in cells:
        if cell.id != ("bert", "words", 1):
            finish(tier, cell, f"item,score,confidence\nq1,{cell.seed},0.5\nq2,0.5,\n")
    data = bq.read(tier.path, epochs="coordinate")
    assert data["score"].dims == ("model", "item", "repeat") and data.attrs["format"] == "tier"
    assert data["score"].sel(model="clip", repeat=1).values.tolist() == [1, 0.5, 1, 0.5]
    assert np.isnan(data["score"].sel(model="bert", repeat=1).values).all()
    assert dict(zip(data["task"].values, data["category"].values)) == {"words": "text", "digits": "image"}
    assert "5 of 6 cells are finished; the others are holes." in data.attrs["notes"]
    mean = bq.read(tier.path)
    assert mean["score"].sel(model="clip").values.tolist() == [0.5] * 4
    assert list(bq.read(tier.path, models="be*")["model"].values) == ["bert"]
    assert set(bq.read(tier.path, tasks="digits")["task"].values) == {"digits"}
    assert bq.read(tier.path.parent).drop_attrs().identical(mean.drop_attrs())


def test_tasks_reasons_and_epochs(made, finish):
    tier = made("\n".join(TEXT.replace('group = "text"', "split = true").replace("[0, 1]", "[3]").split("\n")))
    for cell in cells_of(tier)[0]:
        text = "task,item,repeat,score,reason\na,q1,1,1,\na,q1,2,,timeout\nb,q1,1,0,\nb,q1,2,0.5,\n"
        finish(tier, cell, text if cell.benchmark == "words" else "item,score\nq1,1\n")
    data = bq.read(tier.path, epochs="coordinate")
    assert set(data["task"].values) == {"words/a", "words/b", "digits"} and data.sizes["repeat"] == 2
    assert "timeout" in data["reason"].values


def test_what_was_changed_or_is_not_there_is_refused(made, finish, tmp_path):
    tier = made()
    with pytest.raises(ValueError, match="no cell of 6 is finished"):
        bq.read(tier.path)
    cell = cells_of(tier)[0][0]
    finish(tier, cell, "item,score\nq1,1\n")
    (folder_of(tier, cell) / "items.csv").write_text("item,score\nq1,0\n")
    with pytest.raises(ValueError, match="items.csv was changed after its run"):
        bq.read(tier.path)
    (folder_of(tier, cell) / "items.csv").unlink()
    with pytest.raises(ValueError, match="cannot read .*items.csv"):
        bq.read(tier.path)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert recognise(tier.path) and not recognise(tmp_path / "pyproject.toml")
    tier.path.write_text(TEXT.replace("timeout = 1", "timeout = "))
    with pytest.raises(ValueError, match="tier.toml is no valid TOML"):
        bq.read(tier.path)
