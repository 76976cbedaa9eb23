"""Make data/evalica_strengths.csv, strengths of votes by `evalica` 0.4.2 (pip install evalica).

Run: python tests/consensus/reference/make_evalica_reference.py
"""

from pathlib import Path

import evalica
import numpy as np
import pandas as pd

NAMES = np.array(["Cedar", "Ash", "Elm", "Oak"])


def votes() -> pd.DataFrame:
    "Votes between four models, as in the notebook of validations."
    rng = np.random.default_rng(7)
    pairs = np.array([rng.choice(4, 2, replace=False) for _ in range(2_000)])
    strength = np.array([0.6, 0.2, 0.0, -0.8])
    won = rng.random(2_000) < 1 / (1 + np.exp(strength[pairs[:, 1]] - strength[pairs[:, 0]]))
    table = pd.DataFrame(NAMES[pairs], columns=["model_a", "model_b"])
    return table.assign(winner=np.where(won, "model_a", "model_b"))


def main() -> None:
    "Write the reference: logarithms of the strengths, with mean 0."
    table = votes()
    winner = [evalica.Winner.X if w == "model_a" else evalica.Winner.Y for w in table["winner"]]
    fit = evalica.bradley_terry(
        table["model_a"], table["model_b"], winner, tolerance=1e-13, limit=100_000
    )
    strength = np.log(fit.scores)
    path = Path(__file__).parents[3] / "data" / "evalica_strengths.csv"
    table = (strength - strength.mean()).rename("strength").rename_axis("model").sort_index()
    table.to_csv(path, lineterminator="\n")


if __name__ == "__main__":
    main()
