"""The papers' bootstrap: exact distribution, blocks, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchuq.data.results import from_counts, from_items
from benchuq.sampling import resampling


def test_counts_are_binomial():
    """20,000 draws of Binomial(7, 3/7): each share within five standard errors."""
    draws = resampling.percentile_bootstrap(from_counts(pd.DataFrame({"t": [3]}, index=["A"]), 7), 20_000, rng=1)
    shares = np.bincount((draws.values.ravel() * 7).round().astype(int), minlength=8) / 20_000
    exact = stats.binom.pmf(np.arange(8), 7, 3 / 7)
    assert (np.abs(shares - exact) < 5 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-9).all()


def test_many_items_are_drawn_in_blocks():
    """200,000 items: the chunk is split, indices need 32 bits. Tolerance 4 standard errors."""
    rng = np.random.default_rng(0)
    total = rng.random((200_000, 2)).astype(np.float32)
    units = [(total, np.ones_like(total)), (total[:9], np.ones((9, 2)))]
    drawn = resampling._draw_chunk(units, 50, np.random.SeedSequence(1), resampling._resampled_means, [200_000, 9])
    assert drawn.shape == (2, 2, 50)
    np.testing.assert_allclose(drawn[:, 0].mean(axis=1), total.mean(axis=0), atol=4 * 0.29 / np.sqrt(200_000 * 50))
    np.testing.assert_allclose(drawn[:, 1].mean(axis=1), total[:9].mean(axis=0), atol=4 * 0.29 / np.sqrt(9 * 50))


def test_a_resample_without_any_run_item_is_refused():
    rows = [{"model": m, "task": "t", "item": i, "score": 1} for m, n in [("A", 6), ("B", 1)] for i in range(n)]
    with pytest.raises(ValueError, match="model 'B' ran too few items of task 't'"):
        resampling.percentile_bootstrap(from_items(pd.DataFrame(rows)), 200, rng=1)
