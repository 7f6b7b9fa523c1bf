"""Other tools' analysis of A/B tests."""

import importlib
from collections.abc import Callable

Means = dict[str, float]


def tea_tasting(table: str, metrics: int) -> Callable[[], Means]:
    """Means with covariates of a lazy frame of Polars."""
    tea, polars = importlib.import_module("tea_tasting"), importlib.import_module("polars")
    means = {f"m{k}": tea.Mean(f"m{k}", f"m{k}_before") for k in range(metrics)}

    def work() -> Means:
        rows = polars.scan_parquet(table)
        results = tea.Experiment(means, variant="variant").analyze(rows, control="old")
        return {name: float(one.effect_size) for name, one in results.items()}

    return work
