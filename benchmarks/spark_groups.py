"""The group of cases in a session of Spark."""

from dataclasses import replace

from benchmarks.jobs import Bench, Result
from benchmarks.names import FIVE
from benchmarks.rows import Row, shown, within


def spark(bench: Bench) -> list[Row]:
    """Frames of Spark, beside a statement by hand."""
    size = bench.sizes.described("spark")
    even, skewed = bench.parquet("spark"), bench.parquet("skewed")

    def ours(tables: dict[str, str], **options: str) -> Result:
        return bench.work("in_spark.ours", calls=3, **tables, measures=FIVE, **options)

    by_hand = bench.work("in_spark.by_hand", calls=3, **even)
    checked, uneven = ours(even), ours(skewed)
    # The tables differ, and so do the means.
    beside_even = replace(within("… a third of the rows in one query, even", uneven, checked, 3), difference=None)
    return [
        within(f"Spark, {size}: window, join and group-by by hand", checked, by_hand, 1.5),
        within("… duplicates not looked for", ours(even, duplicates="trust"), by_hand, 1.5),
        beside_even,
        within("… the same by hand", uneven, bench.work("in_spark.by_hand", calls=3, **skewed)),
        shown("… jobs, stages and shuffles of an evaluation", _counts(bench, even)),
    ]


def _counts(bench: Bench, tables: dict[str, str]) -> str:
    counts = bench.work("in_spark.counted", **tables, measures=FIVE)
    values = getattr(counts, "values", None)
    if not values:
        return str(counts)
    return (
        f"{values['jobs']} jobs, {values['stages']} stages, {values['shuffles']} shuffles, the largest of"
        f" {values['rows'] / 1e6:.1f} M rows"
    )
