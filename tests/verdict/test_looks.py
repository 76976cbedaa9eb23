"""Several looks: at questions that come in, by an evaluation that stops, and over nights."""

import asyncio
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import benchuq as bq
from benchuq.reporting.command import main
from benchuq.verdict.check import _series_sentence
from benchuq.verdict.looks import _always_level, _over_nights, add_night, parse_look

QUIZ = pd.DataFrame({"task": "law", "item": range(600), "score": [1, 1, 1, 0] * 150})


def test_always_holds_for_any_number_of_looks():
    # 4,000 paths of 2,000 questions, each looked at after every 10: at most .05, standard error .0034
    rng = np.random.default_rng(2)
    n = np.arange(10, 2001, 10)
    z = (rng.standard_normal((4000, 200)) * np.sqrt(10)).cumsum(axis=1) / np.sqrt(n)
    c = np.array([norm.isf(_always_level(0.05, int(k), 500)) for k in n])
    assert 0.01 < (z > c).any(axis=1).mean() < 0.05 + 3 * 0.0034


def test_no_verdict_from_a_handful():
    assert _always_level(0.05, 29) == 0 and _always_level(0.0, 1000) == 0


@pytest.mark.parametrize("text", ["2/4", "x", "always/x", "always/0", "always/-1", ""])
def test_looks_that_are_none(text):
    with pytest.raises(ValueError, match="look must be always"):
        parse_look(text)


def answered(stop, scores):
    """Feed scores by id to `stop` as Inspect does; returns the ids that were asked."""

    async def run():
        await stop.start_task(None, [SimpleNamespace(id=k) for k in scores], 1)
        asked = []
        for k, value in scores.items():
            if await stop.schedule_sample(k, 1):
                break
            asked.append(k)
            await stop.complete_sample(k, 1, {"match": SimpleNamespace(score=SimpleNamespace(value=value))})
        return asked, await stop.complete_task()

    return asyncio.run(run())


def test_it_stops_when_the_verdict_is_in_and_not_before_30():
    pytest.importorskip("inspect_ai")
    before = {k: 1.0 for k in range(300)}
    stop = bq.BenchuqStop(before, 0.02)
    asked, told = answered(stop, {k: "I" if k % 3 == 0 else "C" for k in range(300)})
    assert stop.verdict == told["verdict"] == "worse" and 30 <= len(asked) == stop.n_items < 100
    same = bq.BenchuqStop(pd.Series(before), 0.2)
    asked, told = answered(same, dict.fromkeys(range(300), "C"))
    assert same.verdict == "not worse" and 30 <= len(asked) < 100


def test_a_real_run_of_inspect_is_stopped(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    n = 120
    answers = [ModelOutput.from_content("mockllm/model", "yes" if k % 3 else "no") for k in range(n)]
    for answer in answers:
        answer.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # nothing is left to be counted
    model = get_model("mockllm/model", custom_outputs=answers)
    samples = [Sample(input="Is it?", target="yes", id=k) for k in range(n)]
    stop = bq.BenchuqStop(dict.fromkeys(range(n), 1.0), 0.02)
    task = inspect_ai.Task(dataset=samples, scorer=match(), early_stopping=stop)
    log = inspect_ai.eval(task, model=model, log_dir=str(tmp_path), max_samples=1, display="none")[0]
    assert log.status == "success", log.error
    assert stop.verdict == "worse"
    assert len(log.samples) == stop.n_items < n and log.results.early_stopping.metadata["verdict"] == "worse"


def test_baselines_that_do_not_do():
    with pytest.raises(ValueError, match="margin must lie"):
        bq.BenchuqStop({1: 1.0}, 2)
    with pytest.raises(ValueError, match="none of these samples"):
        answered(bq.BenchuqStop({"x": 1.0}), {"a": 1.0})
    assert bq.BenchuqStop({"a": np.nan, "b": 1.0}).baseline == {"b": 1.0}


def test_right_or_wrong_answers_of_fixed_questions_are_covered():
    # 300 models on 200 questions and 300 nights, each answer right with a probability of its own
    rng, ever = np.random.default_rng(2), 0
    for _ in range(300):
        p = rng.beta(3, 1, 200)
        before = rng.random(200) < p
        lost = (before & ~(rng.random((300, 200)) < p)).sum(axis=1) / 200
        won = (~before & (rng.random((300, 200)) < p)).sum(axis=1) / 200
        error = np.sqrt((lost + won - (lost - won) ** 2) / 199)
        band = _over_nights(won - lost, error)
        truth = ((~before) * p - before * (1 - p)).mean()
        ever += ((band["upper"] < truth) | (band["lower"] > truth)).any() / 300
    assert ever < 0.05 + 3 * 0.0126


def test_a_drift_is_named_with_its_night(tmp_path):
    rng = np.random.default_rng(3)
    change = np.where(np.arange(60) < 5, 0.0, -0.06) + rng.normal(0, 0.01, 60)
    for k, x in enumerate(change):
        table = pd.DataFrame({"estimate": [x], "standard_error": 0.01, "n_items": 9})
        table.index = pd.MultiIndex.from_tuples([("v2", "(mean)")], names=["candidate", "task"])
        series = add_night(tmp_path, table, "v1", f"day {k}", 0.02, 0.95)
    first = series.index[series["verdict"] == "worse"][0]
    assert 5 < first < 20 and f"Over 60 nights: worse since the night of day {first} (" in _series_sentence(series)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no history of check"):
        add_night(tmp_path / "a.csv", table, "v1", "today", 0.02, 0.95)


def run(tmp_path, capsys, *arguments):
    status = main(["check", str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), "-q", *arguments])
    return status, capsys.readouterr().out


def test_nights_add_up_on_the_command_line(tmp_path, capsys):
    rng, history = np.random.default_rng(4), str(tmp_path)
    QUIZ.assign(model="old").to_csv(tmp_path / "old.csv", index=False)
    statuses = []
    for _ in range(12):
        lost = rng.random(600) < 0.075
        QUIZ.assign(model="new", score=np.where(lost, 0, QUIZ["score"])).to_csv(tmp_path / "new.csv", index=False)
        status, text = run(tmp_path, capsys, "--history", history, "-o", str(tmp_path / "a.json"))
        statuses.append(status)
    assert len(pd.read_csv(tmp_path / "history.csv")) == 12 and "Over 12 nights: worse" in text and status == 1
    assert json.loads((tmp_path / "a.json").read_text())["nights"][-1]["verdict"] == "worse"
    run(tmp_path, capsys, "--history", history)  # the same night again
    assert len(pd.read_csv(tmp_path / "history.csv")) == 12
    run(tmp_path, capsys, "--history", history, "-o", history)
    assert "Night after night" in (tmp_path / "check.html").read_text()
