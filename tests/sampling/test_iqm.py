"""The interquartile mean of runs: beside `rliable`, on every scale, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import benchuq as bq
from benchuq.comparison.scores import scores
from benchuq.reporting.answer import answer
from benchuq.sampling import aggregate


def reference() -> dict[str, dict]:
    "Scores (run, game) and what `rliable` says of them, by `make_rliable_reference.py`."
    path = Path(__file__).parent / "reference" / "rliable_reference.json"
    return json.loads(path.read_text(encoding="utf-8"))


def read(examples: dict[str, np.ndarray], **how):
    rows = [
        (model, f"game {game}", run, x)
        for model, values in examples.items()
        for (run, game), x in np.ndenumerate(values)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "seed", "score"])
    return bq.read(table, accept=True, **{"scale": (0, None), "better": "higher"} | how)


def test_estimates_and_percentiles_are_those_of_rliable():
    """The percentiles of 5,000 resamples have an error of about .03 of a length."""
    for name, expected in reference().items():
        results = read({name: np.array(expected["scores"])})
        estimate = scores(results, "iqm").intervals()["estimate"].iloc[0]
        assert estimate == pytest.approx(expected["iqm"], rel=1e-12)
        if name in ("Ash", "Elm"):
            continue  # resamples of one made algorithm are enough
        table = aggregate.intervals(aggregate.iqm(results, 5_000, rng=1)).iloc[0]
        lower, upper = expected["interval"]
        assert table[["lower", "upper"]].tolist() == pytest.approx(
            [lower, upper], abs=0.05 * (upper - lower)
        )


def test_the_error_is_that_of_the_runs_drawn_in():
    values = np.array(reference()["Cedar"]["scores"])
    board = scores(read({"Cedar": values, "Ash": 2 * values}), "iqm")
    low, high = np.sort(values, axis=None)[[65, 194]]
    inside = np.clip(values, low, high)
    error = np.sqrt((inside.var(axis=0, ddof=1) / 10).sum()) / 26 * 260 / 130
    assert np.sqrt(board.covariance[0, 0]) == pytest.approx(error, rel=1e-12)
    assert board.estimate == pytest.approx(
        [stats.trim_mean(x, 0.25, axis=None) for x in (values, 2 * values)], rel=1e-12
    )


def test_lower_is_better_and_bounded_scales_are_turned():
    values = {
        name: np.array(x["scores"]) / 20
        for name, x in reference().items()
        if len(x["scores"]) == 10
    }
    plain = bq.leaderboard(read(values, scale=(0, 5)), "iqm")
    seconds = bq.leaderboard(read(values, better="lower", unit="s"), "iqm")
    assert list(plain.index) == ["Ash", "Cedar", "Elm"] == list(seconds.index)[::-1]
    np.testing.assert_allclose(
        plain["estimate"].sort_index(), seconds["estimate"].sort_index(), rtol=1e-12
    )
    drawn = bq.leaderboard(aggregate.iqm(read(values, better="lower", unit="s"), 500, rng=1))
    assert drawn.scale.unit == "s" and list(drawn.index) == ["Elm", "Cedar", "Ash"]


def test_folds_keep_their_corrected_error():
    values = {
        name: np.array(x["scores"]) for name, x in reference().items() if len(x["scores"]) == 10
    }
    seeds, folds = (scores(read(values, **how), "iqm") for how in ({}, {"folds": 10}))
    assert folds.units == "fold"
    np.testing.assert_allclose(folds.covariance, seeds.covariance * (1 + 10 / 9))


def test_board_and_page_say_what_the_score_is():
    values = {
        name: np.array(x["scores"]) for name, x in reference().items() if len(x["scores"]) == 10
    }
    found = answer(read(values), "iqm")
    assert any("interquartile means of their runs" in note for note in found.notes)
    assert not found.parts and found.scored.units == "seed"


def test_what_has_no_interquartile_mean_is_refused():
    values = np.array(reference()["Cedar"]["scores"])
    board = pd.DataFrame({"law": [0.5, 0.6], "art": [0.4, 0.7]}, ["Cedar", "Ash"])
    with pytest.raises(ValueError, match="over scores by seed or fold, and there are none"):
        scores(bq.read(board, accept=True), "iqm")
    uneven = values.copy()
    uneven[3, 5] = np.nan
    with pytest.raises(ValueError, match="'Cedar' has 10 of task 'game 0' and 9 of 'game 5'"):
        scores(read({"Cedar": uneven, "Ash": values}), "iqm")
    with pytest.raises(ValueError, match="takes? weights of tasks here"):
        bq.check(read({"Cedar": values, "Ash": values}), "Cedar", "Ash", weights="iqm")


def test_repeated_folds_are_said():
    """Three times five folds, numbered through: of 15 names, each run is tested on a fifth."""
    table = pd.DataFrame(
        [(m, "sonar", f) for m in ("Cedar", "Ash") for f in range(15)],
        columns=["model", "dataset", "fold"],
    ).assign(accuracy=np.random.default_rng(5).normal(0.8, 0.02, 30))
    gain = np.subtract(*np.split(table["accuracy"].to_numpy(), 2))
    for folds, k in ((None, 15), (5, 5)):
        board = scores(bq.read(table, accept=True, folds=folds))
        error = gain.std(ddof=1) * np.sqrt(1 / 15 + 1 / (k - 1))
        assert board.difference_and_error(0, 1)[1] == pytest.approx(error, rel=1e-10)
    with pytest.raises(ValueError, match="folds must be 2 or more, got 1"):
        bq.read(table, accept=True, folds=1)
