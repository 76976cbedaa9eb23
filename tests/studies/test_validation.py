"""Each method of the page Validation is within the tolerance of its reference, and a wrong one
would not be; what the page stores is what is computed, and the files it names exist.
"""

import dataclasses
import functools
import re
from pathlib import Path

import numpy as np
import pytest

from benchuq.studies.validation import VALIDATIONS, Validation

ROOT = Path(__file__).parents[2]


@functools.cache
def numbers(validation: Validation) -> tuple[np.ndarray, np.ndarray]:
    "Method and reference, computed once."
    ours, theirs = (np.asarray(values, float) for values in validation.compute())
    return ours, theirs


def difference(validation: Validation, factor: float = 1) -> float:
    "The largest difference of `factor` times what the method gives."
    ours, theirs = numbers(validation)
    given = dataclasses.replace(validation, compute=lambda: (factor * ours, theirs))
    return given.largest_difference()


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda v: v.method)
def test_a_method_is_within_the_tolerance_of_its_reference(validation):
    assert difference(validation) <= validation.tolerance


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda v: v.method)
def test_a_method_that_is_twentieth_off_would_be_found(validation):
    assert difference(validation, 1.05) > validation.tolerance


def test_each_method_is_there_once_and_the_files_of_references_exist():
    names = [v.method for v in VALIDATIONS]
    assert len(set(names)) == len(names)
    assert {v.kind for v in VALIDATIONS} == {"exact", "published", "simulated", "near"}
    files = {p for v in VALIDATIONS for p in re.findall(r"(?:data|tests)/[\w/]+\.\w+", v.source)}
    assert len(files) >= 9 and [p for p in files if not (ROOT / p).exists()] == []
