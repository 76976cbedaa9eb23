"""Verdicts over nights, and the assertion for test suites."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize

import benchuq as bq
from benchuq.reporting.command import main
from benchuq.verdict.history import add_night, mixture_radius, over_nights, series_of, series_sentence

QUIZ = pd.DataFrame({"task": "law", "item": range(600), "score": [1, 1, 1, 0] * 150})


@pytest.mark.parametrize("variance", [0.1, 1, 30, 1000])
@pytest.mark.parametrize("error, rho", [(0.05, 1), (0.01, 10), (0.1, 0.5)])
def test_the_radius_is_the_root_of_the_mixture(variance, error, rho):
    total = variance + rho

    def short(s):
        def density(x):
            return np.exp(x * s - x * x * total / 2) * np.sqrt(rho / 2 / np.pi)

        middle = s / total
        return np.log(integrate.quad(density, middle - 12 / total**0.5, middle + 12 / total**0.5)[0] * error)

    root = optimize.brentq(short, 0, 20 * np.sqrt(total), xtol=1e-12)
    assert mixture_radius(variance, error, rho) == pytest.approx(root, abs=1e-6)


def test_false_alarms_over_10_000_nights():
    # 1,000 models at the margin: at most .05 with a standard error of .007
    nights, error = 10_000, 0.01
    band = over_nights(np.full(nights, -0.02), np.full(nights, error))
    reach, t = (band["upper"] - band["mean"]).to_numpy(), np.arange(1, nights + 1)
    rng, false = np.random.default_rng(1), 0
    for _ in range(10):
        mean = rng.normal(-0.02, error, (100, nights)).cumsum(axis=1) / t
        false += (np.abs(mean + 0.02) > reach).any(axis=1).sum() / 1000
    assert 0.01 < false < 0.05 + 3 * 0.007


def test_right_or_wrong_answers_of_fixed_questions_are_covered():
    # 300 models on 200 questions and 300 nights, each answer right with a probability of its own
    rng, ever = np.random.default_rng(2), 0
    for _ in range(300):
        p = rng.beta(3, 1, 200)
        before = rng.random(200) < p
        lost = (before & ~(rng.random((300, 200)) < p)).sum(axis=1) / 200
        won = (~before & (rng.random((300, 200)) < p)).sum(axis=1) / 200
        error = np.sqrt((lost + won - (lost - won) ** 2) / 199)
        band = over_nights(won - lost, error)
        truth = ((~before) * p - before * (1 - p)).mean()
        ever += ((band["upper"] < truth) | (band["lower"] > truth)).any() / 300
    assert ever < 0.05 + 3 * 0.0126


def test_a_drift_is_named_with_its_night(tmp_path):
    rng = np.random.default_rng(3)
    change = np.where(np.arange(60) < 5, 0.0, -0.06) + rng.normal(0, 0.01, 60)
    nights = pd.DataFrame({"night": [f"day {k}" for k in range(60)], "baseline": "v1", "candidate": "v2"})
    series = series_of(nights.assign(change=change, standard_error=0.01, n_items=9), "v1", ["v2", "v3"], 0.02, 0.95)
    first = series.index[series["verdict"] == "worse"][0]
    assert 5 < first < 20 and f"Over 60 nights: worse since the night of day {first} (" in series_sentence(series)


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


def test_a_file_that_is_no_history(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    table = bq.check(pd.concat([QUIZ.assign(model=m) for m in ("old", "new")]), "old", "new").table
    with pytest.raises(ValueError, match="no history of check"):
        add_night(tmp_path / "a.csv", table, "old", "today")


def test_an_assertion_reads_like_the_summary(tmp_path):
    assert bq.assert_not_worse(QUIZ, QUIZ).verdict == "not worse"
    poor = QUIZ.assign(score=[1, 0, 1, 0] * 150)
    with pytest.raises(AssertionError, match="WORSE: candidate is worse than baseline"):
        bq.assert_not_worse(QUIZ, poor, 0.05)
    few = [t.iloc[:40] for t in (QUIZ, poor)]
    with pytest.raises(AssertionError, match="(UNDECIDED|LOWER): "):
        bq.assert_not_worse(few[0], few[0], 0.001)
    assert bq.assert_not_worse(few[0], few[0], 0.001, undecided="pass").verdict == "undecided"
    for name, table in (("a", QUIZ), ("b", poor)):
        table.assign(model="m").to_csv(tmp_path / f"{name}.csv", index=False)
    with pytest.raises(AssertionError, match="m .candidate. is worse than m .baseline."):
        bq.assert_not_worse(tmp_path / "a.csv", str(tmp_path / "b.csv"))
