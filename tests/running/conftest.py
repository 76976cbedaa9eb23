"""A small suite whose commands take a few milliseconds."""

import pytest

from benchuq.running.suite import load_suite

PROBE = """
import os, sys, time
model, benchmark, seed, out = sys.argv[1:]
open(os.path.join(os.path.dirname(__file__), "starts"), "a").write(f"{model} {benchmark} {seed}\\n")
time.sleep(float(os.environ.get("PAUSE", 0)))
if model == "bad":
    raise SystemExit("no such weights")
rows = [f"q{i},{(i * len(model) + len(benchmark) + int(seed)) % 3 / 2}" for i in range(10)]
open(out + "/items.csv", "w").write("\\n".join(["item,score", *rows]) + "\\n")
print("ran", model, benchmark, seed)
"""
SUITE = """
seeds = [0, 1]
[recipes.probe]
command = ["{python}", "-S", "probe.py", "{model}", "{benchmark}", "{seed}", "{out}"]
uses = ["probe.py"]
[models.clip]
[models.vit]
[benchmarks.digits]
recipe = "probe"
group = "image"
items = 10
cost = 0.001
[benchmarks.words]
recipe = "probe"
group = "text"
[tiers]
small = ["digits"]
"""


@pytest.fixture
def make_suite(tmp_path):
    """Function that makes a suite of the small file, with `old` text replaced by `new`, in a
    folder.
    """

    def made(*changes, probe=PROBE, name="suite.toml"):
        text = SUITE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "probe.py").write_text(probe)
        (tmp_path / name).write_text(text)
        return load_suite(tmp_path / name)

    return made


@pytest.fixture
def starts(tmp_path):
    """Function that gives the commands started so far, one line each."""
    return lambda: (
        (tmp_path / "starts").read_text().splitlines() if (tmp_path / "starts").exists() else []
    )


@pytest.fixture
def items_of():
    """Function that gives the items of all finished cells of a suite, as bytes by place."""
    return lambda suite: {
        str(p.parent.relative_to(suite.store)): p.read_bytes()
        for p in (suite.store / "cells").glob("*/*/*/items.csv")
    }
