"""Bayes: known answers, agreement of the three samplers, calibration, error contracts.

Stochastic checks are seeded. Where one states a limit in standard errors, a fresh seed would fail it with the probability given beside it.
"""

import warnings

import arviz as az
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.special import betaln

from benchuq.sampling import bayes, correlation
from benchuq.sampling import confusion as cells
from benchuq.comparison.aggregate import category_means, differences, intervals, mean
from benchuq.comparison.ranking import SCHEMES, rank_probabilities, rank_table
from benchuq.data.published import load
from benchuq.data.results import from_counts, from_items
from benchuq.data.tables import read_table

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
VTAB = load("vtab")


def counts(rows, n_items, models="AB"):
    rows = np.atleast_2d(rows)
    return from_counts(
        pd.DataFrame(rows, index=list(models[: len(rows)]), columns=[f"t{j}" for j in range(rows.shape[1])]), n_items
    )


def quiet_fit(*args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return bayes.fit(*args, **kwargs)


# --- exact draws -----------------------------------------------------------------------------------------------------


def test_exact_is_the_posterior():
    "Distribution of the mean against quadrature; Kolmogorov-Smirnov, p > 0.001."
    k, n, prior = np.array([3.0, 9, 5]), np.array([10.0, 12, 6]), (bayes.LogNormal(1, 0.8), bayes.LogNormal(0.5, 0.6))
    post = bayes.fit(counts(k, pd.Series(n, ["t0", "t1", "t2"])), prior=prior, n_draws=20_000, rng=1).posterior
    alpha, beta = (post[v].values.ravel() for v in ("alpha", "beta"))

    def density(mu, size):
        a, b = mu * size, (1 - mu) * size
        return (
            np.exp(
                prior[0].log_density(a) + prior[1].log_density(b) + (betaln(a + k, b + n - k) - betaln(a, b)).sum() + 20
            )
            * size
        )

    sizes = np.exp(np.linspace(-4, 6, 400))
    grid = np.linspace(0.001, 0.999, 400)
    height = np.array([[density(m, s) * s for s in sizes] for m in grid]).sum(axis=1)
    cdf = np.concatenate([[0], np.cumsum((height[1:] + height[:-1]) / 2)])
    assert stats.kstest(alpha / (alpha + beta), lambda x: np.interp(x, grid, cdf / cdf[-1])).pvalue > 0.001


def test_exact_means_against_quadrature():
    "Mean accuracy and log size of four models, 50,000 draws: within 3.5 standard errors (fails with probability 0.004)."
    few = VTAB.isel(model=slice(0, 16, 5))
    post = bayes.fit(few, n_draws=50_000, rng=2, predictive=False).posterior.isel(chain=0)
    n = few["n_items"].values
    for i, k in enumerate(few["n_correct"].values):
        density = bayes._log_posterior(bayes._joint(bayes.Exponential()), k, n)
        centre, axes, low, high = bayes._grid(density)
        x = centre + bayes._lattice(low, high, 200) @ axes.T
        weight = np.exp(density(x) - density(x).max())
        alpha, beta = np.moveaxis(np.exp(bayes._log_cells(x)), -1, 0)
        accuracy = ((alpha[..., None] + k) / ((alpha + beta)[..., None] + n)).mean(axis=-1)
        one = post.isel(model=i)
        for draws, value in [(one["theta"].mean("task"), accuracy), (np.log(one["alpha"] + one["beta"]), x[..., 1])]:
            error = draws.std().item() / np.sqrt(50_000)
            assert abs(draws.mean().item() - np.average(value, weights=weight)) < 3.5 * error


def test_one_task_has_a_known_answer():
    "With alpha and beta nearly fixed, theta of a single task is Beta(alpha + y, beta + n - y)."
    prior = (bayes.TruncatedNormal(20, 0.01), bayes.TruncatedNormal(10, 0.01))
    with pytest.warns(UserWarning, match="the prior decides"):
        idata = bayes.fit(counts([7], 10), prior=prior, n_draws=20_000, rng=1)
    assert stats.kstest(idata.posterior["theta"].values.ravel(), stats.beta(27, 13).cdf).pvalue > 0.001


@pytest.mark.parametrize("k", [0, 50, 25])
def test_all_or_none_correct(k):
    idata = bayes.fit(counts([[k] * 6, [k, 10, 20, 30, 40, 50]], 50), n_draws=500, rng=1)
    theta = idata.posterior["theta"].sel(model="A")
    assert idata.attrs["converged"] == 1 and np.isfinite(idata.posterior.to_array()).all()
    assert abs(float(theta.mean()) - k / 50) < 0.02


def test_independent_draws():
    "Effective number of draws is the number of draws, within its noise."
    table = bayes.diagnostics(bayes.fit(VTAB, n_draws=4000, rng=3, predictive=False))
    assert table["ess_bulk"].min() > 3000 and table["r_hat"].isna().all()


def test_same_seed_whatever_order_and_workers():
    one = bayes.fit(VTAB, n_draws=200, rng=7)
    two = bayes.fit(VTAB.isel(model=[5, 2, 9]), n_draws=200, rng=7, n_jobs=2)
    for group, name in (("posterior", "theta"), ("posterior_predictive", "n_correct")):
        a, b = one[group][name], two[group][name]
        assert (a.sel(model=b["model"]) == b).all()
    assert not (
        bayes.fit(VTAB.isel(model=[5]), n_draws=200, rng=8).posterior["alpha"] == one.posterior["alpha"].isel(model=[5])
    ).any()


def test_gibbs_same_seed_whatever_order():
    one, two = (quiet_fit(VTAB.isel(model=m), "gibbs", n_draws=40, tune=20, rng=7) for m in ([0, 1, 2], [2, 0]))
    assert (one.posterior["alpha"].sel(model=two.posterior["model"]) == two.posterior["alpha"]).all()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2000)), min_size=2, max_size=8), st.integers(0, 2**32))
def test_any_counts_work(pairs, seed):
    k, n = np.array([min(a, b) for a, b in pairs]), np.array([max(a, b, 1) for a, b in pairs])
    idata = bayes.fit(counts(k, pd.Series(n, [f"t{j}" for j in range(len(n))])), n_draws=50, rng=seed)
    d = bayes.draws(idata)
    assert idata.attrs["converged"] == 1 and d.dims == ("model", "task", "draw") and ((d >= 0) & (d <= 1)).all()


def test_items_are_counted():
    rng = np.random.default_rng(0)
    items = from_items(
        pd.DataFrame(
            {"model": "A", "task": np.repeat(["t0", "t1"], 50), "item": np.arange(100), "score": rng.random(100) < 0.7}
        )
    )
    same = bayes.fit(
        counts([int(items["score"][0, :50].sum()), int(items["score"][0, 50:].sum())], 50), n_draws=50, rng=1
    )
    np.testing.assert_array_equal(bayes.draws(bayes.fit(items, n_draws=50, rng=1)), bayes.draws(same))


# --- three ways that agree -------------------------------------------------------------------------------------------


def test_three_samplers_agree_on_vtab():
    "Overall accuracy: 16 means x 2 within 3.5 standard errors (fails with probability 0.015), ends of intervals within 0.05 points at 20,000 draws."
    fits = {m: quiet_fit(VTAB, m, n_draws=20_000, rng=4) for m in bayes.METHODS}
    assert all(f.attrs["converged"] for f in fits.values())
    overall = {m: f.posterior["theta"].mean("task") for m, f in fits.items()}
    for m in ("nuts", "gibbs"):
        gap = overall[m].mean(["chain", "draw"]) - overall["exact"].mean(["chain", "draw"])
        error = np.hypot(az.mcse(overall[m])["theta"], az.mcse(overall["exact"])["theta"])
        assert float(abs(gap / error).max()) < 3.5
        for predictive in (True, False):
            ends = [
                100 * intervals(mean(bayes.draws(fits[x], predictive)), 0.834)[["lower", "upper"]] for x in ("exact", m)
            ]
            assert (ends[0] - ends[1]).abs().max(axis=None) < 0.05


@pytest.mark.parametrize("form", bayes.FORMS[1:])
def test_other_forms_of_the_pymc_model_agree(form):
    small = counts([[12, 30, 25, 8], [20, 35, 33, 19]], 40)
    prior = {"A": (bayes.LogNormal(2, 0.5), bayes.LogNormal(1, 0.5)), "B": lambda a, b: -a / 20 - b / 10}
    exact = bayes.fit(small, prior=prior, n_draws=20_000, rng=1)
    nuts = quiet_fit(small, "nuts", prior, n_draws=2000, chains=2, tune=500, rng=2, form=form)
    for name in ("alpha", "theta"):
        a, b = (np.log(f.posterior[name]) for f in (exact, nuts))
        error = np.hypot(az.mcse(a)[name], az.mcse(b)[name])
        assert float((abs(a.mean(["chain", "draw"]) - b.mean(["chain", "draw"])) / error).max()) < 4.5


def test_models_alike_on_all_tasks():
    "The ridge where samplers in alpha and beta fail: exact and NUTS in (mean, size) agree, Gibbs is found out."
    alike = counts([[3000] * 19, [2000] * 19], 5000)
    exact, nuts = bayes.fit(alike, rng=1), bayes.fit(alike, "nuts", rng=1)
    assert nuts.attrs["converged"] == 1
    a, b = (np.log(f.posterior["alpha"]).mean(["chain", "draw"]) for f in (exact, nuts))
    assert float(abs(a - b).max()) < 0.08
    with pytest.warns(bayes.ConvergenceWarning, match=r"(alpha|beta|mean_theta)\[[AB]\]"):
        stuck = bayes.fit(alike, "gibbs", n_draws=400, tune=100, rng=1)
    assert (
        stuck.attrs["converged"] == 0
        and "R-hat" in stuck.attrs["problems"]
        and bayes.draws(stuck).attrs["converged"] == 0
    )


@pytest.mark.parametrize(
    "method, options",
    [
        ("exact", {"n_simulations": 1000, "n_draws": 99}),
        ("gibbs", {"n_simulations": 100, "n_draws": 1000, "tune": 200}),
        ("nuts", {"n_simulations": 60, "n_draws": 1000, "tune": 400, "chains": 2}),
    ],
)
def test_simulation_based_calibration(method, options):
    "Four tests for each method at 0.001."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayes.ConvergenceWarning)
        ranks = bayes.calibration_ranks(
            method, (bayes.LogNormal(2, 0.7), bayes.LogNormal(1, 0.7)), [5, 20, 20, 50], rng=11, **options
        )
    assert ((ranks >= 0) & (ranks <= 99)).all(axis=None) and bayes.uniformity(ranks, bins=10).min() > 0.001


def test_calibration_finds_a_wrong_sampler(monkeypatch):
    exact = bayes._exact
    monkeypatch.setattr(bayes, "_exact", lambda f, n, rng: ((r := exact(f, n, rng))[0] * 1.15, r[1]))
    ranks = bayes.calibration_ranks(
        "exact", bayes.LogNormal(2, 0.7), [5, 20, 20, 50], n_simulations=1000, n_draws=99, rng=11
    )
    assert bayes.uniformity(ranks).min() < 1e-6


# --- what the paper prints -------------------------------------------------------------------------------------------


def test_simulation_study():
    study = read_table("uq_simulation_counts")
    results = from_counts(
        study.pivot(index="model", columns="task", values="n_correct"),
        study.drop_duplicates("task").set_index("task")["n_items"],
    )
    table = read_table("uq_simulation_priors").set_index(["model", "parameter"])
    prior = {
        m: tuple(bayes.TruncatedNormal(*table.loc[(m, p), ["mean", "sd"]]) for p in ("alpha", "beta")) for m in "AB"
    }
    idata = bayes.fit(results, prior=prior, n_draws=40_000, rng=1)
    found = differences(mean(bayes.draws(idata, predictive=False)), [("A", "B")], correction="none").iloc[0]
    published = read_table("uq_simulation_intervals").set_index("method").loc["bayes"]
    assert (
        abs(found["lower"] - published["lower"]) < 0.002
        and abs(found["upper"] - published["upper"]) < 0.002
        and found["upper"] < 0
    )


def test_vtab_tables_7_and_11():
    "Printed to a tenth of a point or rank, from few draws; ours differ by less than 0.1 (mean 0.03)."
    d = bayes.draws(bayes.fit(VTAB, n_draws=20_000, rng=1))
    printed = ["By avg", "Geom mean", "Avg rank (AvR)", "AvR (noise)", "AvR (bins)"]
    ours = {
        "table7": 100 * intervals(category_means(d, overall="equal"), 0.834),
        "table11": rank_table(d, rng=1).rename(index=dict(zip(SCHEMES, printed)), level=1),
    }
    columns, published = ["estimate", "lower", "upper"], read_table("uq_tables")
    for name, table in ours.items():
        paper = published[published["table"] == name].set_index(["row", "column"])[columns]
        gap = (table.rename_axis(["row", "column"]).loc[paper.index, columns] - paper).abs()
        assert gap.max(axis=None) < 0.15 and gap.mean(axis=None) < 0.05


def test_rank_probabilities_are_stable():
    "Five best models, within 0.01 of a ten times longer run: 4 standard errors at 20,000 draws."
    best = VTAB.isel(model=slice(5))
    few, many = (
        rank_probabilities(mean(bayes.draws(bayes.fit(best, n_draws=n, rng=n, predictive=False), False)))
        for n in (20_000, 200_000)
    )
    assert float(abs(few - many).max()) < 0.01


# --- checks of the model ---------------------------------------------------------------------------------------------


def test_predictive_check():
    idata = bayes.fit(VTAB, n_draws=1000, rng=1)
    for tasks in ("new", "same"):
        table = bayes.predictive_check(idata, "mean", tasks, rng=1)
        assert (
            (table["lower"] < table["observed"]).all()
            and (table["observed"] < table["upper"]).all()
            and table["p_value"].between(0, 1).all()
        )
    with pytest.raises(ValueError, match="'new' or 'same'"):
        bayes.predictive_check(idata, tasks="all")
    ax = bayes.plot_predictive(idata, "VAE", rng=1)
    np.testing.assert_allclose(
        np.sort(100 * (VTAB["n_correct"] / VTAB["n_items"]).sel(model="VAE")), ax.lines[0].get_ydata()
    )


# --- confusion counts ------------------------------------------------------------------------------------------------


def confusion(models, tasks, items, rng, weights=(7, 3, 3, 87)):
    p = np.random.default_rng(rng).dirichlet(weights, size=(models, tasks))
    x = np.random.default_rng(rng + 1).multinomial(items, p)
    return xr.Dataset(
        {"count": (("model", "task", "cell"), x)},
        coords={
            "model": [f"m{i}" for i in range(models)],
            "task": [f"t{j}" for j in range(tasks)],
            "cell": list(cells.CELLS),
        },
    )


def test_confusion_calibration():
    "Concentrations from the prior, counts from them; ranks of the truth uniform (four cells and F1, at 0.001 each)."
    prior, rng, size = bayes.LogNormal(1.5, 0.6), np.random.default_rng(2), 400
    a = prior.sample(rng, (size, 4))
    p = np.array([rng.dirichlet(row, size=5) for row in a])
    data = xr.Dataset(
        {"count": (("model", "task", "cell"), rng.multinomial(30, p))},
        coords={"model": [f"m{i}" for i in range(size)], "task": list("abcde"), "cell": list(cells.CELLS)},
    )
    idata = cells.fit_confusion(data, prior, n_draws=99, rng=3)
    ranks = pd.DataFrame(
        (idata.posterior["concentration"].isel(chain=0).transpose("model", "draw", "cell").values < a[:, None]).sum(
            axis=1
        )
    )
    f1 = cells.METRICS["f1"](*p.transpose(2, 0, 1)[:3])
    ranks["f1"] = (cells.metric_draws(idata).mean("task").values < f1.mean(axis=1)[:, None]).sum(axis=1)
    assert bayes.uniformity(ranks, bins=10).min() > 0.001


def test_confusion_against_pymc():
    import pymc as pm

    data = confusion(1, 6, 80, 4)
    x = data["count"].values[0]
    with pm.Model():
        a = pm.LogNormal("a", 1, 1, shape=4)
        pm.DirichletMultinomial("x", n=x.sum(axis=1), a=a, observed=x)
        trace = pm.sample(
            1000,
            tune=500,
            chains=2,
            cores=1,
            random_seed=1,
            progressbar=False,
            compute_convergence_checks=False,
            compile_kwargs={"mode": "NUMBA"},
        )
    ours = np.log(
        cells.fit_confusion(data, bayes.LogNormal(1, 1), n_draws=20_000, rng=1).posterior["concentration"].isel(model=0)
    )
    theirs = np.log(trace.posterior["a"])
    error = az.mcse(theirs)["a"].values + ours.std().item() / np.sqrt(20_000)
    assert (abs(theirs.mean(["chain", "draw"]).values - ours.mean(["chain", "draw"]).values) < 4 * error).all()
    np.testing.assert_allclose(theirs.std(["chain", "draw"]), ours.std(["chain", "draw"]), rtol=0.12)


@pytest.mark.parametrize("spoil", ["empty cell", "narrow prior", "alike", "one task", "nine cells"])
def test_confusion_hard_cases(spoil):
    data, prior = confusion(2, 8, 60, 5), bayes.Exponential()
    if spoil == "empty cell":
        data["count"][:, :, 1] = 0
    if spoil == "narrow prior":
        prior = bayes.TruncatedNormal(20, 0.1)
    if spoil == "alike":
        data["count"][:] = [70, 30, 30, 870]
    if spoil == "one task":
        data = data.isel(task=[0])
    if spoil == "nine cells":
        data = xr.concat([data.assign_coords(cell=[f"{c}{i}" for c in cells.CELLS]) for i in range(2)], "cell")
    idata = cells.fit_confusion(data, prior, n_draws=2000, rng=1)
    a, theta = idata.posterior["concentration"], idata.posterior["theta"]
    assert (a > 0).all() and np.allclose(theta.sum("cell"), 1) and bayes.diagnostics(idata)["ess_bulk"].min() > 1000
    assert len(np.unique(a.values[0, :, 0, 0])) > 1700
    if spoil == "narrow prior":
        np.testing.assert_allclose(a.mean("draw"), 20, atol=0.1)


def test_metrics():
    data = confusion(2, 3, 200, 6)
    idata = cells.fit_confusion(data, n_draws=300, rng=1, predictive=True)
    tp, fp, fn, tn = (
        idata.posterior["theta"].isel(chain=0).sel(cell=c).transpose("model", "task", "draw").values
        for c in cells.CELLS
    )
    expected = {
        "precision": tp / (tp + fp),
        "recall": tp / (tp + fn),
        "specificity": tn / (tn + fp),
        "accuracy": tp + tn,
        "balanced accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        "f1": 2 / ((tp + fp) / tp + (tp + fn) / tp),
    }
    assert set(expected) == set(cells.METRICS)
    for name, value in expected.items():
        np.testing.assert_allclose(cells.metric_draws(idata, name), value)
    np.testing.assert_allclose(cells.metric_draws(idata, lambda tn, **_: tn), tn)
    new = idata.posterior_predictive["count"]
    assert (new.sum("cell") == 200).all() and cells.metric_draws(idata, predictive=True).dims == (
        "model",
        "task",
        "draw",
    )


def test_confusion_same_seed_whatever_order():
    data = confusion(3, 4, 100, 7)
    one, two = (
        cells.fit_confusion(data, n_draws=100, rng=1),
        cells.fit_confusion(data.isel(model=[2, 0]), n_draws=100, rng=1, n_jobs=2),
    )
    assert (one.posterior["theta"].sel(model=two.posterior["model"]) == two.posterior["theta"]).all()


# --- correlated models -----------------------------------------------------------------------------------------------


def test_lkj_in_terms_of_rows():
    "The density of w integrates to the LKJ marginal: for 2 models and eta = 2 the correlation is 2 Beta(2, 2) - 1."
    f = lambda w: (1 + w**2) ** (-(2 + 2 * 2 - 1) / 2)  # noqa: E731
    total = quad(f, -np.inf, np.inf)[0]
    for r in (-0.5, 0.0, 0.7):
        below = quad(f, -np.inf, r / np.sqrt(1 - r**2))[0] / total
        assert abs(below - stats.beta(2, 2).cdf((r + 1) / 2)) < 1e-8


def test_few_items_choose_the_other_form_and_find_the_correlation():
    "Effects instead of theta are sampled; the interval covers the known correlation of 0.9."
    rng = np.random.default_rng(8)
    u = rng.multivariate_normal([0.5, 0.2], [[1, 0.9], [0.9, 1]], size=60)
    few = counts(rng.binomial(4, 1 / (1 + np.exp(-u))).T, 4)
    assert not correlation._informative(*bayes._counts(few)[:2]) and correlation._informative(*bayes._counts(VTAB)[:2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bayes.ConvergenceWarning)
        idata = correlation.fit_correlated(few, n_draws=600, chains=2, tune=400, rng=1)
    r = idata.posterior["correlation"].sel(model="A", other_model="B")
    assert float(r.quantile(0.01)) < 0.9 < float(r.quantile(0.99)) and float(r.mean()) > 0.3
    rho = correlation.score_correlation(bayes.draws(idata, predictive=False))
    assert (
        rho.loc["A", "A"] == pytest.approx(1) and rho.loc["A", "B"] == rho.loc["B", "A"] and abs(rho.loc["A", "B"]) < 1
    )
    with pytest.raises(ValueError, match="at least two models"):
        correlation.correlated_model(few.isel(model=[0]))


# --- error contracts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: bayes.Exponential(-1), "rate must be positive"),
        (lambda: bayes.TruncatedNormal(0, 0), "sd must be positive"),
        (lambda: bayes.TruncatedNormal(-1000, 1), "no mass to positive values"),
        (lambda: bayes.LogNormal(np.nan, 1), "mean must be finite"),
        (lambda: bayes.fit(VTAB, "vb"), "method 'vb' is not known"),
        (lambda: bayes.fit(VTAB, n_draws=0), "at least 1"),
        (lambda: bayes.fit(VTAB, prior=3), "prior must be"),
        (lambda: bayes.fit(VTAB, prior={"A": bayes.Exponential()}), r"unknown \['A'\]"),
        (lambda: bayes.fit(VTAB, prior=lambda a, b: 0 * a), "prior of model 'Sup-Rotation-100%'.*improper"),
        (lambda: bayes.fit(VTAB, prior=lambda a, b: -np.log(a) - np.log(b)), "improper"),
        (lambda: bayes.fit(VTAB, prior=lambda a, b: np.full(a.shape, -np.inf)), "no mass to positive"),
        (lambda: bayes.fit(VTAB, prior=lambda a, b: np.log(-a)), "not a number"),
        (lambda: bayes.pymc_model(VTAB, form="flat"), "form 'flat' is not known"),
        (
            lambda: bayes.pymc_model(VTAB, lambda a, b: stats.norm.logpdf(a) - b),
            "'exact' and 'gibbs' take any function",
        ),
        (lambda: bayes.diagnostics(bayes.fit(VTAB, n_draws=10), ["gamma"]), r"\['gamma'\] were not sampled"),
        (lambda: bayes.draws(bayes.fit(VTAB, n_draws=10, predictive=False)), "no predictions"),
        (lambda: bayes.calibration_ranks("exact", lambda a, b: -a - b, [5, 5]), "method sample"),
        (
            lambda: cells.from_confusion(pd.DataFrame({"model": ["A"], "task": ["t"], "tp": [0], "fp": [0]})),
            "all counts are 0",
        ),
        (lambda: cells.fit_confusion(confusion(1, 2, 9, 0), prior=lambda a: -a), "prior must be"),
    ],
)
def test_errors_name_what_is_wrong(make, message):
    with pytest.raises(ValueError, match=message):
        make()
