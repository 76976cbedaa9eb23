"""Predictions: by hand, coverage, parts and gaps."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.scores import balanced_means, from_scores
from benchuq.studies.perceptron import Perceptron
from benchuq.studies.prediction import coverage_summary, leave_one_out_coverage, predict
from benchuq.selection.search import greedy


def jackknife_by_hand(x, y, x_new, level, penalty=1.0):
    def fit(rows, at):
        centre, scale = x[rows].mean(), x[rows].std()
        z, level_y = (x[rows] - centre) / scale, y[rows].mean()
        slope = (z * (y[rows] - level_y)).sum() / ((z * z).sum() + penalty)
        return level_y + slope * (at - centre) / scale

    n, rows = len(x), np.arange(len(x))
    low, high = [], []
    for i in rows:
        residual = abs(y[i] - fit(rows != i, x[i]))
        low.append(fit(rows != i, x_new) - residual)
        high.append(fit(rows != i, x_new) + residual)
    k = int(np.ceil(level * (n + 1)))
    return fit(rows >= 0, x_new), sorted(low)[int(np.floor((1 - level) * (n + 1) + 1e-9)) - 1], sorted(high)[k - 1]


def test_jackknife_plus_by_hand():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=19)}).assign(y=lambda t: t["x"] + rng.normal(size=19))
    got = predict(from_scores(frame), pd.DataFrame({"x": [0.3]}), level=0.9).set_index("name").loc["y"]
    expected = jackknife_by_hand(frame["x"].to_numpy(), frame["y"].to_numpy(), 0.3, 0.9)
    np.testing.assert_allclose(got[["estimate", "lower", "upper"]].astype(float), expected)


def test_too_few_models_for_the_level_give_infinite_intervals(make_score_table):
    scores = make_score_table(n_models=8)
    table = predict(scores, scores["score"].to_pandas().head(1), ["b0"], level=0.95).query("not measured")
    assert np.isinf(table["upper"]).all() and np.isinf(table["lower"]).all() and np.isfinite(table["estimate"]).all()


@pytest.mark.parametrize("target, n", [("metric", 48), ("benchmark", 31), ("group", 9), ("mean", 1)])
@pytest.mark.parametrize("meta_model", ["ridge", Perceptron(n_ensemble=2)])
def test_predicts_every_target(gate, gate_tiers, target, n, meta_model):
    new = gate["score"].to_pandas().loc[["clip", "bert"]]
    table = predict(gate.drop_sel(model=["clip", "bert"]), new, gate_tiers["small"], meta_model, target=target, rng=0)
    assert len(table) == 2 * n and list(table["model"].unique()) == ["clip", "bert"]
    assert (table["lower"] <= table["upper"]).all()
    measured = table[table["measured"]]
    assert (measured["lower"] == measured["upper"]).all()
    if target == "mean":
        error = table.set_index("model")["estimate"] - balanced_means(gate).loc[["clip", "bert"], "mean"]
        assert error.abs().max() < 0.05


def test_all_measured_is_returned_as_it_is(gate):
    new = gate["score"].to_pandas().loc[["clip"]]
    for target in ("metric", "group", "mean"):
        assert predict(gate.drop_sel(model="clip"), new, target=target)["measured"].all()
    mean = predict(gate.drop_sel(model="clip"), new, target="mean")["estimate"].item()
    np.testing.assert_allclose(mean, balanced_means(gate).loc["clip", "mean"])


def test_new_models_with_parts_of_the_subset(gate, gate_tiers):
    new = gate["score"].to_pandas().loc[["clip", "bert"]]
    new.loc["bert", "ADE20K mIoU"] = np.nan
    both = predict(gate.drop_sel(model=["clip", "bert"]), new, gate_tiers["small"])
    alone = predict(gate.drop_sel(model=["clip", "bert"]), new.loc[["clip"]], gate_tiers["small"])
    pd.testing.assert_frame_equal(both[both["model"] == "clip"].reset_index(drop=True), alone)
    assert not both.query("model == 'bert' and name == 'ADE20K mIoU'")["measured"].item()


def test_known_models_with_gaps_still_count(make_score_table):
    scores = make_score_table(n_models=20, gaps=0.1, seed=1)
    new = make_score_table(n_models=20, seed=1)["score"].to_pandas().head(2)
    table = predict(scores, new, ["b2", "b3"])
    assert np.isfinite(table[["estimate", "lower", "upper"]]).all(axis=None)


def test_coverage_of_exchangeable_models(make_score_table):
    "50 boards of 19 models, from which four others are predicted: as exact as 120 boards and one other."
    rng, hits = np.random.default_rng(11), []
    for seed in rng.integers(0, 10**6, 50):
        scores = make_score_table(n_models=23, seed=seed)
        score = scores["score"].to_pandas()
        table = predict(scores.isel(model=slice(19)), score.tail(4), ["b0"], rng=seed)
        table = table.query("not measured")
        truth = np.array([score.at[model, name] for model, name in zip(table["model"], table["name"], strict=True)])
        hits.append(((table["lower"] <= truth) & (truth <= table["upper"])).mean())
    # nominal 0.9; allowed four standard errors: fails by chance less than once in 10,000 seeds, and it is seeded
    assert np.mean(hits) > 0.9 - 4 * np.std(hits) / np.sqrt(len(hits))


def test_coverage_on_gate(gate, gate_tiers):
    table = leave_one_out_coverage(gate, gate_tiers["small"], progress=False)
    assert len(table) == 21 * 39
    assert 0.85 < table["covered"].mean() < 0.97
    assert set(coverage_summary(table).index) >= {"coverage", "standard error"}


def four(scores):
    return greedy(scores, 4).best


def test_a_search_as_subset_is_repeated_without_each_model(gate):
    seen = []

    def choose(scores):
        seen.append(scores.sizes["model"])
        return four(scores)

    others, new = gate.drop_sel(model="clip"), gate["score"].to_pandas().loc[["clip"]]
    table = predict(others, new, choose, target="mean")
    assert sorted(seen) == [19] * 20 + [20]
    names = predict(others, new, four(others), target="mean")
    assert table["estimate"].item() == names["estimate"].item()  # the same fit; only the residuals differ
    assert (table["upper"] - table["lower"]).item() > 1.2 * (names["upper"] - names["lower"]).item()


def test_a_constant_choice_gives_the_intervals_of_its_names(gate, gate_tiers):
    others, new = gate.drop_sel(model="clip"), gate["score"].to_pandas().loc[["clip"]]
    for target in ("metric", "group", "mean"):
        given = predict(others, new, gate_tiers["small"], target=target)
        pd.testing.assert_frame_equal(predict(others, new, lambda s: gate_tiers["small"], target=target), given)


def test_nested_intervals_are_wider_and_cover_no_less(gate):
    checks = [leave_one_out_coverage(gate, four, nested=n, target="mean", progress=False) for n in (False, True)]
    names, nested = map(coverage_summary, checks)
    assert nested["coverage"] >= names["coverage"] and nested["median width"] > names["median width"]
    assert nested["mean absolute error"] == names["mean absolute error"]


BAD = {
    "target must be one of": lambda g: predict(g, g["score"].to_pandas().head(1), target="row"),
    "level must lie between": lambda g: predict(g, g["score"].to_pandas().head(1), level=1.0),
    "unknown metrics \\['NYU'\\]": lambda g: predict(g, pd.DataFrame({"NYU": [0.5]})),
    "no score on the benchmarks": lambda g: predict(g, g["score"].to_pandas()[["ADE20K mIoU"]].head(1), ["ACDC"]),
    "unknown benchmarks \\['MNIST'\\]": lambda g: predict(g, g["score"].to_pandas().head(1), ["MNIST"]),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)


def test_too_few_complete_models_are_refused(gate, known_to_few):
    new = gate["score"].to_pandas()[["NYU mIoU"]].head(1)
    with pytest.raises(ValueError, match="only 3 models have scores"):
        predict(known_to_few(gate, "NYU mIoU", 3), new)


def test_holes_in_the_inputs(gate):
    "With 40 % of the cells empty every other score is still predicted, and most intervals hold."
    holes = gate.copy(deep=True)
    holes["score"] = gate["score"].where(np.random.default_rng(0).random(gate["score"].shape) > 0.4)
    table = leave_one_out_coverage(holes, ["ADE20K", "ImageNet-1K", "CUBirds", "UCF-101"], progress=False)
    assert table["estimate"].notna().all() and len(table) > 300
    assert table["covered"].mean() > 0.85


def test_a_missing_input_counts_as_its_mean(gate):
    "A known model that lacks one of two inputs does what it would do with the mean of the others there."
    score = gate["score"].to_pandas()
    inputs = ["ADE20K mIoU", "ImageNet-1K Acc@1"]
    missing, filled = gate.copy(deep=True), gate.copy(deep=True)
    missing["score"].loc[dict(model="clip", metric=inputs[0])] = np.nan
    filled["score"].loc[dict(model="clip", metric=inputs[0])] = score[inputs[0]].drop("clip").mean()
    new = score.loc[["bert"], inputs]
    one, other = (predict(g, new)[["name", "estimate"]].set_index("name")["estimate"] for g in (missing, filled))
    open_ = [n for n in one.index if n not in inputs]
    assert np.corrcoef(one[open_], other[open_])[0, 1] > 0.999


def test_predictions_keep_the_bounds_of_scores(gate, gate_tiers):
    for model in ("laion", "bert"):  # the best and the last, whose raw intervals reach beyond 1 and below 0
        new = gate["score"].to_pandas().loc[[model]]
        table = predict(gate.drop_sel(model=model), new, gate_tiers["small"])
        assert table[["estimate", "lower", "upper"]].to_numpy().min() >= 0
        assert table[["estimate", "lower", "upper"]].to_numpy().max() <= 1
        assert ((table["lower"] <= table["estimate"]) & (table["estimate"] <= table["upper"])).all()
