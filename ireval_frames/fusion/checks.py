"""What the runs of a fusion must not hold, and what is warned of."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, OverlapWarning, listed, warn
from ireval_frames.expr import col
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.options import FusionOptions
from ireval_frames.judgments import KEYS

# More pairs of documents than this take minutes.
MOST_PAIRS = 200_000_000


def checks_of(lists: Lists, options: FusionOptions, sizes: Callable[[], pl.DataFrame]) -> list[Callable[[], None]]:
    """What raises the errors of the runs, and warns, before the fused run is read."""
    checks: list[Callable[[], None]] = [lists.check]
    if options.reads_scores and options.normalization == "max":
        checks.append(lambda: run_checks(lists.engine, [_positive(lists)]))
    if options.method == "condorcet":
        checks.append(lambda: _few_pairs(lists))
    checks.append(lambda: _warn_of_missing_queries(sizes))
    return checks


def _positive(lists: Lists) -> Check:
    """Every list has a positive score, by which the others are divided."""
    highest = lists.engine.group(lists.rows, ("run_id", "query_id"), [Aggregate("high", "max", col("value"))])

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        return InvalidValue(
            f"The highest score of run {row['run_id']!r} for query {row['query_id']!r} is {row['high']}, and scores "
            f"are divided by it ({count} such lists).",
            Hint("Write ", Argument("normalize", "minmax"), "."),
        )

    return Check(highest, col("high") <= 0, error, ("run_id", "query_id"))


def _few_pairs(lists: Lists) -> None:
    """Refuse more pairs of documents than can be compared.

    Raises:
        InvalidParameter: there are more.
    """
    documents = lists.ranked.rows().select(*KEYS).unique().count_by("query_id")
    n = col("n").cast(pl.Float64)
    total = lists.engine.numbers(lists.engine.group(documents, (), [Aggregate("pairs", "sum", n * n)]))["pairs"] or 0
    if total > MOST_PAIRS:
        raise InvalidParameter(
            f"condorcet compares every two documents of a query, here {total:,.0f} pairs, more than {MOST_PAIRS:,}.",
            Hint("Read the first ones of each list: ", Argument("depth", 100), "."),
        )


def _warn_of_missing_queries(sizes: Callable[[], pl.DataFrame]) -> None:
    """Warn of queries that some runs lack: these are fused from the others."""
    queries = sizes()["query_id"].n_unique()
    lacking = {
        run: queries - n
        for run, n in sorted(sizes().group_by("run_id", maintain_order=True).len().iter_rows())
        if n < queries
    }
    if lacking:
        warn(
            f"Not every run has all {queries} queries; those that a run lacks are fused from the others: "
            + listed([f"{run} lacks {n}" for run, n in lacking.items()])
            + ".",
            OverlapWarning,
        )
