"""The groups of cases about click logs.

`clicks` needs the table `clicks_of_PAGES_10`, a log of so many result pages of ten results.
"""

from benchmarks.jobs import Bench, Result
from benchmarks.rows import Row, below, peak, within
from benchmarks.sizes import thousands

DEPTH = 10
MEASURES = "CTR Abandonment MRRFirstClick COEC"
MEMORY_LIMIT = "4GB"


def clicks(bench: Bench) -> list[Row]:
    """A click log in Parquet: its measures, and what is odd about it."""
    table = f"clicks_of_{bench.sizes.pages}_{DEPTH}"
    log, spill = bench.path(table, "run.parquet"), bench.path(table, "spill")
    told = f"{thousands(bench.sizes.pages)} pages"

    def ours(**options: str) -> Result:
        return bench.work("ours_clicks.measures", log=log, names=MEASURES, **options)

    polars = ours()
    duckdb = ours(memory_limit=MEMORY_LIMIT, spill=spill)
    return [
        below(f"{told} × {DEPTH} from Parquet, {MEASURES}", polars, 60),
        peak("… peak memory", polars, "<", 8),
        below(f"… DuckDB in {MEMORY_LIMIT}", duckdb, 60),
        peak("… peak memory", duckdb, "<", 5),
        within("… duplicates not looked for, all", ours(duplicates="trust"), polars),
        below(
            "… log.check(), DuckDB",
            bench.work("ours_clicks.check", log=log, memory_limit=MEMORY_LIMIT, spill=spill),
            120,
        ),
    ]
