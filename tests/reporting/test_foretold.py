"""The page's part on holes: what it says for counts, items and estimates, and when it keeps silent."""

import numpy as np
import pandas as pd
import pytest

from benchuq.data.published import load
from benchuq.data.results import from_counts, from_estimates, from_items
from benchuq.reporting.foretold import foretell, known_errors

GATE = load("gate")["score"].to_pandas().rename_axis(columns="task").iloc[:, :20]
HIDDEN = np.random.default_rng(1).random(GATE.shape) < 0.5
PART = GATE.mask(HIDDEN).dropna(how="all")


def test_estimates_with_holes_are_foretold():
    page = foretell(from_estimates(PART, PART * np.nan, holes=True), rng=0)
    assert len(page.predictions) == PART.isna().sum().sum() and len(page.ranks) == len(PART)
    assert page.sentences[0].startswith(f"{PART.isna().sum().sum():,} of {PART.size:,} scores")
    cells = zip(page.next_runs["model"], page.next_runs["benchmark"], strict=True)
    assert all(np.isnan(PART.loc[cell]) for cell in cells)
    truth = GATE.loc[PART.index].mean(axis=1)
    inside = (page.ranks["lower"] <= truth[page.ranks.index]) & (truth[page.ranks.index] <= page.ranks["upper"])
    assert inside.mean() > 0.8


def test_a_selective_board_is_named():
    part = GATE.where(GATE > GATE.stack().quantile(0.4)).dropna(how="all").dropna(axis=1, how="all")
    page = foretell(from_estimates(part, part * np.nan, holes=True), rng=0)
    assert any("reported where they are good" in s for s in page.sentences)
    even = foretell(from_estimates(PART, PART * np.nan, holes=True), rng=0)
    assert not any("reported where they are good" in s for s in even.sentences)


def test_counts_know_their_errors():
    results = from_counts((PART * 200).round(), 200, holes=True)
    n = known_errors(results)["n_items"]
    assert (n.notna() == PART.notna()).all(axis=None) and n.max().max() == 200
    assert len(foretell(results, rng=0).predictions) == PART.isna().sum().sum()


def test_items_know_their_numbers():
    rows = [(m, t, f"{t}{k}", k % 2) for m in "ABC" for t in "xy" for k in range(4) if (m, t) != ("C", "y")]
    results = from_items(pd.DataFrame(rows, columns=["model", "task", "item", "score"]), holes=True)
    n = known_errors(results)["n_items"]
    assert n.loc["A", "x"] == 4 and np.isnan(n.loc["C", "y"])


def test_weights_of_tasks_count():
    import xarray as xr

    results = from_estimates(PART, PART * np.nan, holes=True)
    w = xr.DataArray(np.r_[1.0, np.zeros(19)], dims="task", coords={"task": list(PART)})
    assert set(foretell(results, w, rng=0).next_runs["benchmark"]) <= set(PART.columns)


@pytest.mark.parametrize("part, why", [(GATE, "every model ran every task"), (PART.iloc[:5, :6], "too few")])
def test_it_says_why_nothing_is_predicted(part, why):
    part = part.dropna(how="all").dropna(axis=1, how="all")
    with pytest.raises(ValueError, match=why):
        foretell(from_estimates(part, part * np.nan, holes=True))
