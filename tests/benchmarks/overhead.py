"""What protection from faults costs: the share of a report's time that is spent in locks, manifests and guards.

    python tests/benchmarks/overhead.py [LOGS]        the made logs of lm-evaluation-harness by default

Two runs of 2 % difference cannot be told apart on a machine that does other work. So the functions that protection
added are timed where they are called; all else is done as it was without them.
"""

import contextlib
import functools
import io
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import benchuq.readers.read as read
import benchuq.reporting.command as command
import benchuq.reporting.run as run

ADDED = ((read, "check_archive"), (read, "check_regular"), (read, "find_files"))
SPENT = Counter()


def timed(name: str, call):
    "The function `call`, its seconds counted under `name`."

    @functools.wraps(call)
    def counted(*given, **more):
        began = time.perf_counter()
        try:
            return call(*given, **more)
        finally:
            SPENT[name] += time.perf_counter() - began

    return counted


def timed_context(name: str, context):
    "The context manager `context`, the seconds of its beginning and its end counted under `name`."

    @contextlib.contextmanager
    def counted(*given):
        began = time.perf_counter()
        with context(*given) as value:
            inside = time.perf_counter()
            yield value
            ended = time.perf_counter()
        SPENT[name] += inside - began + time.perf_counter() - ended

    return counted


def measure(logs: str) -> dict:
    "Seconds of a first run and of one over earlier results, and the share that protection takes."
    for module, name in (*ADDED, (run, "write_manifest")):
        setattr(module, name, timed(name, getattr(module, name)))
    run.new_results = timed_context("folder", run.new_results)
    found = {}
    with tempfile.TemporaryDirectory() as out, contextlib.redirect_stdout(io.StringIO()):
        for label in ("warming up", "first run", "over earlier results"):
            SPENT.clear()
            began = time.perf_counter()
            target = Path(out, "a" if label == "warming up" else "b")
            status = command.main(["compare", logs, "--out", str(target), "-q"])
            assert status == 0, label
            whole = time.perf_counter() - began
            parts = {name: round(seconds, 4) for name, seconds in SPENT.items()}
            found[label] = {"seconds": round(whole, 2), "per cent": round(100 * SPENT.total() / whole, 2), **parts}
    found.pop("warming up")
    return found


if __name__ == "__main__":
    logs = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parents[1] / "logs" / "harness")
    results = measure(logs)
    print(json.dumps(results, indent=1))
    sys.exit(max(r["per cent"] for r in results.values()) > 2)
