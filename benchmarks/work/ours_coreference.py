"""This project's work on what is extracted from documents."""

from collections.abc import Callable

import duckdb
import polars as pl

import ireval_frames as ir
from benchmarks.work import means
from benchmarks.work.means import Means

THREE = "MUCF B3F CEAFeF"


def coreference(
    gold: str, predicted: str, measures: str = THREE, aggregation: str = "pooled", engine: str = "polars"
) -> Callable[[], Means]:
    """Measures of frames in memory, or of tables in DuckDB."""
    names = [f"{name}(aggregation='{aggregation}')" for name in measures.split()]
    if engine == "polars":
        frames = pl.read_parquet(gold), pl.read_parquet(predicted)
        return lambda: means.of(ir.Coreference(*frames).evaluate(names).summary())
    con = duckdb.connect()
    for name, path in (("gold", gold), ("predicted", predicted)):
        con.sql(f"CREATE TABLE {name} AS FROM '{path}'")
    return lambda: means.of(ir.Coreference("gold", "predicted", con=con).evaluate(names).summary())
