"""Where the golden data of two trees differ, and how that is reported."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import polars as pl

KEY = ("suite", "case", "engine", "measure", "what", "unit")
# How many differences of one sort are shown.
SHOWN = 10
ERROR_CLASS = r"^(\w+): (?s:.*)$"


def differing(before: pl.DataFrame, after: pl.DataFrame, *, tolerance: float, classes: bool) -> pl.DataFrame:
    """The rows that differ, with both sides; `sort` says in what.

    Args:
        before: the golden data of a revision.
        after: the golden data of the working tree.
        tolerance: how far numbers may be apart, as a share of the older one or of 1 where that is smaller.
        classes: compare errors by their class.
    """
    if classes:
        before, after = (f.with_columns(pl.col("text").str.replace(ERROR_CLASS, "$1")) for f in (before, after))
    old, new = (f.with_columns(there=True) for f in (before, after))
    both = old.join(new, on=KEY, how="full", coalesce=True, suffix="_after", nulls_equal=True)
    value, value_after = pl.col("value"), pl.col("value_after")
    apart = (value - value_after).abs() > tolerance * pl.max_horizontal(1.0, value.abs())
    # The difference of two infinite values is NaN, which is greater than any number.
    differs = value.ne_missing(value_after) & (apart | value.is_null() | value_after.is_null())
    return both.select(
        *KEY,
        "value",
        "value_after",
        "text",
        "text_after",
        sort=pl.when(pl.col("there_after").is_null())
        .then(pl.lit("only before"))
        .when(pl.col("there").is_null())
        .then(pl.lit("only after"))
        .when(differs)
        .then(pl.lit("value"))
        .when(pl.col("text").ne_missing(pl.col("text_after")))
        .then(pl.lit("text"))
        .when(pl.col("row").ne_missing(pl.col("row_after")))
        .then(pl.lit("order of rows")),
    ).filter(pl.col("sort").is_not_null())


def report(different: pl.DataFrame) -> Iterator[str]:
    """The differences as lines: values first; the same change of many texts once."""
    for (sort,), of_sort in sorted(different.partition_by("sort", as_dict=True).items(), reverse=True):
        yield f"{sort}: {of_sort.height:,} differ"
        if sort == "text":
            yield from _texts(of_sort)
        elif sort == "value":
            for row in of_sort.head(SHOWN).iter_rows(named=True):
                yield f"  {_place(row)}: {row['value']!r} before, {row['value_after']!r} after"
        else:
            counts = of_sort.group_by("suite", "case", "engine", "what", maintain_order=True).agg(
                pl.len(), measures=pl.col("measure").unique(maintain_order=True).head(3)
            )
            for suite, case, engine, what, n, measures in counts.head(SHOWN).iter_rows():
                yield f"  {suite}, {case}, {engine}, {what}: {n:,} rows, of {', '.join(measures)} …"


def _texts(different: pl.DataFrame) -> Iterator[str]:
    alike: dict[str, list[str]] = {}
    for row in different.iter_rows(named=True):
        before, after = ((row[c] or "").splitlines() for c in ("text", "text_after"))
        change = "\n".join(list(difflib.unified_diff(before, after, n=1, lineterm=""))[2:22])
        alike.setdefault(change, []).append(_place(row))
    for change, places in sorted(alike.items(), key=lambda item: -len(item[1]))[:SHOWN]:
        yield f"  {places[0]}" + (f" and {len(places) - 1:,} more" if len(places) > 1 else "")
        yield from (f"    {line}" for line in change.splitlines())
    if len(alike) > SHOWN:
        yield f"  and {len(alike) - SHOWN:,} other changes"


def _place(row: dict[str, str]) -> str:
    return ", ".join(row[c] for c in ("measure", "suite", "case", "engine", "what", "unit") if row[c])
