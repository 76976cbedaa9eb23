"""Cells: their identity, what a command is given of the environment, and the versions of
packages.
"""

import pytest

from benchuq.running.cells import (
    _digest_of,
    _find_program,
    cells_of,
    command_here,
    identity_of,
)
from benchuq.running.suite import note_versions


def keys(suite, **how):
    return [c.key for c in cells_of(suite, **how)]


def test_a_command_gets_little_of_the_environment(make_suite, monkeypatch):
    for name, value in {"STRAY": "1", "LC_ALL": "C.UTF-8", "TOKEN": "secret"}.items():
        monkeypatch.setenv(name, value)
    cell = cells_of(make_suite(("uses =", 'env = {A = "{out}/b"}\npass = ["TOKEN"]\nuses =')))[0]
    words, env = command_here(cell, device="1")
    assert (
        env["A"] == f"{cell.pending}/out/b"
        and words[-1] == f"{cell.pending}/out"
        and "{" not in words[0]
    )
    assert env["TOKEN"] == "secret" and env["CUDA_VISIBLE_DEVICES"] == "1" and env["LC_ALL"]
    assert "STRAY" not in env and "PATH" in env
    monkeypatch.delenv("TOKEN")
    with pytest.raises(ValueError, match="TOKEN is passed on to a command but not set"):
        command_here(cell)


def test_programs(tmp_path):
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    assert _find_program("./run.sh", {}, tmp_path) == str(tmp_path / "run.sh")


def test_versions_are_those_installed_or_those_noted(make_suite):
    suite = make_suite(("uses =", 'packages = ["numpy", "pandas"]\nuses ='))
    here, (name,) = keys(suite), {c.version for c in cells_of(suite)}
    assert (
        name.startswith("numpy ")
        and "\npandas " in name
        and not set(here) & set(keys(make_suite()))
    )
    suite.store.mkdir()
    note_versions(suite)
    assert keys(suite) == here
    noted = suite.store / "versions.json"
    noted.write_text(noted.read_text().replace(': "numpy ', ': "numpy 0.'))
    assert keys(suite) != here and keys(suite, installed=True) == here
    noted.write_text("{")
    assert keys(suite) == here
    unknown = make_suite(("uses =", 'packages = ["no-such-package"]\nuses ='))
    assert {c.version for c in cells_of(unknown)} == {""}


def test_identity_is_what_could_change_the_result(make_suite):
    before = keys(make_suite())
    assert len(set(before)) == 8
    for old, new in [
        ("uses =", "timeout = 2\nmemory = 3\nuses ="),
        ('group = "text"', 'group = "t"\nitems = 4\ncost = 1'),
    ]:
        assert keys(make_suite((old, new))) == before
    for old, new in [
        ("uses =", 'env = {A = "1"}\nuses ='),
        ("uses =", 'metric = "f1"\nuses ='),
        ("-S", "-B"),
    ]:
        assert not set(keys(make_suite((old, new)))) & set(before)
    some = keys(make_suite(('group = "text"', "split = true")))
    assert [a == b for a, b in zip(some, before)] == [True] * 4 + [False] * 4


def test_digests_of_folders(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_text("1")
    before = _digest_of(tmp_path / "a")
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "y").write_text("1")
    assert _digest_of(tmp_path / "a") == before
    (tmp_path / "a" / "x").rename(tmp_path / "a" / "z")
    assert _digest_of(tmp_path / "a") != before


def test_only_files_that_a_command_names_by_a_relative_path_are_used(make_suite, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "digits").write_text("1")  # a word that is the name of a benchmark, and of a file
    words = f'"probe.py", "data", "{tmp_path}/digits", "{"x" * 300}", '
    cell = cells_of(make_suite(('"probe.py", ', words), ('uses = ["probe.py"]', "")))[0]
    assert set(identity_of(cell)["uses"]) == {"probe.py", "digits"}
    cell = cells_of(make_suite(('uses = ["probe.py"]', 'uses = ["data"]')))[0]
    assert set(identity_of(cell)["uses"]) == {"probe.py", "digits", "data"}
