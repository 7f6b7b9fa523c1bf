"""What evaluations found, as a number by measure."""

import polars as pl

Means = dict[str, float]


def of(summary: pl.DataFrame) -> Means:
    """The value of each measure; its mean over groups."""
    return dict(summary.group_by("measure", maintain_order=True).agg(pl.col("value").mean()).rows())
