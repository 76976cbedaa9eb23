"Parity with the published MQM board of WMT21, TED talks, English to German."

import os
from pathlib import Path

import pandas as pd
import pytest

import benchuq as bq

PUBLISHED = Path(__file__).parents[2] / "data" / "wmt_ted_ende_mqm.csv"


@pytest.fixture
def board():
    ratings = Path(os.environ.get("BENCHUQ_DATA", "")) / "mqm_ted_ende.avg_seg_scores.tsv"
    if not ratings.exists():
        pytest.skip(f"{ratings.name} is not among the downloads")
    table = pd.read_csv(ratings, sep=r"[ \t]", engine="python")
    table = table.set_axis(["model", "score", "item"], axis=1)
    table = table.assign(task="TED", score=0 - table["score"])
    return bq.leaderboard(bq.read(table, scale="any", better="lower", unit="errors"))


def test_means_and_ranks_are_the_published_ones(board):
    published = pd.read_csv(PUBLISHED, index_col="system")
    assert board.index.tolist() == published.sort_values("rank").index.tolist()
    apart = (board["estimate"] - published["mqm"]).abs()
    assert apart.drop("eTranslation").max() <= 0.005 + 1e-9
    assert board["estimate"]["eTranslation"] == pytest.approx(1.9688, abs=5e-5)  # 1.96 is printed


def test_intervals_of_ranks_hold_the_published_ranks(board):
    ranks = pd.read_csv(PUBLISHED, index_col="system")["rank"]
    assert (board["rank_lower"] <= ranks).all() and (ranks <= board["rank_upper"]).all()
