"""This project's work on clusterings."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.database import items_database
from benchmarks.work.means import Means

FOUR = "AdjustedRand NMI V FowlkesMallows"


def external(table: str, measures: str = FOUR) -> Callable[[], Means]:
    """Measures of a frame in memory."""
    frame = pl.read_parquet(table, columns=["label", "cluster_id"])
    return lambda: _means(ir.Clusters(frame), measures)


def inside(table: str, measures: str = FOUR) -> Callable[[], Means]:
    """The same of a table in DuckDB, with text for ids."""
    con = items_database(table, "clusters", "label_name, cluster_name")
    return lambda: _means(ir.Clusters("clusters", label="label_name", cluster="cluster_name", con=con), measures)


def groups(table: str, label: str, cluster: str, measures: str = FOUR) -> Callable[[], Means]:
    """The measures of every group; their means."""
    frame = pl.read_parquet(table, columns=[label, cluster, "segment"])

    def work() -> Means:
        result = ir.Clusters(frame, label=label, cluster=cluster, by="segment").evaluate(measures).summary()
        return means.of(result)

    return work


def _means(subject: ir.Clusters, measures: str) -> Means:
    result = subject.evaluate(measures).summary()
    return means.of(result)
