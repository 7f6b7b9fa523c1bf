"""A table of a plan: what one of its rows is, and the columns that are requested of it.

A requested column becomes part of the plan; equal requests share one column; a column goes one layer above the columns
it reads, and a layer is one projection.  A requested sum becomes an aggregate on the link to a coarser table, and the
answer is a column of that one; `lookup` goes the other way and brings a coarser table's column down to the rows.  Every
column that a plan makes has a name that no other table has, so a column identifies its table: to read one of another
table is an error at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Aggregate, How
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import WrongTable
from ireval_frames.expr import Expr, col, lit, reading

if TYPE_CHECKING:
    from ireval_frames.plan.planning import Plan

Frames = Callable[["Table"], Frame]


@dataclass(frozen=True)
class Request:
    """A column that was asked for: how it is made and who wanted it."""

    name: str
    how: str
    expr: Expr
    requested_by: list[str]

    @property
    def what(self) -> str:
        """How the column is made, to read."""
        return f"{self.how}{self.expr!r}"


@dataclass(frozen=True)
class Made:
    """How the rows of a table are made.

    Attributes:
        says: in words.
        of: the tables they are made of.
        frame: makes them, from a function that gives the frames of those tables.
        columns: the columns they have besides those of tables that they carry; None is not known.
        carries: tables whose columns they have under the same names.
        reads: the columns of tables that making them reads.
        like: tells two ways of making apart.
    """

    says: str
    of: tuple[Table, ...]
    frame: Callable[[Frames], Frame]
    columns: Collection[str] | None
    carries: tuple[Table, ...] = ()
    reads: frozenset[str] = frozenset()
    like: Any = None


@dataclass
class Link:
    """A column that comes from another table: an aggregate of its rows, or its value taken to finer rows."""

    source: Table
    aggregate: Aggregate | None = None
    taken: str = ""


@dataclass
class Columns:
    """What was asked of a table: columns with their layers, links by name, and what was read of tables it carries."""

    computed: dict[str, tuple[int, Expr]] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    carried: set[str] = field(default_factory=set)


class Table:
    """Rows that a plan computes; `keys` name what one row is."""

    def __init__(
        self,
        plan: Plan,
        name: str,
        keys: Sequence[str],
        made: Made,
        *,
        order: str | None = None,
        finer: Table | None = None,
    ) -> None:
        self.plan, self.name, self.keys, self.made, self.order, self.finer = plan, name, tuple(keys), made, order, finer
        self.columns = Columns()
        self.once = self.kept = False
        self.requests: dict[str, Request] = {}
        self._names: dict[tuple[str, ...], str] = {}

    # ---- asking for columns of this table

    def column(self, expr: Expr, name: str = "") -> Expr:
        """A column of this table computed from its other columns; a plain column stays itself.

        Raises:
            WrongTable: it reads a column that this table has not.
        """
        self._reads(expr)
        if expr.is_column:
            return expr
        computed = self.columns.computed

        def add(new: str) -> None:
            computed[new] = (
                1 + max((computed[c][0] for c in expr.columns if c in computed), default=-1),
                expr,
            )

        return self._ask(("column", expr.key), add, "", expr, name)

    def over(
        self,
        expr: Expr,
        keys: Sequence[str] | None = None,
        order_by: Sequence[str] = (),
        name: str = "",
        *,
        descending: bool = False,
        before: bool = False,
    ) -> Expr:
        """A window: an aggregate, or a running aggregate by `order_by`, within `keys` (the unit's by default).

        Args:
            expr: an aggregate or running aggregate of a column.
            keys: the columns that rows of one window share.
            order_by: the columns that a running aggregate follows.
            name: what the column is called.
            descending: from the largest down.
            before: of the rows before the current one only; null at the first.
        """
        keys = self.plan.unit.keys if keys is None else tuple(keys)
        if not order_by:
            return self.column(expr.over(*keys) if keys else expr, name)
        turned = reading.reversed_order(expr) if descending else expr
        running = self.column(turned.over(*keys, order_by=list(order_by)), name)
        if not before:
            return running
        return self.column(running.shift(-1 if descending else 1).over(*keys, order_by=list(order_by)), name)

    def lookup(self, expr: Expr, of: Table, name: str = "") -> Expr:
        """The value of a column of a coarser table, for each row of this one; `name` is for columns that become keys.

        Raises:
            WrongTable: the other table has no such column, or this one has a column of that name.
        """
        source = of.column(expr).name
        if (of is self or self._carries(of)) and not name:
            self._reads(col(source))
            return col(source)

        def add(new: str) -> None:
            self.columns.links[new] = Link(of, taken=source)

        # A column that the plan made has a name of its own; one that came from outside may have that of another.
        request = ("lookup", of.name, source, name)
        if name and request not in self._names and self.has(name):
            raise WrongTable(f"{self.name} has a column {name!r} already.", "Give the one that is taken another name.")
        own = name or (source if source in of.requests else "")
        return self._ask(request, add, f"from {of.name}: ", col(source), own or source, fresh=not own)

    # ---- asking for aggregates in a coarser table

    def sum(self, expr: Expr, into: Table | None = None, *, order: str | None = None, name: str = "") -> Expr:
        """The sum of `expr` over the rows of each row of `into` (the unit by default); 0 where there are none."""
        return self._reduce("sum", expr.cast(pl.Float64), into, order, name)

    def mean(self, expr: Expr, into: Table | None = None) -> Expr:
        """The mean of the values that are not null."""
        return self._reduce("mean", expr, into)

    def max(self, expr: Expr, into: Table | None = None) -> Expr:
        """The largest value; null where there are none."""
        return self._reduce("max", expr, into)

    def min(self, expr: Expr, into: Table | None = None) -> Expr:
        """The smallest value; null where there are none."""
        return self._reduce("min", expr, into)

    def any(self, expr: Expr, into: Table | None = None) -> Expr:
        """Some value that is not null."""
        return self._reduce("any", expr, into)

    def quantile(self, expr: Expr, at: float, into: Table | None = None) -> Expr:
        """The value below which a share `at` of the values lies, interpolated linearly; null where there are none."""
        return self._reduce("quantile", expr.cast(pl.Float64), into, at=at)

    def count(self, into: Table | None = None) -> Expr:
        """The number of rows, as a float: integers of some engines wrap when subtracted."""
        return self._reduce("count", lit(1.0), into)

    def _reduce(
        self,
        how: How,
        expr: Expr,
        into: Table | None,
        order: str | None = None,
        name: str = "",
        at: float = 0.5,
    ) -> Expr:
        into = into or self.plan.unit
        order = order or self.order
        self._reads(expr)

        def add(new: str) -> None:
            used = order if self.plan.ordered and how == "sum" else None
            if used:
                self._reads(col(used))
            into.columns.links[new] = Link(self, Aggregate(new, how, expr, used, at))

        name = name or f"{how}_{_plain(self.plan.requested_by)}"
        request = (self.name, how, expr.key, order or "", str(at))
        return into._ask(request, add, f"{how} over {self.name} of ", expr, name)

    def _ask(
        self,
        request: tuple[str, ...],
        add: Callable[[str], None],
        how: str,
        expr: Expr,
        name: str,
        *,
        fresh: bool = True,
    ) -> Expr:
        """The column of a request: the one there is, or a new one whose name no other table has."""
        who = self.plan.requested_by
        if request not in self._names:
            name = self.plan.fresh(name or _plain(who)) if fresh else name
            self.requests[name] = Request(name, how, expr, [])
            self.plan.taken.add(name.lower())
            self._names[request] = name
            add(name)
            self.plan.changed()
        requested_by = self.requests[self._names[request]].requested_by
        if who not in requested_by:
            requested_by.append(who)
        return col(self._names[request])

    # ---- which columns there are

    def has(self, column: str) -> bool:
        """Whether it has a column of that name."""
        if self._own(column):
            return True
        known = self.made.columns
        return known is None or column in known or any(t.has(column) for t in self.made.carries)

    @property
    def described(self) -> str:
        """Its name and what a row of it is."""
        return f"{self.name} (a row per {', '.join(self.keys) or 'plan'})"

    def _own(self, column: str) -> bool:
        return column in self.columns.computed or column in self.columns.links or column in self.keys

    def _carries(self, other: Table) -> bool:
        return any(t is other or t._carries(other) for t in self.made.carries)

    def _reads(self, expr: Expr) -> None:
        for column in expr.columns:
            if self._own(column):
                continue
            known = self.made.columns
            if known is None or column in known:
                continue
            if not any(t.has(column) for t in self.made.carries):
                raise self._wrong(column)
            self._carry(column)

    def _carry(self, column: str) -> None:
        self.columns.carried.add(column)
        for table in self.made.carries:
            if not table._own(column) and table.has(column):
                table._carry(column)

    def _wrong(self, column: str) -> WrongTable:
        there, who = self.described, self.plan.requested_by
        asked = f" It is {who} that asks." if who else ""
        for other in self.plan.having(column):
            where = f"Column {column!r} is one of {other.described}, not of {there}.{asked}"
            if set(other.keys) <= set(self.keys):
                return WrongTable(where, f"Bring it to the rows: {self.name}.lookup(column, of={other.name})")
            return WrongTable(where, f"Aggregate it: {other.name}.sum(column, into={self.name})")
        return WrongTable(
            f"{there} has no column {column!r}.{asked}", "Ask the table that has it: table.column(expression)"
        )

    def frame(self) -> Frame:
        """The table with all its columns, made on first use."""
        return self.plan.built(self)


def _plain(label: str) -> str:
    """A label as part of a column name."""
    return re.sub(r"\W+", "_", label.lower()).strip("_") or "column"
