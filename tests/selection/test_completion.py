"""Completion: coverage on known truth and on public boards, draws that agree with intervals, and
odd boards.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import benchuq as bq
from benchuq.data.published import load
from benchuq.data.results import from_counts
from benchuq.selection import completion

GATE = 100 * load("gate")["score"].to_pandas()
HIDDEN = np.random.default_rng(0).random(GATE.shape) < 0.6


def board(rng, n=30, m=20):
    loading = np.column_stack([rng.normal(0, 1, m), rng.normal(0.9, 0.3, m), rng.normal(0, 0.4, m)])
    y = loading[:, 0] + rng.normal(size=(n, 2)) @ loading[:, 1:].T + 0.4 * rng.standard_t(5, (n, m))
    return pd.DataFrame(
        100 / (1 + np.exp(-y)), [f"m{i}" for i in range(n)], [f"b{j}" for j in range(m)]
    )


@pytest.mark.filterwarnings(
    "ignore:benchmarks .* fall where the others rise", "ignore:models .* have no score"
)
def test_intervals_cover_benchmarks_that_few_models_ran():
    """A third of the benchmarks reported by 15 % of the models, unrelated to scores; .80 of these
    holes before.
    """
    covered, sparse = [], []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        full = board(rng, 25, 12)
        hole = rng.random(full.shape) < np.where(np.arange(12) < 4, 0.85, 0.25)
        hole[0, hole.all(axis=0)] = False
        table = bq.complete(full.mask(hole), rng=seed, bounds=(0, 100))
        inside = full.stack().reindex(table.index).between(table["lower"], table["upper"])
        covered.append(inside.mean())
        sparse.append(
            inside[table.index.get_level_values("benchmark").isin(["b0", "b1", "b2", "b3"])].mean()
        )
    assert 0.87 < np.mean(covered) < 0.94 and 0.86 < np.mean(sparse) < 0.95


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_board_that_reports_its_best_scores_says_so():
    notes = {"best": 0, "random": 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        full = board(rng, 30, 15)
        holes = {"best": full < np.quantile(full, 0.4), "random": rng.random(full.shape) < 0.4}
        for name, hole in holes.items():
            part = full.mask(hole).dropna(axis=1, how="all")
            table = bq.complete(part, rng=seed, bounds=(0, 100))
            notes[name] += any(
                "reported where they are good" in note for note in table.attrs["notes"]
            )
    assert notes["best"] >= 9 and notes["random"] <= 1


def test_the_table_is_tidy_and_has_every_hole():
    table = bq.complete(GATE.mask(HIDDEN), 0.8, rng=0)
    assert list(table) == ["estimate", "lower", "upper", "level"] and (table["level"] == 0.8).all()
    assert table.index.names == ["model", "benchmark"] and len(table) == HIDDEN.sum()
    assert ((table["lower"] <= table["estimate"]) & (table["estimate"] <= table["upper"])).all()
    assert table["lower"].min() >= 0 and table["upper"].max() <= 100
    pd.testing.assert_frame_equal(table, bq.complete(GATE.mask(HIDDEN), 0.8, rng=0))


def test_draws_agree_with_the_intervals():
    fit = completion.fit_board(GATE.mask(HIDDEN), 0)
    draws = fit.draws(2000, rng=0)
    table, low, high = (
        fit.table(0.9),
        *(100 * draws.quantile(q, "draw").values[HIDDEN] for q in (0.05, 0.95)),
    )
    assert draws.dims == ("model", "task", "draw") and draws.min() >= 0 and draws.max() <= 1
    np.testing.assert_allclose(
        draws.values[~HIDDEN], np.tile(GATE.to_numpy()[~HIDDEN, None] / 100, 2000), atol=1e-9
    )
    ratio = (high - low) / (table["upper"] - table["lower"]).to_numpy()
    assert 0.9 < np.median(ratio) < 1.1
    some = fit.draws(50, rng=0, models=["vit", "bert"])
    assert list(some["model"].values) == [
        m for m in GATE.index if m in ("vit", "bert")
    ] and some.shape == (2, 48, 50)


def test_sampling_errors_enter_the_draws_of_what_was_measured():
    counts = (GATE.iloc[:, :16] * 2).round().mask(HIDDEN[:, :16])
    fit = completion.fit_board(from_counts(counts, 200, holes=True), 0, n_items=200)
    draws = fit.draws(4000, rng=0)
    k = counts.to_numpy()
    share = (k + 1) / 202
    spread, seen = draws.std("draw").values, (k > 20) & (k < 180)
    np.testing.assert_allclose(spread[seen], np.sqrt(share * (1 - share) / 200)[seen], rtol=0.15)


def test_directions_and_bounds():
    turned = (100 - GATE).mask(HIDDEN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = completion.fit_board(turned, 0, lower_is_better=list(turned))
    straight = completion.fit_board(GATE.mask(HIDDEN), 0)
    np.testing.assert_allclose(
        100 - ours.table()["estimate"], straight.table()["estimate"], atol=1e-6
    )
    np.testing.assert_allclose(ours.draws(50, 0), straight.draws(50, 0), atol=1e-9)


def test_odd_boards():
    odd = GATE.iloc[:, :10].mask(HIDDEN[:, :10]).assign(once=[55.0, *[np.nan] * 20], same=70.0)
    odd["rating"] = 1000 + 10 * GATE.iloc[:, 3].where(~HIDDEN[:, 3])
    odd.loc["A", "same"] = np.nan
    with pytest.warns(UserWarning, match=r"models \['A'\] have no score"):
        fit = completion.fit_board(odd, 0)
    table = fit.table()
    once, usual, rating = (
        table.xs(b, level="benchmark") for b in ("once", "CIFAR-100 Acc@1", "rating")
    )
    assert np.isfinite(table).all(axis=None) and rating["estimate"].between(800, 2200).all()
    assert table.loc[("A", "same"), "estimate"] == pytest.approx(70, abs=1)
    assert (once["upper"] - once["lower"]).median() > (usual["upper"] - usual["lower"]).median() / 2
    with pytest.raises(ValueError, match=r"\['rating'\] have no bounds"):
        fit.draws(10, rng=0)
    tiny = pd.DataFrame({"a": [0.9, 0.5, 0.1, np.nan], "b": [0.8, np.nan, 0.2, 0.4]}, list("ABCD"))
    with pytest.warns(UserWarning, match="too few to calibrate"):
        table = bq.complete(tiny, rng=0)
    assert len(table) == 2 and ((table["upper"] - table["lower"]) > 0.2).all()


def test_a_benchmark_that_falls_where_the_others_rise_is_named():
    turned = GATE.iloc[:, :12].assign(errors=100 - GATE.iloc[:, 0]).mask(HIDDEN[:, 12:25])
    with pytest.warns(UserWarning, match=r"benchmarks \['errors'\] fall where the others rise"):
        completion.fit_board(turned, 0)
