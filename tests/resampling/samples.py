"""Small tables that are resampled."""

from __future__ import annotations

import numpy as np
import polars as pl


def labels(n: int = 240, seed: int = 1) -> pl.DataFrame:
    """Items of 25 users (of unequal numbers) and two sites, with three classes, a score, and sets of labels."""
    rng = np.random.default_rng(seed)
    label = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    right = rng.random(n) < 0.6
    user = np.floor(25 * rng.random(n) ** 1.5).astype(int)
    frame = pl.DataFrame(
        {
            "item_id": [f"i{i:04d}" for i in range(n)],
            "user": user,
            "site": np.where(user % 3 == 0, "x", "y"),
            "label": label,
            "prediction": np.where(right, label, rng.choice(["a", "b", "c"], n)),
            "truth": (label == "a").astype(int),
            "score": ((label == "a") * 0.8 + rng.normal(size=n)).round(1),
        }
    )
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def clusters(n: int = 150, seed: int = 2) -> pl.DataFrame:
    """Items of 20 documents in four classes and four clusters."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 4, n)
    return pl.DataFrame(
        {
            "item_id": range(n),
            "doc": rng.integers(0, 20, n),
            "label": label,
            "cluster_id": np.where(rng.random(n) < 0.6, label, rng.integers(0, 4, n)),
        }
    )


def systems(n: int = 120, seed: int = 3) -> pl.DataFrame:
    """Three systems' predictions for the same items; `copy` says what `one` says."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(["a", "b", "c"], n)
    one, two = (np.where(rng.random(n) < p, gold, rng.choice(["a", "b", "c"], n)) for p in (0.4, 0.7))
    frames = [
        pl.DataFrame({"run_id": name, "item_id": range(n), "label": gold, "prediction": text})
        for name, text in (("one", one), ("two", two), ("copy", one))
    ]
    return pl.concat(frames).sample(fraction=1, shuffle=True, seed=seed)


def rankings(n: int = 40, seed: int = 4) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Judgments, two runs, and queries of ten users in two languages."""
    rng = np.random.default_rng(seed)
    pairs = [(f"q{i:02d}", f"d{j}") for i in range(n) for j in range(8)]
    qrels = pl.DataFrame(pairs, ["query_id", "doc_id"], orient="row").with_columns(
        relevance=pl.Series((rng.random(len(pairs)) < 0.3).astype(int))
    )
    runs = [
        pl.DataFrame(pairs, ["query_id", "doc_id"], orient="row").with_columns(
            pl.lit(name).alias("run_id"), score=pl.Series(rng.random(len(pairs)))
        )
        for name in ("r", "s")
    ]
    queries = pl.DataFrame(
        {
            "query_id": [f"q{i:02d}" for i in range(n)],
            "user": [i % 10 for i in range(n)],
            "lang": ["de" if i % 10 < 4 else "en" for i in range(n)],
        }
    )
    return qrels, pl.concat(runs), queries
