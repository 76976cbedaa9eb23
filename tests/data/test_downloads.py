"""The registry of public files: content checked, archives opened, a clear answer offline."""

import functools
import hashlib
import http.server
import io
import threading
import zipfile
from pathlib import Path

import pooch
import pytest

from benchuq.data import downloads, public_sets
from benchuq.readers import mmlu_pro


def test_registered_files_are_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHUQ_DATA", str(tmp_path))
    (tmp_path / "student-por.csv").write_text("not it")
    with pytest.raises(ValueError, match="is not the registered student-por.csv"):
        downloads.fetch("student-por.csv")
    with pytest.raises(ValueError, match=r"unknown files \['student.csv'\]; there are"):
        downloads.fetch("student.csv")


def test_offline_message_names_address_and_folder(tmp_path, monkeypatch):
    def offline(*args, **kwargs):
        raise ConnectionError("no network")

    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setattr(downloads, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(downloads.DataUnavailable) as error:
        mmlu_pro.load_mmlu_pro()
    assert "raw.githubusercontent.com/TIGER-AI-Lab/MMLU-Pro" in str(error.value) and str(tmp_path) in str(error.value)
    loaded, left_out = downloads.load_available({"MMLU-Pro": mmlu_pro.load_mmlu_pro, "digits": public_sets.load_digits})
    assert list(loaded) == ["digits"] and list(left_out) == ["MMLU-Pro"]


def test_archives_inside_archives(tmp_path):
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as z:
        z.writestr("student-mat.csv", "school;sex")
    with zipfile.ZipFile(outer, "w") as z:
        z.writestr("student.zip", inner.getvalue())
    assert downloads.find_inside(outer.getvalue(), "student-mat.csv") == b"school;sex"


def test_a_name_missing_from_an_archive():
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as z:
        z.writestr("readme.txt", "nothing here")
    with pytest.raises(ValueError, match="the archive holds no student-mat.csv"):
        downloads.find_inside(empty.getvalue(), "student-mat.csv")


def zipped(name, content):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(name, content)
    return archive.getvalue()


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A registered file `good.csv` in an archive, and what the server gives, which tests may change."""
    content = b"school;sex"
    file = downloads.RemoteFile("https://example.org/a.zip", hashlib.sha256(content).hexdigest(), "", True)
    given, asked = {"archive": zipped("good.csv", content)}, []

    def retrieve(url, known_hash, fname, path, downloader):
        asked.append(url)
        (Path(path) / fname).write_bytes(given["archive"])
        return str(Path(path) / fname)

    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setattr(downloads, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(downloads, "remote_files", lambda: {"good.csv": file})
    monkeypatch.setattr(pooch, "retrieve", retrieve)
    return given, asked


def test_a_damaged_download_is_set_aside_and_fetched_again(tmp_path, server):
    given, asked = server
    path = downloads.fetch("good.csv")
    assert downloads.fetch("good.csv") == path and len(asked) == 1
    path.write_bytes(b"school")
    with pytest.warns(UserWarning, match="good.csv is damaged; it is now good.csv.damaged, and is fetched again"):
        assert downloads.fetch("good.csv").read_bytes() == b"school;sex"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["good.csv", "good.csv.damaged"]


@pytest.mark.parametrize(
    "archive", [b"", b"<html>log in</html>", zipped("good.csv", b"school;age"), zipped("good.csv", bytes(10**8 + 1))]
)
def test_a_bad_answer_is_one_line_and_leaves_nothing(tmp_path, server, archive):
    given, _ = server
    good, given["archive"] = given["archive"], archive
    with pytest.raises(downloads.DataUnavailable, match="what the address gives is not that file") as error:
        downloads.fetch("good.csv")
    assert "\n" not in str(error.value) and list(tmp_path.iterdir()) == []
    given["archive"] = good
    assert downloads.fetch("good.csv").read_bytes() == b"school;sex"


def test_an_archive_of_another_hash_is_not_opened(tmp_path, monkeypatch):
    archive = zipped("good.csv", b"school;sex")
    (tmp_path / "a.zip").write_bytes(archive)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    monkeypatch.setattr(http.server.SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    monkeypatch.delenv("BENCHUQ_DATA", raising=False)
    monkeypatch.setattr(downloads, "cache_folder", lambda: tmp_path / "cache")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url, content = f"http://127.0.0.1:{server.server_port}/a.zip", hashlib.sha256(b"school;sex").hexdigest()
        for known in (hashlib.sha256(archive).hexdigest(), "0" * 64):
            file = downloads.RemoteFile(url, content, "", True, known)
            monkeypatch.setattr(downloads, "remote_files", lambda file=file: {"good.csv": file})
            if known == "0" * 64:
                monkeypatch.setattr(downloads, "find_inside", lambda *_: pytest.fail("it was opened"))
                with pytest.raises(downloads.DataUnavailable, match="what the address gives is not that file"):
                    downloads.fetch("good.csv")
            else:
                downloads.fetch("good.csv").unlink()
        server.shutdown()
