"""Readers: the logs of real harnesses, what is refused and with which words, and damaged logs in their hundreds."""

import csv
import importlib.util
import io
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from benchuq.data import results
from benchuq.readers import readers

LOGS = Path(__file__).parent / "logs"
DATE = "2024-01-01T00-00-00.000000"
needs_inspect = pytest.mark.skipif(not importlib.util.find_spec("inspect_ai"), reason="inspect_ai is not installed")
needs_pyarrow = pytest.mark.skipif(not importlib.util.find_spec("pyarrow"), reason="pyarrow is not installed")


def read(path, **choices):
    return readers.read(path, progress=False, **choices)


@pytest.fixture
def harness(tmp_path):
    return Path(shutil.copytree(LOGS / "harness", tmp_path / "harness"))


def samples(folder, model, task):
    return folder / f"example__dummy-{model}" / f"samples_{task}_{DATE}.jsonl"


def edit_results(folder, model, **changes):
    "Write other values into the results file of a model; keys with dots reach inside."
    path = folder / f"example__dummy-{model}" / f"results_{DATE}.json"
    record = json.loads(path.read_text())
    for name, value in changes.items():
        inner, parts = record, name.split("__")
        for part in parts[:-1]:
            inner = inner[part]
        inner[parts[-1]] = value
    path.write_text(json.dumps(record))
    return path


def by_task(data):
    "Sorted scores of each model (by position) and task."
    task = data["task"].values
    return {
        (i, t): sorted(x for x in row[task == t] if not math.isnan(x))
        for i, row in enumerate(data["score"].values)
        for t in dict.fromkeys(task)
    }


# ---- lm-evaluation-harness


def test_harness_scores_groups_and_confidence():
    data = read(LOGS / "harness")
    assert data.attrs["format"] == "lm-evaluation-harness" and list(data["model"]) == [
        "example/dummy-1",
        "example/dummy-2",
    ]
    for model in (1, 2):
        told = json.loads((LOGS / "harness" / f"example__dummy-{model}" / f"results_{DATE}.json").read_text())[
            "results"
        ]
        mean = results.accuracies(data).sel(model=f"example/dummy-{model}")
        assert mean.sel(task="capitals") == pytest.approx(told["capitals"]["acc,none"])
        assert mean.sel(task="rivers") == pytest.approx(told["rivers"]["acc,none"])
        assert mean.sel(task="slang") == pytest.approx(told["slang"]["exact_match,strict-match"])
    category = data["category"].to_series().groupby(data["task"].values).first()
    assert dict(category) == {"capitals": "geography", "rivers": "geography", "slang": "slang"}
    record = json.loads(samples(LOGS / "harness", 1, "capitals").read_text().splitlines()[0])
    likelihood = np.exp([float(pair[0]) for pair in record["filtered_resps"]])
    assert data["confidence"].sel(model="example/dummy-1", item="capitals/0") == pytest.approx(
        likelihood.max() / likelihood.sum(), rel=1e-6
    )
    assert data["confidence"].isel(item=data["task"].values == "slang").isnull().all()


def test_harness_metric_filter_and_fields():
    chosen = read(LOGS / "harness", metric={"capitals": "acc_norm", "rivers": "acc", "slang": "exact_match"})
    assert "capitals: metric acc_norm was read; acc left out (choose with metric)." in chosen.attrs["notes"]
    one = samples(LOGS / "harness", 1, "slang")
    assert read(one, filter="flexible-extract")["score"].mean() == 3 / 7
    assert read(one)["score"].mean() == 0
    divided = read(one, task="answer")
    assert set(divided["task"].values) == {"lol", "brb", "btw", "afaik", "imo"}
    clusters = read(one, cluster="answer")["cluster"].values
    assert list(clusters) == ["lol", "brb", "lol", "btw", "afaik", "lol", "imo"]
    for wrong, words in [
        ({"metric": "bleu"}, r"has no metric \['bleu'\]; it has \['exact_match'\]"),
        ({"filter": "none"}, r"has no filter 'none'; it has \['flexible-extract', 'strict-match'\]"),
        ({"cluster": "passage"}, r"line 1 has no 'passage'; it has \['answer', 'question'\]"),
        ({"epochs": "all"}, "epochs must be one of"),
        ({"format": "csv"}, "no format 'csv'"),
        ({"format": "HELM"}, "found no HELM logs"),
    ]:
        with pytest.raises(ValueError, match=words):
            read(one, **wrong)


def test_harness_counts_without_samples(harness):
    whole = results.to_counts(read(harness))
    for path in harness.rglob("samples*"):
        path.unlink()
    assert read(harness).equals(whole)
    assert read(harness / "example__dummy-1").equals(whole.isel(model=[0]))
    edit_results(harness, 1, **{"results__slang": {"f1,none": 0.123}})
    with pytest.raises(ValueError, match="no share of right answers; log samples"):
        read(harness)
    edit_results(harness, 1, **{"n-samples": {}})
    with pytest.raises(ValueError, match="number of questions .* is lacking"):
        read(harness)


def test_the_same_model_twice(harness):
    again = Path(shutil.copytree(harness / "example__dummy-1", harness / "again"))
    with pytest.raises(ValueError, match="'example/dummy-1' was run twice on task 'capitals' with the same settings"):
        read(harness)
    latest = read(harness, repeats="latest")
    assert latest.sizes["model"] == 2 and any("of 2 runs of example/dummy-1" in n for n in latest.attrs["notes"])
    edit_results(harness, 1, **{"n-shot": {"capitals": 5, "rivers": 5, "slang": 5}})
    both = read(harness)
    assert set(both["model"].values) == {
        "example/dummy-1 [num_fewshot=0]",
        "example/dummy-1 [num_fewshot=5]",
        "example/dummy-2",
    }
    assert any("was run with several settings" in n for n in both.attrs["notes"])
    shutil.rmtree(again)
    for task in ("capitals", "rivers"):  # one run each for different tasks is one model
        target = Path(shutil.copytree(harness / "example__dummy-1", harness / f"only_{task}"))
        for path in target.glob("samples*"):
            if task not in path.name:
                path.unlink()
    shutil.rmtree(harness / "example__dummy-1")
    apart = read(harness, incomplete="tasks")
    assert list(apart["model"].values) == ["example/dummy-2", "example/dummy-1"]
    assert set(apart["task"].values) == {"capitals", "rivers"}


def test_documents_numbered_differently_are_paired_by_content(harness):
    path = samples(harness, 2, "capitals")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    before = {r["doc_hash"]: r["acc"] for r in records}
    for r in records:
        r["doc_id"] = (r["doc_id"] + 3) % 10
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    data = read(harness)
    assert any("paired by content" in n for n in data.attrs["notes"])
    assert data.sizes["item"] == 25 and data["score"].notnull().all()
    first = [json.loads(line) for line in samples(harness, 1, "capitals").read_text().splitlines()]
    here = data.isel(item=data["task"].values == "capitals")["score"]
    np.testing.assert_array_equal(here[0], [r["acc"] for r in first])
    np.testing.assert_array_equal(here[1], [before[r["doc_hash"]] for r in first])


def test_disjoint_items_are_said(harness):
    for model, keep in [(1, range(0, 5)), (2, range(5, 10))]:
        path = samples(harness, model, "capitals")
        path.write_text("".join(path.read_text().splitlines(keepends=True)[i] for i in keep))
        for task in ("rivers", "slang"):
            samples(harness, model, task).unlink()
        (harness / f"example__dummy-{model}" / f"results_{DATE}.json").unlink()
    data = read(harness)
    assert data["score"].isnull().sum() == 10
    notes = " ".join(data.attrs["notes"])
    assert "10 of 10 questions were not answered by every model" in notes
    assert "No question in common: example__dummy-1 and example__dummy-2" in notes
    assert "lost ones go unnoticed" in notes


def change_line(path, number, **changes):
    lines = path.read_text().splitlines()
    record = json.loads(lines[number - 1]) | changes
    lines[number - 1] = json.dumps({k: v for k, v in record.items() if v != "(gone)"})
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"acc": 1.5}, r"line 3: acc is 1.5, outside \[0, 1\]"),
        ({"acc": None}, "line 3: acc is 'None', not a number"),
        ({"acc": [1, 0]}, "not a number"),
        ({"acc": math.nan}, "outside"),
        ({"acc": "(gone)", "metrics": ["f1"], "f1": 0.2}, "line 3 has no metric 'acc'; the file is damaged, or mixes"),
        ({"filter": "(gone)"}, "line 3 has other fields"),
        ({"doc_hash": "(gone)"}, "line 3 has other fields"),
        ({"doc_hash": 7}, "not a hash"),
        ({"filter": "other"}, "not about the same questions"),
        ({"doc_id": 0}, "holds 9 questions"),
        ({"doc_id": "(gone)"}, "line 3 has no 'doc_id'"),
        ({"doc_id": None}, "names nothing"),
        ({"acc": 1.0}, r"mean acc is 0.2, but its results file says 0.1; one is damaged"),
        ({"filtered_resps": []}, "line 3 has other fields"),
    ],
)
def test_damaged_samples_are_refused_with_their_line(harness, changes, words):
    path = samples(harness, 1, "capitals")
    change_line(path, 3, **changes)
    with pytest.raises(ValueError, match=words) as info:
        read(harness)
    assert str(path) in str(info.value)


def test_lower_is_better_is_refused(harness):
    edit_results(harness, 1, higher_is_better__capitals={"acc": False, "acc_norm": True})
    with pytest.raises(ValueError, match="lower is better for acc"):
        read(harness)


def test_models_read_by_different_metrics_are_refused(harness):
    path = samples(harness, 2, "rivers")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for r in records:
        r.pop("acc")
        r["metrics"] = ["acc_norm"]
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    with pytest.raises(
        ValueError, match="task 'rivers': metric 'acc' in .* but 'acc_norm' in .* choose one with metric"
    ):
        read(harness)
    assert read(harness, metric=["acc_norm", "exact_match"]).sizes["item"] == 25


# ---- folders and files


def test_folders_without_logs_loops_and_encodings(tmp_path, harness):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("nothing")
    (tmp_path / "empty" / "loop").symlink_to(tmp_path / "empty")
    with pytest.raises(ValueError, match=r"found no logs in .*empty \(1 other file\)"):
        read(tmp_path / "empty")
    with pytest.raises(ValueError, match="does not exist"):
        read(tmp_path / "missing")
    before = read(harness)
    (harness / "example__dummy-1" / "up").symlink_to(harness)
    (harness / "same").symlink_to(harness / "example__dummy-2")
    assert read(harness).drop_attrs().identical(before.drop_attrs())
    path = samples(harness, 1, "slang")
    path.write_bytes(path.read_bytes().replace(b"amused", b"am\xfcsed"))
    with pytest.raises(ValueError, match="line 1 is not UTF-8"):
        read(harness)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="has no lines"):
        read(harness)


def test_several_formats_and_other_files(tmp_path, harness):
    shutil.copytree(LOGS / "helm", harness / "helm")
    with pytest.raises(ValueError, match="holds logs of .*'HELM', 'lm-evaluation-harness'.*; read one at a time"):
        read(harness)
    assert read(harness, format="HELM").attrs["format"] == "HELM"
    shutil.rmtree(harness / "helm")
    (harness / "table.csv").write_text("a,b\n1,2\n")
    (harness / "other.json").write_text("{}")
    assert "Left out: 2 other files (other.json, table.csv)." in read(harness).attrs["notes"]
    (harness / "other.json").write_text('{"version": 2, "sta')
    with pytest.raises(ValueError, match="other.json is no valid JSON"):
        read(harness)
    with pytest.raises(ValueError, match="found no logs"):
        read(LOGS / "README.md")


def test_a_log_says_what_was_read(caplog):
    with caplog.at_level("INFO", logger="benchuq"):
        data = read(LOGS / "harness")
    assert caplog.messages == data.attrs["notes"]
    assert data.attrs["notes"][0] == "Read as lm-evaluation-harness: 8 files, 2 models, 3 tasks, 25 items."


# ---- Inspect


@pytest.mark.skipif(bool(importlib.util.find_spec("inspect_ai")), reason="inspect_ai is installed")
def test_inspect_names_its_extra():
    with pytest.raises(ValueError, match=r"needs inspect_ai: pip install 'benchuq\[inspect\]'"):
        read(LOGS / "inspect")


@needs_inspect
def test_inspect_epochs():
    data = read(LOGS / "inspect")
    assert data.attrs["format"] == "Inspect" and dict(data.sizes) == {"model": 2, "item": 15}
    single = read(LOGS / "inspect", epochs="cluster")
    assert dict(single.sizes) == {"model": 2, "item": 45}
    averaged = single["score"].groupby("cluster").mean().sel(cluster=data["item"].values)
    np.testing.assert_allclose(averaged.transpose("model", "cluster"), data["score"])
    for i in (1, 2):
        with zipfile.ZipFile(LOGS / "inspect" / f"capitals_{i}.eval") as archive:
            told = json.loads(archive.read("header.json"))
        model = data.sel(model=told["eval"]["model"])["score"]
        mean = float(model[data["task"].values == "capitals"].mean())
        assert mean == pytest.approx(told["results"]["scores"][0]["metrics"]["accuracy"]["value"])
    assert set(read(LOGS / "inspect", task="continent")["task"].values) == {"Europe", "Asia", "Africa", "America"}
    assert read(LOGS / "inspect", metric="exact").sizes["item"] == 15
    both = read([LOGS / "inspect", LOGS / "inspect_json"], incomplete="tasks")
    assert "mockllm/weak [epochs=1, limit=5]" in both["model"].values


@needs_inspect
@pytest.mark.parametrize(
    "change, words",
    [
        (lambda log: log["samples"].pop(), "holds 4 samples, but its header speaks of 5"),
        (lambda log: log.update(status="error"), "no finished run"),
        (lambda log: log.pop("samples"), "holds 0 samples"),
        (lambda log: log["samples"][1]["scores"]["includes"].update(value="maybe"), "no grade of Inspect"),
        (lambda log: log["samples"][1]["scores"]["includes"].update(value=3), r"outside \[0, 1\]"),
        (lambda log: log["samples"][1]["scores"].pop("includes"), "has no 'includes'"),
        (lambda log: log["samples"][1].update(id=log["samples"][0]["id"]), "two answers numbered 1"),
        (lambda log: log["samples"][1].update(epoch="one"), "cannot be read in full"),
    ],
)
def test_damaged_inspect_logs(tmp_path, change, words):
    log = json.loads((LOGS / "inspect_json" / "capitals_1.json").read_text())
    change(log)
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(ValueError, match=words):
        read(tmp_path)


# ---- HELM


@pytest.fixture
def helm(tmp_path):
    return Path(shutil.copytree(LOGS / "helm", tmp_path / "helm"))


def test_helm():
    data = read(LOGS / "helm")
    assert data.attrs["format"] == "HELM" and dict(data.sizes) == {"model": 2, "item": 20}
    for folder in (LOGS / "helm").iterdir():
        task, model = folder.name.split("_model=example_")
        told = {json.dumps(s["name"]): s.get("mean") for s in json.loads((folder / "stats.json").read_text())}
        mean = results.accuracies(data).sel(model=f"example/{model}", task=task)
        assert float(mean) == pytest.approx(told['{"name": "exact_match", "split": "test"}'])
    assert set(data["category"].values) == {"numbers", "simple_mcqa"}
    assert 0.5 <= data["confidence"].min() <= data["confidence"].max() <= 1


def test_helm_trials_perturbations_and_damage(helm):
    path = helm / "above_fifty_model=example_coin-a" / "per_instance_stats.json"
    whole = json.loads(path.read_text())
    trial = [dict(r, train_trial_index=1) for r in whole]
    perturbed = [dict(whole[0], perturbation={"name": "typos", "robustness": True})]
    path.write_text(json.dumps(whole + trial + perturbed))
    notes = read(helm).attrs["notes"]
    assert any("2 answers to a question were averaged" in n for n in notes)
    assert any("1 answer to perturbed questions left out" in n for n in notes)
    for broken, words in [
        (whole[1:], "holds 9 instances, but stats.json speaks of 10"),
        (
            whole + whole[:1] * 1 + [dict(whole[0], stats=[dict(s, mean=0.5) for s in whole[0]["stats"]])],
            "several values of",
        ),
        (
            [dict(r, stats=r["stats"][:5]) if i == 3 else r for i, r in enumerate(whole)],
            "record 4: instance .* has no exact",
        ),
        ([{}], "record 1 has no 'instance_id'"),
        ([], "holds no unperturbed instance"),
    ]:
        path.write_text(json.dumps(broken))
        with pytest.raises(ValueError, match=words):
            read(helm)
    path.with_name("run_spec.json").unlink()
    with pytest.raises(ValueError, match="has no run_spec.json beside it"):
        read(helm)
    with pytest.raises(ValueError, match="hold no fields of the questions"):
        read(LOGS / "helm", cluster="passage")


# ---- MMLU-Pro


def pro_rows(n=12, seed=0):
    rng = np.random.default_rng(seed)
    return [
        {
            "question_id": 70 + i,
            "question": f"Question {i}?",
            "answer": "ABCD"[i % 4],
            "category": "law" if i < n // 2 else "maths",
            "src": f"source-{i * 4 // n}",
            "pred": [None, *"ABCD"][rng.integers(5)],
        }
        for i in range(n)
    ]


def test_mmlu_pro(tmp_path):
    one, two = pro_rows(seed=1), pro_rows(seed=2)
    (tmp_path / "model_outputs_one_5shots.json").write_text(json.dumps(one))
    with zipfile.ZipFile(tmp_path / "model_outputs_two_5shots.zip", "w") as archive:
        archive.writestr("model_outputs_two_5shots.json", json.dumps(two))
    data = read(tmp_path)
    assert list(data["model"]) == ["one", "two"]
    np.testing.assert_array_equal(data["score"], [[r["pred"] == r["answer"] for r in rows] for rows in (one, two)])
    assert list(data["task"].values) == [r["src"] for r in one] and list(data["category"].values) == [
        r["category"] for r in one
    ]
    unread = sum(r["pred"] is None for r in one)
    assert (
        f"Model one: {unread} of 12 answers could not be read off its text and count as wrong." in data.attrs["notes"]
    )
    assert set(read(tmp_path, task="category")["task"].values) == {"law", "maths"}
    for changes, words in [
        ({"pred": 3}, "record 2: pred is '3', neither a letter nor null"),
        ({"answer": None}, "record 2: answer is 'None', which names nothing"),
        ({"question_id": 70}, "item '70' appears twice: .*line 1 and .*line 2"),
        ({"src": "source-3"}, "category of task 'source-3' has not one value but"),
    ]:
        rows = [r | changes if i == 1 else r for i, r in enumerate(one)]
        (tmp_path / "model_outputs_one_5shots.json").write_text(json.dumps(rows))
        with pytest.raises(ValueError, match=words):
            read(tmp_path)


def test_mmlu_pro_files_by_category(tmp_path):
    rows = pro_rows()
    (tmp_path / "some-model").mkdir()
    for category in ("law", "maths"):
        mine = [r for r in rows if r["category"] == category]
        (tmp_path / "some-model" / f"{category}_result.json").write_text(json.dumps(mine))
    data = read(tmp_path)
    assert list(data["model"]) == ["some-model"] and data.sizes["item"] == 12


# ---- tables

TABLE = pd.DataFrame(
    {"task": ["law"] * 3 + ["art"] * 2, "item": [1, 2, 3, 1, 2], "A": [1, 0, 1, 0, 1], "B": [1, 1, None, 0, 0.5]}
)


def long_table():
    return TABLE.melt(["task", "item"], var_name="model", value_name="score").dropna()


def test_tables_of_items(tmp_path):
    TABLE.to_csv(tmp_path / "wide.csv", index=False)
    long_table().to_csv(tmp_path / "long.csv", index=False)
    wide, long = read(tmp_path / "wide.csv"), read(tmp_path / "long.csv")
    assert wide.drop_attrs().identical(long.drop_attrs())
    assert long.drop_attrs().equals(results.read_csv(tmp_path / "long.csv"))
    for model in "AB":
        long_table().query("model == @model").to_csv(tmp_path / f"model {model}.csv", index=False)
    assert read([tmp_path / "model A.csv", tmp_path / "model B.csv"]).drop_attrs().identical(long.drop_attrs())
    long_table().assign(score=lambda t: t["score"] == 1).to_csv(tmp_path / "truth.csv", index=False)
    assert set(np.unique(read(tmp_path / "truth.csv")["score"].fillna(0))) == {0, 1}


def test_pieces_of_a_table_are_one_table(tmp_path, monkeypatch):
    long_table().to_csv(tmp_path / "long.csv", index=False)
    whole = read(tmp_path / "long.csv")
    monkeypatch.setattr(readers, "CELLS", 8)
    assert read(tmp_path / "long.csv").identical(whole)
    (tmp_path / "long.csv").write_text(
        (tmp_path / "long.csv").read_text() + "B,law,9,2\n".replace("B,law,9", "law,9,B")
    )
    with pytest.raises(ValueError, match=r"column 'score', data row 10: '2' is outside \[0, 1\]"):
        read(tmp_path / "long.csv")


@needs_pyarrow
def test_parquet(tmp_path):
    long_table().to_parquet(tmp_path / "long.parquet")
    TABLE.to_parquet(tmp_path / "wide.parquet")
    long_table().to_csv(tmp_path / "long.csv", index=False)
    expected = read(tmp_path / "long.csv").drop_attrs()
    assert read(tmp_path / "long.parquet").drop_attrs().identical(expected)
    assert read(tmp_path / "wide.parquet").drop_attrs().identical(expected)
    counts = pd.DataFrame({"model": ["A", "B"], "task": "law", "n_correct": [3, 4], "n_items": 5})
    counts.to_parquet(tmp_path / "counts.parquet")
    assert read(tmp_path / "counts.parquet")["n_correct"].values.ravel().tolist() == [3, 4]
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "long.parquet").read_bytes()[:-20])
    with pytest.raises(ValueError, match="cut.parquet"):
        read(tmp_path / "cut.parquet")


@pytest.mark.skipif(bool(importlib.util.find_spec("pyarrow")), reason="pyarrow is installed")
def test_parquet_names_its_extra(tmp_path):
    (tmp_path / "table.parquet").write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"pip install 'benchuq\[parquet\]'"):
        read(tmp_path / "table.parquet")


@pytest.mark.parametrize(
    "text, words",
    [
        ("model,task,item,score\nA,law,1,1\nA,law,1,0\n", "item '1' appears twice: .*line 1 and .*line 2; keep one"),
        ("model,task,item,score\nA,law,1,\n", "column 'score' is empty in data row 1"),
        ("model,task,item,score\nA,law,1,yes\n", "'yes' is not a number"),
        ("model,task,item,score\nA,law,1,1\nB,art,1,1\n", r"not every model ran every task: no answers for \(A, art\)"),
        ("model,task,item,score\n", "has no rows"),
        ("", "bad.csv is empty"),
        ("model,task,item,score\nA,law,1,1,0\n", "data row 1 has 5 cells, the header 4"),
        ("model,task,item,score\nA,law,1,1\nA,law,2\n", "data row 2 has 3 cells, the header 4"),
        ('model,task,item,score\nA,law,"1,1\n', "cannot read"),
        ("model,task,item,score,score\nA,law,1,1,0\n", "two columns 'score'"),
        ("task,item\nlaw,1\n", "needed are"),
        (
            "model,task,item,score,cluster\nA,law,1,1,p\nB,law,1,1,q\n",
            r"cluster of item '1' has not one value but \['p', 'q'\]",
        ),
        ("model,task,item,score,category\nA,law,1,1,p\nA,law,2,1,q\n", "category of task 'law' has not one value"),
        ("model,law\nA,0.7\n", "n_items"),
        ("name,score\nA,1\n", r"has columns \['name', 'score'\]; needed are"),
    ],
)
def test_bad_tables(tmp_path, text, words):
    (tmp_path / "bad.csv").write_text(text)
    with pytest.raises(ValueError, match=words) as info:
        read(tmp_path / "bad.csv")
    assert "bad.csv" in str(info.value) or "not every model" in str(info.value) or "not one value" in str(info.value)


def test_a_model_may_be_called_na(tmp_path):
    (tmp_path / "t.csv").write_text("model,task,item,score\nNA,law,1,1\nnull,law,1,0\n")
    assert list(read(tmp_path / "t.csv")["model"].values) == ["NA", "null"]


def test_counts_and_accuracies_pass_through(tmp_path):
    (tmp_path / "t.csv").write_text("model,law,maths\nn_items,100,50\nA,0.70,0.62\nB,0.65,0.80\n")
    data = read(tmp_path / "t.csv")
    assert data["n_correct"].values.tolist() == [[70, 31], [65, 40]] and data.attrs["format"] == "table"
    (tmp_path / "u.csv").write_text("model,law\nA,70\n")
    assert read(tmp_path / "u.csv", n_items=100, percent=True)["n_correct"].item() == 70
    with pytest.raises(ValueError, match="beside other tables"):
        read(tmp_path, n_items=100, percent=True)


# ---- damage by the hundred: each case is a clear error, or a read of exactly what the files hold

ODD = [None, 2, -1, "x", "", [], {}, True, math.nan, 1e400, 10**400, [[1]], "\ud800"]


def mutate_bytes(draw, raw):
    "Cut `raw` short, or change one of its bytes."
    if draw(st.booleans()):
        return raw[: draw(st.integers(0, len(raw) - 1))]
    at = draw(st.integers(0, len(raw) - 1))
    return raw[:at] + bytes([raw[at] ^ draw(st.integers(1, 255))]) + raw[at + 1 :]


def mutate_record(draw, record):
    "Take a key out of a nested record, or give it an odd value; returns False if there is none."
    while True:
        if not isinstance(record, (dict, list)) or not record:
            return
        key = (
            draw(st.sampled_from(sorted(record))) if isinstance(record, dict) else draw(st.integers(0, len(record) - 1))
        )
        if isinstance(record[key], (dict, list)) and record[key] and draw(st.booleans()):
            record = record[key]
            continue
        action = draw(st.sampled_from(["take out", "odd", "double"]))
        if action == "take out":
            del record[key]
        elif action == "double" and isinstance(record, list):
            record.insert(key, record[key])
        else:
            record[key] = draw(st.sampled_from(ODD))
        return


def mutate_lines(draw, raw):
    "Take out, double, swap or change lines of a JSON-lines file."
    lines = raw.decode().splitlines(keepends=True)
    i, j = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    action = draw(st.sampled_from(["take out", "double", "swap", "join", "blank", "change"]))
    if action == "take out":
        del lines[i]
    elif action == "double":
        lines.insert(j, lines[i])
    elif action == "swap":
        lines[i], lines[j] = lines[j], lines[i]
    elif action == "join":
        lines[i] = lines[i].rstrip("\n")
    elif action == "blank":
        lines.insert(i, "\n")
    else:
        record = json.loads(lines[i])
        mutate_record(draw, record)
        lines[i] = json.dumps(record) + "\n"
    return "".join(lines).encode("utf-8", "surrogatepass")


FUZZ = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def harness_truth(folder):
    "What the samples files hold, by plain reading: sorted scores by model (position) and task."
    truth = {}
    for i, run in enumerate(sorted(p for p in folder.iterdir() if p.is_dir())):
        for path in sorted(run.glob("samples*")):
            rows = [json.loads(line) for line in path.read_bytes().decode("utf-8-sig").split("\n") if line.strip()]
            name = next(m for m in ("acc", "exact_match", "acc_norm") if m in rows[0])
            mine = [r for r in rows if r.get("filter") == rows[0].get("filter")]
            truth[i, path.name.split("_")[1]] = sorted(float(r[name]) for r in mine)
    return truth


@settings(FUZZ, max_examples=500)
@given(st.data())
def test_fuzz_harness(data):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(shutil.copytree(LOGS / "harness", Path(folder, "harness")))
        path = data.draw(st.sampled_from(sorted(p for p in folder.rglob("*") if p.is_file())))
        if data.draw(st.booleans()):
            path.write_bytes(mutate_bytes(data.draw, path.read_bytes()))
        elif path.suffix == ".jsonl":
            path.write_bytes(mutate_lines(data.draw, path.read_bytes()))
        else:
            record = json.loads(path.read_text())
            mutate_record(data.draw, record)
            path.write_text(json.dumps(record))
        alone = path.suffix == ".jsonl" and data.draw(st.booleans())
        if alone:  # nothing to check the samples against
            for other in path.parent.glob("results*"):
                other.unlink()
        try:
            found = by_task(read(folder))
        except ValueError as error:
            assert str(error) and type(error) is ValueError and len(str(error)) < 2000
            return
        truth = harness_truth(folder)
        assert found == truth
        if not alone:
            assert sum(map(len, truth.values())) == 50


def pro_truth(path):
    rows = json.loads(path.read_bytes().decode("utf-8-sig"))
    return Counter((str(r["src"]), float(r["pred"] == r["answer"])) for r in rows)


@settings(FUZZ, max_examples=300)
@given(st.data())
def test_fuzz_mmlu_pro(data):
    with tempfile.TemporaryDirectory() as folder:
        path, raw = Path(folder, "model_outputs_m_5shots.json"), json.dumps(pro_rows()).encode()
        if data.draw(st.booleans()):
            raw = mutate_bytes(data.draw, raw)
        else:
            records = json.loads(raw)
            mutate_record(data.draw, records)
            raw = json.dumps(records).encode()
        zipped = data.draw(st.sampled_from(["no", "yes", "damaged"]))
        path.write_bytes(raw)
        source = path
        if zipped != "no":
            source = path.with_suffix(".zip")
            with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(path.name, raw)
            if zipped == "damaged":
                source.write_bytes(mutate_bytes(data.draw, source.read_bytes()))
        try:
            found = read(source)
        except ValueError as error:
            assert str(error) and type(error) is ValueError
            return
        scores = Counter(zip(found["task"].values, found["score"].values[0]))
        assert scores == pro_truth(path)


def helm_truth(folder):
    truth = {}
    for path in sorted(folder.rglob("per_instance_stats.json")):
        spec = json.loads(path.with_name("run_spec.json").read_text())
        for record in json.loads(path.read_bytes().decode("utf-8-sig")):
            for stat in record["stats"]:
                if stat["name"]["name"] == "exact_match" and not record.get("perturbation"):
                    key = spec["adapter_spec"]["model"], spec["name"].partition(":")[0]
                    truth.setdefault(key, {})[record["instance_id"]] = float(stat["mean"])
    return truth


@settings(FUZZ, max_examples=200)
@given(st.data())
def test_fuzz_helm(data):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for model in "ab":
            shutil.copytree(LOGS / "helm" / f"above_fifty_model=example_coin-{model}", folder / model)
        path = (
            folder
            / "a"
            / data.draw(st.sampled_from(["per_instance_stats.json", "per_instance_stats.json", "run_spec.json"]))
        )
        if data.draw(st.booleans()):
            path.write_bytes(mutate_bytes(data.draw, path.read_bytes()))
        else:
            record = json.loads(path.read_text())
            mutate_record(data.draw, record)
            path.write_text(json.dumps(record))
        try:
            found = read(folder)
        except ValueError as error:
            assert str(error) and type(error) is ValueError
            return
        truth = helm_truth(folder)
        assert sum(map(len, truth.values())) == int(found["score"].notnull().sum()) == 20
        scores = found["score"].values
        assert sorted(scores[~np.isnan(scores)]) == sorted(x for t in truth.values() for x in t.values())


@settings(FUZZ, max_examples=200)
@given(st.data())
def test_fuzz_csv(data):
    wide = data.draw(st.booleans())
    raw = (TABLE if wide else long_table()).to_csv(index=False).encode()
    raw = mutate_bytes(data.draw, raw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        path.write_bytes(raw)
        try:
            found = read(path)
        except ValueError as error:
            assert str(error) and type(error) is ValueError
            return
        assume("item" in found.dims)
        rows = [r for r in csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")) if r]
        header, rows = [c.strip() for c in rows[0]], rows[1:]
        if "score" in header:
            truth = [float(r[header.index("score")]) for r in rows]
        else:
            columns = [i for i, c in enumerate(header) if c not in readers.LABELS]
            truth = [float(r[i]) for r in rows for i in columns if i < len(r) and r[i] != ""]
        scores = found["score"].values
        assert sorted(scores[~np.isnan(scores)]) == sorted(truth)


@needs_inspect
@settings(FUZZ, max_examples=100)
@given(st.data())
def test_fuzz_inspect(data):
    with tempfile.TemporaryDirectory() as folder:
        name = data.draw(st.sampled_from(["inspect/rivers_1.eval", "inspect_json/capitals_1.json"]))
        path = Path(shutil.copy(LOGS / name, folder))
        whole = by_task(read(path))
        structural = path.suffix == ".json" and data.draw(st.booleans())
        if structural:
            record = json.loads(path.read_text())
            mutate_record(data.draw, record["samples"])
            path.write_text(json.dumps(record))
        else:
            path.write_bytes(mutate_bytes(data.draw, path.read_bytes()))
        try:
            found = by_task(read(path))
        except ValueError as error:
            assert str(error) and type(error) is ValueError
            return
        if path.suffix == ".eval":
            assert found == whole
        else:
            log = json.loads(path.read_bytes().decode("utf-8"))
            scored = [readers.GRADES[s["scores"]["includes"]["value"]] for s in log["samples"] if s.get("scores")]
            assert [sorted(scored)] == list(found.values())


# ---- the harnesses themselves, where they are installed


@pytest.mark.skipif(not importlib.util.find_spec("lm_eval"), reason="lm_eval is not installed")
def test_lm_evaluation_harness_itself(tmp_path):
    command = [sys.executable, "-m", "lm_eval", "--model", "dummy", "--include_path", "make/harness", "--log_samples"]
    command += ["--tasks", "geography,slang", "--output_path", str(tmp_path / "out"), "--seed", "1"]
    environment = os.environ | {"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    subprocess.run([*command, "--model_args", "pretrained=example/dummy-1"], cwd=LOGS, env=environment, check=True)
    data, kept = read(tmp_path / "out"), read(LOGS / "harness" / "example__dummy-1")
    np.testing.assert_array_equal(data["score"], kept["score"])


@needs_inspect
def test_inspect_itself(tmp_path):
    subprocess.run([sys.executable, LOGS / "make" / "inspect" / "tasks.py", tmp_path], check=True)
    data = read(list(tmp_path.glob("*.eval")))
    assert dict(data.sizes) == {"model": 2, "item": 15} and data.attrs["format"] == "Inspect"
