"""The group of cases about stored results."""

from benchmarks.jobs import Bench, Measured
from benchmarks.rows import Row, below, peak, shown

QUERIES, MEASURES, EVALUATIONS = 10_000, 10, 3_000


def store(bench: Bench) -> list[Row]:
    """Millions of values added to a store, and asked again."""
    runs = max(2, bench.sizes.labels // QUERIES)
    values = runs * QUERIES * MEASURES
    told = f"{values / 1e6:g} M values"
    add = bench.work("ours_store.add", runs=runs)
    size = f"{add.values['bytes']:.2f} bytes a value" if isinstance(add, Measured) else str(add)
    return [
        below(f"{told} added", add, values / 1e6),
        peak("… peak memory", add, "<", 8),
        shown("… on the disk", size),
        below("… mean by run and measure, as kept", bench.work("ours_store.leaderboard", calls=3, runs=runs), 1),
        below("… mean by run and measure, from the values", bench.work("ours_store.means", calls=3, runs=runs), 1),
        below("… two runs compared", bench.work("ours_store.compare", calls=3, runs=runs), 0.3),
        below(
            f"{EVALUATIONS:,} evaluations listed after compact",
            bench.work("ours_store.listed", calls=3, evaluations=EVALUATIONS),
            1,
        ),
    ]
