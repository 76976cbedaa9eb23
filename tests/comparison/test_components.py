"Components of variance against published numbers, statsmodels and a direct REML."

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

from benchuq.comparison.components import components
from benchuq.data.results import from_items
from tests.comparison.made_ratings import as_ratings, exact_effects

# SummEval, coherence: 12 systems, 100 items, 3 experts; ratings from 1 to 5
SUMM_EVAL = {
    "model": 0.359417,
    "item": 0.113519,
    "rater": 0.123732,
    "model x item": 0.507780,
    "model x rater": 0.106091,
    "item x rater": 0.032001,
    "rest": 0.405676,
}
AXES = dict(zip(SUMM_EVAL, [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]))


@pytest.fixture(scope="module")
def summ_eval():
    parts = {AXES[name]: value for name, value in SUMM_EVAL.items()}
    score = exact_effects((12, 100, 3), parts, 1)
    return as_ratings((score - score.min()) / np.ptp(score), "rater"), np.ptp(score)


def test_seven_components_of_summ_eval(summ_eval):
    results, unit = summ_eval
    table = components(results).table
    assert list(table.index) == list(SUMM_EVAL)
    assert np.allclose(table["estimate"] * unit**2, list(SUMM_EVAL.values()), atol=1e-6)


def test_the_error_of_a_difference_with_items_alone_and_with_experts_too(summ_eval):
    results, unit = summ_eval
    alone, both = (components(results, units=u).errors()[1] * unit for u in ("item", "item,rater"))
    assert round(alone, 3) == 0.113 and round(both, 3) == 0.289


def test_a_balanced_analysis_of_variance_of_statsmodels(summ_eval):
    api = pytest.importorskip("statsmodels.formula.api")
    anova = pytest.importorskip("statsmodels.stats.anova")
    rng = np.random.default_rng(2)
    score = rng.random((4, 7, 3, 2))
    names = ["model", "item", "rater", "repeat"]
    frame = pd.MultiIndex.from_product(map(range, score.shape), names=names).to_frame(index=False)
    frame["score"] = score.ravel()
    fitted = api.ols("score ~ C(model) * C(item) * C(rater)", frame).fit()
    theirs = anova.anova_lm(fitted)
    squares = dict(zip(theirs.index, theirs["mean_sq"]))
    ours = components(as_ratings(score, "rater", "repeat")).table["estimate"]
    two, rest = squares["C(model):C(item)"], squares["C(model):C(item):C(rater)"]
    assert np.isclose(ours["repeat"], squares["Residual"], atol=1e-8)
    assert np.isclose(ours["model x item x rater"], (rest - squares["Residual"]) / 2, atol=1e-8)
    assert np.isclose(ours["model x item"], (two - rest) / 6, atol=1e-8)
    by_rater = squares["C(model):C(rater)"]
    alone = (squares["C(model)"] - two - by_rater + rest) / 42
    assert np.isclose(ours["model"], alone, atol=1e-8)


def reml(y: np.ndarray, codes: list[np.ndarray]) -> np.ndarray:
    """Components of crossed random effects and the rest by restricted likelihood, from the whole
    covariance.
    """
    same = [code[:, None] == code for code in codes] + [np.eye(len(y))]
    one = np.ones((len(y), 1))

    def loss(logs):
        v = sum(np.exp(log) * k for log, k in zip(logs, same))
        inverse = np.linalg.inv(v)
        information = (one.T @ inverse @ one).item()
        residual = y - (one.T @ inverse @ y).item() / information
        sizes = np.linalg.slogdet(v)[1] + np.log(information)
        return sizes + residual @ inverse @ residual

    start = np.full(len(same), np.log(y.var() / len(same)))
    found = optimize.minimize(
        loss, start, method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-6}
    )
    return np.exp(found.x)


def test_unbalanced_components_are_near_those_of_restricted_likelihood():
    rng = np.random.default_rng(5)
    parts = (0.4, 0.3, 0.2)
    score = sum(
        p * rng.normal(size=s)
        for p, s in zip((*parts, 0.2), [(8, 1, 1), (1, 25, 1), (1, 1, 6), (8, 25, 6)])
    )
    score = (score - score.min()) / np.ptp(score)
    kept = rng.random(score.shape) < 0.3
    ours = components(as_ratings(score, "rater", kept=kept)).table
    place = np.nonzero(kept)
    theirs = reml(score[kept], list(place))
    for name, value in zip(("model", "item", "rater"), theirs):
        error = (ours["upper"][name] - ours["lower"][name]) / 4
        assert abs(ours["estimate"][name] - value) < error / 2


def one_way() -> tuple[np.ndarray, np.ndarray]:
    "Scores of one model, and the number of their item: 60 items of two to eight answers."
    rng = np.random.default_rng(3)
    n = rng.integers(2, 9, 60)
    item = np.repeat(np.arange(60), n)
    return 0.5 + 0.05 * rng.normal(size=60)[item] + 0.04 * rng.normal(size=len(item)), item


def components_of(y: np.ndarray, item: np.ndarray) -> pd.Series:
    "Ours, of one model."
    frame = pd.DataFrame({"model": "m", "task": "t", "item": item, "score": y})
    repeat = frame.groupby("item").cumcount()
    return components(from_items(frame.assign(repeat=repeat))).table["estimate"]


def test_one_way_unbalanced_components_by_the_textbook():
    y, item = one_way()
    n, ours = np.bincount(item), components_of(y, item)
    mean = np.bincount(item, y) / n
    between = (n * (mean - y.mean()) ** 2).sum() / 59
    within = np.square(y - mean[item]).sum() / (len(y) - 60)
    size = (len(y) - np.square(n).sum() / len(y)) / 59
    assert np.isclose(ours["item"], (between - within) / size, rtol=1e-8)
    assert np.isclose(ours["repeat"], within, rtol=1e-8)


def test_one_way_unbalanced_components_of_statsmodels():
    mixed = pytest.importorskip("statsmodels.regression.mixed_linear_model")
    y, item = one_way()
    fitted = mixed.MixedLM(20 * y, np.ones((len(y), 1)), item).fit(reml=True)
    ours = 400 * components_of(y, item)
    error = 0.25 * ours["item"]  # about 60 items
    assert abs(ours["item"] - fitted.cov_re[0, 0]) < error / 2
    assert np.isclose(ours["repeat"], fitted.scale, rtol=0.02)


def test_negative_components_are_reported_and_count_as_none():
    score = np.random.default_rng(1).random((3, 4, 4))
    found = components(as_ratings(score, "rater"))
    negative = found.table["estimate"] < 0
    assert negative.any()
    assert all(np.isfinite(found.errors()))


def test_what_to_buy_is_what_more_levels_would_do(summ_eval):
    found = components(summ_eval[0])
    table = found.buy({"item": 2, "rater": 50, "answer": 0.1})
    twice = found.errors(rater=6)
    assert np.allclose(table.loc["twice the raters", ["error_score", "error_difference"]], twice)
    assert table["cost"]["as it is"] == 2 * 100 + 50 * 3 + 0.1 * 12 * 300
    best = found.cheapest(0.06, {"item": 2, "rater": 50, "answer": 0.1})
    assert best["error_difference"] <= 0.06
    assert found.errors(item=best["item"] - 1, rater=best["rater"])[1] > 0.06
    with pytest.raises(ValueError, match="no number of items, with up to 40"):
        found.cheapest(0.001, {"item": 1})


def test_fixed_facets_add_only_what_items_do_with_them(summ_eval):
    found = components(summ_eval[0], units="item")
    parts = found.table["estimate"]
    by_hand = 2 * (parts["model x item"] / 100 + parts["rest"] / 300)
    assert np.isclose(found.errors()[1] ** 2, by_hand)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda t: t[t["item"] == 0], "has one item only"),
        (lambda t: t.assign(twin=t["rater"]).rename(columns={"twin": "judge"}), "rater"),
    ],
)
def test_designs_that_say_nothing(change, message):
    table = pd.MultiIndex.from_product(
        [["A", "B"], range(4), range(3)], names=["model", "item", "rater"]
    )
    table = table.to_frame(index=False).assign(task="t", score=np.random.default_rng(1).random(24))
    results = from_items(change(table))
    if "judge" in results.coords:
        assert not any("judge" in source for source in components(results).table.index)
        return
    with pytest.raises(ValueError, match=message):
        components(results)
