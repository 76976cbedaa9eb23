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

from benchuq.comparison.scores import score_intervals, scores
from benchuq.data.results import average_repeats, from_counts, from_items
from benchuq.sampling.repeats import board_components, design_error, pass_at_k, pass_hat_k, variance_components


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
        table = score_intervals(scores(function(simulate(400, n, repeats, a, b, rng), k)))
        at, hat = 1 - np.prod((b + i) / (a + b + i)), np.prod((a + i) / (a + b + i))
        true = at if function is pass_at_k else hat
        held.append(((table["lower"] <= true) & (true <= table["upper"])).mean())
    assert np.mean(held) > 0.93


def test_fixed_items_cover_their_own_mean():
    "One set of 40 items, 500 models that differ by their answers only: .95 in long runs, standard error .01."
    rng = np.random.default_rng(6)
    p = rng.beta(1, 1, 40)
    results = as_results(rng.random((500, 40, 5)) < p[:, None])
    table = score_intervals(scores(results, units="repeat"))
    assert 0.92 < ((table["lower"] <= p.mean()) & (p.mean() <= table["upper"])).mean() < 0.985
    wide = score_intervals(scores(results))
    assert (wide["upper"] - wide["lower"]).mean() > 1.3 * (table["upper"] - table["lower"]).mean()


def simulate_board(models, tasks, n, repeats, sd, rng):
    "Scores of a board with normal effects of tasks, items and repeats; item names count within a task."
    shapes = (models, tasks, 1, 1), (models, tasks, n, 1), (models, tasks, n, repeats)
    y = 0.5 + sum(rng.normal(0, s, shape) for s, shape in zip(sd, shapes))
    results = as_results(y.clip(0, 1).reshape(models, tasks * n, repeats))
    return results.assign_coords(task=("item", np.repeat([f"t{t}" for t in range(tasks)], n).astype(object)))


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 9), st.integers(2, 12), st.integers(2, 5), st.integers(0, 10**6))
def test_components_of_balanced_boards_are_the_mean_squares(tasks, n, repeats, seed):
    "Nested analysis of variance, to 1e-8; estimates below 0 are 0."
    results = simulate_board(2, tasks, n, repeats, (0.05, 0.08, 0.04), np.random.default_rng(seed))
    table = board_components(results)
    for model, y in zip(results["model"].values, results["score"].values.reshape(2, tasks, n, repeats)):
        ms_task = n * repeats * y.mean(axis=(1, 2)).var(ddof=1)
        within = repeats * y.mean(axis=2).var(axis=1, ddof=1)
        ms_repeat = y.var(axis=2, ddof=1).mean(axis=1)
        items = ((within - ms_repeat) / repeats).clip(0).mean()  # each task's estimate is at least 0
        expected = [max((ms_task - within.mean()) / (n * repeats), 0), items, ms_repeat.mean()]
        np.testing.assert_allclose(table.loc[model, "estimate"], expected, atol=1e-8)
        if min(expected) > 0 and (within > ms_repeat).all():
            np.testing.assert_allclose(table.loc[model, "contribution"].sum(), ms_task / (n * repeats * tasks))


def test_components_of_unequal_boards_are_unbiased():
    "200 models; tasks of 4 to 20 items, a third of the repeats missing: within 4 standard errors (odds below 2e-4)."
    rng, sd = np.random.default_rng(8), (0.05, 0.08, 0.06)
    results = simulate_board(200, 8, 20, 4, sd, rng)
    gone = rng.random(results["score"].shape) < 1 / 3
    gone[:, :, :2] = False
    kept = np.concatenate([20 * t + np.arange(k) for t, k in enumerate((4, 20, 6, 12, 20, 5, 9, 16))])
    found = board_components(results.assign(score=results["score"].where(~gone)).isel(item=kept))["estimate"]
    found = found.unstack("source")[["task", "item", "repeat"]]
    away = (found.mean() - np.square(sd)) / (found.std() / np.sqrt(len(found)))
    assert away.abs().max() < 4


def test_what_twice_as_many_save():
    "Against the formula by hand, and the sentence that says it."
    table = board_components(simulate_board(3, 6, 40, 3, (0.0, 0.08, 0.2), np.random.default_rng(9)))
    part = table.loc["m0", "contribution"]
    by_hand = 1 - np.sqrt(1 - np.array([part.sum(), part["item"] + part["repeat"], part["repeat"]]) / part.sum() / 2)
    np.testing.assert_allclose(table.loc["m0", "saved"], by_hand)
    assert table.attrs["conclusion"].startswith("Twice as many tasks would cut the standard error by 29 %, twice as")


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
        (lambda: board_components(THREE), "one task, 't'"),
        (lambda: board_components(ONCE), "model 'm0' has one answer to each item of task 't'"),
        (lambda: variance_components(average_repeats(THREE)), "a column repeat"),
        (lambda: pass_at_k(from_counts(pd.DataFrame({"t": [1]}, index=["A"]), 2), 1), "results hold counts"),
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
