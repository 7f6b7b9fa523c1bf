"""The shared items of two lists at every depth, with ties.

At depth d an item of a list counts fully if it and all its ties are among the top d, and partly if d cuts through its
ties: of g tied items with the first at position t, each counts (d − t + 1) / g.  The lists share Σ over common items of
the product of the two parts.  Only ties that d cuts through count partly, at most one group in each list, so the sum
follows from four counts of items:

```
shared = started − (1−f)·tied − (1−h)·other_tied + (1−f)(1−h)·both_tied
started     items of both lists whose first tied position is within d in both
tied        those of them in the group of ties that d cuts through in the first list, where each counts f
other_tied  the same of the second list, where each counts h
both_tied   those in both groups
```
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.similarity.lists import materialized


class Agreement:
    """The table `depths`, a row per pair of lists and depth of the longer list, and its columns.

    The shorter list's columns are called `short_…` and null beyond its end, the longer one's `long_…`.
    """

    def __init__(self, plan: Plan, entries: Table, pairs: Table, common: Table) -> None:
        self.plan = plan
        one_is_short = col("size") <= col("other_size")

        def short(first: str, second: str) -> Expr:
            return when(one_is_short).then(col(first)).otherwise(col(second))

        def long(first: str, second: str) -> Expr:
            return when(one_is_short).then(col(second)).otherwise(col(first))

        lists, sizes = ("list", "other_list"), ("size", "other_size")
        sides = {
            "short_list": short(*lists),
            "long_list": long(*lists),
            "short_size": short(*sizes),
            "long_size": long(*sizes),
        }
        by_length = plan.selected("by_length", ("pair",), pairs, where=~col("pair").is_null(), **sides)
        depths = by_length
        joins: tuple[tuple[str, Literal["inner", "left"]], ...] = (("long", "inner"), ("short", "left"))
        for side, how in joins:
            columns = {
                f"{side}_list": col("list"),
                "depth": col("place"),
                f"{side}_top": col("top"),
                f"{side}_bottom": col("bottom"),
            }
            positions = plan.selected(f"{side}_places", (f"{side}_list", "depth"), entries, **columns)
            on = (f"{side}_list",) if side == "long" else (f"{side}_list", "depth")
            depths = materialized(
                plan, plan.joined(f"depths_of_{side}", ("pair", "depth"), depths, positions, on=on, how=how)
            )
        copied = {
            c: col(c) for c in ("short_top", "short_bottom", "long_top", "long_bottom", "short_size", "long_size")
        }
        # Positions are computed once; counts at the depths are read only once.
        self._positions = plan.compute_once(plan.selected("places", ("pair", "depth"), depths, **copied))
        tops, bottoms = ("top", "other_top"), ("bottom", "other_bottom")
        ends = {
            "short_top": short(*tops),
            "long_top": long(*tops),
            "short_bottom": short(*bottoms),
            "long_bottom": long(*bottoms),
        }
        self._common = plan.selected("common_by_length", ("pair", "item"), common, depth=col("depth"), **ends)
        self.depths = plan.selected("depths", ("pair", "depth"), self._positions)

    @property
    def depth(self) -> Expr:
        """The depth, from 1."""
        return col("depth")

    @cached_property
    def started(self) -> Expr:
        """The number of common items whose first tied position is within the depth in both lists."""
        groups = self.plan.grouped("started", self._common, "pair", "depth")
        new = self.depths.lookup(self._common.count(into=groups), of=groups).fill_null(0.0)
        return self.depths.over(self.depths.column(new, "new").cum_sum(), ("pair",), ["depth"], name="started")

    @cached_property
    def short_tied(self) -> Expr:
        """The number of items of `started` in the group of ties that the depth cuts through in the shorter list."""
        return self._tied("short", "long")

    @cached_property
    def long_tied(self) -> Expr:
        """The number of items of `started` in the group of ties that the depth cuts through in the longer list."""
        return self._tied("long", "short")

    @cached_property
    def both_tied(self) -> Expr:
        """The number of items in both of these groups."""
        tied = (col("short_top") < col("short_bottom")) & (col("long_top") < col("long_bottom"))
        items = self.plan.selected("tied_in_both", self._common.keys, self._common, where=tied)
        groups = self.plan.grouped("tied_groups", items, "pair", "short_top", "long_top")
        return self.depths.lookup(items.count(into=groups), of=groups).fill_null(0.0)

    def part(self, side: str) -> Expr:
        """The part of an item of the group of ties at the depth that counts.

        It is 1 at the group's last position, and beyond the list's end.
        """
        top, bottom = col(f"{side}_top"), col(f"{side}_bottom")
        return self.depths.column(((self.depth - top + 1.0) / (bottom - top + 1.0)).fill_null(1.0), f"{side}_part")

    @cached_property
    def shared(self) -> Expr:
        """The number of shared items, where tied items count partly."""
        short, long = 1.0 - self.part("short"), 1.0 - self.part("long")
        cut = short * self.short_tied + long * self.long_tied - short * long * self.both_tied
        return self.depths.column(self.started - cut, "shared")

    def _tied(self, side: str, other: str) -> Expr:
        """Per depth: the number of items of the side's group there that are within the depth in the other list.

        Items are sorted by their position in the other list, with the depths among them; each depth counts the items
        before it.
        """
        plan, group = self.plan, col(f"{side}_top")
        tied_items = plan.selected(
            f"{side}_tied_items", self._common.keys, self._common, where=group < col(f"{side}_bottom")
        )
        cut = plan.selected(
            f"{side}_cut_depths", self._positions.keys, self._positions, where=self.depth < col(f"{side}_bottom")
        )
        zero, one = lit(0.0), lit(1.0)
        events = plan.concat(
            f"{side}_tied_in_order",
            ("pair", "depth", "is_depth"),
            (
                tied_items,
                {"pair": col("pair"), "tied_from": group, "depth": col(f"{other}_top"), "is_depth": zero},
            ),
            (cut, {"pair": col("pair"), "tied_from": group, "depth": self.depth, "is_depth": one}),
        )
        items = events.column(1.0 - col("is_depth"), "is_item")
        before = events.over(items.cum_sum(), ("pair", "tied_from"), ["depth", "is_depth"], name=f"{side}_tied")
        at_depths = plan.selected(f"{side}_tied_at_depths", ("pair", "depth"), events, where=col("is_depth") == 1.0)
        return self.depths.lookup(before, of=at_depths).fill_null(0.0)
