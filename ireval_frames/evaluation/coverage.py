"""How much the two tables of an evaluation have in common: counted on the way to its first result, and told with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from ireval_frames.errors import NothingInCommon, OverlapWarning, listed, warn
from ireval_frames.expr import Expr, when
from ireval_frames.overlap import first_ids
from ireval_frames.plan import Table

# What the first table holds, what the second does, and what both do; and how many units hold nothing of both.
FIRST, SECOND, BOTH, APART = "met_first", "met_second", "met_both", "met_apart"
COLUMNS = (FIRST, SECOND, BOTH, APART)


@dataclass(eq=False)
class Overlap:
    """What two tables hold of each unit, and how much of it both do.

    Attributes:
        units: a row per unit, also of those that a policy leaves out.
        first, second, both: of each unit, how many ids either table has, and both; without `second` nothing is said of
            ids that only the second one has.
        seen: whether what users look at first is in both, for the most part: then it is no fault that much of the first
            table stands nowhere.  It is asked where less than half does.
        ids: what they are, in errors: "items", "judged documents".
        tables: what the two are called.
        allowed: whether tables that have nothing in common are evaluated, and nothing is said.
        nothing: the error that they have nothing in common; None where there are no two of them.
        lacking: sentences about the units that hold nothing of both.
        apart: the first ids of a group that only the first table has, or only the second; a group is a frame of a row.
        groups: what groups are called, where they are no runs.
        said: what was told, None before.
    """

    units: Table
    first: Expr
    both: Expr
    second: Expr | None
    ids: str
    tables: tuple[str, str]
    allowed: bool
    nothing: Callable[[], NothingInCommon | None]
    lacking: Callable[[], Sequence[str]] = list
    seen: Callable[[float], bool] = lambda _: False
    apart: Callable[[str, pl.DataFrame], Sequence[object]] = lambda *_: ()
    groups: str = "groups"
    said: Sequence[str] | None = field(default=None, init=False)

    def columns(self) -> dict[str, Expr]:
        """What is counted of each unit."""
        second = {} if self.second is None else {SECOND: self.second}
        return {FIRST: self.first, **second, BOTH: self.both, APART: when(self.both == 0).then(1.0).otherwise(0.0)}

    def check(self, groups: Sequence[str], every: Table | None = None) -> None:
        """Look at the tables alone, for results that do not count this on their way, and tell it.

        Args:
            groups: the columns that name a group.
            every: a table of all groups, where some may have no unit.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if not self.allowed and self.said is None:
            self.tell(self.found(groups, every), groups)

    def found(self, groups: Sequence[str], every: Table | None = None) -> pl.DataFrame:
        """A row per group, with the sums of the columns: a look of its own."""
        all_groups = self.units.plan.grouped("overlap_groups", self.units if every is None else every, *groups)
        sums = {name: self.units.sum(self.units.column(e), into=all_groups) for name, e in self.columns().items()}
        frame = self.units.plan.engine.collect(all_groups.frame().select(*groups, **sums))
        return frame.with_columns(pl.col(list(sums)).fill_null(0.0))

    def tell(self, found: pl.DataFrame, groups: Sequence[str]) -> Sequence[str]:
        """Warn, once, of how little is in common; the sentences.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if self.said is None:
            self.said = self.told(found, groups)
            if self.said:
                warn(" ".join(self.said), OverlapWarning)
        return self.said

    def told(self, found: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """What is to be said of how little is in common, in sentences.

        Args:
            found: a row per group, with the sums of the columns.
            groups: the columns that name a group.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if self.allowed:
            return []
        sums = found.select(pl.col(c).sum() for c in COLUMNS if c in found.columns).row(0, named=True)
        if not sums[BOTH]:
            error = self.nothing()
            if error is not None:
                raise error
            return []
        said = [*self._groups(found, groups), *self._sides(found, groups)]
        if sums[APART]:
            said += self.lacking()
        return said

    def _groups(self, found: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """The groups that hold nothing of both."""
        empty = found.filter(pl.col(BOTH) == 0).sort(groups)
        if not empty.height:
            return []
        names = listed((_named(row, groups) for row in empty.iter_rows(named=True)), 3)
        what = "runs" if list(groups) == ["run_id"] else self.groups
        one, other = self.tables
        return [f"{empty.height} of {found.height} {what} have no {self.ids} in both {one} and {other}: {names}."]

    def _sides(self, found: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """What stands in one table only, of the group where it is most; or that less than half is in both, in all."""
        sides = ((FIRST, *self.tables), (SECOND, *reversed(self.tables)))
        said, some = [], found.filter(pl.col(BOTH) > 0)
        for side, table, other in sides[: 2 if self.second is not None else 0]:
            lacking = some.filter(pl.col(side) > pl.col(BOTH)).sort(pl.col(BOTH) - pl.col(side), *groups)
            if lacking.height:
                row = lacking.row(0, named=True)
                n, all_ids = int(row[side] - row[BOTH]), int(row[side])
                ids = first_ids(self.apart(side, lacking.head(1).select(groups)), n)
                where = f"the {other}{_at(row, groups)}"
                said.append(f"{n} of {all_ids} {self.ids} of the {table} are not in {where}: {ids}.")
        sums = some.select(pl.col(c).sum() for c in COLUMNS if c in some.columns).row(0, named=True)
        if self.second is None and 2 * sums[BOTH] < sums[FIRST] and not self.seen(sums[APART]):
            over = f", over all {some.height} of them" if some.height > 1 else ""
            said.append(f"{sums[BOTH]:.0f} of {sums[FIRST]:.0f} {self.ids} are in the {self.tables[1]}{over}.")
        return said


def _named(row: Mapping[str, object], groups: Sequence[str]) -> str:
    """The name of a group."""
    return " ".join(repr(row[name]) for name in groups)


def _at(row: Mapping[str, object], groups: Sequence[str]) -> str:
    return f", of {_named(row, groups)}" if groups else ""
