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

# What users call, and every default that it has. A level is the usual one, .95, but that of
# predictions; a power the usual .8; z = 2 of a map of weights is that of UQ, eq. 3.
FACE = {
    "BenchuqStop": "margin=0.02, level=0.95, scorer=None",
    "Style": "caption='', label='', siunitx=False, letters=False, turned=False",
    "Unsure": "",
    "agreement": "facet=None, level=0.95",
    "assert_not_worse": "margin=None, undecided='fail'",
    "bayes": "n_draws=4000, rng=None, prior='default', method='exact', metric=None, n_jobs=None, "
    "progress=True",
    "bootstrap": "n_draws=10000, rng=None, method='unbiased', n_jobs=None, progress=True",
    "by_task": "weights='equal', level=0.95, by='task', units=None",
    # an item without a score may be right or wrong; units are clusters where they are named
    "check": "baseline=None, candidate=None, margin=None, task_margins=None, weights='equal', "
    "level=0.95, unscored='bounds', units=None, normalise=None, score=None, cost=None, "
    "saving=0.0, look=None, noise=None",
    "compare": "weights='equal', level=0.95, units=None, power=0.8, n_planned=None, pairs=None",
    "complete": "level=0.9, rng=None",
    "components": "level=0.95, units=None",
    "cost_per_success": "cost='cost', weights='equal', level=0.95, units=None",
    "design": "differences=None, weights='equal', pair=None, units=None, level=0.95, power=0.8, "
    "cost=None, saving=0.2",
    "difference_diagram": "weights='equal', level=0.95, n=20, names=None, width=6.0, font=9.0, "
    "ax=None",
    "empirical_bayes": "features=None, regression=None, level=0.95, limits=None, settings=None, "
    "rng=None",
    "format_board": "format='markdown', top=None, style=Style()",
    "format_tasks": "format='markdown', top=None, style=Style()",
    "frontier": "cost='cost', weights='equal', level=0.95, units=None, normalise=None, "
    "baseline=None",
    "kemeny": "weights=None",
    "leaderboard": "weights='equal', level=0.95, units=None, marginal=False, normalise=None, "
    "baseline=None",
    "load": "",
    "next_labels": "rng=0, column='label'",
    "next_runs": "n=10, costs=None, budget=None, objective='mean', models=None, weights=None, "
    "rng=None",
    "noise": "weights='equal', level=0.95",
    "plot_frontier": "ax=None",
    "plot_pairs": "n=15, ax=None",
    "plot_reliability": "score='pass^k', n=7, ax=None",
    "read": "read_as=None, score=None, progress=True, truth=None, judge=None, probability=None, "
    "tuning='auto'",
    "reliability": "weights='equal', level=0.95, units=None, n=None",
    "report": "parameters=None, out='reports', progress=True",
    "scores": "weights='equal', units=None, normalise=None, baseline=None",
    "select": "size=None, meta_model='ridge', method=None, costs=None, budget=None, "
    "settings=None, max_subsets=1_000_000, progress=True, rng=None, targets='all', n_jobs=None",
    "votes": "units=None, ties='half', covariates=(), anchor=None, truth=None",
    "weight_map": "z=2, rho=None, categories=None, fixed_weights=None, rivals='all', "
    "resolution=150",
    "wins_strip": "weights='equal', level=0.95, n=100, names=None, width=5.0, font=7.0, ax=None",
    "with_cost": "name='cost', unit=''",
}
DEFAULTS = [
    ("verdict.damage.damage", "unscored", "bounds", "an item without a score: right or wrong"),
    ("verdict.noninferiority.noninferiority", "unscored", "bounds", "the same"),
    ("verdict.noninferiority.noninferiority", "margin", None, "the usual one, two points"),
    ("comparison.all_pairs.family", "level", 0.95, "the usual level"),
    ("comparison.all_pairs.all_pairs", "level", 0.95, "the usual level"),
    ("comparison.all_pairs.better_pairs", "level", 0.95, "the usual level"),
    ("comparison.pairs.times_needed", "power", 0.8, "the usual power"),
    ("comparison.pairs.detectable_difference", "power", 0.8, "the usual power"),
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


def test_all_that_users_call_is_here():
    assert sorted(FACE) == sorted(benchuq.__all__)


@pytest.mark.parametrize("name", FACE)
def test_every_default_of_what_users_call(name):
    parameters = inspect.signature(getattr(benchuq, name)).parameters.values()
    found = {p.name: p.default for p in parameters if p.default is not p.empty}
    assert repr(found) == repr(eval(f"dict({FACE[name]})", {"Style": benchuq.Style}))


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
