"""Mean ranks over tasks, categories and groups."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from benchuq.consensus.borda import mean_ranks
from benchuq.data.published import load
from benchuq.sampling.bootstrap import bootstrap


def test_mean_ranks_by_hand():
    values = np.array([[[0.9, 0.1], [0.5, 0.5]], [[0.8, 0.2], [0.5, 0.6]]])
    draws = xr.DataArray(values, dims=("model", "task", "draw"), coords={"model": ["A", "B"], "task": ["p", "q"]})
    table = mean_ranks(draws, by="task", level=0.5)
    assert table.loc["A", "estimate"] == pytest.approx((1.25 + 2) / 2) and table.loc["B", "rank"] == 1
    together = mean_ranks(draws, by={"p": "all", "q": "all"})
    assert set(together["estimate"]) == {1.5}
    with pytest.raises(ValueError, match="missing.*'q'"):
        mean_ranks(draws, by={"p": 1})
    with pytest.raises(ValueError, match="level"):
        mean_ranks(draws, by="task", level=95)


def test_groups_are_categories_of_ones_own():
    draws = bootstrap(load("mmlu"), n_draws=400, rng=5)
    three = draws.assign_coords(category=("task", ["text", "text", "STEM", "Other"]))
    groups = {"Humanities": 1, "Social Sciences": 1, "STEM": 2, "Other": 3}
    pd.testing.assert_frame_equal(mean_ranks(three), mean_ranks(draws, by=groups))


def test_bad_groups():
    draws = bootstrap(load("mmlu"), n_draws=10, rng=5)
    with pytest.raises(ValueError, match="by must be one of .*'task', 'category'.*got 'topic'"):
        mean_ranks(draws, by="topic")
    with pytest.raises(ValueError, match="categories"):
        mean_ranks(draws.drop_vars("category"))
