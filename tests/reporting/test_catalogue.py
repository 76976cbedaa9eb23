"""Reports and their parameters, read without running anything."""

import papermill
import pytest

from benchuq.reporting import catalogue


@pytest.mark.parametrize("name", catalogue.report_names())
def test_parameters_are_those_that_papermill_finds(name):
    found = papermill.inspect_notebook(str(catalogue.report_source(name)))
    theirs = {k: {"default": v["default"], "help": v["help"]} for k, v in found.items() if k != "output_dir"}
    assert catalogue.report_parameters(name) == theirs and theirs


def test_parameters_with_types_and_awkward_text():
    cell = 'colour: str = "#fff"  # é, # and so on\nsizes = [1,\n  2]  # two lines\nplain = None'
    assert catalogue._assigned(cell) == {
        "colour": {"default": '"#fff"', "help": "é, # and so on"},
        "sizes": {"default": "[1,\n  2]", "help": "two lines"},
        "plain": {"default": "None", "help": ""},
    }


def test_headings(own_reports):
    assert catalogue.read_heading(catalogue.report_source("good")) == ("A <b>good</b>", "What it is.")


def test_a_notebook_without_a_heading(tmp_path):
    (tmp_path / "x.ipynb").write_text('{"cells": [{"cell_type": "markdown", "source": "text"}]}')
    assert catalogue.read_heading(tmp_path / "x.ipynb") == ("Report", "")


@pytest.mark.parametrize("ask", [catalogue.report_source, catalogue.report_parameters])
def test_a_report_that_does_not_exist(ask):
    with pytest.raises(
        ValueError, match=r"unknown reports \['vtba'\]; there are \['boards', 'coverage', 'few_observations'"
    ):
        ask("vtba")
