"""Effective draws per second of the exact method against samplers, in one run.

    python tests/benchmarks/bayes.py [--quick]

Data: VTAB (16 models x 19 tasks), and hard data of the same size on which each model scores the same on all tasks. PyMC
runs as its users would run it (4 chains, 1,000 + 1,000 draws, PyMC's own compilation), in the full form as the paper
writes it, and with theta integrated out, sampling (alpha, beta) or (mean, concentration). nutpie takes part if it is
installed.
A sampler that takes longer than the limit is stopped; its rate is then what it would have reached had it finished at
that moment with all its draws independent, an upper bound. `--quick` lowers the limit and the number of draws.

Effective draws: the smallest bulk or tail figure over all alpha and beta. PyMC's compilation is not counted (it reports
the time of sampling by itself).
"""

import os
import subprocess
import sys
import time
import warnings

warnings.simplefilter("ignore")

import numpy as np
import pandas as pd

from benchuq.data.published import load
from benchuq.data.results import from_counts
from benchuq.sampling import confusion as cells
from benchuq.sampling import chains
from benchuq.sampling.aggregate import mean
from benchuq.sampling.beta_binomial import BetaBinomial
from benchuq.sampling.convergence import as_tree, convergence_table
from benchuq.sampling.hierarchy import accuracy_draws, fit
from benchuq.sampling.aggregate import rank_probabilities

QUICK = "--quick" in sys.argv
LIMIT = 60 if QUICK else 400  # seconds a sampler may take, compilation included
DRAWS = 250 if QUICK else 1000  # of each of four chains, and as many to tune


def data(name):
    vtab = load("vtab")
    if name == "vtab":
        return vtab
    share = np.linspace(0.3, 0.8, 16)[:, None]
    n = vtab["n_items"].to_series()
    k = pd.DataFrame(np.round(share * n.to_numpy()), index=vtab["model"].values, columns=n.index)
    return from_counts(k, n)


def sample(method, results):
    """Seconds, tree of the fit."""
    if method == "exact":
        tree = fit(results, n_draws=4000, rng=1, predictive=False)
        return best_of(lambda: fit(results, n_draws=4000, rng=1, predictive=False)), tree
    if method == "gibbs":
        start = time.perf_counter()
        tree = fit(results, "gibbs", n_draws=4 * DRAWS, n_tune=DRAWS, rng=1, predictive=False)
        return time.perf_counter() - start, tree
    return sample_pymc(method, results)


def sample_pymc(method, results):
    import pymc as pm

    sampler, parametrisation = method.split(": ")
    options = {"chains": 4, "cores": 1, "random_seed": 1, "progressbar": False, "compute_convergence_checks": False}
    options["nuts_sampler"] = sampler
    start = time.perf_counter()
    with chains.pymc_model(BetaBinomial.from_results(results), parametrisation):
        tree = as_tree(pm.sample(DRAWS, tune=DRAWS, **options))
    return tree.posterior.attrs.get("sampling_time", time.perf_counter() - start), tree


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def one(method, name):
    """Row of the table, run in a process of its own so that it can be stopped."""
    took, tree = sample(method, data(name))
    diverging = int(tree.sample_stats["diverging"].sum()) if "sample_stats" in tree else 0
    table = convergence_table(tree, ["alpha", "beta"])
    effective = table[["ess_bulk", "ess_tail"]].min(axis=None)
    print("RESULT", took, effective, table["r_hat"].max(), diverging)


def row(method, name):
    command = [sys.executable, __file__, "--one", method, name] + ["--quick"] * QUICK
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=os.environ)
    except subprocess.TimeoutExpired:
        return {
            "data": name,
            "method": method,
            "seconds": LIMIT,
            "effective": np.nan,
            "per second": 4 * DRAWS / LIMIT,
            "note": "stopped; bound",
        }
    if "RESULT" not in out.stdout:
        raise RuntimeError(out.stderr[-2000:])
    took, ess, r_hat, diverging = map(float, out.stdout.split("RESULT")[1].split())
    note = "" if not r_hat > 1.01 else f"R-hat {r_hat:.2f}"
    note += f" {diverging:.0f} divergent" if diverging else ""
    return {"data": name, "method": method, "seconds": took, "effective": ess, "per second": ess / took, "note": note}


def best_of(function, repeats=5):
    return min(seconds(function) for _ in range(repeats))


def main():
    methods = ["exact", "gibbs", *(f"pymc: {name}" for name in chains.PARAMETRISATIONS)]
    try:
        import nutpie  # noqa: F401

        methods += [f"nutpie: {name}" for name in chains.PARAMETRISATIONS]
    except ImportError:
        print("nutpie is not installed: left out\n")
    table = pd.DataFrame([row(m, name) for name in ("vtab", "hard") for m in methods])
    exact = table[table["method"] == "exact"].set_index("data")["per second"]
    table["exact is faster by"] = table["data"].map(exact) / table["per second"]
    print(
        table.round({"seconds": 2, "effective": 0, "per second": 1, "exact is faster by": 1})
        .fillna("")
        .to_string(index=False)
    )

    results = load("vtab")
    print(
        f"\nexact, 16 x 19 x 4,000 draws with predictions: {best_of(lambda: fit(results, n_draws=4000, rng=1)):.3f} s"
    )
    rng = np.random.default_rng(1)
    rows = [
        {
            "model": f"m{i}",
            "task": f"class {j}",
            **dict(zip(cells.CONFUSION_CELLS, rng.multinomial(1000, rng.dirichlet([7, 3, 3, 87])))),
        }
        for i in range(16)
        for j in range(10)
    ]
    confusion = cells.from_confusion(pd.DataFrame(rows))
    took = best_of(lambda: mean(cells.metric_draws(cells.fit_confusion(confusion, n_draws=10_000, rng=1), "f1")))
    print(f"macro-F1, 10 classes x 16 models x 10,000 draws, fit included: {took:.3f} s")
    few, many = (
        rank_probabilities(mean(accuracy_draws(fit(results, n_draws=n, rng=n, predictive=False))))
        for n in (20_000, 200_000)
    )
    print(f"rank probabilities, 20,000 against 200,000 draws: largest difference {float(abs(few - many).max()):.4f}")


if __name__ == "__main__":
    if "--one" in sys.argv:
        i = sys.argv.index("--one")
        one(*sys.argv[i + 1 : i + 3])
    else:
        main()
