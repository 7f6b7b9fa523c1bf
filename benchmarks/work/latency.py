"""Many small evaluations, and many units, in this project."""

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import duckdb
import polars as pl

import ireval_frames as ir
from benchmarks.machine import resident
from benchmarks.names import FIVE
from benchmarks.work import means
from benchmarks.work.database import items_database
from benchmarks.work.means import Means
from benchmarks.work.ours import everything
from ireval_frames.evaluation.evaluation import Evaluation

LABELS = "Accuracy MCC F1(average='macro') Precision(average='macro') Recall(average='macro')"


def repeated(family: str, engine: str, n: str) -> Callable[[], Means]:
    """So many evaluations of five measures of a tiny table: the median, and the memory after a tenth and after all."""
    evaluate, calls = _evaluations(engine)[family], int(n)

    def work() -> Means:
        seconds = []
        memory = {}
        for i in range(1, calls + 1):
            start = time.perf_counter()
            evaluate()
            seconds.append(time.perf_counter() - start)
            if i in (calls // 10, calls):
                memory["first" if i < calls else "last"] = float(resident())
        return {"median": statistics.median(seconds), **memory}

    return work


def text() -> Callable[[], Means]:
    """The SQL of all measures of trec_eval's `all_trec`."""
    qrels, run = ir.examples.ranking()
    measures = everything()

    def work() -> Means:
        return {"bytes": float(len(ir.evaluate(qrels, run, measures, engine="duckdb").per_unit.sql()))}

    return work


def _evaluations(engine: str) -> dict[str, Callable[[], Any]]:
    con = duckdb.connect()

    def table(name: str, frame: pl.DataFrame) -> Any:
        """The frame, or the name of a table that holds it."""
        if engine == "polars":
            return frame
        con.register("frame", frame.to_arrow())
        con.execute(f"CREATE TABLE {name} AS FROM frame")
        return name

    more: dict[str, Any] = {} if engine == "polars" else {"con": con}
    judged, retrieved = ir.examples.ranking()
    other = retrieved.with_columns(score=pl.col("score").sqrt() * (pl.int_range(pl.len()) % 3))
    qrels, run = table("qrels", judged), table("run", retrieved)
    labels, clusters = table("labels", ir.examples.labels()), table("clusters", ir.examples.clusters())
    points = table("points", ir.examples.points())
    runs = table(
        "runs", pl.concat([retrieved.with_columns(run_id=pl.lit("a")), other.with_columns(run_id=pl.lit("b"))])
    )
    return {
        "rankings": lambda: ir.evaluate(qrels, run, FIVE, **more).summary(),
        "labels": lambda: ir.Labels(labels, **more).evaluate(LABELS).summary(),
        "clusters": lambda: ir.Clusters(clusters, **more).evaluate("Purity NMI V AdjustedRand BCubedF").summary(),
        "points": lambda: (
            ir.Points(points, ["x", "y"], cluster="k3", **more)
            .evaluate("SSE CalinskiHarabasz DaviesBouldin Silhouette Dunn")
            .summary()
        ),
        "similarity": lambda: ir.Similarity(runs, **more).evaluate("Tau Spearman RBO Overlap AverageOverlap").summary(),
    }


# Polars reads it when it is loaded: what is more than so much memory is put on the disk.
os.environ.setdefault("POLARS_OOC_MEMORY_BUDGET_MB", "4000")
MEASURES = "Accuracy ErrorRate"
COLUMNS = "user_id, label, prediction"


def in_duckdb(table: str, memory_limit: str, spill: str, out: str = "") -> Callable[[], Means]:
    """A Parquet file through DuckDB, which may use so much memory and, beyond that, a folder.

    With `out` the values of every user are written there, else they are summarised.
    """
    config = {"memory_limit": memory_limit, "temp_directory": spill}
    con = items_database(table, "labels", COLUMNS, kind="VIEW", config=config)
    con.execute("SET enable_progress_bar = false")

    def work() -> Means:
        result = ir.Labels("labels", con=con, unit="user_id").evaluate(MEASURES)
        if not out:
            return means.of(result.summary())
        result.per_unit.to_native(wide=True).write_parquet(out)
        return _written(out, result)

    return work


def streaming(table: str, out: str = "") -> Callable[[], Means]:
    """A Parquet file through Polars' streaming engine."""

    def work() -> Means:
        with pl.Config():
            pl.Config.set_engine_affinity("streaming")
            result = ir.Labels(table, unit="user_id").evaluate(MEASURES)
            if not out:
                return means.of(result.summary())
            result.per_unit.to_native(wide=True).sink_parquet(out)
            return _written(out, result)

    return work


def _written(out: str, result: Evaluation) -> Means:
    """The means of a written table of users."""
    values = pl.scan_parquet(out).select(pl.mean(str(m) for m in result.measures)).collect()
    return {str(m): values[str(m)].item() for m in result.measures}
