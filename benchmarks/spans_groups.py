"""Spans of documents."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, within
from benchmarks.sizes import thousands


def spans(bench: Bench) -> list[Row]:
    """Spans in four modes, of which most ask for a matching."""
    files = {side: bench.path("marked", f"{side}.parquet") for side in ("gold", "predicted")}
    ours = bench.work("ours_spans.modes", calls=3, **files)
    strict = bench.work("ours_spans.modes", calls=3, **files, measures="Precision Recall F1")
    duck = bench.work("ours_spans.modes", calls=3, **files, engine="duckdb")
    what = f"precision, recall and F1 of {thousands(bench.sizes.labels // 10)} spans"
    return [
        faster(f"{what} in four modes, nervaluate", ours, bench.work("peers_spans.nervaluate", **files), 10),
        peak("… peak memory", ours, "<", 4),
        within("… strict alone", strict, ours),
        within("… in four modes on DuckDB, on Polars", duck, ours),
    ]
