"""The groups of cases about A/B tests."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, faster, peak, within
from benchmarks.sizes import thousands

METRICS = 10


def experiments(bench: Bench) -> list[Row]:
    """Ten metrics with CUPED of two variants in one GROUP BY of DuckDB, over Parquet."""
    many, some = bench.sizes.users[0], bench.sizes.labels
    large = {"table": bench.path(f"experiment_of_{many}_{METRICS}", "run.parquet"), "metrics": METRICS}
    small = {"table": bench.path(f"experiment_of_{some}_{METRICS}", "run.parquet"), "metrics": METRICS}
    calls = 3
    ours = bench.work("ours_experiments.cuped", calls=calls, **large)
    bare = bench.work("ours_experiments.group_by", calls=calls, **large)
    size = f"{METRICS} metrics with CUPED"
    return [
        within(f"{thousands(many)} users, {size}, bare GROUP BY of the sums", ours, bare, 1.3),
        peak("… peak memory", ours, "<", 2),
        faster(
            f"{thousands(some)} users, {size}, tea-tasting on Polars",
            bench.work("ours_experiments.cuped", calls=calls, **small),
            bench.work("peers_experiments.tea_tasting", calls=calls, **small),
        ),
    ]
