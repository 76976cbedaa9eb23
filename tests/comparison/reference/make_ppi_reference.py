"""Make data/ppi_py_means.csv: what `ppi_py` 0.2.3 (pip install ppi-python) says of means of made
answers.

Run: python tests/comparison/reference/make_ppi_reference.py
"""

from pathlib import Path

import numpy as np
import pandas as pd
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

MODELS, LABELS, ANSWERS = 3, 80, 500


def answers() -> tuple[np.ndarray, np.ndarray]:
    "Ratings of a judge and of people, (item, model)."
    rng = np.random.default_rng(7)
    people = rng.random((ANSWERS, MODELS))
    return np.clip(people + 0.3 * rng.standard_normal(people.shape), 0, 1), people


def reference() -> pd.DataFrame:
    "Point estimates and 90 % intervals, with a weight of 1 and of 0.4, and tuned."
    judge, people = answers()
    arrays = people[:LABELS], judge[:LABELS], judge[LABELS:]
    rows = []
    for name, weight in (("plain", 1.0), ("fixed", 0.4), ("tuned", None)):
        ends = ppi_mean_ci(*arrays, alpha=0.1, lam=weight)
        estimate = ppi_mean_pointestimate(*arrays, lam=weight)
        rows += [(name, k, *x) for k, x in enumerate(np.transpose([estimate, *ends]))]
    return pd.DataFrame(rows, columns=["weight", "model", "estimate", "lower", "upper"])


def main() -> None:
    "Write the reference."
    path = Path(__file__).parents[3] / "data" / "ppi_py_means.csv"
    reference().to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
