"""Make data/statsmodels_mean_squares.csv by statsmodels 0.15, and facets_reference.json: alphas by
krippendorff 0.9, and components of ratings with holes by restricted likelihood, maximised here and
by statsmodels.

lme4 maximises the same likelihood; R was not at hand. Run in the environment of `make test-extras`:
python -m tests.comparison.reference.make_facets_reference
"""

import json
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
from scipy import optimize
from statsmodels.formula.api import mixedlm, ols
from statsmodels.stats.anova import anova_lm

from tests.comparison.made_ratings import crossed_with_holes, four_ways, one_way, with_holes


def alphas(seed: int) -> dict[str, float]:
    "Alpha by the kind of score."
    score = with_holes(seed).T
    kinds = ("nominal", "ordinal", "interval")
    return {kind: krippendorff.alpha(score, level_of_measurement=kind) for kind in kinds}


def mean_squares() -> pd.Series:
    "Mean squares of a balanced analysis of variance in three ways."
    names = ["model", "item", "rater", "repeat"]
    score = four_ways()
    frame = pd.MultiIndex.from_product(map(range, score.shape), names=names).to_frame(index=False)
    frame["score"] = score.ravel()
    table = anova_lm(ols("score ~ C(model) * C(item) * C(rater)", frame).fit())
    plain = table.index.str.replace(r"C\((\w+)\)", r"\1", regex=True)
    return table["mean_sq"].set_axis(plain.str.replace(":", " x "))


def restricted(y: np.ndarray, codes: list[np.ndarray]) -> np.ndarray:
    "Components of crossed random effects and the rest, from the whole covariance."
    same = [code[:, None] == code for code in codes] + [np.eye(len(y))]
    one = np.ones(len(y))

    def loss(logs: np.ndarray) -> float:
        "Minus twice the restricted log-likelihood, up to a constant."
        covariance = sum(np.exp(log) * k for log, k in zip(logs, same))
        weighted = np.linalg.solve(covariance, np.column_stack([one, y]))
        information = one @ weighted[:, 0]
        residual = y @ weighted[:, 1] - (one @ weighted[:, 1]) ** 2 / information
        return np.linalg.slogdet(covariance)[1] + np.log(information) + residual

    start = np.full(len(same), np.log(y.var() / len(same)))
    options = {"maxiter": 4000, "xatol": 1e-8, "fatol": 1e-10}
    return np.exp(optimize.minimize(loss, start, method="Nelder-Mead", options=options).x)


def by_statsmodels(y: np.ndarray, codes: list[np.ndarray]) -> np.ndarray:
    "The same by statsmodels, all answers in one group."
    names = ["model", "item", "rater"][-len(codes) :] if len(codes) > 1 else ["item"]
    frame = pd.DataFrame(dict(zip(names, codes))).assign(y=10 * y, group=1)
    parts = {name: f"0 + C({name})" for name in names}
    fit = mixedlm("y ~ 1", frame, groups="group", vc_formula=parts, re_formula="0").fit(reml=True)
    order = [list(fit.model.exog_vc.names).index(name) for name in names]
    return np.append(fit.vcomp[order], fit.scale) / 100


def main() -> None:
    "Write the references; the two maximisations have to agree."
    data = Path(__file__).parents[3] / "data" / "statsmodels_mean_squares.csv"
    squares = mean_squares().rename("mean_square").rename_axis("source")
    squares.to_csv(data, lineterminator="\n")
    score, kept = crossed_with_holes()
    y, item = one_way()
    crossed = restricted(score[kept], list(np.nonzero(kept)))
    nested = restricted(y, [item])
    np.testing.assert_allclose(
        crossed, by_statsmodels(score[kept], list(np.nonzero(kept))), rtol=0.01
    )
    np.testing.assert_allclose(nested, by_statsmodels(y, [item]), rtol=0.01)
    whole = {
        "alpha": {str(seed): alphas(seed) for seed in (1, 2, 3)},
        "restricted": dict(zip(("model", "item", "rater", "rest"), crossed)),
        "restricted_one_way": dict(zip(("item", "repeat"), nested)),
    }
    path = Path(__file__).with_name("facets_reference.json")
    path.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
