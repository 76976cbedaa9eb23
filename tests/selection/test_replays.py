"""Replays: what is revealed counts as exact, policies agree where they must, and choosing pays."""

import numpy as np
import pytest

from benchuq.data.published import load
from benchuq.selection import replays

GATE = 100 * load("gate")["score"].to_pandas()
SMALL = GATE.iloc[:, ::5]
LEFT = replays.leave_each_out(SMALL)


def test_all_revealed_is_exact_and_errors_fall():
    table = replays.replay_predictions(LEFT, SMALL.shape[1])
    assert table["mean_error"].iloc[-1] == 0 and table["median_error"].iloc[0] > table["median_error"].iloc[4]


def test_a_fixed_order_of_all_benchmarks_has_the_prefix_that_hindsight_judges():
    order = replays.best_fixed_order(LEFT, 3)
    by_hand = replays.replay_predictions(LEFT, 3, order)["mean_error"]
    for other in [order[1:2] + order[:1] + order[2:], list(SMALL.columns[:3])]:
        assert by_hand.loc[1] <= replays.replay_predictions(LEFT, 3, other)["mean_error"].loc[1] + 1e-9


def test_holes_are_neither_revealed_nor_judged():
    holes = SMALL.mask(np.random.default_rng(0).random(SMALL.shape) < 0.3)
    left = replays.leave_each_out(holes)
    table = replays.replay_predictions(left, SMALL.shape[1])
    assert table["median_error"].iloc[-1] == 0
    assert replays.replay_predictions(left, 2, list(SMALL.columns[:4])).notna().all(axis=None)


def test_a_model_is_predicted_without_itself():
    "Changing a model's hidden scores changes nothing of what is predicted for it."
    other = SMALL.copy()
    other.iloc[4, 3:] = 50.0
    moved = replays.leave_each_out(other)
    revealed = np.arange(SMALL.shape[1]) < 3
    np.testing.assert_allclose(LEFT.outlook(4, revealed)[1], moved.outlook(4, revealed)[1])


def test_naming_the_best_by_choice_costs_less():
    "16 replays on GATE: mean cost until 95 % sure; over seeds the ratio is .45-.7, here below .8."
    stops = {
        policy: replays.naming_stops(replays.replay_naming(GATE, policy, n_replays=16, budget=120, rng=3))
        for policy in ("adaptive", "fixed")
    }
    assert stops["adaptive"]["cost"] < 0.8 * stops["fixed"]["cost"] and stops["adaptive"]["wrong"] <= 0.25
    curve = replays.naming_curve(replays.replay_naming(GATE, n_replays=3, budget=10, rng=0))
    assert curve.index[0] == 0 and curve.loc[0, "p_wrong"] > curve["p_wrong"].iloc[-1]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: replays.replay_naming(GATE.mask(GATE > 99)), "complete board"),
        (lambda: replays.replay_naming(GATE, n_new=20), "leave 1 of 21"),
        (lambda: replays.replay_naming(GATE, "random"), "policy must be one of"),
        (lambda: replays.replay_predictions(LEFT, 2, ["nothing"]), "unknown benchmarks in policy"),
    ],
)
def test_bad_requests_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_losses_of_the_factor_model_are_on_the_scale_of_the_others():
    from benchuq.selection.loss import subset_loss

    gate = load("gate")
    subsets = {"one": ["ADE20K"], "two": ["ADE20K", "iWildCam"]}
    losses = replays.factor_losses(gate, subsets)
    for name, subset in subsets.items():
        assert losses[name] < 1 and abs(losses[name] - subset_loss(gate, subset)) < 0.15


def test_a_complete_part():
    holes = SMALL.copy()
    holes.iloc[:5, 0] = np.nan
    part = replays.complete_part(holes, 18)
    assert part.notna().all(axis=None) and len(part) == 21 and SMALL.columns[0] not in part
