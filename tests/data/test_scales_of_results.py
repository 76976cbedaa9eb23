"""Scales in results: carried by coordinates, kept by means, refused where a value or a task
contradicts them.
"""

import math

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.data import results
from benchuq.data.scales import Scale, scale_of, show_difference, with_scales
from benchuq.data.validation import validate

SECONDS = Scale(0, math.inf, "lower", "s")
RATING = Scale(1, 5)


def board(**options):
    "A board of seconds and ratings."
    values = pd.DataFrame({"sort": [2.5, 120.0], "taste": [4.5, 1.0]}, index=["A", "B"])
    return results.from_estimates(values, scales={"sort": SECONDS, "taste": RATING}, **options)


def items(scores, scales):
    "Answers of model A to items of one task."
    table = pd.DataFrame({"model": "A", "task": "sort", "item": [*"abc"], "score": scores})
    return with_scales(results.assemble_items(table), scales)


def test_results_carry_the_scale_of_each_task():
    data = board()
    assert scale_of(data) == {"sort": SECONDS, "taste": RATING}
    assert scale_of(data.isel(model=[0])) == scale_of(results.accuracies(data)) == scale_of(data)
    shares = with_scales(data, {})
    assert "low" not in shares.coords and set(scale_of(shares).values()) == {Scale()}


def test_errors_of_a_scale_with_two_ends_follow_from_sizes():
    sizes = pd.DataFrame(100, index=["A", "B"], columns=["sort", "taste"])
    error = board(n_items=sizes)["standard_error"]
    assert error.sel(task="sort").isnull().all()
    share = (4.5 - 1) / 4
    expected = 4 * math.sqrt(share * (1 - share) / 99)
    assert error.sel(model="A", task="taste").item() == pytest.approx(expected, abs=1e-15)


def test_means_of_items_keep_their_scale():
    data = validate(items([1.0, 20.0, 3.0], {"sort": SECONDS}))
    mean = results.accuracies(data)
    assert mean.item() == 8 and scale_of(mean) == {"sort": SECONDS}


@pytest.mark.parametrize(
    ("scores", "scale", "said"),
    [
        ([1.0, -2.0, 3.0], SECONDS, "score is beyond the scale of its task for .A, b."),
        ([1.0, 2.0, 5.5], RATING, "score is beyond the scale of its task for .A, c."),
        ([1.0, math.inf, 3.0], SECONDS, "score is infinite for .A, b."),
        ([0.5, 2.0, 0.5], Scale(), "score is outside .0, 1. for .A, b."),
    ],
)
def test_a_score_beyond_its_scale_is_refused_by_name(scores, scale, said):
    with pytest.raises(ValueError, match=said):
        validate(items(scores, {"sort": scale}))


def test_a_task_of_two_scales_is_refused():
    data = items([1.0, 2.0, 3.0], {"sort": SECONDS})
    data = data.assign_coords(unit=("item", np.array(["s", "s", "ms"], object)))
    with pytest.raises(ValueError, match="task 'sort' has two scales"):
        validate(data)


def test_points_are_those_of_a_scale_with_two_ends():
    for scale, said in (
        (Scale(), "2.5 points"),
        (Scale(1, 5), "0.025 points"),
        (Scale(0, np.inf, "lower"), "0.025"),
        (Scale(0, np.inf, "lower", "s"), "0.025 s"),
    ):
        assert show_difference(0.025, scale) == said
    rows = {"model": np.repeat(["A", "B"], 40), "item": [*range(40)] * 2}
    losses = pd.DataFrame(rows | {"loss": np.random.default_rng(1).gamma(2, 1, 80)})
    text = bq.check(losses, "A", "B", 0.05).render()
    assert "Change: candidate less baseline; lower is better." in text and "points" not in text
