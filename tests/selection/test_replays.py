"""Replays of naming the best: choosing pays."""

import numpy as np
import pytest

from benchuq.data.published import load
from benchuq.selection import replays

GATE = 100 * load("gate")["score"].to_pandas()
SMALL = GATE.iloc[:, ::5]


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
    ],
)
def test_bad_requests_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_complete_part():
    holes = SMALL.copy()
    holes.iloc[:5, 0] = np.nan
    part = replays.complete_part(holes, 18)
    assert part.notna().all(axis=None) and len(part) == 21 and SMALL.columns[0] not in part
