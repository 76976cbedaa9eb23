"""Logs of Inspect: epochs, unfinished runs, damaged and packed logs."""

import json
import math
import zipfile

import numpy as np
import pytest

from benchuq.readers.read import read


def test_inspect_epochs(logs):
    data = read(logs / "inspect")
    assert data.attrs["format"] == "inspect" and dict(data.sizes) == {"model": 2, "item": 15}
    single = read(logs / "inspect", epochs="cluster")
    assert dict(single.sizes) == {"model": 2, "item": 45}
    averaged = single["score"].groupby("cluster").mean().sel(cluster=data["item"].values)
    np.testing.assert_allclose(averaged.transpose("model", "cluster"), data["score"])
    for i in (1, 2):
        with zipfile.ZipFile(logs / "inspect" / f"capitals_{i}.eval") as archive:
            stated = json.loads(archive.read("header.json"))
        model = data.sel(model=stated["eval"]["model"])["score"]
        mean = float(model[data["task"].values == "capitals"].mean())
        assert mean == pytest.approx(stated["results"]["scores"][0]["metrics"]["accuracy"]["value"])
    assert set(read(logs / "inspect", task="continent")["task"].values) == {"Europe", "Asia", "Africa", "America"}
    assert read(logs / "inspect", metric="exact").sizes["item"] == 15
    both = read([logs / "inspect", logs / "inspect_json"], incomplete="tasks")
    assert "mockllm/weak [epochs=1, limit=5]" in both["model"].values


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda log: log["samples"].pop(), "holds 4 samples, but its header speaks of 5"),
        (lambda log: log.update(status="error"), "no finished run"),
        (lambda log: log.pop("samples"), "holds 0 samples"),
        (lambda log: log.update(samples=[], results=None), "has no samples; run it with log_samples"),
        (
            lambda log: log["samples"][1]["scores"]["includes"].update(value="maybe"),
            "'maybe', not a number",
        ),
        (lambda log: log["samples"][1]["scores"]["includes"].update(value=3), r"outside \[0, 1\]"),
        (lambda log: log["samples"][1]["scores"].pop("includes"), "has no 'includes'"),
        (
            lambda log: log["samples"][1].update(id=log["samples"][0]["id"]),
            "appears twice: .*sample 1 and .*sample 2",
        ),
        (lambda log: log["samples"][1].update(epoch="one"), "the epoch is no whole number"),
    ],
)
def test_damaged_inspect_logs(logs, tmp_path, change, words):
    log = json.loads((logs / "inspect_json" / "capitals_1.json").read_text())
    change(log)
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(ValueError, match=words):
        read(tmp_path)


def test_samples_without_a_score_keep_their_reason(logs, tmp_path):
    log = json.loads((logs / "inspect_json" / "capitals_1.json").read_text())
    error = {"message": "TimeoutError('no answer after 600 s')", "traceback": "", "traceback_ansi": ""}
    log["samples"][0] |= {"error": error, "scores": {}}
    log["samples"][1] |= {"scores": {}, "limit": {"type": "token", "limit": 100}}
    log["samples"][2]["scores"]["includes"] |= {"value": math.nan, "reason": "grader refused"}
    log["samples"][3]["scores"]["includes"]["value"] = "N"
    (tmp_path / "log.json").write_text(json.dumps(log))
    data = read(tmp_path)
    assert data["reason"].values.tolist() == [
        ["error: TimeoutError", "limit: token", "not graded: grader refused", "", ""]
    ]
    assert data["score"][0, 3] == 0
    notes = " ".join(data.attrs["notes"])
    assert "3 of 5 questions have no score (1 error: TimeoutError, 1 limit: token, 1 not graded: grader" in notes
    assert "1 of 5 answers in log.json give no answer, which counts as wrong." in notes
    for sample in log["samples"]:
        sample |= {"error": error, "scores": {}}
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(ValueError, match="there is no score at all: .*capitals: no score, 5 error: TimeoutError"):
        read(tmp_path)


def set_up(folder, logs, name="log.json", **changes):
    "A log in JSON with other scores (value by scorer for each sample), task, model or status."
    log = json.loads((logs / "inspect_json" / "capitals_1.json").read_text())
    for key in ("task", "model"):
        log["eval"][key] = changes.get(key, log["eval"][key])
    log["status"] = changes.get("status", "success")
    for i, sample in enumerate(log["samples"]):
        if "scores" in changes:
            sample["scores"] = {k: {"value": v[i] if isinstance(v, list) else v} for k, v in changes["scores"].items()}
    (folder / name).write_text(json.dumps(log))


@pytest.mark.parametrize("value", [7, -1, "a long answer", ["C", "I"]])
def test_scorers_that_are_no_proportion_are_left_out_one_by_one(logs, tmp_path, value):
    set_up(tmp_path, logs, "a.json", task="good")
    set_up(tmp_path, logs, "b.json", task="rated", scores={"rating": value if not isinstance(value, list) else 11})
    data = read(tmp_path, command_line=True)
    assert set(data["task"].values) == {"good"}
    said = "rated: left out: rating: no number between 0 and 1 for each question; choose another metric with --read"
    assert any(note.startswith(said) for note in data.attrs["notes"])
    with pytest.raises(ValueError, match="rating: no number between 0 and 1"):
        read(tmp_path / "b.json")


def test_a_scorer_with_grades_is_read_beside_one_without(logs, tmp_path):
    set_up(tmp_path, logs, scores={"rating": 7, "right": ["C", "I", "C", "C", "I"]})
    assert read(tmp_path)["score"].values.tolist() == [[1, 0, 1, 1, 0]]
    set_up(tmp_path, logs, scores={"parts": {"style": 9.5, "right": "C"}})
    assert read(tmp_path)["score"].mean() == 1


def test_cancelled_runs_are_left_out_and_two_of_one_model_are_repeats(logs, tmp_path):
    set_up(tmp_path, logs, "a.json", scores={"right": ["C", "I", "C", "C", "I"]})
    set_up(tmp_path, logs, "b.json", status="cancelled")
    data = read(tmp_path)
    assert any("b.json, a run that ended with status 'cancelled'" in note for note in data.attrs["notes"])
    set_up(tmp_path, logs, "b.json", scores={"right": ["C", "C", "C", "C", "I"]})
    assert read(tmp_path)["score"].values.tolist() == [[1, 0.5, 1, 1, 0]]
    assert read(tmp_path, repeats="apart").sizes["model"] == 2
    assert read(tmp_path, epochs="coordinate").sizes["repeat"] == 2


def test_a_sample_with_another_checksum_is_refused(logs, tmp_path):
    with zipfile.ZipFile(logs / "inspect" / "rivers_1.eval") as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:  # not compressed, so that a grade can be found
        for name, raw in members:
            archive.writestr(name, raw)
    raw = path.read_bytes()
    place = raw.index(b'"value"', raw.index(b"samples/")) + len(b'"value":"')
    for grade in b"CI":
        path.write_bytes(raw[:place] + bytes([grade]) + raw[place + 1 :])
        if raw[place] == grade:
            assert read(path).sizes["item"] == 6
        else:
            with pytest.raises(ValueError, match=r"Bad CRC-32 for file 'samples/\w+\.json'"):
                read(path)


def test_samples_that_were_taken_back_have_no_score(logs, tmp_path):
    log = json.loads((logs / "inspect_json" / "capitals_1.json").read_text())
    log["samples"][1]["invalidation"] = {
        "timestamp": "2025-01-01T00:00:00+00:00",
        "author": "me",
        "reason": "wrong key",
    }
    (tmp_path / "a.json").write_text(json.dumps(log))
    data = read(tmp_path)
    assert data["score"].isnull().values.tolist() == [[False, True, False, False, False]]
    assert data["reason"].values[0, 1] == "invalidated"


def test_archives_that_python_cannot_unpack_say_what_to_do(logs, tmp_path):
    raw = bytearray((logs / "inspect" / "rivers_1.eval").read_bytes())
    for mark, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # the method, in the members and in the index
        at = -1
        while (at := raw.find(mark, at + 1)) >= 0:
            raw[at + place : at + place + 2] = (99).to_bytes(2, "little")
    (tmp_path / "log.eval").write_bytes(raw)
    with pytest.raises(ValueError, match="cannot unpack .* as JSON: inspect log convert --to json"):
        read(tmp_path)
