"""Bundled tables, each read and named by one scheme; public files: content checked, archives opened, offline said."""

import hashlib
import http.server
import io
import re
import threading
import zipfile
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from benchuq.data import tables
from benchuq.data.tables import DataUnavailable, fetch, read_table

DATA = Path(__file__).parents[2] / "data"


def test_every_table_is_described_and_named_by_its_source():
    about = (DATA / "README.md").read_text(encoding="utf-8")
    sources = re.findall(r"`(\w+)`", next(line for line in about.splitlines() if "Sources:" in line))
    for path in DATA.glob("*.csv"):
        assert f"`{path.name}`" in about and len(read_table(path.stem))
        assert path.stem.startswith(tuple(f"{source}_" for source in sources))


def zipped(name, content):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(name, content)
    return archive.getvalue()


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A folder that a server gives files from, an empty cache, and `good.csv` registered as inside its archive."""
    given, content = tmp_path / "given", b"school;sex"
    given.mkdir()
    (given / "a.zip").write_bytes(zipped("inner.zip", zipped("good.csv", content)))
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=given)
    monkeypatch.setattr(http.server.SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{running.server_port}/a.zip"
        row = {"file": "good.csv", "url": url, "sha256": hashlib.sha256(content).hexdigest(), "licence": ""}
        monkeypatch.setattr(tables, "read_table", lambda name: pd.DataFrame([row | {"inside_zip": True}]))
        yield given
        running.shutdown()


def test_a_file_is_fetched_once_and_again_where_it_is_damaged(server):
    path = fetch("good.csv")
    (server / "a.zip").rename(server / "away.zip")
    assert fetch("good.csv") == path and path.read_bytes() == b"school;sex"
    path.write_bytes(b"school")
    with pytest.raises(DataUnavailable, match=r"not on this machine .*\(HTTPError\): take good.csv from http"):
        fetch("good.csv")
    (server / "away.zip").rename(server / "a.zip")
    assert fetch("good.csv").read_bytes() == b"school;sex"


@pytest.mark.parametrize(
    "archive", [b"", b"<html>log in</html>", zipped("good.csv", b"school;age"), zipped("good.csv", bytes(10**8 + 1))]
)
def test_a_bad_answer_is_one_line_and_leaves_nothing(server, archive):
    (server / "a.zip").write_bytes(archive)
    with pytest.raises(DataUnavailable, match="what the address gives is not that file") as error:
        fetch("good.csv")
    assert "\n" not in str(error.value) and not list(server.parent.glob("cache/*/*"))


def test_files_of_a_folder_of_ones_own_are_checked_and_never_replaced(server, monkeypatch):
    monkeypatch.setenv("BENCHUQ_DATA", str(server))
    (server / "good.csv").write_text("not it")
    with pytest.raises(ValueError, match="is not the registered good.csv.*replace the file"):
        fetch("good.csv")
    assert (server / "good.csv").read_text() == "not it"
    with pytest.raises(ValueError, match=r"unknown files \['student.csv'\]; there are"):
        fetch("student.csv")


def test_without_a_network_the_message_names_address_and_folder(tmp_path, monkeypatch):
    import pooch

    def offline(*_):
        raise ConnectionError("no network")

    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pooch.HTTPDownloader, "__call__", offline)
    with pytest.raises(DataUnavailable, match=r"archive\.ics\.uci\.edu.* put it into ") as error:
        fetch("student-mat.csv")
    assert str(tmp_path) in str(error.value)
