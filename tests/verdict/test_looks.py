"""Several looks: at questions that come in, by an evaluation that stops, and over nights."""

import asyncio
import dataclasses
import json
import os
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.data.scales import Scale
from benchuq.reporting.command import main
from benchuq.verdict.check import _series_sentence
from benchuq.verdict.looks import _always_level, add_night

QUIZ = pd.DataFrame({"task": "law", "item": range(600), "score": [1, 1, 1, 0] * 150})


def test_no_verdict_from_a_handful():
    assert _always_level(0.05, 29) == 0 and _always_level(0.0, 1000) == 0


@pytest.mark.parametrize("wrong, margin, verdict", [(3, 0.02, "worse"), (1000, 0.2, "not worse")])
def test_a_real_run_of_inspect_is_stopped_when_the_verdict_is_in(tmp_path, wrong, margin, verdict):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    n = 120
    answers = [
        ModelOutput.from_content("mockllm/model", "yes" if (k + 1) % wrong else "no")
        for k in range(n)
    ]
    for answer in answers:
        answer.usage = ModelUsage(
            input_tokens=1, output_tokens=1, total_tokens=2
        )  # nothing is left to be counted
    model = get_model("mockllm/model", custom_outputs=answers)
    samples = [Sample(input="Is it?", target="yes", id=k) for k in range(n)]
    stop = bq.BenchuqStop(dict.fromkeys(range(n), 1.0), margin)
    task = inspect_ai.Task(dataset=samples, scorer=match(), early_stopping=stop)
    log = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), max_samples=1, display="none")[
        0
    ]
    assert log.status == "success", log.error
    assert stop.verdict == log.results.early_stopping.metadata["verdict"] == verdict
    assert 30 <= len(log.samples) == stop.n_items < n


def test_baselines_that_do_not_do():
    with pytest.raises(ValueError, match="margin must lie"):
        bq.BenchuqStop({1: 1.0}, 2)
    with pytest.raises(ValueError, match="none of these samples"):
        asyncio.run(bq.BenchuqStop({"x": 1.0}).start_task(None, [SimpleNamespace(id="a")], 1))
    assert bq.BenchuqStop({"a": np.nan, "b": 1.0}).baseline == {"b": 1.0}


def test_a_drift_is_named_with_its_night(tmp_path):
    rng = np.random.default_rng(3)
    change = np.where(np.arange(60) < 5, 0.0, -0.06) + rng.normal(0, 0.01, 60)
    for k, x in enumerate(change):
        table = pd.DataFrame({"estimate": [x], "standard_error": 0.01, "n_items": 9})
        table.index = pd.MultiIndex.from_tuples([("v2", "(mean)")], names=["candidate", "task"])
        series = add_night(tmp_path, table, "v1", f"day {k}", 0.02, 0.95)
    first = series.index[series["verdict"] == "worse"][0]
    assert (
        5 < first < 20
        and f"Over 60 nights: worse since the night of day {first} ("
        in _series_sentence(series, Scale())
    )
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no history of check"):
        add_night(tmp_path / "a.csv", table, "v1", "today", 0.02, 0.95)


def test_nights_add_up_on_the_command_line(tmp_path, capsys):
    def night(*more):
        status = main(["check", *(str(tmp_path / f"{name}.csv") for name in ("old", "new")), *more])
        return status, capsys.readouterr().out

    rng, history = np.random.default_rng(4), ["--history", str(tmp_path)]
    QUIZ.assign(model="old").to_csv(tmp_path / "old.csv", index=False)
    for _ in range(12):
        lost = rng.random(600) < 0.075
        QUIZ.assign(model="new", score=np.where(lost, 0, QUIZ["score"])).to_csv(
            tmp_path / "new.csv", index=False
        )
        status, text = night(*history, "-o", str(tmp_path / "a.json"))
    assert (
        len(pd.read_csv(tmp_path / "history.csv")) == 12
        and "Over 12 nights: worse" in text
        and status == 1
    )
    assert json.loads((tmp_path / "a.json").read_text())["nights"][-1]["verdict"] == "worse"
    night(*history, "-o", str(tmp_path))  # the same night again
    assert len(pd.read_csv(tmp_path / "history.csv")) == 12
    assert "Night after night" in (tmp_path / "check.html").read_text()


def test_candidates_share_the_error_of_the_nights(tmp_path):
    row = {"estimate": -0.05, "standard_error": 0.01, "n_items": 400}
    names = [("a", "(mean)"), ("b", "(mean)")]
    table = pd.DataFrame([row, row])
    table.index = pd.MultiIndex.from_tuples(names, names=["candidate", "task"])
    both = add_night(tmp_path / "both.csv", table, "v1", "day 1", 0.02, 0.95)
    one = add_night(tmp_path / "one.csv", table.iloc[:1], "v1", "day 1", 0.02, 0.975)
    np.testing.assert_allclose(both["lower"], one["lower"].iloc[0])


@pytest.mark.simulation
def test_at_the_margin_the_nights_together_are_not_called_worse(tmp_path):
    """In ten series of twelve nights at the margin some nights alone say worse, the status hardly
    ever.
    """
    rng, ever = np.random.default_rng(7), {"status": 0, "alone": 0}
    before = np.repeat([0.0, 1.0], 200)
    old = pd.DataFrame({"model": "old", "task": "quiz", "item": range(400), "score": before})
    for repetition in range(10):
        said = {"status": False, "alone": False}
        for night in range(12):
            changed = rng.random(400) < np.where(before, 0.2, 0.1)
            new = old.assign(model="new", score=np.where(changed, 1 - before, before))
            found = bq.check(pd.concat([old, new]), "old", "new", margin=0.05)
            file = tmp_path / f"{repetition}.csv"
            series = add_night(file, found.table, "old", f"day {night}", 0.05, 0.95)
            said["alone"] |= found.status() == 1
            said["status"] |= dataclasses.replace(found, series=series).status() == 1
        for what, false in said.items():
            ever[what] += false
    assert ever["status"] <= 1 < ever["alone"]


def test_a_history_against_the_best_of_a_board_is_refused(tmp_path, capsys):
    board = [QUIZ.assign(model=name) for name in ("one", "two")]
    pd.concat(board).to_csv(tmp_path / "old.csv", index=False)
    QUIZ.assign(model="new").to_csv(tmp_path / "new.csv", index=False)
    command = ["check", str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), "--baseline", "best"]
    assert main([*command, "--history", str(tmp_path)]) == 2
    assert "needs one baseline for all nights" in capsys.readouterr().err
    assert not (tmp_path / "history.csv").exists()


def test_names_like_formulas_are_quoted_and_their_nights_still_add_up(tmp_path):
    names, history = ("=cmd|' /c calc'!A1", "@x\n::error::y"), tmp_path / "history.csv"
    for k in range(3):
        table = pd.DataFrame({"estimate": [-0.01 * k], "standard_error": 0.01, "n_items": 9})
        table.index = pd.MultiIndex.from_tuples([(names[0], "(mean)")], names=["candidate", "task"])
        series = add_night(history, table, names[1], f"day {k}", 0.02, 0.95)
    assert len(series) == 3 and set(series["candidate"]) == {names[0]}
    assert set(series["baseline"]) == {names[1]}
    cells = [cell for line in history.read_text().splitlines()[1:] for cell in line.split(",")]
    assert not any(cell.strip('"').startswith(tuple("=@+")) for cell in cells)
    unquoted = history.read_text().replace("'=", "=")  # as earlier versions wrote them
    history.write_text(unquoted)
    series = add_night(history, table.assign(estimate=0.5), names[1], "day 3", 0.02, 0.95)
    assert len(series) == 4


def test_a_history_that_is_a_link_is_followed_and_a_pipe_is_refused(tmp_path):
    table = pd.DataFrame({"estimate": [0.0], "standard_error": 0.01, "n_items": 9})
    table.index = pd.MultiIndex.from_tuples([("v2", "(mean)")], names=["candidate", "task"])
    (tmp_path / "link.csv").symlink_to("kept.csv")
    for k in range(2):
        add_night(tmp_path / "link.csv", table + 0.1 * k, "v1", f"day {k}", 0.02, 0.95)
    assert len(pd.read_csv(tmp_path / "kept.csv")) == 2 and (tmp_path / "link.csv").is_symlink()
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(ValueError, match="it is a pipe, not a file"):
        add_night(tmp_path / "pipe.csv", table, "v1", "day 3", 0.02, 0.95)
