"""Mentions and their entities in documents."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, within
from benchmarks.sizes import thousands


def coreference(bench: Bench) -> list[Row]:
    """Mentions of many documents, about a hundred in each."""
    files = {side: bench.path("mentions", f"{side}.parquet") for side in ("gold", "predicted")}
    what = f"{thousands(bench.sizes.labels // 1000)} documents"
    means = bench.work("ours_coreference.coreference", calls=3, **files, aggregation="mean")
    ours = bench.work("ours_coreference.coreference", calls=3, **files)
    relational = bench.work("ours_coreference.coreference", calls=3, **files, measures="MUC B3 BLANC LEA")
    duck = bench.work("ours_coreference.coreference", calls=3, **files, engine="duckdb")
    bare = bench.work("bare.cells", calls=3, **files)
    return [
        faster(f"MUC, B³ and CEAFe of {what}, scorch", means, bench.work("peers_coreference.scorch", **files)),
        peak("… peak memory", means, "<", 2),
        within("… pooled over documents, bare join and GROUP BY", ours, bare),
        within("MUC, B³, BLANC and LEA, bare join and GROUP BY", relational, bare),
        within("MUC, B³ and CEAFe on DuckDB, on Polars", duck, ours),
    ]
