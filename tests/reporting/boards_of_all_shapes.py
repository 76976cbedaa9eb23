"""Boards of many shapes, and the cells of the report `leaderboard` run on them in this process."""

import ast

import IPython.display
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import xarray as xr

from benchuq.readers import read as readers
from benchuq.reporting.catalogue import report_source


def items(n_models=5, sizes=(30,), *, score=None, category=None, cluster=None, spread=1.0, names=None, seed=0):
    "Results of items: right or wrong by ability and shared difficulty, or the array `score` (model, item)."
    rng = np.random.default_rng(seed)
    task = np.repeat([f"task {t}" for t in range(len(sizes))], sizes)
    if score is None:
        margin = spread * np.linspace(1, -1, n_models)[:, None] + rng.normal(0, 1, len(task))
        score = (rng.random(margin.shape) < 1 / (1 + np.exp(-margin))).astype(float)
    coords = {
        "model": np.array(names or [f"m{i:03d}" for i in range(n_models)], object),
        "item": np.arange(len(task)),
        "task": ("item", task.astype(object)),
    }
    if category is not None:
        coords["category"] = ("item", np.array(category, object)[np.repeat(range(len(sizes)), sizes)])
    if cluster is not None:
        coords["cluster"] = ("item", cluster)
    return xr.Dataset({"score": (("model", "item"), score)}, coords)


def counts(n_models=5, sizes=(30, 50), *, category=None, seed=0):
    "Results of counts."
    p = np.linspace(0.8, 0.6, n_models)[:, None] * np.ones(len(sizes))
    n_correct = np.random.default_rng(seed).binomial(sizes, p)
    coords = {"model": [f"m{i:03d}" for i in range(n_models)], "task": [f"task {t}" for t in range(len(sizes))]}
    results = xr.Dataset({"n_correct": (("model", "task"), n_correct), "n_items": ("task", list(sizes))}, coords)
    return results if category is None else results.assign_coords(category=("task", list(category)))


def run_page(results, monkeypatch, **parameters) -> dict:
    "Run the cells of the template on `results`; returns its names, and what it displayed under `shown`."
    shown, names = [], {"__name__": "page"}
    show = lambda *things, **_: shown.extend(things)  # noqa: E731
    monkeypatch.setattr(IPython.display, "display", show)
    monkeypatch.setattr(readers, "read", lambda *_, **__: results)
    for cell in nbformat.read(report_source("leaderboard"), 4).cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(cell.source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "leaderboard", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "leaderboard", "eval"), names)
            shown.extend([] if value is None else [value])
        if "parameters" in cell.metadata.get("tags", []):
            names |= {"path": "results", "n_draws": 1000} | parameters
    plt.close("all")
    return names | {"shown": shown}
