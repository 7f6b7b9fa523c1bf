"""Experiments and ratings in this project."""

from collections.abc import Callable

import duckdb
import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means


def cuped(table: str, metrics: int) -> Callable[[], Means]:
    """The differences of the metrics, adjusted, of a Parquet file in DuckDB."""
    con = duckdb.connect()
    means = [ir.experiments.Mean(f"m{k}", before=f"m{k}_before") for k in range(metrics)]

    def work() -> Means:
        rows = con.read_parquet(table)
        results = ir.Experiment(rows, unit=None, baseline="old").analyze(means, coefficient="pooled").table()
        return {f"m{k}": value for k, value in enumerate(results["difference"])}

    return work


def group_by(table: str, metrics: int) -> Callable[[], Means]:
    """Counts, sums, sums of squares and of products, and no more."""
    con = duckdb.connect()
    sums = ", ".join(
        f"sum(m{k}), sum(m{k}_before), sum(m{k} * m{k}), sum(m{k}_before * m{k}_before), sum(m{k} * m{k}_before)"
        for k in range(metrics)
    )
    quoted = table.replace("'", "''")
    text = f"SELECT variant, count(*), {sums} FROM read_parquet('{quoted}') GROUP BY variant ORDER BY variant DESC"

    def work() -> Means:
        old, new = con.sql(text).fetchall()
        results = {}
        for k in range(metrics):
            (a, b), (nx, ny) = ((row[5 * k + 2 : 5 * k + 7] for row in (old, new)), (old[1], new[1]))
            n = nx + ny
            y, x, xx, xy = (a[i] + b[i] for i in (0, 1, 3, 4))
            theta = (xy - x * y / n) / (xx - x * x / n)
            results[f"m{k}"] = b[0] / ny - a[0] / nx - theta * (b[1] / ny - a[1] / nx)
        return results

    return work


def alpha(table: str, level: str) -> Callable[[], Means]:
    """Krippendorff's alpha of a frame in memory."""
    frame = pl.read_parquet(table)
    return lambda: means.of(ir.Ratings(frame).evaluate(f"KrippendorffAlpha(level={level!r})").summary())


def dawid_skene(table: str, iterations: int) -> Callable[[], Means]:
    """The consensus of all units."""
    frame = pl.read_parquet(table)

    def work() -> Means:
        result = ir.Ratings(frame).aggregate("dawid-skene", max_iter=iterations, tol=0.0)
        return {"units": float(result.consensus().height)}

    return work
