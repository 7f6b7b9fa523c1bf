"""This project's work on labels whose units are users."""

import os
from collections.abc import Callable

# Polars reads it when it is loaded: what is more than so much memory is put on the disk.
os.environ.setdefault("POLARS_OOC_MEMORY_BUDGET_MB", "4000")

import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.database import items_database
from benchmarks.work.means import Means
from ireval_frames.evaluation.evaluation import Evaluation

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
