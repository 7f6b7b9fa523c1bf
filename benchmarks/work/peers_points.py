"""scikit-learn's work on points in clusters, on arrays that are loaded before."""

import importlib
from collections.abc import Callable
from typing import Any

Means = dict[str, float]
# Its names of our measures, and its options.
FUNCTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "Silhouette": ("silhouette_score", {}),
    "Silhouette(metric='squared_euclidean')": ("silhouette_score", {"metric": "sqeuclidean"}),
    "CalinskiHarabasz": ("calinski_harabasz_score", {}),
    "DaviesBouldin": ("davies_bouldin_score", {}),
}


def measures(table: str, names: str) -> Callable[[], Means]:
    """Its functions, one after another."""
    x, cluster, _ = _arrays(table)
    requested = _requested(names)
    return lambda: {name: function(x, cluster) for name, function in requested.items()}


def groups(table: str, names: str) -> Callable[[], Means]:
    """A loop over the groups."""
    numpy = importlib.import_module("numpy")
    x, cluster, segment = _arrays(table)
    requested = _requested(names)

    def work() -> Means:
        order = numpy.argsort(segment, kind="stable")
        each = numpy.split(order, numpy.flatnonzero(numpy.diff(segment[order])) + 1)
        return {
            name: float(numpy.mean([function(x[rows], cluster[rows]) for rows in each]))
            for name, function in requested.items()
        }

    return work


def _requested(names: str) -> dict[str, Callable[[Any, Any], float]]:
    metrics = importlib.import_module("sklearn.metrics")

    def index(name: str) -> Callable[[Any, Any], float]:
        function, options = FUNCTIONS[name]
        return lambda x, cluster: getattr(metrics, function)(x, cluster, **options)

    return {name: index(name) for name in names.split()}


def _arrays(table: str) -> tuple[Any, Any, Any]:
    frame = importlib.import_module("pandas").read_parquet(table)
    return (
        frame.drop(columns=["cluster_id", "segment"]).to_numpy(),
        frame["cluster_id"].to_numpy(),
        frame["segment"].to_numpy(),
    )
