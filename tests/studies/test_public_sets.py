"""Public files: content checked, archives opened, offline said. Digits under a seed; what could not
be had is named.
"""

import hashlib
import http.server
import io
import threading
import zipfile
from functools import partial

import pandas as pd
import pytest

from benchuq.studies import public_sets
from benchuq.studies.public_sets import DataUnavailable, fetch, load_available, load_digits


def test_digits_are_the_same_for_the_same_seed():
    one, embeddings = load_digits(rng=1)
    two, again = load_digits(rng=1)
    assert one.equals(two) and (embeddings == again).all() and embeddings.shape == (1797, 12)
    assert dict(one.sizes) == {"model": 5, "item": 1797} and one["confidence"].max() <= 1


def test_what_could_not_be_had_is_named_and_other_errors_pass():
    def missing(error):
        raise error

    reason = DataUnavailable("x.csv is not on this machine")
    assert load_available({"x": lambda: missing(reason), "one": lambda: 1}) == (
        {"one": 1},
        {"x": str(reason)},
    )
    with pytest.raises(ValueError, match="bad"):
        load_available({"x": lambda: missing(ValueError("bad"))})


def zipped(name, content):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(name, content)
    return archive.getvalue()


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A folder that a server gives files from, an empty cache, and `good.csv` registered as inside
    its archive.
    """
    given, content = tmp_path / "given", b"school;sex"
    given.mkdir()
    (given / "a.zip").write_bytes(zipped("inner.zip", zipped("good.csv", content)))
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=given)
    monkeypatch.setattr(http.server.SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{running.server_port}/a.zip"
        row = {
            "file": "good.csv",
            "url": url,
            "sha256": hashlib.sha256(content).hexdigest(),
            "licence": "",
        }
        monkeypatch.setattr(
            public_sets, "read_table", lambda name: pd.DataFrame([row | {"inside_zip": True}])
        )
        yield given
        running.shutdown()


def test_a_file_is_fetched_once_and_again_where_it_is_damaged(server):
    path = fetch("good.csv")
    (server / "a.zip").rename(server / "away.zip")
    assert fetch("good.csv") == path and path.read_bytes() == b"school;sex"
    path.write_bytes(b"school")
    with pytest.raises(
        DataUnavailable, match=r"not on this machine .*\(HTTPError\): take good.csv from http"
    ):
        fetch("good.csv")
    (server / "away.zip").rename(server / "a.zip")
    assert fetch("good.csv").read_bytes() == b"school;sex"


@pytest.mark.parametrize(
    "archive",
    [
        b"",
        b"<html>log in</html>",
        zipped("good.csv", b"school;age"),
        zipped("good.csv", bytes(10**8 + 1)),
    ],
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
