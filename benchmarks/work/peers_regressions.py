"""scikit-learn: strengths of models by a logistic regression with a row per battle."""

import importlib
from collections.abc import Callable

import numpy as np


def logistic(path: str, draws: int) -> Callable[[], dict[str, float]]:
    """Regressions of drawn battles, each twice, so that a tie is a win of either."""
    linear, polars = importlib.import_module("sklearn.linear_model"), importlib.import_module("polars")
    sparse = importlib.import_module("scipy.sparse")
    frame = polars.read_parquet(path)
    names = sorted(set(frame["model_a"].unique()) | set(frame["model_b"].unique()))
    at = {name: i for i, name in enumerate(names)}
    a, b = (np.array([at[m] for m in frame[c]]) for c in ("model_a", "model_b"))
    n, winner = len(a), frame["winner"].to_numpy()
    rows = np.arange(n)
    signs = np.concatenate([np.ones(n), -np.ones(n)])
    design = sparse.csr_matrix((signs, (np.tile(rows, 2), np.concatenate([a, b]))), shape=(n, len(names)))
    won, tied = (winner == "model_a").astype(float), winner == "tie"

    def work() -> dict[str, float]:
        rng = np.random.default_rng(0)
        for _ in range(draws):
            drawn = rng.integers(0, n, n)
            x = sparse.vstack([design[drawn], design[drawn]])
            y = np.concatenate([np.where(tied[drawn], 1.0, won[drawn]), np.where(tied[drawn], 0.0, won[drawn])])
            linear.LogisticRegression(fit_intercept=False, C=np.inf, tol=1e-6).fit(x, y)
        return {"models": float(len(names))}

    return work
