"""This project's work on labels."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.database import items_database
from benchmarks.work.means import Means

REPORT = [f"{m}(average={a!r})" for a in ("micro", "macro", "weighted") for m in ("Precision", "Recall", "F1")]


def report(table: str) -> Callable[[], Means]:
    """A classification report of a frame in memory."""
    frame = pl.read_parquet(table, columns=["label", "prediction"])

    def work() -> Means:
        result = ir.Labels(frame).report().filter(pl.col("class_id") == "macro average")
        return {m: result[m].item() for m in ("precision", "recall", "f1")}

    return work


def inside(table: str) -> Callable[[], Means]:
    """The report's averages of a table in DuckDB."""
    con = items_database(table, "labels", "label, prediction")

    def work() -> Means:
        result = ir.Labels("labels", con=con).evaluate(REPORT).summary()
        return means.of(result)

    return work


def curves(table: str, score: str) -> Callable[[], Means]:
    """The areas under the ROC and the precision-recall steps."""
    frame = pl.read_parquet(table, columns=["positive", score])

    def work() -> Means:
        result = ir.Labels(frame, label="positive", score=score).evaluate("ROCAUC AveragePrecision").summary()
        return means.of(result)

    return work


def groups(table: str) -> Callable[[], Means]:
    """Two measures of every group."""
    frame = pl.read_parquet(table, columns=["label", "prediction", "segment"])

    def work() -> Means:
        result = ir.Labels(frame, by="segment").evaluate("F1(average='macro') Accuracy").summary()
        return means.of(result)

    return work
