"""Items in several groups of two sides, such as classes and clusters.

Items in the same groups of both sides are alike, so pairs are formed of such *signatures*, not of items.

```
signatures   a row per set of groups of one side and set of the other
members      a row per set and group in it
memberships  a row per signature and group it is in
```

The pairs of signatures that share groups of both sides are no table.  They are summed by what they share: with few
groups and many sets of them that is far fewer rows, and it is never more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table


@dataclass(frozen=True)
class Signatures:
    """The signatures, and what they share.

    Attributes:
        plan: the plan.
        keys: the columns of a unit.
        table: a row per signature; its keys are those of the unit and the names of both sets, among others.
        sets: the name of the set, by the group's column; two.
        members: for a group's column, the table with a row per set and group.
    """

    plan: Plan
    keys: tuple[str, ...]
    table: Table
    sets: Mapping[str, str]
    members: Callable[[str], Table]

    def memberships(self, side: str) -> Table:
        """A row per signature and group it is in."""
        name = self.sets[side]
        on = (*self.keys, name)
        rows = self.plan.joined(f"signatures_in_{name}", (*self.table.keys, side), self.table, self.members(side), on)
        return self.plan.compute_once(rows)

    # ---- signatures that share groups of both sides

    def common(self, value: Expr, over: str = "") -> Expr:
        """The sum over the signatures that share groups of both sides, each times the smaller number of shared groups.

        Args:
            value: a column of the signatures, which is summed.
            over: the group's column by whose number of shared groups each is divided, if any.
        """
        plan, keys, near = self.plan, self.keys, self._near
        (first, one), (second, two) = self.sets.items()
        own, column = self.table.keys, value.name
        others = {f"other_{k}": col(k) for k in own if k not in keys}
        other, summed = f"other_{one}", f"other_{column}"
        mine = self.memberships(first)
        columns = {**others, summed: mine.lookup(value, of=self.table)}
        again = plan.selected(f"memberships_again_{column}", (*keys, *others, first), mine, **columns)
        reached = plan.joined(f"reached_{column}", (*near.keys, *others), near, again, (*keys, f"other_{two}", first))
        # From here only the first set of the others matters, and the number of shared groups of the second side.
        alike = plan.grouped(f"reached_alike_{column}", reached, *keys, two, other, first, "number")
        size = reached.sum(col(summed), into=alike)
        met = plan.joined(f"met_{column}", (*own, other, first, "number"), mine, alike, (*keys, two, first))
        pairs = plan.grouped(f"met_alike_{column}", met, *own, other, "number")
        shared, number = met.count(into=pairs), col("number")
        fewer = when(shared < number).then(shared).otherwise(number)
        divisor = {"": lit(1.0), first: shared, second: number}[over]
        # Every shared group gives the same size.
        return pairs.sum(met.any(size, into=pairs) * fewer / divisor, into=self.table, name="common")

    @cached_property
    def _near(self) -> Table:
        """A row per two sets of the second side and group of the first that both occur with: the `number` they share.

        Sets that share nothing have no row.
        """
        plan, keys = self.plan, self.keys
        (first, _), (second, two) = self.sets.items()
        other = f"other_{two}"
        beside = plan.grouped(f"{two}_beside", self.memberships(first), *keys, two, first)
        blocks = plan.joined("blocks", (*beside.keys, second), beside, self.members(second), (*keys, two))
        again = plan.selected(
            "blocks_again", (*keys, other, first, second), plan.compute_once(blocks), **{other: col(two)}
        )
        met = plan.joined("meetings", (*blocks.keys, other), blocks, again, (*keys, first, second))
        near = plan.grouped("meetings_of_sets", met, *keys, two, other, first)
        return plan.selected("near", near.keys, near, number=met.count(into=near))

    # ---- signatures that share a group of one side

    def partners(self, side: str, value: Expr) -> Expr:
        """The sum of a column over the signatures that share a group of one side; 0 where there is no group.

        Pairs are formed of sets, of which there are fewer.

        Args:
            side: the group's column.
            value: a column of the signatures.
        """
        plan, keys, members = self.plan, self.keys, self.members(side)
        name, column = self.sets[side], value.name
        other, summed = f"other_{name}", f"{column}_of_{name}"
        again = plan.selected(f"members_again_{name}", (*keys, other, side), members, **{other: col(name)})
        met = plan.joined(f"meetings_in_{name}", (*keys, name, other, side), members, again, (*keys, side))
        pairs = plan.grouped(f"pairs_of_{name}", met, *keys, name, other)
        sizes = plan.grouped(f"sizes_of_{name}", self.table, *keys, name)
        size = self.table.sum(value, into=sizes)
        others = plan.selected(f"others_{summed}", (*keys, other), sizes, **{other: col(name), summed: size})
        related = plan.grouped(f"related_in_{name}", pairs, *keys, name)
        total = pairs.sum(pairs.lookup(col(summed), of=others), into=related)
        return self.table.column(self.table.lookup(total, of=related).fill_null(0.0), f"partners_in_{name}")
