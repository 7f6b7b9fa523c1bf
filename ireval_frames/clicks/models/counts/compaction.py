"""A click log as counts: what click models are fitted to, computed where the log is.

A model looks at a log through few of its columns, so that most rows are alike; each kind is counted once, and the time
of a fit no longer depends on the length of the log.  Nothing is lost: a count of n weighs as n rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.clicks.models.options import Options
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.ratios import indicator

# The most positions whose clicks are the bits of one number, which a float holds exactly.
BITS = 50
# Pages become rows with a column for each position.
MAX_COLUMNS = 200


def cells(engine: Engine, log: Frame, by: Sequence[str], keys: Sequence[str], options: Options) -> pl.DataFrame:
    """A row per group and distinct keys: [by … keys …] n clicks.

    Args:
        engine: where the log is.
        log: a row per shown result.
        by: its columns of groups.
        keys: `query_id`, `doc_id`, `position`.
        options: which pages count.
    """
    weighs = "weight" in log.columns
    if not options.every_page:
        size, clicks = Aggregate("n", "count", lit(1)), Aggregate("clicks", "max", col("click"))
        counted_pages = engine.group(log, (*by, "serp_id", "query_id"), [size, clicks]).filter(
            col("n") >= options.shortest
        )
        if options.no_clicks == "dropped":
            counted_pages = counted_pages.filter(col("clicks") > 0)
        page = (*by, "serp_id", "query_id")
        log = engine.join(log, counted_pages.select(*page), page, "inner")
    click = col("click").cast(pl.Float64)
    counted = [
        Aggregate("n", "sum", col("weight")) if weighs else Aggregate("n", "count", lit(1)),
        Aggregate("clicks", "sum", click * col("weight") if weighs else click),
    ]
    return engine.collect(engine.group(log, (*by, *keys), counted))


def pages(
    engine: Engine, log: Frame, by: Sequence[str], options: Options, *, separate: bool = False
) -> tuple[pl.DataFrame, int]:
    """A row per group and distinct page: [by … serp_id] query_id n weight clicks_0 … doc_1 … doc_L, and L.

    `clicks_i` holds the clicks at the positions 50 i + 1 … 50 i + 50 as the bits of a number.

    Args:
        engine: where the log is.
        log: a row per shown result.
        by: its columns of groups.
        options: which pages count.
        separate: every page has a row of its own, with its `serp_id`.

    Raises:
        InvalidValue: a page is longer than 200, or has no result or two at a position.
    """
    position, click = col("position"), col("click")
    longest = int(engine.numbers(engine.group(log, (), [Aggregate("n", "max", position)]))["n"] or 0)
    if longest > MAX_COLUMNS:
        raise InvalidValue(
            f"A result page has a position of {longest}; models of whole pages take positions up to {MAX_COLUMNS}.",
            f'Leave out what is below: log.filter(pl.col("position") <= {MAX_COLUMNS})',
        )
    blocks, places = range((longest + BITS - 1) // BITS), range(1, longest + 1)
    aggregates = [Aggregate("n", "count", lit(1))]
    for i in blocks:
        here = (click > 0) & (position > BITS * i) & (position <= BITS * (i + 1))
        bit = 2.0 ** (position - 1 - BITS * i)
        aggregates.append(Aggregate(f"clicks_{i}", "sum", when(here).then(bit).otherwise(0.0)))
    aggregates += [Aggregate(f"doc_{j}", "max", when(position == j).then(col("doc_id"))) for j in places]
    weighs = "weight" in log.columns
    if weighs:
        aggregates += [Aggregate("weight", "max", col("weight")), Aggregate("least", "min", col("weight"))]
    rows = engine.group(log, (*by, "serp_id", "query_id"), aggregates).filter(col("n") >= options.shortest)
    if options.no_clicks == "dropped":
        rows = rows.filter(_any([col(f"clicks_{i}") > 0 for i in blocks]))
    if separate:
        result = engine.collect(rows if weighs else rows.with_columns(weight=lit(1.0)))
    else:
        weight = [Aggregate("weight", "count", lit(1))]
        if weighs:
            rows = rows.with_columns(differ=col("weight") - col("least"))
            weight = [Aggregate("weight", "sum", col("weight")), Aggregate("differ", "max", col("differ"))]
        alike = ("query_id", "n", *(f"clicks_{i}" for i in blocks), *(f"doc_{j}" for j in places))
        result = engine.collect(engine.group(rows, (*by, *alike), weight))
    if weighs:
        several = result.filter(pl.col("weight") != pl.col("least") if separate else pl.col("differ") > 0)
        if several.height:
            raise InvalidValue(
                f"The rows of a result page of the query {several['query_id'][0]!r} have several weights.",
                "A weight is the number of times that a page counts: give its rows one weight.",
            )
        result = result.drop("least", "differ", strict=False)
    _whole_pages(result, longest)
    return result, longest


def _any(conditions: Sequence[Expr]) -> Expr:
    out = indicator(conditions[0])
    for condition in conditions[1:]:
        out = out + indicator(condition)
    return out > 0


def _whole_pages(rows: pl.DataFrame, longest: int) -> None:
    """Refuse pages whose positions are not 1, 2 … n.

    Raises:
        InvalidValue: with how many there are, and an example.
    """
    wrong = [pl.col(f"doc_{j}").is_null() == (pl.col("n") >= j) for j in range(1, longest + 1)]
    # Several results at one position may leave none beyond the last.
    bad = rows.filter(pl.any_horizontal(*wrong, pl.col("n") > longest))
    if bad.height:
        one = bad.row(0, named=True)
        last = max(int(one["n"]), longest)
        at = next(j for j in range(1, last + 1) if (one.get(f"doc_{j}") is None) == (one["n"] >= j))
        raise InvalidValue(
            f"{int(bad['weight'].sum())} result pages have positions that are not 1, 2 … n: a page of the query "
            f"{one['query_id']!r} has {int(one['n'])} results, and "
            + (f"none at position {at}." if one.get(f"doc_{at}") is None else f"one at position {at}."),
            'Number them anew: log.with_columns(position=pl.col("position").rank("ordinal").over("serp_id"))',
        )
