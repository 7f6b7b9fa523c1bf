"""Other tools' consensus of raters."""

import importlib
from collections.abc import Callable

Means = dict[str, float]


def crowdkit(table: str, iterations: int) -> Callable[[], Means]:
    """crowd-kit's Dawid-Skene on a frame of pandas."""
    polars = importlib.import_module("polars")
    model = importlib.import_module("crowdkit.aggregation").DawidSkene
    names = {"item_id": "task", "rater_id": "worker", "rating": "label"}
    frame = polars.read_parquet(table).rename(names).to_pandas()
    return lambda: {"units": float(len(model(n_iter=iterations, tol=0.0).fit_predict(frame)))}
