"""Cells: their identity, what a command is given of the environment, and the versions of packages."""

import pytest

from benchuq.running.cells import _digest_of, cells_of, command_env, find_program, identity
from tests.running.conftest import TEXT


def test_environment(monkeypatch):
    monkeypatch.setenv("STRAY", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TOKEN", "secret")
    env = command_env({"A": "b"}, ["TOKEN"], device="1")
    assert env["A"] == "b" and env["TOKEN"] == "secret" and env["CUDA_VISIBLE_DEVICES"] == "1" and env["LC_ALL"]
    assert "STRAY" not in env and "PATH" in env
    monkeypatch.delenv("TOKEN")
    with pytest.raises(ValueError, match="TOKEN is passed on to a command but not set"):
        command_env({}, ["TOKEN"])


def test_programs(tmp_path):
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    assert find_program("./run.sh", {}, tmp_path) == str(tmp_path / "run.sh")
    with pytest.raises(ValueError, match="no program 'run.sh'"):
        find_program("run.sh", {"PATH": "/nowhere"}, tmp_path)


def test_versions_are_those_installed_or_those_noted(made):
    text = TEXT.replace("timeout = 1", 'packages = ["numpy", "pandas"]')
    suite = made(text)
    here, (name,) = keys(suite), {c.version for c in cells_of(suite)}
    assert name.startswith("numpy ") and "\npandas " in name and not set(here) & set(keys(made()))
    suite.store.mkdir()
    (suite.store / "versions.json").write_text('{"numpy pandas": "numpy 0\\npandas 0"}')
    assert keys(suite) != here and keys(suite, installed=True) == here
    (suite.store / "versions.json").write_text("{")
    assert keys(suite) == here
    assert {c.version for c in cells_of(made(text.replace("numpy", "no-such-package")))} == {""}


def keys(suite, **how):
    return [c.key for c in cells_of(suite, **how)]


def test_identity_is_what_could_change_the_result(made):
    before = keys(made())
    assert len(set(before)) == 6 and made().pairs(fit=False) == [("bert", "digits")]
    for old, new in [("timeout = 1", "timeout = 2"), ('group = "text"', 'group = "t"\nitems = 4\ncost = 1')]:
        assert keys(made(TEXT.replace(old, new))) == before
    assert not set(keys(made(code="2"))) & set(before)  # the command names the file
    assert not set(keys(made(TEXT.replace('"probe.py"', '"probe.py", "x.txt"')))) & set(before)
    for new in ('env = {A = "1"}', 'metric = "f1"'):
        assert not set(keys(made(TEXT.replace("timeout = 1", new)))) & set(before)
    some = keys(made(TEXT.replace('recipe = "probe"\ngroup = "text"', 'recipe = "probe"\nsplit = true')))
    assert [a == b for a, b in zip(some, before)] == [False] * 4 + [True] * 2


def test_digests_of_folders(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("1")
    before = _digest_of(tmp_path / "a")
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "y").write_text("1")
    assert _digest_of(tmp_path / "a") == before
    (tmp_path / "a" / "x").rename(tmp_path / "a" / "z")
    assert _digest_of(tmp_path / "a") != before


def test_only_files_that_a_command_names_by_a_relative_path_are_used(made, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "digits").write_text("1")  # a word that is the name of a benchmark, and of a file
    (cell,) = [c for c in cells_of(made()) if c.id == ("clip", "digits", 0)]
    suite = made(TEXT.replace('"probe.py"', f'"probe.py", "data", "{tmp_path}/digits", "{"x" * 300}"'))
    assert set(identity(suite, cell)["uses"]) == {"probe.py", "digits"}
    suite = made(TEXT.replace("timeout = 1", 'uses = ["data"]'))
    assert set(identity(suite, cell)["uses"]) == {"probe.py", "digits", "data"}
