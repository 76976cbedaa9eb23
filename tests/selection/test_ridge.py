"""Ridge regression: the closed form against refits."""

import numpy as np
import pytest

from benchuq.data.scores import benchmarks
from benchuq.selection.loss import SubsetLoss, subset_loss
from benchuq.selection.meta_models import Ridge


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


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("rest", [False, True])
def test_closed_form_is_leave_one_out_by_refitting(make_score_table, gaps, rest):
    scores = make_score_table(gaps=gaps, seed=3)
    scorer = SubsetLoss(scores, Ridge(0.7), targets="rest" if rest else "all")
    masks = np.array([c for c in np.ndindex(*(2,) * 5) if 0 < sum(c) < 5][::4], bool)
    expected = [refit(scorer.data, mask, 0.7, rest) for mask in masks]
    np.testing.assert_allclose(scorer(masks), expected, rtol=1e-9)


def test_all_benchmarks_without_penalty_predict_themselves(make_score_table):
    scores = make_score_table()
    assert subset_loss(scores, benchmarks(scores), Ridge(1e-9)) < 1e-12


def test_penalty_must_be_positive(gate):
    with pytest.raises(ValueError, match="penalty must be a positive number"):
        subset_loss(gate, ["ACDC"], Ridge(0.0))
