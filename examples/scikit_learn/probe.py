"""Cross-validated answers of an encoder with a head on a table of scikit-learn: probe.py ENCODER
HEAD DATA SEED OUT.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.random_projection import GaussianRandomProjection

ENCODERS = {
    "raw": lambda seed: FunctionTransformer(),
    "standard": lambda seed: StandardScaler(),
    "quantile": lambda seed: QuantileTransformer(
        n_quantiles=50, output_distribution="normal", random_state=seed
    ),
    "pca": lambda seed: make_pipeline(StandardScaler(), PCA(0.8, random_state=seed)),
    "bins": lambda seed: make_pipeline(
        KBinsDiscretizer(4, encode="onehot-dense", quantile_method="averaged_inverted_cdf"),
        PCA(0.95),
    ),
    "nystroem": lambda seed: make_pipeline(
        StandardScaler(), Nystroem(n_components=60, random_state=seed)
    ),
    "random": lambda seed: make_pipeline(
        StandardScaler(), GaussianRandomProjection(4, random_state=seed)
    ),
}
HEADS = {"linear": lambda: LogisticRegression(max_iter=400), "knn": lambda: KNeighborsClassifier(5)}


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    "Features and classes."
    if name in ("student-mat", "student-por", "compas"):
        import pandas as pd

        from benchuq.studies.public_sets import fetch

        if name == "compas":
            rows = pd.read_csv(fetch("compas-scores-two-years.csv"))[:2000]
            x = rows[
                [
                    "age",
                    "sex",
                    "race",
                    "juv_fel_count",
                    "juv_misd_count",
                    "priors_count",
                    "c_charge_degree",
                ]
            ]
            return pd.get_dummies(x).to_numpy(float), rows["two_year_recid"].to_numpy()
        rows = pd.read_csv(fetch(f"{name}.csv"), sep=";")
        return pd.get_dummies(rows.drop(columns=["G1", "G2", "G3"])).to_numpy(float), (
            rows["G3"] >= 10
        ).to_numpy(int)
    if name == "diabetes":  # is the progression above the median?
        x, y = datasets.load_diabetes(return_X_y=True)
        return x, (y > np.median(y)).astype(int)
    return getattr(datasets, f"load_{name.replace('-', '_')}")(return_X_y=True)


if __name__ == "__main__":
    encoder, head, name, seed, out = sys.argv[1:]
    x, y = table(name)
    model = make_pipeline(ENCODERS[encoder](int(seed)), HEADS[head]())
    folds = StratifiedKFold(5, shuffle=True, random_state=int(seed))
    share = cross_val_predict(model, x, y, cv=folds, method="predict_proba")
    right = (np.unique(y)[share.argmax(axis=1)] == y).astype(int)
    with open(Path(out, "items.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "score", "confidence"])
        writer.writerows((i, r, f"{s.max():.4f}") for i, (r, s) in enumerate(zip(right, share)))
    print(f"{encoder} and {head} on {name}: {right.mean():.3f}")
