"""Cells: their identity, what a command is given of the environment, and the versions it will use."""

import pytest

from benchuq.running.cells import (
    ask_versions,
    cells_of,
    command_env,
    _digest_of,
    find_program,
    identity,
    known_versions,
)
from benchuq.running.store import is_done
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
    assert find_program(["./run.sh"], {}, tmp_path) == str(tmp_path / "run.sh")
    with pytest.raises(ValueError, match="no program 'run.sh'"):
        find_program(["run.sh"], {"PATH": "/nowhere"}, tmp_path)


def test_versions_are_asked_once_and_remembered(make_suite, tmp_path):
    code = "open('asked', 'a').write('x'); print('v1')"
    suite = make_suite(('uses = ["probe.py"]', f'version = ["{{python}}", "-c", "{code}"]'))
    cells, _ = cells_of(suite)
    assert {c.key for c in cells} == {""}
    suite.store.mkdir()
    answers = ask_versions(suite, cells)
    assert list(answers.values()) == ["v1"] and (tmp_path / "asked").read_text() == "x"
    assert known_versions(suite.store) == answers
    keys = [c.key for c in cells_of(suite)[0]]
    assert len(set(keys)) == 8 and keys != [c.key for c in cells_of(suite, {cells[0].query: "v2"})[0]]


@pytest.mark.parametrize(
    "setting, said",
    [
        ('version = ["no-such-program"]', "recipes.probe.version: there is no program 'no-such-program'"),
        ('version = ["false"]', "recipes.probe.version fails with exit status 1: it prints nothing"),
        ('version = ["true"]', "recipes.probe.version fails with exit status 0: it prints nothing"),
        ('packages = ["no-such-package"]', "package no-such-package is not installed"),
    ],
)
def test_versions_that_cannot_be_had(make_suite, setting, said):
    suite = make_suite(('uses = ["probe.py"]', setting))
    with pytest.raises(ValueError, match=said):
        ask_versions(suite, cells_of(suite)[0])


def keys(suite, **how):
    return [c.key for c in cells_of(suite, **how)[0]]


def test_identity_is_what_could_change_the_result(made):
    before = keys(made())
    assert len(set(before)) == 6 and cells_of(made())[1] == [("bert", "digits")]
    for old, new in [("timeout = 1", "timeout = 2"), ('group = "text"', 'group = "t"\nitems = 4\ncost = 1')]:
        assert keys(made(TEXT.replace(old, new))) == before
    assert not set(keys(made(code="2"))) & set(before)  # the command names the file
    assert not set(keys(made(TEXT.replace('"probe.py"', '"probe.py", "x.txt"')))) & set(before)
    for new in ('env = {A = "1"}', 'metric = "f1"'):
        assert not set(keys(made(TEXT.replace("timeout = 1", new)))) & set(before)
    some = keys(made(TEXT.replace('recipe = "probe"\ngroup = "text"', 'recipe = "probe"\nsplit = true')))
    assert [a == b for a, b in zip(some, before)] == [False] * 4 + [True] * 2


def test_versions_are_part_of_it_and_unknown_ones_give_no_key(made):
    suite = made(TEXT.replace("timeout = 1", 'packages = ["numpy"]'))
    assert set(keys(suite)) == {""} and not any(is_done(suite, c) for c in cells_of(suite)[0])
    (query,) = {c.query for c in cells_of(suite)[0]}
    assert keys(suite, versions={query: "1"}) != keys(suite, versions={query: "2"})


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
    (cell,) = [c for c in cells_of(made())[0] if c.id == ("clip", "digits", 0)]
    suite = made(TEXT.replace('"probe.py"', f'"probe.py", "data", "{tmp_path}/digits", "{"x" * 300}"'))
    assert set(identity(suite, cell, {})["uses"]) == {"probe.py", "digits"}
    suite = made(TEXT.replace("timeout = 1", 'uses = ["data"]'))
    assert set(identity(suite, cell, {})["uses"]) == {"probe.py", "digits", "data"}
