"""What planning and running cost beside the commands: python tests/benchmarks/suites.py

Processor time (user and system, children included) beside wall time, since a machine may be shared.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchuq.running.cell import run_cell  # noqa: F401 (imported before the clock starts)
from benchuq.running.plan import plan_suite
from benchuq.running.run import run_cells


def write_suite(folder: Path, n_models: int, n_benchmarks: int) -> Path:
    "A suite whose command copies a table of 100 items."
    folder.mkdir()
    (folder / "items.csv").write_text("item,score\n" + "".join(f"q{i},{i % 2}\n" for i in range(100)))
    command = '["cp", "items.csv", "{out}"]'
    recipe = f'[recipes.copy]\ncommand = {command}\nuses = ["items.csv"]\npackages = ["numpy"]\n'
    models = "".join(f"[models.m{i}]\n" for i in range(n_models))
    benchmarks = "".join(f'[benchmarks.b{i}]\nrecipe = "copy"\ncost = 1\nitems = 100\n' for i in range(n_benchmarks))
    (folder / "suite.toml").write_text(recipe + models + benchmarks)
    return folder / "suite.toml"


def clocked(what, *arguments, **options) -> tuple[float, float, object]:
    "Wall and processor seconds of a call, and what it returns."

    def used():
        t = os.times()
        return t.user + t.system + t.children_user + t.children_system

    begin, before = time.monotonic(), used()
    value = what(*arguments, **options)
    return time.monotonic() - begin, used() - before, value


def say(name: str, wall: float, processor: float, goal: str) -> None:
    print(f"{name:<44} {processor:8.3f} s processor {wall:8.3f} s wall    goal {goal}")


with tempfile.TemporaryDirectory() as place:
    large, small = write_suite(Path(place, "large"), 100, 100), write_suite(Path(place, "small"), 10, 10)
    wall, processor, plan = clocked(plan_suite, large)
    say("10,000 cells planned", wall, processor, "3 s")
    wall, processor, _ = clocked(plan.text)
    say("their text", wall, processor, "")

    def bare():
        for i in range(100):
            out = Path(place, "bare", str(i))
            out.mkdir(parents=True)
            subprocess.run(["cp", "items.csv", str(out)], cwd=small.parent, check=True)

    bare_wall, bare_processor, _ = clocked(bare)
    wall, processor, done = clocked(run_cells, small, progress=False)
    assert len(done.done) == 100
    say("a cell above the bare command", (wall - bare_wall) / 100, (processor - bare_processor) / 100, "0.030 s")
    wall, processor, again = clocked(run_cells, small, progress=False)
    say("100 finished cells, run again", wall, processor, "")
    words = [sys.executable, "-m", "benchuq", "run", str(small), "-q"]
    wall, processor, _ = clocked(subprocess.run, words, stdout=subprocess.DEVNULL, check=True)
    say("the same as a command", wall, processor, "1 s")
