"""Fusion of ten runs; ranx's Borda count, which takes hours at this size, is left out."""

from dataclasses import replace

from benchmarks.jobs import Bench, Missing, Result
from benchmarks.rows import Row, faster, peak, within
from benchmarks.sizes import thousands

NUMBER, DEPTH = 10, 1_000
# Peak memory per row of all runs: that of reading them as a frame, and of the documents.
BYTES_PER_ROW = 150
METHODS = ("rrf", "combsum", "combmnz", "isr")


def fusion(bench: Bench) -> list[Row]:
    """Several runs as one."""
    rows = []
    small, large = bench.sizes.fused
    table = f"pooled_of_{NUMBER}_{small}_{DEPTH}"
    run, what = bench.path(table, "run.parquet"), f"{NUMBER} runs of {thousands(small * DEPTH)} rows"
    loading = bench.work("ours_fusion.load", run=run), bench.work("peers_fusion.ranx", run=run)
    rows.append(faster(f"{what}, loading, ranx", *loading))
    for method in METHODS:
        ours = bench.work("ours_fusion.fuse", calls=2, run=run, method=method)
        peer = bench.work("peers_fusion.ranx", run=run, method=method)
        rows.append(faster(f"… {method}, loaded before", ours, peer))
        rows.append(faster("… loading and this", _both(loading[0], ours), _both(loading[1], peer), 10))
    table = f"pooled_of_{NUMBER}_{large}_{DEPTH}"
    run, total = bench.path(table, "run.parquet"), NUMBER * large * DEPTH
    what = f"{NUMBER} runs of {thousands(large * DEPTH)} rows, from Parquet"
    for method in ("rrf", "combsum"):
        ours = bench.work("ours_fusion.from_file", run=run, method=method)
        bare = bench.work("bare.fused", run=run, method=method)
        rows.append(within(f"{what}, {method}, the same table by bare Polars", ours, bare, 1.5))
        rows.append(peak("… peak memory", ours, "<", total * BYTES_PER_ROW / 1e9))
    return rows


def _both(loading: Result, fusing: Result) -> Result:
    """The seconds of both."""
    if isinstance(loading, Missing) or isinstance(fusing, Missing):
        return loading if isinstance(loading, Missing) else fusing
    return replace(fusing, seconds=loading.seconds + fusing.seconds)
