"""Files that travel with benchuq, in a checkout. (For a wheel: tests/test_repository.py.)"""

import pytest

from benchuq.files import asset_text, bundled


def test_bundled_folders_are_those_of_the_checkout():
    assert (bundled("data", "_data") / "vtab_accuracies.csv").is_file()
    assert (bundled("nbs/templates", "_templates") / "vtab.ipynb").is_file()


def test_scripts_and_styles_are_found_by_name():
    assert "body {" in asset_text("page.css") and "toggle-code" in asset_text("page.js")


def test_a_script_that_does_not_exist():
    with pytest.raises(ValueError, match="no script, style or schema 'pages.js'; there are .*page.js"):
        asset_text("pages.js")
