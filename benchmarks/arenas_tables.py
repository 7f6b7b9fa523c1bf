"""Battles of models."""

from pathlib import Path

import numpy as np
import polars as pl


def battles(folder: Path, shape: tuple[int, int]) -> None:
    """So many battles of so many models, a fifth of them ties, ten of each user."""
    rows, models = shape
    rng = np.random.default_rng(rows)
    theta = rng.normal(0, 0.7, models)
    a = rng.integers(0, models, rows)
    b = (a + rng.integers(1, models, rows)) % models
    won = rng.random(rows) < 1 / (1 + np.exp(theta[b] - theta[a]))
    winner = np.where(rng.random(rows) < 0.2, "tie", np.where(won, "model_a", "model_b"))
    names = np.array([f"model_{i:03d}" for i in range(models)])
    frame = pl.DataFrame(
        {"model_a": names[a], "model_b": names[b], "winner": winner, "user": rng.integers(0, max(1, rows // 10), rows)}
    )
    frame.write_parquet(folder / "battles.parquet")
