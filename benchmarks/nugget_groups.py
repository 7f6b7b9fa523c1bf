"""Recall of nuggets, beside nuggetizer."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, shown
from benchmarks.sizes import thousands
from benchmarks.work.peers_nuggets import MEASURES

# Nuggets of each query.
PER_QUERY = 20


def nuggets(bench: Bench) -> list[Row]:
    """Labels of nuggets for the answers of many runs."""
    runs, queries = bench.sizes.answered
    what = f"{thousands(runs * queries * PER_QUERY)} labels of nuggets"
    folder = bench.path(f"answered_of_{runs}_{queries}_{PER_QUERY}", "")
    ours, files, on_duckdb = (
        bench.work(f"ours_nuggets.{name}", calls=2, folder=folder, measures=" ".join(MEASURES), engine=engine)
        for name, engine in (("frames", "polars"), ("files", "polars"), ("files", "duckdb"))
    )
    few = bench.path(f"answered_of_{max(runs // 10, 1)}_{queries}_{PER_QUERY}", "")
    peer = bench.work("peers_nuggets.nuggetizer", folder=few)
    of_few = bench.work("ours_nuggets.frames", folder=few, measures=" ".join(MEASURES), engine="polars")
    return [
        shown(f"{what}, {len(MEASURES)} measures, frames", str(ours)),
        peak("… peak memory", ours, "<", 4.0),
        shown("… Parquet files", str(files)),
        shown("… Parquet files, DuckDB", str(on_duckdb)),
        faster("a tenth of the runs, nuggetizer on records", of_few, peer),
    ]
