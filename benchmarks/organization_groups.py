"""The group of cases about document organization."""

from benchmarks.jobs import Bench
from benchmarks.rows import Row, below, faster


def organization(bench: Bench) -> list[Row]:
    """F(R,S): a large topic, many topics."""
    # Options are handed over as text.
    number = bench.sizes.labels // 10
    n, many = str(number), f"{number // 1000} k documents"
    rows = [
        below(
            f"F(R,S) of one topic, {many}, {what}, {engine}",
            bench.work("ours_organization.topic", calls=3, n=n, what=what, engine=engine),
            2,
        )
        for engine in ("polars", "duckdb")
        for what in ("ranked", "clustered", "ranked and clustered")
    ]
    rows.append(
        below(
            f"F(R,S) of one topic, {many}, gold and system joined by text ids",
            bench.work("ours_organization.two_tables", calls=3, n=n),
            2,
        )
    )
    rows.append(
        below(
            f"F(R,S) of one topic, {many}, each in one to three clusters",
            bench.work("ours_organization.overlapping", n=n),
            2,
        )
    )
    together = bench.work("ours_organization.topics", calls=3, n=n, topics="1000")
    return [
        *rows,
        faster(
            f"F(R,S) of 1,000 topics, {many}, and one by one",
            together,
            bench.work("ours_organization.one_by_one", n=n, topics="1000"),
            50,
        ),
    ]
