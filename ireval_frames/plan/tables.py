"""A table of a plan: what one of its rows is, and the columns that are requested of it.

A requested column becomes part of the plan; equal requests share one column; a column goes one layer above the columns
it reads, and a layer is one projection.  A requested sum becomes an aggregate on the link to a coarser table, and the
answer is a column of that one; `lookup` goes the other way and brings a coarser table's column down to the rows.  Every
column that a plan makes has a name that no other table has, so a column identifies its table: to read one of another
table is an error at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Aggregate, How
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import WrongTable
from ireval_frames.expr import Expr, col, lit, reading, when

if TYPE_CHECKING:
    from ireval_frames.plan.planning import Plan

Frames = Callable[["Table"], Frame]


@dataclass(frozen=True)
class Request:
    """A requested column: how it is computed, and for which measures."""

    name: str
    how: str
    expr: Expr
    requested_by: list[str]

    @property
    def what(self) -> str:
        """How the column is computed, for people."""
        return f"{self.how}{self.expr!r}"


@dataclass(frozen=True)
class Origin:
    """How the rows of a table are computed.

    Attributes:
        description: in words.
        parents: the tables they are computed from.
        frame: computes them, from a function that gives the frames of those tables.
        columns: the columns they have besides those of tables that they carry; None is not known.
        carries: tables whose columns they have under the same names.
        reads: the columns of the parents that computing them reads.
        identity: what distinguishes two computations of the same parents and description.
    """

    description: str
    parents: tuple[Table, ...]
    frame: Callable[[Frames], Frame]
    columns: Collection[str] | None
    carries: tuple[Table, ...] = ()
    reads: frozenset[str] = frozenset()
    identity: Any = None


@dataclass
class Link:
    """A column that comes from another table: an aggregate of its rows, or a column in finer rows."""

    source: Table
    aggregate: Aggregate | None = None
    column: str = ""


class Table:
    """Rows that a plan computes; `keys` are the columns that identify a row."""

    def __init__(
        self,
        plan: Plan,
        name: str,
        keys: Sequence[str],
        origin: Origin,
        *,
        order: str | None = None,
        finer: Table | None = None,
    ) -> None:
        self.plan, self.name, self.keys = plan, name, tuple(keys)
        self.origin, self.order, self.finer = origin, order, finer
        # Columns with their layers, links by name, and the columns that are read of tables that it carries.
        self.computed: dict[str, tuple[int, Expr]] = {}
        self.links: dict[str, Link] = {}
        self.carried: set[str] = set()
        self.compute_once = self.cached = False
        self.requests: dict[str, Request] = {}
        self._names: dict[tuple[str, ...], str] = {}
        # Its own columns, and those that can be read as far as is known.
        self._own = set(self.keys)
        self._readable = self._own.union(origin.columns or ())

    # ---- columns of this table

    def column(self, expr: Expr, name: str = "") -> Expr:
        """A column of this table computed from its other columns; a plain column stays itself.

        Raises:
            WrongTable: it reads a column that this table has not.
        """
        self._check_readable(expr.columns)
        if expr.op == "col":
            return expr
        request = ("column", expr.key)
        if request not in self._names:
            layers = [self.computed[c][0] for c in expr.columns if c in self.computed]
            self.computed[self._add(request, "", expr, name)] = (1 + max(layers, default=-1), expr)
        return self._column_of(request)

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
            self._check_readable((source,))
            return col(source)
        request = ("lookup", of.name, source, name)
        if request not in self._names:
            if name and self.has(name):
                raise WrongTable(f"{self.name} has a column {name!r} already.", "Give the other one another name.")
            # A column of the plan has a unique name; one from outside may have the name of another.
            own = name or (source if source in of.requests else "")
            added = self._add(request, f"from {of.name}: ", col(source), own or source, numbered=not own)
            self.links[added] = Link(of, column=source)
        return self._column_of(request)

    # ---- aggregates in a coarser table

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

    def value_at(self, expr: Expr, at: float, into: Table | None = None) -> Expr:
        """The smallest value that at least a share `at` of the values do not exceed; null where there are none."""
        return self._reduce("value_at", expr.cast(pl.Float64), into, at=at)

    def count(self, into: Table | None = None) -> Expr:
        """The number of rows, as a float: integers of some engines wrap when subtracted."""
        return self._reduce("count", lit(1.0), into)

    def variance(self, expr: Expr, into: Table) -> Expr:
        """The variance of the values that are not null, over their number less 1; null for fewer than two.

        It is a sum of squared distances to the mean, which is computed first: two passes, and no cancellation.
        """
        present = ~expr.is_null()
        n = self.sum(when(present).then(1.0).otherwise(0.0), into)
        value = self.column(when(present).then(expr.cast(pl.Float64)))
        distance = value - self.lookup(self.mean(value, into), of=into)
        return when(n > 1).then(self.sum((distance * distance).fill_null(0.0), into) / (n - 1.0))

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
        self._check_readable(expr.columns)
        request = (self.name, how, expr.key, order or "", str(at))
        if request not in into._names:
            used = order if self.plan.ordered and how == "sum" else None
            if used:
                self._check_readable((used,))
            name = name or f"{how}_{self.plan.label}"
            added = into._add(request, f"{how} over {self.name} of ", expr, name)
            into.links[added] = Link(self, Aggregate(added, how, expr, used, at))
        return into._column_of(request)

    def _add(self, request: tuple[str, ...], how: str, expr: Expr, name: str, *, numbered: bool = True) -> str:
        """A new column for a request, under a name that no other table has."""
        name = self.plan.new_column(name or self.plan.label, numbered=numbered)
        self.requests[name] = Request(name, how, expr, [])
        self._names[request] = name
        self._own.add(name)
        self._readable.add(name)
        return name

    def _column_of(self, request: tuple[str, ...]) -> Expr:
        """The column of a request, which is of one more measure."""
        name, who = self._names[request], self.plan.requested_by
        if who not in self.requests[name].requested_by:
            self.requests[name].requested_by.append(who)
        return col(name)

    # ---- which columns there are

    def has(self, column: str) -> bool:
        """Whether it has a column of that name."""
        return column in self._readable or self._comes_with(column) or any(t.has(column) for t in self.origin.carries)

    @property
    def described(self) -> str:
        """Its name and what a row of it is."""
        return f"{self.name} (a row per {', '.join(self.keys) or 'plan'})"

    def _carries(self, other: Table) -> bool:
        return any(t is other or t._carries(other) for t in self.origin.carries)

    def _check_readable(self, columns: Iterable[str]) -> None:
        """Raise an error if it does not have one of these columns; those of tables that it carries are carried."""
        for column in columns:
            if column in self._readable or self._comes_with(column):
                continue
            if not any(t.has(column) for t in self.origin.carries):
                raise self._wrong(column)
            self._carry(column)

    def _comes_with(self, column: str) -> bool:
        """Whether its rows have the column by themselves."""
        return self.origin.columns is None or column in self.origin.columns

    def _carry(self, column: str) -> None:
        self.carried.add(column)
        self._readable.add(column)
        for table in self.origin.carries:
            if column not in table._own and table.has(column):
                table._carry(column)

    def _wrong(self, column: str) -> WrongTable:
        there, who = self.described, self.plan.requested_by
        requested = f" {who} reads it." if who else ""
        for other in self.plan.having(column):
            where = f"Column {column!r} is one of {other.described}, not of {there}.{requested}"
            if set(other.keys) <= set(self.keys):
                return WrongTable(where, f"Bring it to the rows: {self.name}.lookup(column, of={other.name})")
            return WrongTable(where, f"Aggregate it: {other.name}.sum(column, into={self.name})")
        return WrongTable(
            f"{there} has no column {column!r}.{requested}",
            "Request it of the table that has it: table.column(expression)",
        )

    def frame(self) -> Frame:
        """The table with all its columns, built on first use."""
        return self.plan.built(self)


def columns_of(exprs: Iterable[Expr]) -> frozenset[str]:
    """The columns that expressions read."""
    return frozenset().union(*(e.columns for e in exprs))


def keys_of(columns: Mapping[str, Expr]) -> tuple[tuple[str, str], ...]:
    """What expressions compute, by the name of their column."""
    return tuple((name, expr.key) for name, expr in columns.items())


def function_key(function: Any) -> Any:
    """A function; those with arguments filled in are equal if function and arguments are."""
    if isinstance(function, functools.partial):
        return function.func, function.args, tuple(sorted((k, repr(v)) for k, v in function.keywords.items()))
    return function
