"""The published score of a model on a benchmark of GATE, in place of training: published.py MODEL
BENCHMARK OUT.
"""

import csv
import sys
from pathlib import Path

from benchuq.files import bundled

model, benchmark, out = sys.argv[1:]
with open(bundled("data", "_data") / "gate_summary.csv", newline="") as file:
    rows = [
        r
        for r in csv.DictReader(file)
        if r["model"] == model and r["benchmark"].replace(" ", "-") == benchmark
    ]
with open(Path(out, "items.csv"), "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["item", "score"])
    writer.writerows((r["metric"], float(r["value"]) / 100) for r in rows)
