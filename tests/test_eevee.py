"""Meta-models, subset search and predictions: closed forms, seeds, bad input, coverage, and what is claimed of GATE."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st

from benchuq.data import published, scores as data_scores
from benchuq.selection import meta_models as metamodel, prediction, search as eevee
from benchuq.data.tables import read_table


@pytest.fixture(scope="module")
def gate():
    return published.load_gate()


@pytest.fixture(scope="module")
def tiers():
    table = eevee.load_tiers()
    return {tier: list(t["benchmark"]) for tier, t in table.groupby("tier")}


def made(n_models=14, n_metrics=6, seed=0, holes=0.0):
    """Scores from two factors and noise; metrics 0 and 1 share a benchmark, metrics 4 and 5 are the better the lower."""
    rng = np.random.default_rng(seed)
    value = rng.normal(size=(n_models, 2)) @ rng.normal(size=(2, n_metrics)) + 0.5 * rng.normal(
        size=(n_models, n_metrics)
    )
    value[rng.random(value.shape) < holes] = np.nan
    names = [f"m{j}" for j in range(n_metrics)]
    frame = pd.DataFrame(value, [f"model{i}" for i in range(n_models)], names)
    benchmark = {m: "b0" if j < 2 else f"b{j}" for j, m in enumerate(names)}
    group = {m: "g0" if j < 3 else "g1" for j, m in enumerate(names)}
    return data_scores.from_scores(frame, benchmark, group, {m: j < 4 for j, m in enumerate(names)})


def known_to_few(scores, metric, n):
    """The same scores with `metric` known for the first n models only."""
    scores = scores.copy(deep=True)
    scores["score"].loc[dict(metric=metric, model=scores["model"].values[n:])] = np.nan
    return scores


# ---------------------------------------------------------------- scores and means


def test_gate_has_the_published_shape(gate):
    assert gate["score"].shape == (21, 48)
    assert len(set(gate["benchmark"].values)) == 31
    assert gate["score"].notnull().all() and float(gate["score"].max()) <= 1
    assert (gate["flag"] == "uncertain").sum() == 15


@pytest.mark.parametrize("tier, tolerance, n", [("Small", 0.1, 19), ("Base", 0.72, 20), ("Full", 0.45, 19)])
def test_printed_means(tiers, tier, tolerance, n):
    subset = None if tier == "Full" else tiers[tier.lower()]
    ours = 100 * data_scores.balanced_means(published.load_gate("means"), subset)["mean"]
    printed = read_table("gate_means").query(f"statistic == '{tier} GATE Mean'").set_index("model")["value"]
    gap = (ours - printed).abs().drop(["seffv2", "whspr"]).dropna()  # these two lack scores that enter the means
    assert len(gap) == 19 and gap.max() < tolerance
    assert printed.notna().sum() >= n


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_means_are_the_weighted_sum_of_metrics(seed):
    scores = made(seed=seed)
    scores = scores.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    weighted = scores["score"].to_pandas() @ data_scores.metric_weights(scores)
    np.testing.assert_allclose(data_scores.balanced_means(scores)["mean"], weighted)


def test_polarity_is_turned():
    scores = made()
    turned = scores.copy(deep=True)
    turned["score"] = turned["score"] * xr.where(turned["higher_is_better"], 1, -1)
    turned = turned.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    np.testing.assert_allclose(metamodel.standardise(scores).z, metamodel.standardise(turned).z)


# ---------------------------------------------------------------- ridge


def refit(data, mask, penalty, rest):
    columns = data.columns(mask)
    counted = data.weight * (~mask[data.owner] if rest else 1)
    loss = 0.0
    for i in range(len(data.z)):
        keep = np.arange(len(data.z)) != i
        for j in range(data.z.shape[1]):
            rows = keep & (data.weight[:, j] > 0)
            x = np.column_stack([np.ones(rows.sum()), data.z[rows][:, columns]])
            ridge = penalty * np.eye(x.shape[1])
            ridge[0, 0] = 0
            beta = np.linalg.solve(x.T @ x + ridge, x.T @ data.z[rows, j])
            loss += counted[i, j] * (np.r_[1, data.z[i, columns]] @ beta - data.z[i, j]) ** 2
    return loss / counted.sum()


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("rest", [False, True])
def test_closed_form_is_leave_one_out_by_refitting(holes, rest):
    scores = made(holes=holes, seed=3)
    scorer = metamodel.Scorer(scores, metamodel.Ridge(0.7), targets="rest" if rest else "all")
    masks = np.array([c for c in np.ndindex(*(2,) * 5) if 0 < sum(c) < 5][::4], bool)
    expected = [refit(scorer.data, mask, 0.7, rest) for mask in masks]
    np.testing.assert_allclose(scorer(masks), expected, rtol=1e-9)


def test_all_benchmarks_without_penalty_predict_themselves():
    scores = made()
    assert metamodel.score(scores, data_scores.benchmarks(scores), metamodel.Ridge(1e-9)) < 1e-12


# ---------------------------------------------------------------- perceptron


def test_perceptron_loss_is_its_own_whatever_the_company(gate):
    rng = np.random.default_rng(0)
    masks = rng.random((30, 31)) < 0.25
    one, two = metamodel.Scorer(gate, rng=1), metamodel.Scorer(gate, rng=1, n_jobs=2)
    together = one.losses(masks)
    assert (together == two.losses(masks)).all()
    assert (together[::-1] == one.losses(masks[::-1])).all()
    assert together[5] == one.losses(masks[5:6])[0]
    assert (together != metamodel.Scorer(gate, rng=2).losses(masks)).all()


def test_perceptron_learns_what_is_linear():
    z = np.random.default_rng(0).normal(size=(60, 1))
    values = pd.DataFrame(z @ [[1.0, -2.0, 0.5]], columns=list("abc"))
    assert metamodel.score(data_scores.from_scores(values), ["a"], metamodel.Perceptron(epochs=200), rng=0) < 0.02


def test_missing_targets_do_not_count_and_missing_inputs_say_nothing(gate):
    holes = gate.copy(deep=True)
    holes["score"][dict(model=4)] = np.where(gate["benchmark"] == "ADE20K", np.nan, gate["score"][4])
    for kind in ("ridge", "perceptron"):
        scorer = metamodel.Scorer(holes, kind, rng=0)
        changed = metamodel.Scorer(holes, kind, rng=0)
        changed.data.z[4, changed.data.owner == changed.benchmarks.index("ADE20K")] = 0.0
        masks = np.array([scorer.mask(["ACDC"]), scorer.mask(["ADE20K", "CLEVR"])])
        assert np.isfinite(scorer(masks)).all() and (scorer(masks) == changed(masks)).all()


# ---------------------------------------------------------------- search


def test_search_is_reproducible_and_never_gets_worse(gate):
    few = dict(n_initial=60, n_winners=8, n_children=4, n_generations=4, progress=False)
    one, two = (eevee.evolve(gate, 4, rng=5, n_jobs=j, **few) for j in (1, 2))
    assert one.best == two.best and one.loss == two.loss
    pd.testing.assert_frame_equal(one.winners, two.winners)
    assert one.history["best"].is_monotonic_decreasing
    assert one.winners["subset"].is_unique and (one.winners["size"] == 4).all()
    copies = eevee.evolve(gate, 2, "ridge", rng=5, distinct=False, **{**few, "n_generations": 12})
    assert not copies.winners["subset"].is_unique


def test_stops_early(gate):
    found = eevee.evolve(gate, 1, "ridge", n_generations=50, patience=2, progress=False, rng=0)
    assert found.history["generation"].max() == 2


@given(st.integers(1, 5), st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_children_swap_exactly_one(size, seed):
    rng = np.random.default_rng(seed)
    nothing = np.zeros((20, 6), bool)
    parents = eevee._fill(nothing, nothing, np.ones(6), size, rng)
    children = eevee._mutate(parents, np.ones(6), size, rng)
    assert (parents.sum(1) == size).all() and (children.sum(1) == size).all()
    assert ((parents & ~children).sum(1) == 1).all() and ((children & ~parents).sum(1) == 1).all()


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_budgets_are_kept_and_used(seed):
    rng = np.random.default_rng(seed)
    costs = rng.uniform(0.5, 3, 9)
    nothing = np.zeros((20, 9), bool)
    masks = eevee._mutate(eevee._fill(nothing, nothing, costs, 5.0, rng), costs, 5.0, rng)
    assert (masks @ costs <= 5.0 + 1e-8).all()


def test_exhaustive_is_the_minimum_over_all_subsets():
    scores = made(n_metrics=8)
    scorer = metamodel.Scorer(scores, "ridge")
    every = {c: metamodel.score(scores, c, "ridge") for c in combinations(scorer.benchmarks, 3)}
    found = eevee.exhaustive(scorer, 3, progress=False, keep=len(every))
    assert found.best == min(every, key=every.get) and len(found.winners) == len(every)
    np.testing.assert_allclose(sorted(every.values()), found.winners["loss"], rtol=1e-9)


def test_evolution_beats_random_search_and_finds_the_optimum_of_four(gate):
    scorer = metamodel.Scorer(gate, "ridge")
    optimum = eevee.exhaustive(scorer, 4, progress=False)
    hit = [eevee.evolve(scorer, 4, rng=seed, progress=False) for seed in range(3)]
    # 100 of 100 seeds found it: were the chance 0.97, this would fail once in ten runs, and it is seeded
    assert all(h.best == optimum.best and h.n_scored < optimum.n_scored / 5 for h in hit)
    assert eevee.random_search(scorer, 4, hit[0].n_scored, rng=0).loss > optimum.loss
    assert eevee.greedy(scorer, 4).loss >= optimum.loss


def test_ade20k_leads_and_winoground_predicts_nothing(gate):
    mean = sum(eevee.single_benchmarks(gate, rng=seed)["loss"].sort_index() for seed in range(5)) / 5
    assert mean.idxmin() == "ADE20K"
    assert set(mean.nlargest(2).index) == {"Winoground", "NYU-Depth-v2"} and mean.nlargest(2).min() > 0.9
    assert set(mean.nlargest(5).index) == {"Winoground", "NYU-Depth-v2", "ACDC", "iWildCam", "HappyWhale"}


def test_pareto_falls_and_tiers_travel(gate, tmp_path):
    front = eevee.pareto(
        gate, 2.0, [2, 4, 8], "ridge", n_initial=50, n_winners=10, n_children=3, n_generations=2, progress=False, rng=0
    )
    assert (
        (front["cost"] <= 8).all() and front["loss"].is_monotonic_decreasing and front["cost"].is_monotonic_increasing
    )
    table = eevee.make_tiers(gate, {"mine": front["subset"].iloc[-1]}, 2.0)
    again = eevee.load_tiers(eevee.save_tiers(table, tmp_path / "tiers.csv"))
    pd.testing.assert_frame_equal(table, again)
    assert set(eevee.apply_tier(gate, again, "mine")["benchmark"].values) == set(front["subset"].iloc[-1])


def test_held_out_models_take_no_part(gate):
    seen = []

    def choose(train, rng):
        seen.append(set(train["model"].values))
        return ["ADE20K"]

    table = eevee.held_out(gate, {"x": choose}, splits=[["clip", "bert"], ["vit"]], progress=False, rng=0)
    assert seen == [set(gate["model"].values) - {"clip", "bert"}, set(gate["model"].values) - {"vit"}]
    changed = gate.copy(deep=True)
    changed["score"].loc[dict(model="bert")] = 0.5
    other = eevee.held_out(changed, {"x": ["ADE20K"]}, splits=[["clip", "bert"]], progress=False, rng=0)
    assert other["loss"][0] == table["loss"][0] and other["loss"][1] != table["loss"][1]


def test_degradation_is_a_difference_of_scores(gate, tiers):
    table = eevee.degradation(gate, tiers["small"], "ridge")
    rest = [b for b in tiers["small"] if b != "ACDC"]
    expected = metamodel.score(gate, rest, "ridge") - metamodel.score(gate, tiers["small"], "ridge")
    np.testing.assert_allclose(table.loc["ACDC", "increase"], expected)


# ---------------------------------------------------------------- predictions


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
    got = prediction.predict(data_scores.from_scores(frame), pd.DataFrame({"x": [0.3]}), level=0.9).set_index("name").loc["y"]
    expected = jackknife_by_hand(frame["x"].to_numpy(), frame["y"].to_numpy(), 0.3, 0.9)
    np.testing.assert_allclose(got[["estimate", "lower", "upper"]].astype(float), expected)


def test_too_few_models_for_the_level_give_infinite_intervals():
    scores = made(n_models=8)
    table = prediction.predict(scores, scores["score"].to_pandas().head(1), ["b0"], level=0.95).query("not measured")
    assert np.isinf(table["upper"]).all() and np.isinf(table["lower"]).all() and np.isfinite(table["estimate"]).all()


@pytest.mark.parametrize("of, n", [("metric", 48), ("benchmark", 31), ("group", 9), ("mean", 1)])
@pytest.mark.parametrize("meta_model", ["ridge", metamodel.Perceptron(n_nets=2)])
def test_predicts_at_every_level(gate, tiers, of, n, meta_model):
    new = gate["score"].to_pandas().loc[["clip", "bert"]]
    table = prediction.predict(gate.drop_sel(model=["clip", "bert"]), new, tiers["small"], meta_model, of=of, rng=0)
    assert len(table) == 2 * n and list(table["model"].unique()) == ["clip", "bert"]
    assert (table["lower"] <= table["upper"]).all()
    measured = table[table["measured"]]
    assert (measured["lower"] == measured["upper"]).all()
    if of == "mean":
        error = table.set_index("model")["estimate"] - data_scores.balanced_means(gate).loc[["clip", "bert"], "mean"]
        assert error.abs().max() < 0.05


def test_all_measured_is_returned_as_it_is(gate):
    new = gate["score"].to_pandas().loc[["clip"]]
    for of in ("metric", "group", "mean"):
        assert prediction.predict(gate.drop_sel(model="clip"), new, of=of)["measured"].all()
    mean = prediction.predict(gate.drop_sel(model="clip"), new, of="mean")["estimate"].item()
    np.testing.assert_allclose(mean, data_scores.balanced_means(gate).loc["clip", "mean"])


def test_new_models_with_parts_of_the_subset(gate, tiers):
    new = gate["score"].to_pandas().loc[["clip", "bert"]]
    new.loc["bert", "ADE20K mIoU"] = np.nan
    both = prediction.predict(gate.drop_sel(model=["clip", "bert"]), new, tiers["small"])
    alone = prediction.predict(gate.drop_sel(model=["clip", "bert"]), new.loc[["clip"]], tiers["small"])
    pd.testing.assert_frame_equal(both[both["model"] == "clip"].reset_index(drop=True), alone)
    assert not both.query("model == 'bert' and name == 'ADE20K mIoU'")["measured"].item()


def test_known_models_with_holes_still_count():
    scores = made(n_models=20, holes=0.1, seed=1)
    new = made(n_models=20, seed=1)["score"].to_pandas().head(2)
    table = prediction.predict(scores, new, ["b2", "b3"])
    assert np.isfinite(table[["estimate", "lower", "upper"]]).all(axis=None)


@pytest.mark.parametrize("method", ["jackknife+", "split"])
def test_coverage_of_exchangeable_models(method):
    rng, hits = np.random.default_rng(11), []
    for seed in rng.integers(0, 10**6, 120):
        scores = made(n_models=20, seed=seed)
        table = prediction.predict(
            scores.isel(model=slice(19)), scores["score"].to_pandas().tail(1), ["b0"], method=method, rng=seed
        ).query("not measured")
        truth = scores["score"].to_pandas().iloc[-1][table["name"]].to_numpy()
        hits.append(((table["lower"] <= truth) & (truth <= table["upper"])).mean())
    # nominal 0.9; allowed four standard errors: fails by chance less than once in 10,000 seeds, and it is seeded
    assert np.mean(hits) > 0.9 - 4 * np.std(hits) / np.sqrt(len(hits))


def test_coverage_on_gate(gate, tiers):
    table = prediction.coverage(gate, tiers["small"], progress=False)
    assert len(table) == 21 * 39
    assert 0.85 < table["covered"].mean() < 0.97
    assert set(prediction.coverage_summary(table).index) >= {"coverage", "standard error"}


# ---------------------------------------------------------------- bad input


def with_cost(gate, **changed):
    return {**dict.fromkeys(data_scores.benchmarks(gate), 1.0), **changed}


BAD = {
    "10 splits need at least 10 models": lambda g: metamodel.score(g.isel(model=slice(9)), ["ACDC"]),
    "are the same for all models": lambda g: metamodel.score(
        g.assign(score=g["score"].where(g["metric"] != "NYU mIoU", 0.5)), ["ACDC"]
    ),
    "no model has a score on metrics \\['NYU mIoU'\\]": lambda g: metamodel.score(
        g.assign(score=g["score"].where(g["metric"] != "NYU mIoU")), ["ACDC"]
    ),
    "have no score at all": lambda g: metamodel.score(g.assign(score=g["score"].where(g["model"] != "clip")), ["ACDC"]),
    "from 1 to 31": lambda g: eevee.evolve(g, 32),
    "from 1 to 31, the": lambda g: eevee.exhaustive(g, 0),
    "more than max_subsets": lambda g: eevee.exhaustive(g, 9),
    "unknown benchmarks \\['MNIST'\\]": lambda g: eevee.degradation(g, ["MNIST", "ACDC"]),
    "each once": lambda g: metamodel.score(g, ["ACDC", "ACDC"]),
    "at least one benchmark": lambda g: metamodel.score(g, []),
    "at least two": lambda g: eevee.degradation(g, ["ACDC"]),
    "cost of benchmark 'ACDC' is 0": lambda g: eevee.evolve(g, costs=with_cost(g, ACDC=0), budget=3.0),
    "cost of benchmark 'ACDC' is inf": lambda g: eevee.greedy(g, costs=with_cost(g, ACDC=np.inf), budget=3.0),
    "no cost for benchmarks": lambda g: eevee.pareto(g, {"ACDC": 1.0}, [3]),
    "needs costs": lambda g: eevee.evolve(g, budget=3.0),
    "either size": lambda g: eevee.evolve(g, 3, budget=3.0, costs=1.0),
    "n_winners must be at least 1": lambda g: eevee.evolve(g, 3, n_winners=0),
    "epochs must be positive": lambda g: metamodel.score(g, ["ACDC"], metamodel.Perceptron(epochs=0)),
    "test_share must lie in": lambda g: metamodel.score(g, ["ACDC"], metamodel.Perceptron(test_share=1.0)),
    "fewer than two of": lambda g: metamodel.score(g, ["ACDC"], metamodel.Perceptron(test_share=0.95)),
    "targets must be 'all' or 'rest'": lambda g: metamodel.score(g, ["ACDC"], targets="some"),
    "models \\['gpt'\\] are not": lambda g: eevee.held_out(g, {"x": ["ACDC"]}, splits=[["gpt"]]),
    "leave no benchmark": lambda g: eevee.held_out(g, {"x": data_scores.benchmarks(g)}, targets="rest", progress=False),
    "method must be one of": lambda g: prediction.predict(g, g["score"].to_pandas().head(1), method="bootstrap"),
    "metrics must be one of": lambda g: published.load_gate("table 9"),
    "no tier 'huge'": lambda g: eevee.apply_tier(g, eevee.load_tiers(), "huge"),
    "is no metric": lambda g: eevee.rank_table(g, reference="ImageNet"),
    "only 3 models have scores": lambda g: prediction.predict(
        known_to_few(g, "NYU mIoU", 3), g["score"].to_pandas()[["NYU mIoU"]].head(1)
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input_is_named(gate, message):
    with pytest.raises(ValueError, match=message):
        BAD[message](gate)


def test_metric_known_for_two_models_is_named():
    with pytest.raises(ValueError, match="\\['m3'\\] are known for fewer than three models"):
        metamodel.score(known_to_few(made(), "m3", 2), ["b0"], "ridge")


def test_tier_files_are_checked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("tier,name\na,ACDC\n")
    with pytest.raises(ValueError, match="columns \\['benchmark'\\] are lacking"):
        eevee.load_tiers(path)
    path.write_text("tier,benchmark\na,ACDC\na,ACDC\n")
    with pytest.raises(ValueError, match="twice in a tier"):
        eevee.load_tiers(path)
