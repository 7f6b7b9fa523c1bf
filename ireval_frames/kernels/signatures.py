"""Items in several groups of two sides, such as classes and clusters.

Items in the same groups of both sides are alike, so pairs are taken of such *signatures*, not of items.

```
signatures   a row per set of groups of one side and set of the other
members      a row per set and group in it
memberships  a row per signature and group it is in
pairs        a row per two signatures that share a group of either side
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.plan import Plan, Table


@dataclass(frozen=True)
class Signatures:
    """The signatures, and what they share.

    Attributes:
        plan: the plan.
        keys: what a unit is.
        table: a row per signature; its keys are those of the unit and the names of both sets, among others.
        sets: the name of the set, by the group's column; two.
        members: for a group's column, the table with a row per set and group.
    """

    plan: Plan
    keys: tuple[str, ...]
    table: Table
    sets: Mapping[str, str]
    members: Callable[[str], Table]

    @property
    def _others(self) -> dict[str, str]:
        """What the keys of another signature are called."""
        return {f"other_{k}": k for k in self.table.keys if k not in self.keys}

    def memberships(self, side: str) -> Table:
        """A row per signature and group it is in."""
        name = self.sets[side]
        on = (*self.keys, name)
        return self.plan.joined(f"signatures_in_{name}", (*self.table.keys, side), self.table, self.members(side), on)

    # ---- pairs that share a group of either side

    @cached_property
    def _met(self) -> Table:
        """A row per two signatures, and group of each side that both have."""
        plan, own = self.plan, self.table.keys
        first, second = (self.memberships(side) for side in self.sets)
        blocks = plan.joined("blocks", (*own, *self.sets), first, second, own)
        others = {other: nw.col(key) for other, key in self._others.items()}
        again = plan.selected("blocks_again", (*self.keys, *self.sets, *others), blocks, **others)
        return plan.joined("meetings", (*blocks.keys, *others), blocks, again, (*self.keys, *self.sets))

    @property
    def _met_by_first(self) -> Table:
        """A row per two signatures, and group of the first side that both have."""
        first, _ = self.sets
        return self.plan.grouped("meetings_by_group", self._met, *self.table.keys, *self._others, first)

    @property
    def pairs(self) -> Table:
        """A row per two signatures that share a group of either side."""
        return self.plan.grouped("pairs_of_signatures", self._met_by_first, *self.table.keys, *self._others)

    def shared(self, side: str) -> nw.Expr:
        """Of a pair: how many groups of a side it shares."""
        first, _ = self.sets
        number = self._met_by_first.count(into=self.pairs)
        if side == first:
            return number
        # Every shared group of the first side meets every shared one of the second.
        meetings = self._met_by_first.sum(self._met.count(into=self._met_by_first), into=self.pairs)
        return self.pairs.column(meetings / number, f"shared_{self.sets[side]}")

    @property
    def fewer(self) -> nw.Expr:
        """Of a pair: the smaller of both numbers of shared groups."""
        one, two = (self.shared(side) for side in self.sets)
        return self.pairs.column(nw.when(one < two).then(one).otherwise(two), "fewer_shared")

    def other(self, value: nw.Expr) -> nw.Expr:
        """Of a pair: a column of the other signature."""
        name = expressions.name(value)
        columns = {other: nw.col(key) for other, key in self._others.items()} | {f"other_{name}": value}
        keys = (*self.keys, *self._others)
        return self.pairs.take(
            nw.col(f"other_{name}"), of=self.plan.selected(f"others_{name}", keys, self.table, **columns)
        )

    # ---- what shares a group of one side

    def partners(self, side: str, value: nw.Expr) -> nw.Expr:
        """The sum of a column over the signatures that share a group of one side; 0 where there is no group.

        Pairs are taken of sets, of which there are fewer.

        Args:
            side: the group's column.
            value: a column of the signatures.
        """
        plan, keys, members = self.plan, self.keys, self.members(side)
        name, column = self.sets[side], expressions.name(value)
        other, summed = f"other_{name}", f"{column}_of_{name}"
        again = plan.selected(f"members_again_{name}", (*keys, other, side), members, **{other: nw.col(name)})
        met = plan.joined(f"meetings_in_{name}", (*keys, name, other, side), members, again, (*keys, side))
        pairs = plan.grouped(f"pairs_of_{name}", met, *keys, name, other)
        sizes = plan.grouped(f"sizes_of_{name}", self.table, *keys, name)
        size = self.table.sum(value, into=sizes)
        others = plan.selected(f"others_{summed}", (*keys, other), sizes, **{other: nw.col(name), summed: size})
        related = plan.grouped(f"related_in_{name}", pairs, *keys, name)
        total = pairs.sum(pairs.take(nw.col(summed), of=others), into=related)
        return self.table.column(self.table.take(total, of=related).fill_null(0.0), f"partners_in_{name}")
