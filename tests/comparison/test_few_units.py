"""Families of many models on few tasks: Bonferroni's bound up to 15 degrees of freedom, the joint
value beyond.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from benchuq.comparison.all_pairs import better_pairs, family
from benchuq.comparison.scores import scores
from benchuq.data.results import from_counts


def _equal(models: int, n_tasks: int, rng):
    "Scores over tasks like these of models that are equal on average and differ from task to task."
    tasks = [f"t{i}" for i in range(n_tasks)]
    chance = rng.beta(6, 3, (1, n_tasks)) + 0.1 * rng.standard_normal((models, n_tasks))
    right = rng.binomial(50, np.clip(chance, 0.02, 0.98))
    return scores(from_counts(pd.DataFrame(right, columns=tasks), 50), units="task")


@pytest.mark.parametrize(("n_tasks", "bonferroni"), [(10, True), (60, True), (61, False)])
def test_the_bound_holds_up_to_sixty_tasks(n_tasks, bonferroni):
    found = family(_equal(8, n_tasks, np.random.default_rng(1)))
    bound = -special.ndtri(0.025 / 28)
    assert (found.critical_value == pytest.approx(bound)) == bonferroni
    assert found.critical_value <= bound + 1e-9


@pytest.mark.simulation
def test_twenty_equal_models_on_twelve_tasks_are_rarely_told_apart():
    rng = np.random.default_rng(3)
    false = sum(bool(better_pairs(_equal(20, 12, rng)).any()) for _ in range(300))
    assert false <= 0.06 * 300 + 2 * np.sqrt(0.06 * 0.94 * 300)


@pytest.mark.simulation
def test_many_equal_models_on_twenty_tasks_are_rarely_told_apart():
    rng = np.random.default_rng(4)
    false = sum(bool(better_pairs(_equal(60, 20, rng)).any()) for _ in range(150))
    assert false <= 0.05 * 150 + 2 * np.sqrt(0.05 * 0.95 * 150)
