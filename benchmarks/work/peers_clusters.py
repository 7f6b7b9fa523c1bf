"""scikit-learn's work on clusterings, on arrays that are loaded before."""

import importlib
from collections.abc import Callable
from typing import Any

Means = dict[str, float]
THEIRS = {
    "AdjustedRand": "adjusted_rand_score",
    "NMI": "normalized_mutual_info_score",
    "V": "v_measure_score",
    "FowlkesMallows": "fowlkes_mallows_score",
    "AMI": "adjusted_mutual_info_score",
}
FOUR = "AdjustedRand NMI V FowlkesMallows"


def external(table: str, measures: str = FOUR) -> Callable[[], Means]:
    """Its functions, one after another."""
    metrics = importlib.import_module("sklearn.metrics")
    label, cluster = _columns(table, "label", "cluster_id")
    return lambda: {m: float(getattr(metrics, THEIRS[m])(label, cluster)) for m in measures.split()}


def groups(table: str, label: str, cluster: str, measures: str = FOUR) -> Callable[[], Means]:
    """A loop over the groups."""
    metrics, numpy = importlib.import_module("sklearn.metrics"), importlib.import_module("numpy")
    labels, clusters, segment = _columns(table, label, cluster, "segment")

    def work() -> Means:
        order = numpy.argsort(segment, kind="stable")
        each = numpy.split(order, numpy.flatnonzero(numpy.diff(segment[order])) + 1)
        return {
            m: float(numpy.mean([getattr(metrics, THEIRS[m])(labels[rows], clusters[rows]) for rows in each]))
            for m in measures.split()
        }

    return work


def _columns(table: str, *names: str) -> list[Any]:
    frame = importlib.import_module("pandas").read_parquet(table, columns=list(names))
    return [frame[name].to_numpy() for name in names]
