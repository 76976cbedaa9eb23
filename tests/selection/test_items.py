"""Items: the item response model against the direct likelihood, samples that are unbiased, and remarks on items."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from benchuq.data.results import from_counts, from_items
from benchuq.selection import items


def simulated(n, m, seed, ability=None):
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=n) if ability is None else ability
    a, b = np.exp(0.4 * rng.normal(size=m)), 1.5 * rng.normal(size=m)
    return (rng.random((n, m)) < expit(a * (theta[:, None] - b))).astype(float), theta, b, a


def as_results(y, task="law"):
    n, m = y.shape
    rows = {"model": np.repeat([f"m{i}" for i in range(n)], m), "item": np.tile([f"q{j:03}" for j in range(m)], n)}
    return from_items(pd.DataFrame(rows | {"task": task, "score": y.ravel()}), holes=True)


def test_the_mode_is_that_of_the_direct_likelihood():
    "All parameters of a small set at once by a general optimiser; abilities agree to two digits."
    y, *_ = simulated(6, 8, 0)

    def loss(x):
        theta, log_a, c = x[:6], x[6:14], x[14:]
        eta = np.exp(log_a) * theta[:, None] + c
        prior = (theta**2).sum() / 2 + (log_a**2).sum() / 2 / 0.25 + (c**2).sum() / 2 / 4
        return prior - (y * eta - np.logaddexp(0, eta)).sum()

    fit = items.fit_item_response(y, 500)
    start = np.r_[fit.ability * 0.5, np.zeros(16)]
    best = minimize(loss, start, method="BFGS")
    ours = loss(np.r_[fit.ability, np.log(fit.discrimination), -fit.difficulty * fit.discrimination])
    assert ours <= best.fun + 1e-3
    np.testing.assert_allclose(fit.ability, best.x[:6], atol=0.02)


def test_standard_errors_of_abilities_cover():
    "200 models, 60 items: 95 % intervals cover .93 or so; below .88 has odds under 1e-4."
    y, theta, *_ = simulated(200, 60, 1)
    fit = items.fit_item_response(y)
    slope = np.polyfit(theta, fit.ability, 1)
    away = np.abs((fit.ability - np.polyval(slope, theta)) / fit.ability_se)
    assert (away < 1.96).mean() > 0.88


def test_missing_answers_are_no_answers():
    y, *_ = simulated(30, 50, 2)
    holes = np.where(np.random.default_rng(0).random(y.shape) < 0.3, np.nan, y)
    assert np.corrcoef(items.fit_item_response(holes).ability, items.fit_item_response(y).ability)[0, 1] > 0.9


def test_remarks():
    y, theta, *_ = simulated(40, 60, 3)
    y[:, 0], y[:, 1], y[:, 2] = 0, 1, theta < 0
    table = items.item_table(as_results(y))
    assert table["remark"].iloc[:3].tolist() == ["dead", "saturated", "at odds"]
    assert (table["n"] == 40).all() and table["rest_correlation"].iloc[2] < -0.5


def test_good_items_are_seldom_called_at_odds():
    "20 sets of 50 good items at 5 % family-wise: five sets or more with a remark have odds of .003."
    wrong = sum((items.item_table(as_results(simulated(25, 50, s)[0]))["remark"] == "at odds").any() for s in range(20))
    assert wrong <= 4


@pytest.mark.parametrize("method", items.UNBIASED)
@pytest.mark.parametrize("better", [False, True])
def test_samples_are_unbiased_for_any_model(method, better):
    """250 samples of 20 from 200: the mean error has a standard error of .0067 at most, the bound is 3.7 of them, as
    for coverage, .95 or more.
    """
    y, *_ = simulated(10, 200, 4)
    new = np.where(y.mean(axis=0) == 0, 1.0, 0.3) if better else simulated(1, 200, 5)[0][0]
    found, results = [], as_results(y)
    for seed in range(250):
        choice = items.choose_items(results, 20, method, rng=seed)
        found.append(items.estimate_score(choice, new[choice.places])[["estimate", "lower", "upper"]])
    found = pd.DataFrame(found).astype(float)
    assert abs(found["estimate"].mean() - new.mean()) < 0.025
    assert ((found["lower"] <= new.mean()) & (new.mean() <= found["upper"])).mean() > 0.9


def test_a_chosen_set_is_narrower_for_models_alike_and_says_that_it_is_not_unbiased():
    y, *_ = simulated(20, 150, 6)
    results, new = as_results(y[:16]), y[16:]
    errors = {}
    for method in ("random", "item_response", "anchor"):
        choice = items.choose_items(results, 25, method, rng=0)
        found = [items.estimate_score(choice, row[choice.places]) for row in new]
        errors[method] = np.mean([abs(f["estimate"] - row.mean()) for f, row in zip(found, new, strict=True)])
        assert found[0]["unbiased"] == (method == "random")
    assert found[0]["said"].startswith("holds for models like") and errors["item_response"] < 0.15


def test_answers_by_item_or_in_order():
    y, *_ = simulated(8, 40, 7)
    choice = items.choose_items(as_results(y), 10, "random", rng=0)
    new = pd.Series(y[0], [f"q{j:03}" for j in range(40)])
    pd.testing.assert_series_equal(
        items.estimate_score(choice, new), items.estimate_score(choice, new[choice.items].to_numpy())
    )
    with pytest.raises(ValueError, match="answers to 1 of the 10 chosen items are missing"):
        items.estimate_score(choice, new.drop(choice.items[0]))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda y: items.choose_items(as_results(y), 40), "choose fewer"),
        (lambda y: items.choose_items(as_results(y), 1), "n must be"),
        (lambda y: items.choose_items(as_results(y[:4]), 5, "anchor"), "at least five earlier models"),
        (lambda y: items.choose_items(as_results(y), 5, "best"), "method must be one of"),
        (lambda y: items.choose_items(as_results(y), 5, task="art"), "unknown tasks"),
        (lambda y: items.item_table(as_results(y[:2])), "at least three models"),
        (lambda y: items.item_table(from_counts(pd.DataFrame({"a": [1, 2]}, list("AB")), 5)), "item by item"),
    ],
)
def test_bad_requests_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(simulated(8, 40, 0)[0])
