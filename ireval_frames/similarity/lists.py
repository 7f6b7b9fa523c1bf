"""The rankings as numbered lists of entries, and the pairs of lists to compare.

```
ranked    a row per (list, item) of the input     entries   the same with the list's number and positions
numbered  a row per list: its number and size     pairs     a row per two rankings to compare (of one query)
```

Items tied at one score share their positions: `top` is the first of these and `bottom` the last.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames.conventions.rankings import SimilarityPolicy
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.expr import col
from ireval_frames.plan import Plan, Table

# A pair's number is the first list's times this, and the second's: both stay far below it.
SHIFT = 2**31


@dataclass(frozen=True)
class ComparisonOptions:
    """Which rankings to compare, and how."""

    by: tuple[str, ...]
    several_units: bool
    two_sides: bool
    policy: SimilarityPolicy
    itself: bool

    @property
    def within(self) -> tuple[str, ...]:
        """The columns that two lists must share to be compared."""
        return (*self.by, *(("query_id",) if self.several_units else ()))

    @property
    def list_keys(self) -> tuple[str, ...]:
        """The columns that identify a list."""
        return (*(("side",) if self.two_sides else ()), "system", *self.within)


class Lists:
    """The tables of one frame of rankings."""

    def __init__(self, plan: Plan, ranked: RankedRows, options: ComparisonOptions) -> None:
        self.plan, self.options = plan, options
        self.lists = plan.input("lists", options.list_keys, ranked.groups)
        self.ranked = plan.input("ranked", (*options.list_keys, "item"), ranked.rows)
        # The lists of one query have consecutive numbers.
        order = [*options.within, *(["side"] if options.two_sides else []), "system"]
        number = self.lists.over(col("n").cum_count().cast(pl.Int64), (), order, name="list")
        columns = {"list": number, "size": col("n").cast(pl.Float64)}
        self.numbered = plan.compute_once(plan.selected("numbered", options.list_keys, self.lists, **columns))
        self.entries = plan.compute_once(self._entries(), cached=True)
        self.pairs = plan.compute_once(self._pairs(), cached=True)

    def _entries(self) -> Table:
        ranked = self.ranked
        of_list, items = (ranked.lookup(col(c), of=self.numbered) for c in ("list", "size"))
        position = col("rank").cast(pl.Float64)
        if self.options.policy.ties == "tied":
            keys = self.options.list_keys
            top = ranked.over(col("value").rank("min", descending=True), keys, name="top").cast(pl.Float64)
            bottom = ranked.over(col("value").rank("max", descending=True), keys, name="bottom").cast(pl.Float64)
        else:
            top = bottom = position
        columns = {"list": of_list, "size": items, "place": position, "top": top, "bottom": bottom}
        return self.plan.selected("entries", ("list", "item"), ranked, **columns)

    def _pairs(self) -> Table:
        """Every two rankings, once, with every query of either."""
        plan, options = self.plan, self.options
        left = plan.grouped("rankings", self.numbered, *(("side",) if options.two_sides else ()), "system")
        first = plan.selected(
            "first_rankings",
            ("system",),
            left,
            where=col("side") == 0 if options.two_sides else None,
            system=col("system"),
        )
        second = plan.selected(
            "second",
            ("other_system",),
            left,
            where=col("side") == 1 if options.two_sides else None,
            other_system=col("system"),
        )
        both = plan.joined("two_rankings", ("system", "other_system"), first, second)
        if not options.two_sides:
            one, other = col("system"), col("other_system")
            both = plan.selected("each_two", both.keys, both, where=one <= other if options.itself else one < other)
        keys = ("system", "other_system", *options.within)
        if options.within:
            units = plan.grouped("queries", self.numbered, *options.within)
            both = plan.joined("two_rankings_of_queries", keys, both, units)
        for name, system, side, columns in (
            ("first_lists", "system", 0, {"list": col("list"), "size": col("size")}),
            ("second_lists", "other_system", 1, {"other_list": col("list"), "other_size": col("size")}),
        ):
            lists = plan.selected(
                name,
                (system, *options.within),
                self.numbered,
                where=col("side") == side if options.two_sides else None,
                **{system: col("system"), **columns},
            )
            both = plan.joined(f"with_{name}", keys, both, lists, on=(system, *options.within), how="left")
        one, other = col("list"), col("other_list")
        missing = one.is_null() | other.is_null()
        where = ~missing if options.policy.missing == "skip" else ~(one.is_null() & other.is_null())
        columns = {c: col(c) for c in (*keys, "list", "other_list", "size", "other_size")}
        return plan.selected("pairs", ("pair",), both, where=where, pair=one * SHIFT + other, **columns)


def materialized(plan: Plan, table: Table) -> Table:
    """A join that databases compute before its rows are joined further.

    A database does not know the lengths of frames, and may begin with the longest.
    """
    return table if plan.engine.in_process else plan.compute_once(table)


def part(plan: Plan, entries: Frame, pairs: Frame, low: int | None, high: int | None) -> tuple[Table, Table]:
    """Entries, and the pairs whose first list has a number from `low` to `high`; None: pairs with a missing list."""
    first, missing = col("list"), col("pair").is_null()
    selected = pairs.filter(missing if low is None or high is None else ~missing & (first >= low) & (first <= high))
    return plan.input("entries", ("list", "item"), entries), plan.compute_once(plan.input("pairs", ("pair",), selected))
