"""How much the two tables of an evaluation have in common: counted with its first result, and reported with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from ireval_frames.errors import NothingInCommon, OverlapWarning, listed, warn
from ireval_frames.expr import Expr, when
from ireval_frames.overlap import first_ids
from ireval_frames.plan import Table

# The numbers of ids in the first table, in the second, and in both; and of units without an id in both.
FIRST, SECOND, BOTH, DISJOINT = "met_first", "met_second", "met_both", "met_apart"
COLUMNS = (FIRST, SECOND, BOTH, DISJOINT)


@dataclass(eq=False)
class Overlap:
    """How many ids two tables have of each unit, and have in common.

    Attributes:
        units: a row per unit, also of units that a policy leaves out.
        first, second, both: the numbers of ids per unit in either table and in both; without `second`, ids that only
            the second table has are not reported.
        ids: what they are, in errors: "items", "judged documents".
        tables: the names of the two tables.
        allowed: whether tables with nothing in common are evaluated, without a warning.
        error: gives the error that they have nothing in common; None where there are no two tables.
        missing_units: sentences about the units without an id in both tables.
        mostly_judged: whether most of what users look at first is in both tables: then much of the first table may be
            missing from the second.  It is called where less than half is in both, with the number of units without.
        only_in: the first ids of a group that only the first table has, or only the second; a group is a frame of a
            row.
        groups: the name of groups that are not runs.
        one_sided: a sentence about ids that are in one table only, said where there are such.
        messages: the sentences that were reported; None before.
    """

    units: Table
    first: Expr
    both: Expr
    second: Expr | None
    ids: str
    tables: tuple[str, str]
    allowed: bool
    error: Callable[[], NothingInCommon | None]
    missing_units: Callable[[], Sequence[str]] = list
    mostly_judged: Callable[[float], bool] = lambda _: False
    only_in: Callable[[str, pl.DataFrame], Sequence[object]] = lambda *_: ()
    groups: str = "groups"
    one_sided: str = ""
    messages: Sequence[str] | None = field(default=None, init=False)

    def columns(self) -> dict[str, Expr]:
        """The counts per unit."""
        second = {} if self.second is None else {SECOND: self.second}
        return {FIRST: self.first, **second, BOTH: self.both, DISJOINT: when(self.both == 0).then(1.0).otherwise(0.0)}

    def check(self, groups: Sequence[str], every: Table | None = None) -> None:
        """Count and report it by a query of its own, for results that do not count it on their way.

        Args:
            groups: the columns that name a group.
            every: a table of all groups, where some may have no unit.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if not self.allowed and self.messages is None:
            self.report(self.counts(groups, every), groups)

    def counts(self, groups: Sequence[str], every: Table | None = None) -> pl.DataFrame:
        """A row per group, with the sums of the columns, by a query of its own."""
        all_groups = self.units.plan.grouped("overlap_groups", self.units if every is None else every, *groups)
        sums = {name: self.units.sum(self.units.column(e), into=all_groups) for name, e in self.columns().items()}
        frame = self.units.plan.engine.collect(all_groups.frame().select(*groups, **sums))
        return frame.with_columns(pl.col(list(sums)).fill_null(0.0))

    def report(self, counts: pl.DataFrame, groups: Sequence[str]) -> Sequence[str]:
        """Warn, once, of how little is in common; returns the sentences.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if self.messages is None:
            self.messages = self._messages(counts, groups)
            if self.messages:
                warn(" ".join(self.messages), OverlapWarning)
        return self.messages

    def _messages(self, counts: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """The sentences about how little is in common.

        Args:
            counts: a row per group, with the sums of the columns.
            groups: the columns that name a group.

        Raises:
            NothingInCommon: no id is in both tables.
        """
        if self.allowed:
            return []
        sums = counts.select(pl.col(c).sum() for c in COLUMNS if c in counts.columns).row(0, named=True)
        if not sums[BOTH]:
            error = self.error()
            if error is not None:
                raise error
            return []
        messages = [*self._empty_groups(counts, groups), *self._one_sided(counts, groups)]
        if sums[DISJOINT]:
            messages += self.missing_units()
        return messages

    def _empty_groups(self, counts: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """The groups without an id in both tables."""
        empty = counts.filter(pl.col(BOTH) == 0).sort(groups)
        if not empty.height:
            return []
        names = listed((_named(row, groups) for row in empty.iter_rows(named=True)), 3)
        what = "runs" if list(groups) == ["run_id"] else self.groups
        one, other = self.tables
        return [f"{empty.height} of {counts.height} {what} have no {self.ids} in both {one} and {other}: {names}."]

    def _one_sided(self, counts: pl.DataFrame, groups: Sequence[str]) -> list[str]:
        """What is in one table only, of the group where it is most; or that less than half is in both, in all."""
        sides = ((FIRST, *self.tables), (SECOND, *reversed(self.tables)))
        messages, some = [], counts.filter(pl.col(BOTH) > 0)
        for side, table, other in sides[: 2 if self.second is not None else 0]:
            one_sided = some.filter(pl.col(side) > pl.col(BOTH)).sort(pl.col(BOTH) - pl.col(side), *groups)
            if one_sided.height:
                row = one_sided.row(0, named=True)
                n, all_ids = int(row[side] - row[BOTH]), int(row[side])
                ids = first_ids(self.only_in(side, one_sided.head(1).select(groups)), n)
                where = f"the {other}{_at(row, groups)}"
                messages.append(f"{n} of {all_ids} {self.ids} of the {table} are not in {where}: {ids}.")
        if messages and self.one_sided:
            messages.append(self.one_sided)
        sums = some.select(pl.col(c).sum() for c in COLUMNS if c in some.columns).row(0, named=True)
        if self.second is None and 2 * sums[BOTH] < sums[FIRST] and not self.mostly_judged(sums[DISJOINT]):
            over = f", over all {some.height} of them" if some.height > 1 else ""
            messages.append(f"{sums[BOTH]:.0f} of {sums[FIRST]:.0f} {self.ids} are in the {self.tables[1]}{over}.")
        return messages


def _named(row: Mapping[str, object], groups: Sequence[str]) -> str:
    """The name of a group."""
    return " ".join(repr(row[name]) for name in groups)


def _at(row: Mapping[str, object], groups: Sequence[str]) -> str:
    return f", of {_named(row, groups)}" if groups else ""
