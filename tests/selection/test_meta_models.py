"""Standard scores."""

import numpy as np
import pytest
import xarray as xr

from benchuq.selection.meta_models import standardise


def test_polarity_is_turned(make_score_table):
    scores = make_score_table()
    turned = scores.copy(deep=True)
    turned["score"] = turned["score"] * xr.where(turned["higher_is_better"], 1, -1)
    turned = turned.assign_coords(higher_is_better=("metric", np.ones(6, bool)))
    np.testing.assert_allclose(standardise(scores).z, standardise(turned).z)


def test_constant_metrics_are_refused(gate):
    with pytest.raises(ValueError, match="are the same for all models"):
        standardise(gate.assign(score=gate["score"].where(gate["metric"] != "NYU mIoU", 0.5)))


def test_metrics_known_to_few_are_refused(make_score_table, known_to_few):
    with pytest.raises(ValueError, match="\\['m3'\\] are known for fewer than three models"):
        standardise(known_to_few(make_score_table(), "m3", 2))
