"""The settings that decide: defaults of what users call, thresholds, and constants of papers, each
with its reason.

A number here changes only together with what it rests on.
"""

import importlib
import inspect
import pkgutil

import numpy as np
import pandas as pd
import pytest

import benchuq
from benchuq.comparison.all_pairs import family
from benchuq.comparison.scores import scores

DEFAULTS = [
    ("verdict.check.check", "level", 0.95, "the usual level"),
    ("verdict.check.check", "unscored", "bounds", "an item without a score may be right or wrong"),
    ("verdict.check.check", "units", None, "clusters where they are named, else items"),
    ("comparison.all_pairs.family", "level", 0.95, "the usual level"),
    ("comparison.all_pairs.all_pairs", "level", 0.95, "the usual level"),
    ("comparison.all_pairs.better_pairs", "level", 0.95, "the usual level"),
    ("reporting.board.leaderboard", "level", 0.95, "the usual level"),
    ("selection.search.Evolution", "n_initial", 1000, "EEVEE, I"),
    ("selection.search.Evolution", "n_winners", 50, "EEVEE, W"),
    ("selection.search.Evolution", "n_children", 10, "EEVEE, C"),
    ("selection.search.Evolution", "n_generations", 10, "EEVEE, G"),
]
CONSTANTS = [
    ("comparison.all_pairs._FEW_DF", 60, "degrees of freedom: 150 equal models on 50 tasks, .03"),
    ("comparison.all_pairs._NEAR", 4.0, "standard errors of contenders for P(best)"),
    ("comparison.limits._ALIKE_WEIGHTS", 2.0, "weights of the items of a stratum, 05_limits"),
    ("comparison.limits._FEWEST_AFFECTED", 2.0, "clusters that a spread needs, 05_limits"),
    ("comparison.limits._PRECISION", 2.5, "degrees of freedom for each cluster, 05_limits"),
    ("comparison.scores._FEW_TASKS", 10, "tasks whose spread says something, 20_scores"),
    ("comparison.pairs._FEASIBLE", 100, "times the units of a pilot that a plan goes"),
    ("comparison.all_pairs._MOST_DRAWS", 10_000, "draws of a critical value, s.e. .002 of a level"),
    ("comparison.limits._FAVOURABLE", {"score": 0.1, "difference": 0.15}, "05_limits, coverage"),
    ("comparison.limits._MOST_EVIDENCE", 9.0, "a p-value of 1e-19"),
    ("comparison.moments._FEWEST_REPEATS", 3, "repeats below which others are not spoken of"),
    ("comparison.multiway._FEWEST_LEVELS", 3, "levels of a facet that a variance needs"),
    ("comparison.multiway._MANY", 30, "degrees of freedom of a variance that needs no others"),
    ("comparison.judged._FEWEST_LABELS", 30, "labels that a correction needs"),
    ("comparison.judged._FEWEST_DISAGREE", 3.0, "answers on which judge and people disagree"),
    ("comparison.judged._CHANCE", 1e-4, "with which a random sample of labels is refused"),
    ("comparison.judged._UNLIKE_CHANCE", 1e-3, "with which a judge that errs alike is refused"),
    ("comparison.judged._ENOUGH_EACH", 500, "labels of a model from which it has its own weight"),
    ("comparison.judged._LEAST_SAVED", 0.02, "share of labels below which a judge adds nothing"),
    ("comparison.frontier._FEWEST_SUCCESSES", 10, "successes that a price of one needs"),
    ("comparison.labelling._EVEN_SHARE", 0.5, "share of a design that is the same for all answers"),
    ("comparison.noise._MOST_ANSWERS", 20, "distinct scores with which an answer changes"),
    ("comparison.agreement._MOST_CATEGORIES", 20, "distinct scores that are taken as names"),
    ("comparison.pairs._DIFFERENCES", (0.005, 0.01, 0.02, 0.03, 0.05, 0.1), "usual plans"),
    ("consensus.kemeny._LARGEST_EXACT", 16, "alternatives of a block solved exactly"),
    ("consensus.kemeny._LARGEST_PROGRAM", 50, "alternatives of the integer program"),
    ("consensus.votes._FEWEST_UNITS", 3, "voters or prompts that a variance needs"),
    ("data.validation._INEXACT", 2**53, "IEEE 754: whole numbers that doubles hold"),
    ("reporting.page._FEWEST_QUESTIONS", 30, "units of a category with limits of its own"),
    ("comparison.moments.FEWEST_TASKS", 5, "tasks below which others are not spoken of"),
    ("reporting.sections.ENOUGH_TASKS", 10, "tasks from which the page offers to speak of others"),
    ("selection.completion._FEWEST_CELLS", 40, "known cells to calibrate intervals, 80_completion"),
    ("selection.completion._FOLDS", 4, "of the known cells, 80_completion"),
    ("selection.completion._COEFFICIENTS", 3.0, "c of the formula of 80_completion"),
    ("selection.factors._DEGREES_OF_FREEDOM", 8.0, "of the noise, 70_factors"),
    ("selection.factors._NOISE_DF", 3.0, "scores that the common noise counts for, 70_factors"),
    ("selection.factors._MODEL_DF", 4.0, "scores that the usual noise counts for, 70_factors"),
    ("selection.factors._UNIT_DF", 4.0, "scores that the common unit counts for, 70_factors"),
    ("reporting.sections._MOST_POOLED", 20_000, "scores that the page pools at most"),
    ("verdict.margins._DEFAULT", 0.02, "two points of shares, as the README and the command say"),
    ("verdict.damage._LEAST_SHARED", 0.5, "of the questions of whoever was asked fewer"),
    ("verdict.looks._FIRST_LOOK", 30, "units before which there is no verdict, 30_looks"),
    ("verdict.looks._NIGHTS", 30, "nights after which the limits are tightest, 30_looks"),
    ("verdict.looks._TIGHTEST", 7.0, "of the boundary of an error of .05, 30_looks"),
]


def of(name: str):
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(f"benchuq.{module}"), attribute)


@pytest.mark.parametrize("name, argument, value, why", DEFAULTS)
def test_a_default_is_what_its_reason_says(name, argument, value, why):
    assert inspect.signature(of(name)).parameters[argument].default == value, why


def levels():
    """The default level of every public function that has one, by module and name."""
    for module in pkgutil.walk_packages(benchuq.__path__, "benchuq."):
        if module.name.startswith("benchuq.studies") or module.name.endswith("__main__"):
            continue
        imported = importlib.import_module(module.name)
        for name in getattr(imported, "__all__", []):
            function = getattr(imported, name)
            if inspect.isfunction(function):
                level = inspect.signature(function).parameters.get("level")
                if level is not None and level.default is not inspect.Parameter.empty:
                    yield f"{module.name.removeprefix('benchuq.')}.{name}", level.default


def test_every_level_is_95_percent_but_that_of_predictions():
    found = dict(levels())
    others = {name: level for name, level in found.items() if level != 0.95}
    assert others == {"selection.completion.complete": 0.9} and len(found) >= 20


@pytest.mark.parametrize("name, value, why", CONSTANTS)
def test_a_constant_is_what_its_reason_says(name, value, why):
    assert of(name) == value, why


@pytest.mark.parametrize("n_tasks, is_bonferroni", [(60, True), (61, False)])
def test_largest_differences_are_drawn_from_sixty_one_tasks_on(n_tasks, is_bonferroni):
    right = np.random.default_rng(0).binomial(100, 0.7, (3, n_tasks))
    rows = [
        (model, f"t{task}", right[i, task], 100)
        for i, model in enumerate("ABC")
        for task in range(n_tasks)
    ]
    table = pd.DataFrame(rows, columns=["model", "task", "n_correct", "n_items"])
    assert (family(scores(table, units="task")).largest is None) == is_bonferroni
