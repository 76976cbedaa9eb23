"""Secrets: given to commands, and removed from logs whole."""

import pytest

from benchuq.running.secrets import remove_secrets, secret_values


@pytest.fixture
def names(monkeypatch):
    for name, value in {"SHORT": "abc", "LONG": "abc123", "EMPTY": ""}.items():
        monkeypatch.setenv(name, value)
    return ["SHORT", "LONG", "EMPTY"]


def test_nothing_of_a_longer_secret_stays(names, tmp_path):
    assert secret_values(names) == {"SHORT": "abc", "LONG": "abc123", "EMPTY": ""}
    log = tmp_path / "log.txt"
    log.write_bytes(b"\xffabc123, abc\n")
    remove_secrets(log, [*names, "NOT_SET"])
    assert log.read_bytes() == b"\xff***, ***\n"


def test_no_file_and_no_target_of_a_link_is_written_to(names, tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("abc")
    (tmp_path / "log.txt").symlink_to(mine)
    for place in ("log.txt", "none", "."):
        remove_secrets(tmp_path / place, names)
    assert mine.read_text() == "abc"
