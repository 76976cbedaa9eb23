"""Kill runners, commands, or all at once at random moments of a suite, and see what is published.

    python tests/faults/chaos.py [CELLS] [KILLS] [SEED]      300 cells, 60 kills and seed 0 unless
    told otherwise

Afterwards every cell must be published once, byte for byte what an undisturbed run gives; nothing
may be left in `pending`, and no process of the suite may run.
"""

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil

from benchuq.running.suite import load_suite
from benchuq.running.run import run_cells

PROBE = """
import sys, time
model, benchmark, seed, out = sys.argv[1:]
open("starts", "a").write(f"{model} {benchmark} {seed}\\n")
with open(out + "/items.csv", "w") as file:
    file.write("item,score\\n")
    for i in range(20):
        file.write(f"q{i},{(i * int(model[1:]) + int(benchmark[1:]) + int(seed)) % 7 / 6}\\n")
        file.flush()
        time.sleep(0.02)
print("ran", model, benchmark, seed)
"""


def write_suite(folder: Path, n_cells: int) -> Path:
    "A suite of about so many cells."
    n = max(2, round((n_cells / 3) ** 0.5))
    models = "".join(f"[models.m{i}]\n" for i in range(n))
    benchmarks = "".join(
        f'[benchmarks.b{i}]\nrecipe = "probe"\nitems = 20\n' for i in range(-(-n_cells // (3 * n)))
    )
    command = '["{python}", "-S", "probe.py", "{model}", "{benchmark}", "{seed}", "{out}"]'
    recipe = f'[recipes.probe]\ncommand = {command}\nuses = ["probe.py"]\n'
    folder.mkdir()
    (folder / "probe.py").write_text(PROBE)
    (folder / "suite.toml").write_text(f"seeds = [0, 1, 2]\n{recipe}{models}{benchmarks}")
    return folder / "suite.toml"


def start(suite: Path) -> subprocess.Popen:
    "A runner in a process of its own."
    words = [sys.executable, "-m", "benchuq", "run", str(suite), "--jobs", "4", "-q"]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def commands(suite: Path) -> list[psutil.Process]:
    "Processes that write to the store of the suite."
    mark = str(suite.parent / "runs" / "pending")
    return [
        p for p in psutil.process_iter(["cmdline"]) if mark in " ".join(p.info["cmdline"] or [])
    ]


def published(suite: Path) -> dict[str, bytes]:
    "The items of all finished cells, by place."
    store = suite.parent / "runs"
    return {
        str(p.relative_to(store)): p.read_bytes() for p in (store / "cells").glob("*/*/*/items.csv")
    }


def disturb(suite: Path, kills: int, rng: random.Random) -> Counter:
    """Run the suite by one or two runners that are killed again and again; returns what was killed
    how often.
    """
    done, runners = Counter(), []
    n_cells = suite.read_text().count("[models") * suite.read_text().count("[benchmarks") * 3
    for _ in range(5 * kills):  # where nothing runs there is nothing to kill
        if sum(done.values()) >= kills or len(published(suite)) >= n_cells:
            break
        runners = [r for r in runners if r.poll() is None]
        while len(runners) < rng.choice([1, 1, 2]):
            runners.append(start(suite))
        end = time.monotonic() + 20
        while (
            not commands(suite)
            and time.monotonic() < end
            and any(r.poll() is None for r in runners)
        ):
            time.sleep(0.1)  # looking at all processes takes a while
        time.sleep(rng.uniform(0, 1))
        what, found = rng.choice(["runner", "command", "all"]), commands(suite)
        stopped = {"runner": [rng.choice(runners)], "command": [], "all": runners}[what]
        victims = [r for r in stopped if r.poll() is None]
        victims += {"runner": [], "command": rng.sample(found, min(1, len(found))), "all": found}[
            what
        ]
        for process in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        done[what] += bool(victims)
        for runner in stopped:
            runner.wait()
    for runner in runners:
        runner.wait()
    return done


def chaos(n_cells: int = 300, kills: int = 60, seed: int = 0) -> dict:
    "Disturbed and undisturbed runs of a suite compared."
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        calm, wild = (write_suite(Path(folder, name), n_cells) for name in ("calm", "wild"))
        if run_cells(load_suite(calm), jobs=4, progress=False).failed:
            raise RuntimeError("the undisturbed run failed")
        done = disturb(wild, kills, rng)
        runs = next((n for n in range(1, 21) if start(wild).wait() == 0), 20)
        right, found = published(calm), published(wild)
        return {
            "cells": len(right),
            "kills": dict(done),
            "published": len(found),
            "identical": sum(found.get(place) == items for place, items in right.items()),
            "commands started": len((wild.parent / "starts").read_text().splitlines()),
            "left in pending": os.listdir(wild.parent / "runs" / "pending"),
            "processes left": len(commands(wild)),
            "runs to the end": runs,
        }


def is_clean(summary: dict) -> bool:
    "Was every cell published once, the same, with nothing left?"
    whole = summary["cells"] == summary["published"] == summary["identical"]
    return whole and not summary["left in pending"] and not summary["processes left"]


if __name__ == "__main__":
    begin = time.monotonic()
    summary = chaos(*map(int, sys.argv[1:]))
    for name, value in summary.items():
        print(f"{name}: {value}")
    print(f"{time.monotonic() - begin:.0f} s")
    sys.exit(not is_clean(summary))
