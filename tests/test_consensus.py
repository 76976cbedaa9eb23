"""Rankings: Kemeny against brute force, Thurstone against quadrature, distances against SciPy.

Stochastic tests are seeded; the chance that another seed would fail is given with each.
"""

import itertools
import math

import matplotlib
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from benchuq.consensus import kemeny as c
from benchuq.comparison import stability
from benchuq.consensus import thurstone as t
from benchuq.data.tables import read_table

matplotlib.use("Agg")


def weak_orders(n):
    "All weak orders of n items as dense ranks."
    orders = np.array(list(itertools.product(range(1, n + 1), repeat=n)))
    dense = orders[[len(set(o)) == max(o) for o in orders.tolist()]]
    return dense


ORDERS = {n: weak_orders(n) for n in range(1, 7)}
FUBINI = [1, 1, 3, 13, 75, 541, 4683]


def brute_force(ranks, weights):
    "All weak orders of least Kemeny-Snell distance by looking at every one, and that distance."
    n = ranks.shape[1]
    i, j = np.triu_indices(n, 1)
    orders = ORDERS[n]
    signs = np.sign(orders[:, i] - orders[:, j])
    total = np.zeros(len(orders))
    for row, w in zip(ranks, weights, strict=True):
        s = np.sign(row[i] - row[j])
        total += w * np.nansum(np.abs(signs - s), axis=1)
    best = np.abs(total - total.min()) < 1e-9 * max(1, total.min())
    return {tuple(o) for o in orders[best].tolist()}, total.min()


def random_ranks(rng, n_rankers, n_items, missing=0.0, levels=None):
    r = rng.integers(1, (levels or n_items) + 1, (n_rankers, n_items)).astype(float)
    r[rng.random(r.shape) < missing] = np.nan
    r[np.isnan(r).all(1), 0] = 1
    r[0, np.isnan(r).all(0)] = 1
    return r


def as_set(table):
    return {tuple(r) for r in table.to_numpy().tolist()}


def test_enumeration_of_weak_orders_is_right():
    assert [len(ORDERS[n]) for n in range(1, 7)] == FUBINI[1:]


@pytest.mark.parametrize("seed", range(60))
def test_kemeny_is_brute_force_on_5_items(seed):
    rng = np.random.default_rng(seed)
    r = random_ranks(rng, int(rng.integers(1, 8)), 5, rng.choice([0, 0.3]), int(rng.integers(1, 6)))
    weights = rng.choice([None, "whole", "any"])
    w = np.ones(len(r)) if weights is None else rng.integers(0, 4, len(r)) + (1.0 if weights == "whole" else 0.375)
    result = c.kemeny(pd.DataFrame(r), weights=None if weights is None else w)
    expected, distance = brute_force(r, w)
    assert as_set(result.rankings) == expected
    assert len(result.rankings) == result.n_rankings == len(expected)
    assert result.distance == pytest.approx(distance) and result.optimal and result.complete
    assert as_set(pd.DataFrame(list(result.iterate()))) == expected


@pytest.mark.parametrize("seed", range(12))
def test_kemeny_is_brute_force_on_6_items(seed):
    rng = np.random.default_rng(100 + seed)
    r = random_ranks(rng, (4, 20, 57)[seed % 3], 6, (0, 0.2)[seed % 2])
    result = c.kemeny(pd.DataFrame(r))
    expected, distance = brute_force(r, np.ones(len(r)))
    assert as_set(result.rankings) == expected and result.distance == distance


def test_mmlu_has_exactly_the_17_published_optima():
    table = read_table("slides_mmlu").pivot(index="task", columns="model", values="accuracy_percent")
    published = read_table("slides_kemeny").drop(columns="ranking")
    result = c.kemeny(table.rank(axis=1, ascending=False)[published.columns])
    assert result.n_rankings == 17 and result.distance == 18
    assert (result.rankings.to_numpy() == published.to_numpy()).all()


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_two_opposite_rankers_make_every_weak_order_optimal(n):
    result = c.kemeny(pd.DataFrame([range(1, n + 1), range(n, 0, -1)]))
    assert result.n_rankings == FUBINI[n] == len(result.rankings)
    assert as_set(result.rankings) == {tuple(o) for o in ORDERS[n].tolist()}


def test_enormous_lists_are_counted_exactly_and_refused():
    fubini = [1]
    for n in range(1, 13):
        fubini.append(sum(math.comb(n, k) * fubini[n - k] for k in range(1, n + 1)))
    result = c.kemeny(pd.DataFrame([range(1, 13), range(12, 0, -1)]))
    assert result.n_rankings == fubini[12] == 28_091_567_595
    with pytest.raises(ValueError, match="28,091,567,595 optimal rankings.*iterate"):
        _ = result.rankings
    assert len({tuple(r) for r in itertools.islice(result.iterate(), 500)}) == 500
    assert "and 28,091,567,575 more" in result._repr_html_()


def test_counting_with_python_integers_agrees(monkeypatch):
    ranks = pd.DataFrame(random_ranks(np.random.default_rng(4), 4, 9))
    before, tied = c._pair_costs(ranks.to_numpy(), np.ones(4, np.int64))
    block = c._solve_block(before, tied, before.sum(), math.inf)
    sets = c._on_optimal_paths(block, math.inf)
    assert c._count(block, sets, math.inf) == len(c._list_rankings(block, sets))
    monkeypatch.setattr(c, "_FITS", 0)
    assert c._count(block, sets, math.inf) == len(c._list_rankings(block, sets))


def test_blocks_split_long_rankings():
    rng = np.random.default_rng(5)
    parts = [random_ranks(rng, 5, 6) + 10 * k for k in range(8)]
    result = c.kemeny(pd.DataFrame(np.concatenate(parts, axis=1)))
    single = [c.kemeny(pd.DataFrame(p)) for p in parts]
    assert result.complete and result.distance == sum(s.distance for s in single)
    assert result.n_rankings == math.prod(s.n_rankings for s in single)


@pytest.mark.parametrize("seed", range(8))
def test_shares_are_those_of_the_list(seed):
    rng = np.random.default_rng(200 + seed)
    r = np.concatenate([random_ranks(rng, 4, 5), 10 + random_ranks(rng, 4, 4), np.full((4, 1), 9)], axis=1)
    result = c.kemeny(pd.DataFrame(r))
    shares = c.consensus_probabilities(result)
    listed = [[(result.rankings[i] == k).mean() for k in range(1, 11)] for i in range(10)]
    np.testing.assert_allclose(shares, listed, atol=1e-12)
    assert shares.dims == ("model", "rank")


@pytest.mark.parametrize("seed", range(6))
def test_integer_program_reaches_the_same_distance(seed, monkeypatch):
    ranks = pd.DataFrame(random_ranks(np.random.default_rng(300 + seed), 5, 9, 0.1))
    exact = c.kemeny(ranks)
    monkeypatch.setattr(c, "_LARGEST", 1)
    result = c.kemeny(ranks, time_limit=30)
    assert result.distance == exact.distance == result.bound
    assert as_set(result.rankings) <= as_set(exact.rankings)
    if len(exact.parts) < 9:
        assert result.optimal and not result.complete and len(result.rankings) == 1
        assert "others may exist" in str(result)
        with pytest.raises(ValueError, match="all optimal rankings"):
            c.consensus_probabilities(result)


def test_time_limit_returns_a_ranking_and_a_bound():
    ranks = pd.DataFrame(random_ranks(np.random.default_rng(6), 9, 45))
    result = c.kemeny(ranks, time_limit=0.2)
    assert result.bound <= result.distance and not result.complete
    total = sum(2 * c.kendall_distance(r, result.rankings.iloc[0]) for _, r in ranks.iterrows())
    assert total == result.distance
    if not result.optimal:
        assert "best ranking found in time" in str(result) and f"{result.bound:g}" in str(result)


def test_out_of_time_on_a_small_block_falls_back(monkeypatch):
    ranks = pd.DataFrame(random_ranks(np.random.default_rng(7), 4, 10))
    result = c.kemeny(ranks, time_limit=1e-6)
    assert not result.complete and result.bound <= c.kemeny(ranks).distance <= result.distance


def test_weights_are_repetitions():
    r = random_ranks(np.random.default_rng(8), 4, 7)
    weighted = c.kemeny(pd.DataFrame(r), weights=[3, 1, 0, 2])
    repeated = c.kemeny(pd.DataFrame(r[[0, 0, 0, 1, 3, 3]]))
    thirds = c.kemeny(pd.DataFrame(r), weights=[1 / 2, 1 / 6, 0, 1 / 3])
    named = c.kemeny(pd.DataFrame(r), weights={3: 2, 0: 3, 2: 0, 1: 1})
    for other in (repeated, thirds, named):
        assert as_set(weighted.rankings) == as_set(other.rankings)
    assert weighted.distance == repeated.distance == named.distance == pytest.approx(6 * thirds.distance)


def test_irrational_weights_keep_the_ties_that_equal_weights_make():
    r = random_ranks(np.random.default_rng(9), 4, 6)
    root = c.kemeny(pd.DataFrame(np.r_[r, r]), weights=[math.sqrt(2)] * 4 + [math.pi] * 4)
    assert as_set(root.rankings) == as_set(c.kemeny(pd.DataFrame(r)).rankings)
    assert root.distance == pytest.approx((math.sqrt(2) + math.pi) * c.kemeny(pd.DataFrame(r)).distance)


def test_only_the_order_of_ranks_counts():
    with_gaps = [[1, 1, 3, 9], [2, 5, 5, 1]]
    dense = [[1, 1, 2, 3], [2, 3, 3, 1]]
    average = [[1.5, 1.5, 3, 4], [2, 3.5, 3.5, 1]]
    expected, distance = brute_force(np.array(dense, float), [1, 1])
    for ranks in (with_gaps, dense, average):
        assert as_set(c.kemeny(pd.DataFrame(ranks)).rankings) == expected


def test_what_was_never_compared_is_left_open():
    result = c.kemeny(pd.DataFrame([[1, 2, np.nan], [np.nan, np.nan, 1]], columns=list("ABC")))
    assert result.distance == 0
    assert as_set(result.rankings[["A", "B"]]) <= {(1, 2), (1, 3), (2, 3)} and result.n_rankings == 5


@given(st.lists(st.lists(st.integers(1, 4), min_size=4, max_size=4), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_unanimous_pairs_are_respected(rows):
    result = c.kemeny(pd.DataFrame(rows))
    r = np.array(rows)
    for i, j in itertools.permutations(range(4), 2):
        if (r[:, i] < r[:, j]).all():
            assert (result.rankings[i] < result.rankings[j]).all()


GOOD = pd.DataFrame([[1, 2, 3], [2, 1, 3]], index=["x", "y"], columns=list("ABC"))


@pytest.mark.parametrize(
    "ranks, message",
    [
        (GOOD.iloc[:0], "no cells"),
        (GOOD.iloc[:, :0], "no cells"),
        (GOOD.values, "DataFrame"),
        (GOOD.replace(3, np.inf), "ranker 'x', item 'C': inf is infinite"),
        (GOOD.astype(object).replace(3, "third"), "ranker 'x', item 'C': third is not a number"),
        (GOOD / 10, "ranker 'x', item 'A'.*below 1"),
        (GOOD * 7.31, "neither whole nor the average"),
        (GOOD.assign(B=np.nan), "item 'B' has no ranks"),
        (GOOD.mul([1, np.nan], axis=0), "ranker 'y' has no ranks"),
        (GOOD.set_axis(list("AAC"), axis=1), "item 'A' appears more than once"),
        (GOOD.set_axis(["x", "x"]), "ranker 'x' appears"),
    ],
)
def test_what_cannot_be_ranks_is_refused(ranks, message):
    for method in (c.kemeny, t.thurstone):
        with pytest.raises(ValueError, match=message):
            method(ranks)


@pytest.mark.parametrize(
    "weights, message",
    [
        ([1, -1], "not negative"),
        ([0, 0], "not all zero"),
        ([1, np.nan], "finite"),
        ([1], "2 rankers"),
        ({"x": 1}, "every ranker"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        c.kemeny(GOOD, weights=weights)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=9))
@settings(max_examples=200, deadline=None)
def test_tau_b_is_scipys(pairs):
    a, b = np.array(pairs).T
    ours, theirs = c.kendall_tau(a, b), stats.kendalltau(a, b).statistic
    assert ours == pytest.approx(theirs, abs=1e-12) or (math.isnan(ours) and math.isnan(theirs))
    assert c.kendall_tau(a, b, kind="x") == pytest.approx(1 - 2 * c.kendall_distance(a, b) / math.comb(len(a), 2))


@given(st.lists(st.tuples(*[st.integers(1, 5)] * 3), min_size=2, max_size=7))
@settings(max_examples=200, deadline=None)
def test_kendall_distance_is_a_metric_on_weak_orders(triples):
    a, b, d = np.array(triples).T
    assert c.kendall_distance(a, b) == c.kendall_distance(b, a) >= 0
    assert c.kendall_distance(a, d) <= c.kendall_distance(a, b) + c.kendall_distance(b, d)
    assert (c.kendall_distance(a, b) == 0) == (stats.rankdata(a, "dense") == stats.rankdata(b, "dense")).all()


def test_series_are_matched_by_name():
    a = pd.Series({"A": 1, "B": 2, "C": 3})
    assert c.kendall_distance(a, a[["C", "A", "B"]]) == 0
    with pytest.raises(ValueError, match="different items.*'D'"):
        c.kendall_distance(a, a.rename({"A": "D"}))


def test_borda_by_hand():
    values = np.array([[[0.9, 0.1], [0.5, 0.5]], [[0.8, 0.2], [0.5, 0.6]]])
    draws = xr.DataArray(values, dims=("model", "task", "draw"), coords={"model": ["A", "B"], "task": ["p", "q"]})
    table = c.borda(draws, by="task", level=0.5)
    assert table.loc["A", "estimate"] == pytest.approx((1.25 + 2) / 2) and table.loc["B", "rank"] == 1
    together = c.borda(draws, by={"p": "all", "q": "all"})
    assert set(together["estimate"]) == {1.5}
    with pytest.raises(ValueError, match="lacking.*'q'"):
        c.borda(draws, by={"p": 1})
    with pytest.raises(ValueError, match="level"):
        c.borda(draws, by="task", level=95)


def three_item_posterior(rows):
    "Moments of the differences mu_1 - mu_2 and mu_2 - mu_3 given ranks of three items, by quadrature."
    grid = np.linspace(-6, 6, 49)
    u, v = np.meshgrid(grid, grid, indexing="ij")
    theta = np.stack([u + v, v, np.zeros_like(u)], -1).reshape(-1, 3)  # mu up to a constant
    prior = stats.multivariate_normal(cov=[[2, -1], [-1, 2]])
    log = prior.logpdf(np.stack([u, v], -1)).ravel()
    pair = stats.multivariate_normal(cov=[[2, -1], [-1, 2]])
    for row in rows:
        ranked = [i for i in range(3) if not np.isnan(row[i])]
        p = 0
        for order in itertools.permutations(ranked):
            if all(row[a] <= row[b] for a, b in itertools.pairwise(order)):
                d = -np.diff(theta[:, order], axis=1)
                p = p + (stats.norm.cdf(d[:, 0] / math.sqrt(2)) if len(order) == 2 else pair.cdf(d))
        log = log + np.log(np.maximum(p, 1e-300))
    w = np.exp(log - log.max())
    w /= w.sum()
    u, v = u.ravel(), v.ravel()
    return np.array([w @ u, w @ v, w @ u**2, w @ v**2, w @ (u > 0) + w @ (u == 0) / 2, w @ (v > 0) + w @ (v == 0) / 2])


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2, 3]] * 4 + [[2, 1, 3]],
        [[1, 2, 2], [1, 1, 2], [3, 1, 2]],
        [[1, 2, np.nan], [np.nan, 2, 1], [1, 2, 3]],
    ],
)
def test_thurstone_is_quadrature_on_three_items(rows):
    # Tolerance 0.05 is above five standard errors at 10,000 effective draws: chance below 1e-5.
    ranks = pd.DataFrame(rows, dtype=float)
    mu = t.thurstone_scores(t.thurstone(ranks, n_draws=4000, n_chains=4, rng=12)).values
    u, v = mu[0] - mu[1], mu[1] - mu[2]
    ours = [u.mean(), v.mean(), (u**2).mean(), (v**2).mean(), (u > 0).mean(), (v > 0).mean()]
    exact = three_item_posterior(np.array(rows, float))
    np.testing.assert_array_less(np.abs(ours - exact), 0.05 * np.maximum(1, np.abs(exact)))


def test_without_information_the_posterior_is_the_prior():
    # All tied: standard deviation 2 to within 5 standard errors (2 / sqrt(2 x 8000) = 0.016): chance below 1e-5.
    mu = t.thurstone_scores(t.thurstone(pd.DataFrame(np.ones((3, 4))), prior_sd=2, n_draws=2500, rng=1)).values
    np.testing.assert_allclose(mu.std(1), 2, atol=0.1)
    np.testing.assert_allclose(mu.mean(1), 0, atol=0.15)


@pytest.mark.filterwarnings("ignore:chains too short")
def test_thurstone_recovers_order_and_covers():
    # 80 data sets x 7 items: standard error of coverage about 0.014, four of them allowed: chance 6e-5.
    rng = np.random.default_rng(21)
    covered, tau = [], []
    for _ in range(80):
        truth = rng.standard_normal(7)
        r = pd.DataFrame(stats.rankdata(-(truth + rng.standard_normal((12, 7))), axis=1))
        mu = t.thurstone_scores(t.thurstone(r, n_draws=300, n_tune=60, rng=rng)).values
        lower, upper = np.quantile(mu, [0.05, 0.95], axis=1)
        covered.append((lower < truth) & (truth < upper))
        tau.append(c.kendall_tau(-mu.mean(1), -truth))
    assert abs(np.mean(covered) - 0.9) < 4 * 0.014
    assert np.mean(tau) > 0.7


def test_thurstone_repeats_and_reports():
    ranks = pd.DataFrame([[1, 2, 3], [2, 1, 3]], columns=list("ABC"))
    a, b = (t.thurstone(ranks, n_draws=300, rng=3) for _ in range(2))
    np.testing.assert_array_equal(a.posterior["mu"], b.posterior["mu"])
    assert a.posterior["mu"].dims == ("chain", "draw", "model") and a.observed_data["rank"].dims == ("ranker", "model")
    with pytest.warns(UserWarning, match="chains too short"):
        t.thurstone(ranks, n_draws=20, n_tune=0, rng=3)
    for bad in ({"prior_sd": 0}, {"n_draws": 0}, {"n_chains": 0}, {"prior_sd": math.inf}):
        with pytest.raises(ValueError, match="must be positive"):
            t.thurstone(ranks, **bad)


def test_truncated_normals_stay_inside_and_have_the_right_mean():
    rng = np.random.default_rng(2)
    for low, high in ((-np.inf, -5), (8, np.inf), (-1, 0.5), (30, 31), (-60, -50), (-np.inf, np.inf)):
        x = t._truncated_normal(np.zeros(20_000), np.full(20_000, low), np.full(20_000, high), rng)
        assert (x >= low).all() and (x <= high).all() and np.isfinite(x).all()
        if abs(low) < 50:
            np.testing.assert_allclose(x.mean(), stats.truncnorm.mean(low, high), atol=0.04)


def scores(values):
    names = [f"m{i}" for i in range(len(values))]
    return xr.DataArray(np.array(values, float), dims=("model", "draw"), coords={"model": names})


def test_agreement_by_hand():
    x = scores([[3, 3, 1, 3], [2, 2, 2, 2], [1, 1, 3, 2]])
    table = stability.agreement(x)
    assert table["whole ranking"] == 0.5 and table["best model"] == 0.75
    assert table["pairs"] == pytest.approx((3 + 3 + 0 + 2) / 12)
    assert stability.agreement(x, pd.Series({"m0": 1, "m1": 2, "m2": 2}))["whole ranking"] == 0.75
    with pytest.raises(ValueError, match="lacks models.*m2"):
        stability.agreement(x, pd.Series({"m0": 1, "m1": 2}))


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_settled_pairs_are_a_partial_order_that_holds(seed):
    rng = np.random.default_rng(seed)
    x = scores(rng.normal(rng.normal(0, 1, (6, 1)), 0.7, (6, 200)))
    settled = stability.settled_pairs(x, level=0.9)
    order = settled.to_numpy()
    assert not (order & order.T).any() and not ((order.astype(int) @ order > 0) & ~order).any()
    v = x.sel(model=settled.index).values
    held = np.all([v[i] > v[j] for i, j in np.argwhere(order)], axis=0) if order.any() else np.ones(200, bool)
    assert held.mean() >= 0.9 and settled.attrs["together"] == pytest.approx(held.mean())
    each = stability.settled_pairs(x, level=0.9, jointly=False)
    assert (each | ~settled).all(axis=None)


def test_plots_draw_what_they_are_given():
    settled = stability.settled_pairs(scores(np.random.default_rng(0).normal([[2], [1.9], [0], [-3]], 0.3, (4, 500))))
    ax = stability.plot_hasse(settled)
    assert {t.get_text() for t in ax.texts} == {"m0", "m1", "m2", "m3"} and len(ax.lines) == 3
    shares = c.consensus_probabilities(c.kemeny(pd.DataFrame([[1, 2, 3], [2, 1, 3]], columns=list("ABC"))))
    axes = c.plot_rank_bars({"one": shares, "two": shares})
    assert [p.get_height() for p in axes.ravel()[2].patches] == [0, 1 / 3, 2 / 3] * 2
    matplotlib.pyplot.close("all")
