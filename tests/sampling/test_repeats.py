"""Repeats: known truths, listed subsets, coverage, held-out designs, error contracts.

Stochastic checks are seeded; where one states a limit, a fresh seed would fail it with the probability given beside it.
"""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.comparison.aggregate import intervals
from benchuq.data.results import average_repeats, from_counts, from_items
from benchuq.sampling.bootstrap import bootstrap
from benchuq.sampling.repeats import (
    design_error,
    fixed_item_draws,
    model_covariance,
    pass_at_k,
    pass_hat_k,
    repeat_counts,
    variance_components,
)


def as_results(score):
    "Results of one task from an array (model, item, repeat)."
    models, n, _ = score.shape
    names = {
        "model": np.array([f"m{i}" for i in range(models)], object),
        "item": np.arange(n).astype(str).astype(object),
    }
    data = xr.Dataset({"score": (("model", "item", "repeat"), np.asarray(score, float))}, coords=names)
    return data.assign_coords(task=("item", np.full(n, "t", object)), repeat=np.arange(score.shape[2]))


def simulate(models, n, repeats, a, b, rng):
    "Right and wrong answers to questions whose probabilities are Beta(a, b) distributed."
    return as_results(rng.random((models, n, repeats)) < rng.beta(a, b, (models, n, 1)))


@settings(max_examples=40, deadline=None)
@given(answers=st.lists(st.booleans(), min_size=1, max_size=8), data=st.data())
def test_pass_scores_are_shares_of_subsets(answers, data):
    "All subsets, listed."
    k = data.draw(st.integers(1, len(answers)))
    results, subsets = as_results(np.array(answers, float)[None, None]), np.array(list(combinations(answers, k)))
    assert np.isclose(pass_at_k(results, k)["score"].item(), subsets.any(axis=1).mean())
    assert np.isclose(pass_hat_k(results, k)["score"].item(), subsets.all(axis=1).mean())


def test_items_with_different_repeats():
    "Each item by its own number of answers; an item without any stays missing."
    score = np.array([[[1, 0, np.nan], [1, 1, 0], [np.nan] * 3], [[1, 1, 1], [0, 0, 0], [0, 1, np.nan]]])
    results = as_results(score)
    np.testing.assert_allclose(pass_at_k(results, 2)["score"], [[1, 1, np.nan], [1, 0, 1]])
    np.testing.assert_allclose(pass_hat_k(results, 2)["score"], [[0, 1 / 3, np.nan], [1, 0, 0]])
    np.testing.assert_allclose(pass_at_k(results, 1)["score"], average_repeats(results)["score"])
    assert repeat_counts(results).loc[("m0", "t")].tolist() == [2, 2, 2.5, 3]


@pytest.mark.parametrize("unequal", [False, True])
def test_components_are_unbiased(unequal):
    "Means over 400 models of 60 items: within 4 standard errors (fails with probability below 0.0003)."
    rng = np.random.default_rng(1)
    results = simulate(400, 60, 4, 2, 1, rng)
    if unequal:
        gone = rng.random(results["score"].shape) < 0.3
        gone[:, :, 0] = False
        results["score"] = results["score"].where(~gone)
    table = variance_components(results)
    for component, true in (("between", 1 / 18), ("within", 1 / 6)):
        part = table.xs(component, level="component")
        error = part["estimate"].std() / np.sqrt(len(part))
        assert abs(part["estimate"].mean() - true) < 4 * error
        held = ((part["lower"] <= true) & (true <= part["upper"])).mean()
        assert held > 0.9  # .94 in long runs, 3 standard errors below


@pytest.mark.parametrize("a, b", [(2, 1), (0.5, 0.5), (1, 4)])
def test_a_new_design_is_predicted(a, b):
    "Root mean square of 40 predictions' relative errors is .03-.06: at most .1. The measured error is good to 1.5 %."
    rng = np.random.default_rng(2)
    predicted = design_error(variance_components(simulate(40, 400, 3, a, b, rng)), 100, 10)
    measured = (rng.binomial(10, rng.beta(a, b, (3000, 100))) / 10).mean(axis=1).std()
    assert np.sqrt(np.mean((predicted / measured - 1) ** 2)) < 0.1


def test_repeats_do_not_replace_items():
    components = variance_components(simulate(1, 300, 5, 1, 1, np.random.default_rng(3)))
    many_items, many_repeats = design_error(components, 1500, 1), design_error(components, 300, 5)
    assert (many_items < many_repeats).all()
    between = components["estimate"].xs("between", level="component").item()
    assert np.isclose(design_error(components, 300, 10**9).item(), np.sqrt(between / 300), rtol=1e-6)


@pytest.mark.parametrize("function", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize("n, repeats, k", [(12, 4, 2), (30, 5, 3), (200, 10, 5)])
def test_intervals_of_pass_scores_cover(function, n, repeats, k):
    "2 x 400 models: .95-.99 in long runs; .93 is 2.5 standard errors below .95 (fails with probability below 0.007)."
    rng, i = np.random.default_rng(4), np.arange(k)
    held = []
    for a, b in [(2, 1), (0.5, 0.5)]:
        table = intervals(bootstrap(function(simulate(400, n, repeats, a, b, rng), k), 600, rng=5, progress=False))
        at, hat = 1 - np.prod((b + i) / (a + b + i)), np.prod((a + i) / (a + b + i))
        true = at if function is pass_at_k else hat
        held.append(((table["lower"] <= true) & (true <= table["upper"])).mean())
    assert np.mean(held) > 0.93


def test_fixed_items_cover_their_own_mean_and_not_that_of_others():
    "One set of 40 items, 500 models that differ by their answers only: .94-.97 in long runs; above .92."
    rng = np.random.default_rng(6)
    p = rng.beta(1, 1, 40)
    results = as_results(rng.random((500, 40, 5)) < p[:, None])
    table = intervals(fixed_item_draws(results, 500, rng=1))
    assert 0.92 < ((table["lower"] <= p.mean()) & (p.mean() <= table["upper"])).mean() < 0.985
    wide = intervals(bootstrap(average_repeats(results.isel(model=[0])), 2000, rng=1))
    assert (wide["upper"] - wide["lower"]).item() > 1.5 * (table["upper"] - table["lower"]).mean()


def test_fixed_items_at_the_edge_and_by_name():
    "All answers right: the lower limit is that of 60 right answers; order of models does not matter."
    results = as_results(np.ones((2, 20, 3)))
    draws = fixed_item_draws(results, 200, rng=1)
    table = intervals(draws)
    assert (table["upper"] == 1).all() and table["lower"].between(0.93, 0.96).all()
    turned = fixed_item_draws(results.isel(model=[1, 0]), 200, rng=1).sel(model=draws["model"])
    np.testing.assert_array_equal(draws, turned)
    assert draws.attrs["paired"] is False


def test_covariance_of_models():
    "Known parts of normal scores; 3,000 items: tolerances are 4 standard errors."
    rng, n, r = np.random.default_rng(7), 3000, 4
    shared, phrase = rng.normal(0, 0.1, (n, 1)), rng.normal(0, 0.05, (n, r))
    score = np.stack([0.5 + shared + phrase + rng.normal(0, 0.05, (n, r)) for _ in "AB"]).clip(0, 1)
    both = model_covariance(as_results(score), "t", shared=True)
    np.testing.assert_allclose(both["between"], 0.01, atol=0.0012)
    np.testing.assert_allclose(both["within"], [[0.005, 0.0025], [0.0025, 0.005]], atol=0.0003)
    alone = model_covariance(as_results(score), "t")
    assert alone["within"].values[0, 1] == 0
    components = variance_components(as_results(score))["estimate"].xs("within", level="component")
    np.testing.assert_allclose(np.diag(alone["within"]), components)


ONCE = as_results(np.ones((1, 5, 1)))
THREE = as_results(np.ones((1, 5, 3)))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: pass_at_k(THREE, 4), r"k = 4 is above the 3 repeats for \(m0, 0\).*take a smaller k"),
        (lambda: pass_hat_k(THREE, 0), "k must be a whole number of at least 1"),
        (lambda: pass_at_k(THREE * 0.5 + 0, 1), "score is neither 0 nor 1"),
        (lambda: variance_components(ONCE), "model 'm0' has one answer to each item of task 't'"),
        (lambda: variance_components(THREE.isel(item=[0])), "has one item of task 't'"),
        (lambda: fixed_item_draws(ONCE), "model 'm0', task 't': every item was answered once"),
        (lambda: variance_components(average_repeats(THREE)), "a column repeat"),
        (lambda: pass_at_k(from_counts(pd.DataFrame({"t": [1]}, index=["A"]), 2), 1), "results hold counts"),
        (lambda: model_covariance(THREE, "law"), "unknown task 'law'"),
        (lambda: design_error(variance_components(THREE), 0, 1), "n_items must be a whole number"),
        (lambda: variance_components(THREE, level=95), "level must lie between 0 and 1"),
        (
            lambda: from_items(pd.DataFrame({"model": "A", "task": "t", "item": 1, "repeat": [1, 1], "score": 1})),
            "more than once",
        ),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message) as error:
        make()
    assert "\n" not in str(error.value)
