"""What tests of several chapters share. (Sub-folders have no __init__.py; a file's name may occur in several.)"""

import shutil
import subprocess

import numpy as np
import pytest
import xarray as xr

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --virtual-time-budget=3000 --dump-dom""".split()


@pytest.fixture(scope="session")
def make_scores():
    """Function that turns rows of numbers, one row a model, into scores with dims (model, draw); models m0, m1, ..."""

    def scores(rows):
        values = np.asarray(rows, float)
        return xr.DataArray(values, dims=("model", "draw"), coords={"model": [f"m{i}" for i in range(len(values))]})

    return scores


@pytest.fixture
def open_page(tmp_path):
    """Function that gives a page's elements after its scripts and `script` have run in a browser."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here")

    def opened(text, address="", script="", width=1000):
        file = tmp_path / "page.html"
        file.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
        size, profile = f"--window-size={width},900", f"--user-data-dir={tmp_path / 'profile'}"
        command = [CHROMIUM, *FLAGS, size, profile, f"file://{file}{address}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout

    return opened
