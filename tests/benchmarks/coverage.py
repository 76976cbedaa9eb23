"""The coverage ledger, long: `python tests/benchmarks/coverage.py [FOLDER]`, about an hour on one core.

Writes the report `coverage` with 20 times as many boards as its defaults below FOLDER (default: a temporary one) and
prints its summary and where a goal is missed.
"""

import sys
import tempfile
import time

import pandas as pd

from benchuq.reporting.coverage import explain
from benchuq.reporting.run import report

LONG = {"n_repetitions": 16_000, "n_pages": 600, "n_percentile": 1_000, "n_draws": 1_000}

folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
start = time.perf_counter()
tables = report("coverage", LONG, folder).parent / "tables"
print(pd.read_csv(tables / "summary.csv").round(3).to_string(index=False))
print("\n".join(explain(pd.read_csv(tables / "shortfalls.csv"))))
print(f"{(time.perf_counter() - start) / 60:.0f} minutes; everything in {tables.parent}")
