"""Nested losses: left-out models take no part."""

import pytest

from benchuq.data.scores import benchmarks
from benchuq.studies import nested


def test_left_out_models_take_no_part(gate):
    seen = []

    def choose(train, rng):
        seen.append(set(train["model"].values))
        return ["ADE20K"]

    table = nested.nested_losses(gate, {"x": choose}, splits=[["clip", "bert"], ["vit"]], progress=False, rng=0)
    assert seen == [set(gate["model"].values) - {"clip", "bert"}, set(gate["model"].values) - {"vit"}]
    changed = gate.copy(deep=True)
    changed["score"].loc[dict(model="bert")] = 0.5
    other = nested.nested_losses(changed, {"x": ["ADE20K"]}, splits=[["clip", "bert"]], progress=False, rng=0)
    assert other["loss"][0] == table["loss"][0] and other["loss"][1] != table["loss"][1]


BAD = {
    "unknown models \\['gpt'\\]": lambda g: nested.nested_losses(g, {"x": ["ACDC"]}, splits=[["gpt"]]),
    "leave no benchmark": lambda g: nested.nested_losses(g, {"x": benchmarks(g)}, targets="rest", progress=False),
    "targets must be one of": lambda g: nested.nested_losses(g, {"x": ["ACDC"]}, targets="some"),
    "unknown names": lambda g: nested.compare_nested(nested.nested_losses(g, {"x": ["ACDC"]}, progress=False), "y"),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)
