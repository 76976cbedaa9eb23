"""Runs: which metric, which run, and several answers to one question."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchuq.readers.runs import (
    Options,
    Run,
    average_epochs,
    choose_metric,
    extra_fields,
    name_by_settings,
    split_repeat,
)

RUNS = [Run("A", "law", Path(f"{shots}.json"), pd.DataFrame, {"shots": shots, "seed": 1}) for shots in (0, 5)]


def test_settings_that_differ_become_part_of_the_name():
    options = Options()
    assert [run.model for run in name_by_settings(RUNS, options)] == ["A [shots=0]", "A [shots=5]"]
    assert options.sentences() == ["Model A was run with several settings, which are part of its name: shots."]


def test_equal_runs_are_refused_unless_the_latest_is_asked_for():
    with pytest.raises(ValueError, match="was run twice on task 'law' with the same settings"):
        name_by_settings(RUNS[:1] * 2, Options())
    assert len(name_by_settings(RUNS[:1] * 2, Options(repeats="latest"))) == 1


@pytest.mark.parametrize("name", ["epochs", "repeats", "incomplete"])
def test_options_are_checked(name):
    with pytest.raises(ValueError, match=f"{name} must be one of .*, got 'all'"):
        Options(**{name: "all"})


def test_metrics_by_preference_and_by_task():
    assert choose_metric(Options(metric=("f1", "acc")), "law", ["acc", "bleu"], "here") == "acc"
    assert choose_metric(Options(metric={"law": "bleu"}), "law", ["acc", "bleu"], "here") == "bleu"
    assert choose_metric(Options(metric={"art": "bleu"}), "law", ["acc", "bleu"], "here") == "acc"
    with pytest.raises(ValueError, match=r"here: task 'law' has no metric \['f1'\]; it has \['acc'\]"):
        choose_metric(Options(metric="f1"), "law", ["acc"], "here")


def test_fields_of_the_question():
    assert extra_fields(Options(cluster="text", task="kind"), {"text": 3, "kind": "law"}, "here") == {
        "task": "law",
        "cluster": "3",
    }
    with pytest.raises(ValueError, match="here has no 'text'"):
        extra_fields(Options(cluster="text"), {"kind": "law"}, "here")


def test_epochs_without_a_score():
    table = pd.DataFrame({"item": ["1", "1", "2", "2"], "epoch": [1, 2, 1, 2], "score": [1.0, np.nan, np.nan, np.nan]})
    table["reason"] = ["", "timeout", "timeout", "timeout"]
    options = Options()
    means = average_epochs(table, options, "law")
    np.testing.assert_array_equal(means["score"], [1, np.nan])
    assert list(means["reason"]) == ["", "timeout"]
    assert any("1 question with some answers that have no score" in s for s in options.sentences())


def test_epochs_as_means_and_as_clusters():
    table = pd.DataFrame({"item": ["1", "1", "2", "2"], "epoch": [1, 2, 1, 2], "score": [1.0, 0.0, 1.0, 1.0]})
    np.testing.assert_array_equal(average_epochs(table, Options(), "law")["score"], [0.5, 1])
    apart = average_epochs(table, Options(epochs="cluster"), "law")
    assert list(apart["cluster"]) == ["1", "1", "2", "2"] and apart["item"].is_unique
    with pytest.raises(ValueError, match="item '1' has two answers numbered 1"):
        average_epochs(table.assign(epoch=1), Options(), "law")


def test_epochs_kept_apart():
    "The repeat becomes part of the name, and comes back out of it."
    table = pd.DataFrame({"item": ["q 1", "q 1", "q 2"], "epoch": [1, 2, 1], "score": [1.0, 0.0, 1.0]})
    options = Options(epochs="coordinate")
    apart = average_epochs(table, options, "law")
    assert [split_repeat(name) for name in apart["item"]] == [("q 1", "1"), ("q 1", "2"), ("q 2", "1")]
    assert options.sentences() == ["law: 2 answers to a question kept apart, in the coordinate repeat."]
    assert split_repeat("q 1") is None and split_repeat("law/q [repeat 2] (00ff)") == ("law/q (00ff)", "2")
