"""A click log as tallies of pairs, counted where the log is.

What models need in which users look until a click is known of every page: where they stop.  Its results need no place
beside each other for it, so that one row per page is kept, and one per pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from ireval_frames.clicks.checks import place_sums, unclear_places
from ireval_frames.clicks.models.declared import Until
from ireval_frames.clicks.models.options import Options
from ireval_frames.engines.base import Aggregate, Engine, How
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, max_horizontal, when
from ireval_frames.ratios import indicator


@dataclass(frozen=True)
class Counted:
    """Tallies of a log.

    Attributes:
        rows: [by …] query_id doc_id n hits ends, a row per group and pair: how often it was examined, how often it was
            clicked then, and how often that was the last click of its page, which only models of the last click need.
        places: [by …] position clicks more, if requested: the clicks, and those that were not the last of their page.
        longest: the largest position.
    """

    rows: pl.DataFrame
    places: pl.DataFrame | None
    longest: int


@dataclass(frozen=True)
class _Pages:
    """A row per page.

    Attributes:
        keys: the columns that identify them.
        rows: [keys …] shown end stop: the number of results, the position of the last click, or 0, and where users
            stop.
        unclear: how many have results at other positions than 1, 2 … n, are long, or have several weights.
        several: how many are in fact several pages.
        longest: the largest position.
    """

    keys: tuple[str, ...]
    rows: Frame
    unclear: int
    several: int
    longest: int


def counted(
    engine: Engine, log: Frame, by: Sequence[str], options: Options, until: Until, *, positions: bool = False
) -> Counted | None:
    """The tallies of a log; None where pages are long or incomplete.

    Args:
        engine: where the log is.
        log: a row per shown result.
        by: its columns of groups.
        options: which pages count.
        until: the "first" or the "last" click; pages without one are examined to their end.
        positions: count clicks by position, too.
    """
    pages = None if "run_id" in by else _pages(engine, log, ("serp_id",), (*by, "query_id"), until)
    if pages is not None and pages.several:
        engine.release(pages.rows)
        pages = None
    if pages is None:
        pages = _pages(engine, log, (*by, "serp_id", "query_id"), (), until)
    try:
        return None if pages.unclear else _of_pages(engine, log, by, options, until, pages, positions=positions)
    finally:
        engine.release(pages.rows)


def _of_pages(
    engine: Engine, log: Frame, by: Sequence[str], options: Options, until: Until, pages: _Pages, *, positions: bool
) -> Counted:
    """The tallies of a log whose pages are known."""
    page_rows = pages.rows
    if options.shortest > 1:
        page_rows = page_rows.filter(col("shown") >= options.shortest)
    if options.no_clicks == "dropped":
        page_rows = page_rows.filter(col("end") > 0)
    weighs = "weight" in log.columns
    weighted_log = log.filter(col("weight") > 0) if weighs else log
    rows = engine.join(weighted_log, page_rows.select(*pages.keys, "end", "stop"), pages.keys, "inner")
    position, clicked = col("position"), col("click") > 0
    looked_at = position <= col("stop")
    conditions = {"n": looked_at, "hits": looked_at & clicked if until == "first" else clicked}
    if until == "last" and not positions:
        conditions["ends"] = position == col("end")
    keys = (*by, "query_id", "doc_id")
    pair_rows = engine.collect(engine.group(rows, keys, _sums(conditions, weighs=weighs)))
    places = None
    if positions:
        click_conditions = {"clicks": clicked, "more": clicked & (position < col("end"))}
        places = engine.collect(
            engine.group(rows.filter(clicked), (*by, "position"), _sums(click_conditions, weighs=weighs))
        )
    return Counted(pair_rows, places, pages.longest)


def _sums(conditions: dict[str, Expr], *, weighs: bool) -> list[Aggregate]:
    """How many rows are such, or their weights; numbers of rows are exact however they are added."""
    one = col("weight") if weighs else lit(1.0)
    how: How = "sum" if weighs else "plain_sum"
    return [Aggregate(name, how, when(which).then(one).otherwise(0.0)) for name, which in conditions.items()]


def _pages(engine: Engine, log: Frame, keys: tuple[str, ...], same: Sequence[str], until: Until) -> _Pages:
    """The pages of a log, where no two results of one may differ in some columns."""
    position, clicked = col("position"), col("click") > 0
    # Powers of two are added without rounding.
    aggregates = [replace(a, how="plain_sum") if a.how == "sum" else a for a in place_sums(lit(1.0), position)]
    aggregates.append(Aggregate("end", "max", when(clicked).then(position).otherwise(0)))
    if until == "first":
        aggregates.append(Aggregate("first", "min", when(clicked).then(position)))
    differ = [lit(0.0)]
    for i, column in enumerate(same):
        least, most, known = (f"{what}_{i}" for what in ("least", "most", "known"))
        aggregates += [Aggregate(least, "min", col(column)), Aggregate(most, "max", col(column))]
        aggregates.append(Aggregate(known, "present", col(column)))
        one = (col(known) == col("shown")) & (col(least) == col(most))
        differ.append(1.0 - indicator(one.fill_null(value=False)))
    unclear = unclear_places()
    if "weight" in log.columns:
        aggregates += [Aggregate("lightest", "min", col("weight")), Aggregate("heaviest", "max", col("weight"))]
        unclear = unclear | (col("lightest") != col("heaviest"))
    rows = engine.group(log, keys, aggregates)
    stop = when(col("end") > 0).then(col("first" if until == "first" else "end")).otherwise(col("shown"))
    # Of pages that are clear these are at most 50.
    small = {"shown": col("shown"), "end": col("end"), "stop": stop}
    page_rows = engine.materialise(
        rows.select(
            *keys,
            **{c: when(unclear).then(lit(0)).otherwise(e).cast(pl.Int16) for c, e in small.items()},
            unclear=indicator(unclear).cast(pl.Int16),
            several=max_horizontal(*differ).cast(pl.Int16),
            last=when(unclear).then(lit(0)).otherwise(col("last")).cast(pl.Int16),
        )
    )
    totals = [
        *(Aggregate(c, "sum", col(c).cast(pl.Float64)) for c in ("unclear", "several")),
        Aggregate("longest", "max", col("last")),
    ]
    numbers = engine.numbers(engine.group(page_rows, (), totals))
    return _Pages(keys, page_rows, *(int(numbers[c] or 0) for c in ("unclear", "several", "longest")))
