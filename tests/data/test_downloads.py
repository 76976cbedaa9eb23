"""The registry of public files: content checked, archives opened, a clear answer offline."""

import io
import zipfile

import pytest

from benchuq.data import downloads, public_sets


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
    monkeypatch.setattr(downloads.pooch, "retrieve", offline)
    with pytest.raises(downloads.DataUnavailable) as error:
        public_sets.load_mmlu_pro()
    assert "raw.githubusercontent.com/TIGER-AI-Lab/MMLU-Pro" in str(error.value) and str(tmp_path) in str(error.value)
    loaded, left_out = downloads.load_available(
        {"MMLU-Pro": public_sets.load_mmlu_pro, "digits": public_sets.load_digits}
    )
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
