"""Boards as they are published: what names a model, what is a score, and what a score is."""

import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchuq.data.results import accuracies
from benchuq.data.validation import kind_of
from benchuq.readers.read import read
from benchuq.readers.boards import _count_shares as count_shares


def board(text, tmp_path=None, **options):
    "Results and notes of a board given as text, cells separated by spaces."
    rows = [line.split() for line in text.strip().splitlines()]
    data = read(pd.DataFrame(rows[1:], columns=rows[0]).replace("_", ""), **options)
    return data, SimpleNamespace(sentences=lambda: data.attrs["notes"])


OPENCLIP = """
name pretrained params_(M) FLOPs_(B) average cars digits pets
ViT-B-32 openai 151.28 14.78 0.5 0.596 0.502 0.8734
ViT-B-32 laion 151.28 14.78 0.6 0.863 0.606 0.9015
RN50 openai 102.01 18.18 0.4 0.542 0.449 _
"""


def test_a_board_like_openclip_names_models_by_two_columns_and_leaves_out_the_rest():
    text = OPENCLIP.replace("params_(M)", "params").replace("FLOPs_(B)", "FLOPs")
    data, options = board(text)
    assert list(data["model"].values) == ["ViT-B-32, openai", "ViT-B-32, laion", "RN50, openai"]
    assert list(data["task"].values) == ["cars", "digits", "pets"] and kind_of(data) == "estimate"
    assert data["standard_error"].isnull().all() and bool(data["estimate"].isnull()[2, 2])
    said = " ".join(options.sentences())
    assert "2 rows share a name; pretrained is part of it." in said
    assert (
        "score: cars, digits, pets; left out: pretrained, params, FLOPs (describes the model), average (by its" in said
    )
    assert (
        "Neither the number of items nor a standard error is known" in said and "Holes: no answers for 1 of 9" in said
    )
    data, _ = board(text, columns={"model": ["name", "pretrained"], "score": ["cars", "pets"]}, n_items={"cars": 8041})
    assert list(data["task"].values) == ["cars", "pets"]
    p = (0.596 * 8041 + 1) / 8043
    assert data["standard_error"].values[0, 0] == pytest.approx(np.sqrt(p * (1 - p) / 8041), rel=1e-3)
    data, _ = board(text, n_items={"cars": 1000, "digits": 1000, "pets": 10000})
    assert kind_of(data) == "n_correct" and data["n_correct"].values[0].tolist() == [596, 502, 8734]


def test_a_board_like_livebench_has_per_cent_and_holes():
    text = "Model Organization Coding Maths Average\nA x 78.8 90.1% 84\nB x - 65.0 65\nC y 50.5 NA 50"
    data, options = board(text)
    np.testing.assert_allclose(accuracies(data), [[0.788, 0.901], [np.nan, 0.65], [0.505, np.nan]])
    assert "Scores are read as percentages (choose with percent)." in options.sentences()
    kept, _ = board(text, incomplete="models")
    assert list(kept["model"].values) == ["A"]


def test_a_board_like_lmsys_leaves_out_what_is_on_no_scale_of_shares():
    text = "Model Elo MT-bench MMLU Votes License\nA 1250 9.1 0.86 9000 MIT\nB 1100 8.2 0.70 5000 -"
    data, options = board(text, columns={"ignore": "MT-bench"})
    assert list(data["task"].values) == ["MMLU"] and data["estimate"].values.tolist() == [[0.86], [0.7]]
    said = " ".join(options.sentences())
    assert "left out: Elo, Votes, License (describes the model), MT-bench (not used)" in said
    with pytest.raises(ValueError, match="the largest MT-bench is 9.1. Nothing was computed.*'score10': .'MT-bench'"):
        board(text)
    data, options = board(text, columns={"score10": "MT-bench"})
    np.testing.assert_allclose(data["estimate"], [[0.91, 0.86], [0.82, 0.7]])
    assert "Scales: MT-bench out of 10; the others are shares." in options.sentences()


def test_scores_that_are_no_share_of_the_items_are_never_counts():
    text = "model law qa_f1\nA 0.70 0.655\nB 0.60 0.813"
    data, options = board(text, n_items=20)
    p = (0.655 * 20 + 1) / 22
    assert kind_of(data) == "estimate" and data["standard_error"].values[0, 1] == pytest.approx(
        np.sqrt(p * (1 - p) / 20)
    )
    assert any("(score x number of items is not whole): qa_f1; the standard error" in s for s in options.sentences())
    stderr = "model law law_stderr\nA 70.5 2.5\nB 60.5 3.5"
    data, _ = board(stderr)
    np.testing.assert_allclose(data["standard_error"], [[0.025], [0.035]])


def test_a_share_is_recognised_by_the_digits_printed():
    k = np.arange(41)
    for digits in (2, 3, 6):
        printed = pd.Series(np.round(k / 40, digits))
        assert (count_shares(printed.to_numpy(), np.full(41, 40.0), np.full(41, 10.0**-digits)) == k).all()
    assert np.isnan(count_shares(np.array([0.5123]), np.array([40.0]), np.array([1e-4]))).all()


@pytest.mark.parametrize(
    "text, options, words",
    [
        ("model law\nA 0.7\nB 0.6", {"columns": {"score": "lwa"}}, r"unknown columns in .*columns \['lwa'\]"),
        ("model law\nA 0.7\nB 0.6", {"columns": {"scroe": "law"}}, r"unknown roles in .*columns \['scroe'\]"),
        (
            "model law\nA 170\nB 60",
            {},
            r"no columns of scores between 0 and 1 or 0 and 100 \(law holds 170, which is no share",
        ),
        ("model law\nA 170\nB 160", {}, r"no columns of scores between 0 and 1 or 0 and 100 \(law \(on another scale"),
        ("model law art\nA 70 60\nB 0.6 0.8", {}, r"mixed: all scores of \['B'\]"),
        ("model law\nA 0.7\nB 0.6", {"n_items": {"lwa": 10}}, r"unknown tasks in .*items \['lwa'\]"),
        ("model law\nA 0.7\nB 0.6", {"n_items": 0.5}, "the test-set size of 'law' is 0.5"),
        ("model law\n_ 0.7\nB 0.6", {}, "column 'model' is empty"),
        ("model law\nA 0.7\nB 0.6", {"models": "C*"}, "models: 'C\\*' fits none of"),
    ],
)
def test_what_cannot_be_read_says_which_option_helps(text, options, words):
    for command_line in (False, True):
        with pytest.raises(ValueError, match=words) as refused:
            board(text, **options, command_line=command_line)
        assert "\n" not in str(refused.value)


def test_rows_of_one_model_first_or_last():
    text = "model law\nA 0.7\nA 0.6\nB 0.5"
    for which, score in (("first", 0.7), ("last", 0.6)):
        assert board(text, duplicates=which)[0]["estimate"].values[0, 0] == score


def test_a_model_may_be_called_category():
    data, _ = board("model law art\ncategory 0.7 0.6\nB 0.5 0.4")
    assert list(data["model"].values) == ["category", "B"]
    data, _ = board("model law art\ncategory x y\nB 0.5 0.4")
    assert list(data["category"].values) == ["x", "y"] and list(data["model"].values) == ["B"]


def test_a_hole_in_every_column_and_a_task_of_one_model():
    data, options = board("model law art\nA 0.7 _\nB _ 0.4\nC _ _")
    assert data["estimate"].isnull().values.tolist() == [[False, True], [True, False]]
    assert "Left out: models C, without any score." in options.sentences()
    with pytest.raises(ValueError, match="there is no task that all models ran.*keep holes with incomplete='keep'"):
        board("model law art\nA 0.7 _\nB _ 0.4", incomplete="tasks")


def test_errors_count_as_one_minus_the_error():
    data, _ = board("model law\nA 12.5\nB 40", lower_is_better=True)
    np.testing.assert_allclose(data["estimate"], [[0.875], [0.6]])


def test_successes_and_trials_and_parquet(tmp_path):
    path = tmp_path / "trials.csv"
    path.write_text("Model,successes,trials\nA,14,40\nB,12,40\n")
    data = read(path)
    assert data["n_correct"].values.tolist() == [[14], [12]] and list(data["task"].values) == ["all"]
    assert any("size: trials; correct: successes" in note for note in data.attrs["notes"])
    pd.read_csv(path).to_parquet(tmp_path / "trials.parquet")
    assert read(tmp_path / "trials.parquet").equals(data)
    pd.DataFrame({"name": ["A", "B"], "law": [0.7, 0.6], "params": [1, 2]}).to_parquet(tmp_path / "board.parquet")
    assert read(tmp_path / "board.parquet")["estimate"].values.tolist() == [[0.7], [0.6]]


def test_scores_with_their_standard_errors_in_one_cell():
    table = pd.DataFrame(
        {"model": ["A", "B", "C"], "law": ["78.8 ± 1.2", "60.1+/-0.9", "-"], "art": ["70%±1%", "50", ""]}
    )
    data = read(table)
    np.testing.assert_allclose(data["estimate"], [[0.788, 0.7], [0.601, 0.5]])
    np.testing.assert_allclose(data["standard_error"], [[0.012, 0.01], [0.009, np.nan]])
    said = "law, art: numbers after ± are read as standard errors, not as half-widths of intervals."
    assert said in data.attrs["notes"]


def test_averages_are_no_tasks_but_average_precision_is():
    table = pd.DataFrame({"model": ["A", "B"], "law": [0.7, 0.6], "Average perf. on 38 datasets": [0.7, 0.6]})
    data = read(table.assign(**{"Average precision of pets": [0.5, 0.4], "Average ⬆️": [0.5, 0.4]}))
    assert list(data["task"].values) == ["law", "Average precision of pets"]


def test_thousands_of_models_are_read_in_seconds(tmp_path):
    scores = pd.DataFrame(np.random.default_rng(1).random((3000, 20)).round(3)).add_prefix("t").rename_axis("model")
    scores.to_csv(tmp_path / "big.csv")
    start = time.process_time()
    data = read(tmp_path / "big.csv")
    assert time.process_time() - start < 20 and dict(data.sizes) == {"model": 3000, "task": 20}


def test_a_table_with_models_in_its_columns_is_turned():
    text = "benchmark A Average B C category n_items\nlaw 70.5 65 65 60 x 200\nart 60.1 55 _ 50 y 1000"
    turned, options = board(text)
    assert list(turned["model"].values) == ["A", "B", "C"] and list(turned["category"].values) == ["x", "y"]
    np.testing.assert_allclose(turned["n_correct"], [[141, 601], [130, np.nan], [120, 500]])
    assert list(turned["n_items"].values[0]) == [200, 1000]
    assert any("Turned: tasks are the rows" in said and "Average" in said for said in options.sentences())
    assert list(board(text, columns={"ignore": "B"})[0]["model"].values) == ["A", "C"]
    as_it_is, _ = board("dataset law art\nA 70.5 60.1\nB 65 50", columns={"model": "dataset"})
    assert list(as_it_is["model"].values) == ["A", "B"]
    with_names, options = board("model dataset law art\nA x 70.5 60\nB x 65 50")
    assert list(with_names["model"].values) == ["A", "B"]


def test_rows_that_sum_up_the_models_are_left_out_with_a_note():
    data, options = board("model law art\nA 0.7 0.6\nB 0.5 0.4\nAverage 0.6 0.5\nMean-Teacher 0.3 0.2")
    assert list(data["model"].values) == ["A", "B", "Mean-Teacher"]
    assert "Left out: rows Average, which sum up the models; rename a model of such a name to keep it." in (
        options.sentences()
    )


def test_cost_grows_no_faster_than_the_number_of_tasks(tmp_path):
    def seconds(n, layout):
        numbers = np.random.default_rng(n).integers(0, 2, (n, 5))
        table = pd.DataFrame(numbers, columns=list("ABCDE"))
        if layout == "board":
            table = table.T.set_axis([f"t{i}" for i in range(n)], axis=1).rename_axis("model").reset_index()
        else:
            table = table.assign(task=[f"t{i}" for i in range(n)], item="1")
        table.to_csv(tmp_path / "table.csv", index=False)
        began = time.process_time()
        read(tmp_path / "table.csv")
        return time.process_time() - began

    seconds(10, "board")
    assert seconds(1000, "board") < 8  # measured: 0.7 s; 12 s when each column was read four times by pandas
    assert seconds(40_000, "items") < 10  # measured: 0.7 s; 16 s when every task looked through all items


def test_columns_of_errors_are_marked_by_name_or_by_the_option():
    text = "model law WER↓ edit\nA 80 12.5 20\nB 40 10 30"
    data, options = board(text, columns={"error": ["edit", "WER↓"]})
    np.testing.assert_allclose(data["estimate"], [[0.8, 0.875, 0.8], [0.4, 0.9, 0.7]])
    assert any("Lower is better in WER↓, edit" in s for s in options.sentences())
    with pytest.raises(ValueError, match="lower is better in WER↓, by the names. Nothing was computed"):
        board(text)
    everything, _ = board(text, lower_is_better=True)
    np.testing.assert_allclose(everything["estimate"], [[0.2, 0.875, 0.8], [0.6, 0.9, 0.7]])


OPENCOMPASS = (
    "dataset,version,metric,mode,gpt-4,llama-3\nmmlu,4f1a,accuracy,gen,86.4,70.1\ngsm8k,1d7f,accuracy,gen,92,-\n"
)


@pytest.mark.parametrize(
    "text, models, tasks, scores",
    [
        (OPENCOMPASS, ["gpt-4", "llama-3"], ["mmlu", "gsm8k"], [[0.864, 0.92], [0.701, np.nan]]),
        ("model,law_mean,law_std,law_n\nA,0.7,0.01,9\nB,0.6,0.02,9\n", [*"AB"], ["law_mean"], [[0.7], [0.6]]),
        ("model,law,law_lower,law_upper\nA,0.7,0.6,0.8\nB,0.6,0.5,0.7\n", [*"AB"], ["law"], [[0.7], [0.6]]),
        ("model,race,race_high\nA,0.7,0.4\nB,0.6,0.3\n", [*"AB"], ["race", "race_high"], [[0.7, 0.4], [0.6, 0.3]]),
        ("Model,BBH,CO₂ Cost\nA,50.2,5.0\nB,55.2,1.2\n", [*"AB"], ["BBH"], [[0.502], [0.552]]),
    ],
)
def test_boards_of_other_makers(tmp_path, text, models, tasks, scores):
    (tmp_path / "board.csv").write_text(text)
    data = read(tmp_path)
    assert list(data["model"].values) == models and list(data["task"].values) == tasks
    np.testing.assert_allclose(data["estimate"], scores)


def test_several_metrics_of_a_task_are_no_models(tmp_path):
    (tmp_path / "board.csv").write_text(OPENCOMPASS + "mmlu,4f1a,f1,gen,80.0,60.0\n")
    with pytest.raises(ValueError, match="names several metrics of one task.*metric='accuracy' or metric='f1'"):
        read(tmp_path)
    assert read(tmp_path, metric="f1")["estimate"].values.tolist() == [[0.8], [0.6]]


def test_ten_times_as_many_columns_with_errors_cost_ten_times_as_much(tmp_path):
    def seconds(n):
        rows = [["model", *(f"t{i}" for i in range(n))]] + [[m, *["70.1 ± 1.2"] * n] for m in "AB"]
        (tmp_path / "board.csv").write_text("\n".join(map(",".join, rows)))
        began = time.process_time()
        assert read(tmp_path)["standard_error"].shape == (2, n)
        return time.process_time() - began

    seconds(100)
    assert seconds(1500) < 25 * max(seconds(150), seconds(150))  # 10 if linear, 100 if quadratic


def test_long_lists_of_columns_are_cut_short_in_the_note_on_scales():
    names = [f"t{k}" for k in range(9)]
    text = f"model {' '.join(names)} once\nA {' '.join(['50'] * 9)} 0.5\nB {' '.join(['60'] * 9)} 0.6"
    said = " ".join(board(text)[1].sentences())
    assert "Scales: t0, t1, t2, t3, t4, t5, ... (9) per cent; the others are shares." in said
