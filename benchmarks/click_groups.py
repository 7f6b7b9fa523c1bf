"""The groups of cases about click logs.

They need the table `clicks_of_PAGES_10`, a log of so many result pages of ten results; `counterfactual` also the run
`retrieved_of_PAGES` of its queries.
"""

from benchmarks.jobs import Bench, Result
from benchmarks.rows import Row, below, faster_per_row, peak, shown, within
from benchmarks.sizes import thousands

DEPTH = 10
MEASURES = "CTR Abandonment MRRFirstClick COEC"
MEMORY_LIMIT = "4GB"


def clicks(bench: Bench) -> list[Row]:
    """A click log in Parquet: its measures, and what is odd about it."""
    table = f"clicks_of_{bench.sizes.pages}_{DEPTH}"
    log, spill = bench.path(table, "run.parquet"), bench.path(table, "spill")
    size = f"{thousands(bench.sizes.pages)} pages"

    def ours(**options: str) -> Result:
        return bench.work("ours_clicks.measures", log=log, names=MEASURES, **options)

    polars = ours()
    duckdb = ours(memory_limit=MEMORY_LIMIT, spill=spill)
    return [
        below(f"{size} × {DEPTH} from Parquet, {MEASURES}", polars, 60),
        peak("… peak memory", polars, "<", 8),
        below(f"… DuckDB in {MEMORY_LIMIT}", duckdb, 60),
        peak("… peak memory", duckdb, "<", 5),
        within("… duplicates not looked for, all", ours(duplicates="trust"), polars),
        shown(
            "… log.check(), DuckDB",
            str(bench.work("ours_clicks.check", log=log, memory_limit=MEMORY_LIMIT, spill=spill)),
        ),
    ]


def click_models(bench: Bench) -> list[Row]:
    """Click models of a log in Parquet, from the file to the parameters; PyClick beside them on few pages."""
    many, some, few = bench.sizes.pages, bench.sizes.pages // 10, min(20_000, bench.sizes.pages // 10)
    log, spill = (
        bench.path(f"clicks_of_{many}_{DEPTH}", "run.parquet"),
        bench.path(f"clicks_of_{many}_{DEPTH}", "spill"),
    )
    size, iterated = f"{thousands(many)} pages × {DEPTH} from Parquet", "50 iterations"

    def ours(names: str, table: str = log, **options: str) -> Result:
        return bench.work("ours_clicks.fits", log=table, names=names, **options)

    polars, duckdb, seen = ours("SDBN"), ours("SDBN", memory_limit=MEMORY_LIMIT, spill=spill), ours("UBM PBM")
    pages = ours("DBN", bench.path(f"clicks_of_{some}_{DEPTH}", "run.parquet"))
    small = bench.path(f"clicks_of_{few}_{DEPTH}", "run.parquet")
    rows = [
        below(f"{size}, SDBN", polars, 40),
        peak("… peak memory", polars, "<", 4),
        below(f"… DuckDB in {MEMORY_LIMIT}", duckdb, 40),
        below(f"… UBM and PBM, {iterated}, in all", seen, 120),
        peak("… peak memory", seen, "<", 8),
        below(f"{thousands(some)} pages × {DEPTH}, DBN, {iterated}", pages, 60),
    ]
    for name, fitted, n, times in (("UBM", ours("UBM"), many, 500), ("DBN", pages, some, 300)):
        # Ours runs fifty iterations, PyClick one.
        peer = bench.work("peers.pyclick", log=small, name=name, iterations=1)
        rows.append(faster_per_row(f"{name}, a page and iteration, PyClick", fitted, 50 * n, peer, few, times))
    return rows


def counterfactual(bench: Bench) -> list[Row]:
    """A new run valued by a click log in Parquet, propensities, and interleaved lists."""
    pages = bench.sizes.pages
    log = bench.path(f"clicks_of_{pages}_{DEPTH}", "run.parquet")
    run = bench.path(f"retrieved_of_{pages}", "run.parquet")
    spill = bench.path(f"clicks_of_{pages}_{DEPTH}", "spill")
    size = f"{thousands(pages)} pages"

    def ours(estimators: str, **options: str) -> Result:
        return bench.work("ours_clicks.valued", log=log, run=run, estimators=estimators, **options)

    memory = {"memory_limit": MEMORY_LIMIT, "spill": spill}
    polars, duckdb = ours("IPS", duplicates="trust"), ours("IPS", duplicates="trust", **memory)
    return [
        below(f"{size} × {DEPTH} from Parquet, IPS of a new run", polars, 40),
        peak("… peak memory", polars, "<", 4),
        below(f"… DuckDB in {MEMORY_LIMIT}", duckdb, 40),
        peak("… peak memory", duckdb, "<", 5),
        within("… duplicates looked for, not", ours("IPS"), polars),
        within("… IPS SNIPS DR, IPS", ours("IPS SNIPS DR", duplicates="trust"), polars),
        below("… propensities of all pairs", bench.work("ours_clicks.harvested", log=log), 120),
        below("team draft of two runs, 100 k pages", bench.work("ours_clicks.interleaved", run=run), 20),
    ]
