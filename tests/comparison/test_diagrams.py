"""The diagrams draw what the pairs say, and nothing else."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
import pandas as pd
import pytest

from benchuq.comparison.all_pairs import better_pairs
from benchuq.comparison.diagrams import difference_diagram, wins_strip
from benchuq.comparison.ranking import rank_models
from benchuq.comparison.scores import scores
from benchuq.data.results import from_counts


@pytest.fixture(scope="module")
def results():
    counts = pd.DataFrame({"a": [720, 712, 690, 655, 600]}, ["Cedar", "Ash", "Elm", "Oak", "Fir"])
    return from_counts(counts, 1000)


def _bars(ax):
    "Ends of the bars of a diagram, which are its thick lines."
    return [tuple(line.get_xdata()) for line in ax.lines if line.get_linewidth() == 3]


def test_a_bar_joins_each_group_that_cannot_be_told_apart(results):
    board = rank_models(results)
    groups = [board["estimate"][board["groups"].str.contains(g)] for g in "abcde"]
    expected = [(g.min(), g.max()) for g in groups if len(g) > 1]
    assert expected  # the example has groups
    reach = 0.01 * np.ptp(board["estimate"])  # beyond the models at its ends
    drawn = np.array(_bars(difference_diagram(results))) + [reach, -reach]
    assert np.allclose(drawn, expected)


def test_no_bar_is_drawn_where_all_can_be_told_apart():
    counts = pd.DataFrame({"a": [900, 600, 300]}, ["Cedar", "Ash", "Elm"])
    assert not _bars(difference_diagram(from_counts(counts, 1000)))


def test_names_are_those_that_are_given(results):
    ax = difference_diagram(results, names={"Cedar": "Cedar $2$ (ours)"})
    texts = [text.get_text() for text in ax.texts]
    assert sorted(texts) == ["Ash", "Cedar $2$ (ours)", "Elm", "Fir", "Oak"]


def test_the_strip_shows_who_is_better(results):
    image = wins_strip(results, n=4).images[0].get_array()
    scored = scores(results)
    wins = better_pairs(scored).sel(model=["Cedar", "Ash", "Elm", "Oak"])
    wins = wins.sel(other=wins["model"].values).values
    assert (np.asarray(image) == wins.astype(int) - wins.T).all()
