"""Spans of tags."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, within
from benchmarks.sizes import thousands


def tags(bench: Bench) -> list[Row]:
    """Tags of sentences, of two sides."""
    table = bench.path("tagged", "run.parquet")
    what = f"{thousands(bench.sizes.labels)} tokens"
    ours, bare = bench.turns(
        [
            lambda: bench.work("ours_tags.seqeval", calls=3, table=table),
            lambda: bench.work("bare_tags.polars", calls=3, table=table),
        ]
    )
    duck, bare_duck = (
        bench.work(f"{module}", calls=2, table=table) for module in ("ours_tags.inside", "bare_tags.duckdb")
    )
    return [
        faster(f"precision, recall and F1 of {what}, seqeval", ours, bench.work("peers_tags.seqeval", table=table), 10),
        within("… the bare query of the same counts", ours, bare, 2),
        peak("… peak memory", ours, "<", 4),
        within(
            "… by IOB2, with its checks and the mean over types",
            bench.work("ours_tags.report", calls=3, table=table),
            ours,
        ),
        within("… rows in random order", bench.work("ours_tags.shuffled", calls=2, table=table), ours),
        within("… on DuckDB, the bare query there", duck, bare_duck, 2),
    ]
