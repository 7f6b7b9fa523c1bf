"""The lists of a query beside each other: a row per document with its value in each list, and normalised values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine, Part
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.options import OF_SCORES, FusionOptions


@dataclass(frozen=True)
class Column:
    """One list of each query as columns of a row per document.

    Attributes:
        number: its place in the order of the runs' names.
    """

    number: int

    def of(self, name: str) -> Expr:
        """One of its columns."""
        return col(f"{name}_{self.number}")

    @property
    def value(self) -> Expr:
        """The document's score or rank; null if the list does not have it."""
        return self.of("value")

    @property
    def present(self) -> Expr:
        """Whether the list has the document."""
        return ~self.value.is_null()


def beside_each_other(lists: Lists, options: FusionOptions) -> Frame:
    """A row per document: query_id doc_id value_0 value_1 …, and what is known of its query's lists: n_0, low_0."""
    engine, names = lists.engine, lists.names
    of_scores = options.reads_scores
    value = col("value") if of_scores else col("rank").cast(pl.Float64)
    aggregates = [
        Aggregate(f"value_{i}", "max", when(col("run_id") == name).then(value)) for i, name in enumerate(names)
    ]
    wide = engine.stage(lists.beside_each_other(aggregates), "lists")
    statistics = [one for i in range(len(names)) for one in _statistics(f"value_{i}", i, options)]
    if not statistics:
        return wide
    wide = engine.shared(wide)
    of_query = engine.group(wide, ["query_id"], [*statistics, Aggregate("candidates", "count", lit(1.0))])
    out = engine.attach(wide, [Part(engine.stage(of_query, "statistics"), ("query_id",))])
    return _with_deviations(out, engine, len(names)) if _needs_deviations(options) else out


def _needs_deviations(options: FusionOptions) -> bool:
    return options.method in OF_SCORES and options.normalization in ("zmuv", "dbsf")


def _statistics(value: str, i: int, options: FusionOptions) -> list[Aggregate]:
    """What the normalisation, the method and absent documents need of a list; sums follow its values."""
    normalization = options.normalization if options.method in OF_SCORES else ""
    v = col(value)
    size = Aggregate(f"n_{i}", "present", v)
    low, high = Aggregate(f"low_{i}", "min", v), Aggregate(f"high_{i}", "max", v)
    total = Aggregate(f"total_{i}", "sum", v, order=value)
    squares = Aggregate(f"squares_{i}", "sum", v * v, order=value)
    out = {
        "minmax": [low, high],
        "max": [high],
        "sum": [size, low, total],
        "zmuv": [size, total],
        "dbsf": [size, total],
        "l2": [squares],
        "rank": [size],
        "borda": [size],
    }.get(normalization, [])
    more = []
    if options.method == "borda" or options.absent == "last":
        more.append(size)
    if options.absent == "min":
        more.append(high if normalization in ("rank", "borda") else low)
    return [*out, *(one for one in more if one not in out)]


def _with_deviations(rows: Frame, engine: Engine, n: int) -> Frame:
    """With the mean and the population standard deviation of each list, from a second pass over its values."""
    columns = [Column(i) for i in range(n)]
    rows = engine.shared(rows.with_columns(**{f"mean_{c.number}": c.of("total") / c.of("n") for c in columns}))
    squares = [
        Aggregate(
            f"deviations_{c.number}", "sum", (c.value - c.of("mean")) * (c.value - c.of("mean")), f"value_{c.number}"
        )
        for c in columns
    ]
    of_query = engine.group(rows, ["query_id"], squares)
    rows = engine.attach(rows, [Part(of_query, ("query_id",))])
    return rows.with_columns(**{f"sd_{c.number}": (c.of("deviations") / c.of("n")).sqrt() for c in columns})


def normalised(column: Column, value: Expr, options: FusionOptions) -> Expr:
    """A value of the list, normalised; where the scores of a list are equal, what `docs/fusion.md` says."""
    low, high, n = column.of("low"), column.of("high"), column.of("n")
    match options.normalization:
        case "minmax":
            return when(high > low).then((value - low) / (high - low)).otherwise(options.constant)
        case "max":
            return value / high
        case "sum":
            total = column.of("total") - n * low
            return when(total > 0).then((value - low) / total).otherwise(options.constant / n)
        case "zmuv":
            return when(column.of("sd") > 0).then((value - column.of("mean")) / column.of("sd")).otherwise(0.0)
        case "dbsf":
            scaled = (value - column.of("mean")) / (6.0 * column.of("sd")) + 0.5
            return when(column.of("sd") > 0).then(scaled.clip(0.0, 1.0)).otherwise(0.5)
        case "l2":
            squares = column.of("squares")
            return when(squares > 0).then(value / squares.sqrt()).otherwise(0.0)
        case "rank":
            return 1.0 - (value - 1.0) / n
        case "borda":
            return 1.0 - (value - 1.0) / col("candidates")
    return value


def values_of_lists(rows: Frame, n: int, options: FusionOptions) -> Frame:
    """With x_0, x_1 …: normalised scores, absent documents counted as the options say; null is passed over."""
    out = {}
    for column in map(Column, range(n)):
        absent: Expr = lit(None, pl.Float64)
        if options.absent == "zero":
            absent = lit(0.0)
        elif options.absent == "min":
            worst = column.of("high" if options.normalization in ("rank", "borda") else "low")
            absent = when(~worst.is_null()).then(normalised(column, worst, options))
        elif options.absent == "own":
            own = 0.5 - (column.of("n") - 1.0) / (2.0 * col("candidates"))
            absent = when(column.of("n") > 0).then(own)
        out[f"x_{column.number}"] = (
            when(column.present).then(normalised(column, column.value, options)).otherwise(absent)
        )
    return rows.with_columns(**out)


def added(terms: Sequence[Expr]) -> Expr:
    """The sum in the order of the terms; null counts as 0."""
    total = terms[0].fill_null(0.0)
    for term in terms[1:]:
        total = total + term.fill_null(0.0)
    return total
