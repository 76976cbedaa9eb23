"""What a command is given of the environment, and the versions it will use."""

import pytest

from benchuq.readers.tier_cells import cells_of, known_versions
from benchuq.running.versions import ask_versions, command_env, find_program


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


def test_versions_are_asked_once_and_remembered(make_tier, tmp_path):
    code = "open('asked', 'a').write('x'); print('v1')"
    tier = make_tier(('uses = ["probe.py"]', f'version = ["{{python}}", "-c", "{code}"]'))
    cells, _ = cells_of(tier)
    assert {c.key for c in cells} == {""}
    tier.store.mkdir()
    answers = ask_versions(tier, cells)
    assert list(answers.values()) == ["v1"] and (tmp_path / "asked").read_text() == "x"
    assert known_versions(tier.store) == answers
    keys = [c.key for c in cells_of(tier)[0]]
    assert len(set(keys)) == 8 and keys != [c.key for c in cells_of(tier, {cells[0].query: "v2"})[0]]


@pytest.mark.parametrize(
    "setting, said",
    [
        ('version = ["no-such-program"]', "recipes.probe.version: there is no program 'no-such-program'"),
        ('version = ["false"]', "recipes.probe.version fails with exit status 1: it prints nothing"),
        ('version = ["true"]', "recipes.probe.version fails with exit status 0: it prints nothing"),
        ('packages = ["no-such-package"]', "package no-such-package is not installed"),
    ],
)
def test_versions_that_cannot_be_had(make_tier, setting, said):
    tier = make_tier(('uses = ["probe.py"]', setting))
    with pytest.raises(ValueError, match=said):
        ask_versions(tier, cells_of(tier)[0])
