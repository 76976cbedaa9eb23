"""Each method of the page Validation is within the tolerance of its reference, and a wrong one
would not be.
"""

import dataclasses

import numpy as np
import pytest

from benchuq.studies.validation import VALIDATIONS, validation_table


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda v: v.method)
def test_a_method_is_within_the_tolerance_of_its_reference(validation):
    assert validation.largest_difference() <= validation.tolerance


@pytest.mark.parametrize("validation", VALIDATIONS, ids=lambda v: v.method)
def test_a_method_that_is_twentieth_off_would_be_found(validation):
    ours, theirs = (np.asarray(values, float) for values in validation.compute())
    wrong = dataclasses.replace(validation, compute=lambda: (1.05 * ours, theirs))
    assert wrong.largest_difference() > validation.tolerance


def test_the_table_names_each_method_once():
    table = validation_table()
    assert table.index.is_unique and len(table) == len(VALIDATIONS)
