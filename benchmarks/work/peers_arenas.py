"""Other tools: strengths of models from battles."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np


def evalica(path: str, draws: int) -> Callable[[], dict[str, float]]:
    """Bradley and Terry's strengths of counts of outcomes; counts are drawn as ours are, and weights of the call."""
    module, polars = importlib.import_module("evalica"), importlib.import_module("polars")
    frame = polars.read_parquet(path)
    words = {"model_a": module.Winner.X, "model_b": module.Winner.Y, "tie": module.Winner.Draw}

    def rate(xs: list[str], ys: list[str], winners: list[Any], weights: list[float]) -> float:
        scores = module.bradley_terry(xs, ys, winners, weights=weights, tolerance=1e-8, limit=1000).scores
        logs = np.log(scores)
        return float((logs - logs.mean()).max())

    def work() -> dict[str, float]:
        counts = frame.group_by("model_a", "model_b", "winner").len().sort("model_a", "model_b", "winner")
        xs, ys = counts["model_a"].to_list(), counts["model_b"].to_list()
        winners, n = [words[w] for w in counts["winner"]], counts["len"].to_numpy()
        rng = np.random.default_rng(0)
        for _ in range(draws):
            rate(xs, ys, winners, rng.multinomial(n.sum(), n / n.sum()).astype(float).tolist())
        largest = rate(xs, ys, winners, n.astype(float).tolist()) if not draws else 0.0
        return {"largest": largest} if not draws else {"models": float(len(set(xs) | set(ys)))}

    return work
