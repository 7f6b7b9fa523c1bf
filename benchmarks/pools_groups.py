"""Pools of many runs."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, below, peak, within
from benchmarks.sizes import thousands

MEMORY_LIMIT = "3GB"


def pools(bench: Bench) -> list[Row]:
    """Documents of many runs to judge."""
    number, queries, depth = bench.sizes.pooled
    table = f"pooled_of_{number}_{queries}_{depth}"
    run, spill = bench.path(table, "run.parquet"), bench.path(table, "spill")
    what = f"{number} runs × {queries:,} queries × depth {depth:,} ({thousands(number * queries * depth)} rows)"
    everything = bench.work("ours_pools.pool", run=run, options={"depth": depth})
    rows = [
        within(f"{what}: the pool of depth {depth:,}, bare grouping", everything, bench.work("bare.grouped", run=run)),
        below("… seconds", everything, 30),
        peak("… peak memory", everything, "<", 4),
    ]
    strata = {str(rank): rate for rank, rate in ((depth // 100, 1.0), (depth // 10, 0.5), (depth, 0.05))}
    others = {
        f"of depth {depth // 10}": {"depth": depth // 10},
        "stratified": {"method": "stratified", "strata": strata},
        "by reciprocal ranks": {"method": "rrf", "depth": depth},
        "by mean ranks": {"method": "mean-rank", "depth": depth},
        f"hedge, first batch of 10, depth {depth // 10}": {"method": "hedge", "depth": depth // 10, "batch": 10},
    }
    for name, options in others.items():
        rows.append(within(f"… {name}", bench.work("ours_pools.pool", run=run, options=options), everything))
    shallow = depth // 10
    duck = bench.work("ours_pools.inside", run=run, depth=shallow, memory_limit=MEMORY_LIMIT, spill=spill)
    polars = bench.work("ours_pools.pool", run=run, options={"depth": shallow})
    return [*rows, within(f"… of depth {shallow}, DuckDB in {MEMORY_LIMIT}, Polars", duck, polars)]
