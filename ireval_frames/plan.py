"""From asked measures to one lazy plan: a small graph of tables.  Nothing here knows a family of measures.

A *table* says what one of its rows is (its keys) and how it is made.  Asking it for a column puts the column into the
plan; equal requests share one column; a column goes one layer above the columns it reads, and a layer is one
projection.  Asking it for a sum puts an aggregate on the link to a coarser table and answers with a column of that
one; `take` goes the other way and brings a coarser table's column down to the rows.  Only tables that were asked for
something are built, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines import expressions
from ireval_frames.engines.base import Aggregate, Engine

How = Literal["sum", "mean", "max", "min", "count"]
Frame = nw.LazyFrame


@dataclass(frozen=True)
class Asked:
    """A column of a table: where it comes from and who wanted it."""

    name: str
    how: str
    expr: nw.Expr
    askers: list[str]

    @property
    def what(self) -> str:
        """How the column is made, to read."""
        return f"{self.how}{expressions.text(self.expr)}"


@dataclass(frozen=True)
class Requirement:
    """Rows that must not exist, and the error that says so."""

    table: Table
    bad: nw.Expr
    error: Callable[[pl.DataFrame, int], Exception]


class Table:
    """Rows that a plan computes; `keys` name what one row is."""

    def __init__(
        self,
        plan: Plan,
        name: str,
        keys: Sequence[str],
        make: Callable[[], Frame],
        *,
        made: str,
        order: str | None = None,
        finer: Table | None = None,
        parents: Sequence[Table] = (),
        carries: Sequence[Table] = (),
    ) -> None:
        self.parents = tuple(parents)
        self.plan, self.name, self.keys, self.made, self.order, self.finer = plan, name, tuple(keys), made, order, finer
        self._make = make
        # Tables whose columns this one has under the same names, because its rows are made of theirs.
        self.carries: set[str] = {n for t in carries for n in (t.name, *t.carries)}
        self._columns: dict[str, tuple[int, nw.Expr]] = {}
        self._aggregates: dict[str, tuple[Table, Aggregate]] = {}
        self._taken: dict[str, Table] = {}
        self._names: dict[tuple[str, ...], str] = {}
        self.asked: dict[str, Asked] = {}

    # ---- asking for columns of this table

    def column(self, expr: nw.Expr, name: str = "") -> nw.Expr:
        """A column of this table computed from its other columns; a plain column stays itself."""
        if expressions.is_column(expr):
            return expr

        def add(new: str) -> None:
            layers = [self._columns[c][0] for c in expressions.columns(expr) if c in self._columns]
            self._columns[new] = (1 + max(layers, default=-1), expr)

        return self._ask(("column", expressions.key(expr)), add, "", expr, name)

    def over(
        self, expr: nw.Expr, keys: Sequence[str] | None = None, order_by: Sequence[str] = (), name: str = ""
    ) -> nw.Expr:
        """A window: an aggregate, or a running aggregate by `order_by`, within `keys` (the unit's by default)."""
        keys = self.plan.unit.keys if keys is None else tuple(keys)
        if order_by:
            return self.column(expr.over(*keys, order_by=list(order_by)), name)
        return self.column(expr.over(*keys) if keys else expr, name)

    def take(self, expr: nw.Expr, of: Table) -> nw.Expr:
        """The value of a column of a coarser table, for each row of this one."""
        source = expressions.name(of.column(expr))
        if of is self or of.name in self.carries:
            return nw.col(source)

        def add(new: str) -> None:
            self._taken[new] = of

        return self._ask(("take", of.name, source), add, f"from {of.name}: ", nw.col(source), source, taken=True)

    # ---- asking for aggregates in a coarser table

    def sum(self, expr: nw.Expr, into: Table | None = None, *, order: str | None = None, name: str = "") -> nw.Expr:
        """The sum of `expr` over the rows of each row of `into` (the unit by default); 0 where there are none."""
        return self._reduce("sum", expr.cast(nw.Float64), into, order, name)

    def mean(self, expr: nw.Expr, into: Table | None = None) -> nw.Expr:
        """The mean of the values that are not null."""
        return self._reduce("mean", expr, into)

    def max(self, expr: nw.Expr, into: Table | None = None) -> nw.Expr:
        """The largest value; null where there are none."""
        return self._reduce("max", expr, into)

    def min(self, expr: nw.Expr, into: Table | None = None) -> nw.Expr:
        """The smallest value; null where there are none."""
        return self._reduce("min", expr, into)

    def count(self, into: Table | None = None) -> nw.Expr:
        """The number of rows, as a float: integers of some engines wrap when subtracted."""
        return self._reduce("count", nw.lit(1.0), into)

    def _reduce(self, how: How, expr: nw.Expr, into: Table | None, order: str | None = None, name: str = "") -> nw.Expr:
        into = into or self.plan.unit
        order = order or self.order

        def add(new: str) -> None:
            into._aggregates[new] = (self, Aggregate(new, how, expr, order if self.plan.ordered else None))

        name = name or f"{how}_{_plain(self.plan.asking)}"
        return into._ask(
            (self.name, how, expressions.key(expr), order or ""), add, f"{how} over {self.name} of ", expr, name
        )

    def _ask(
        self,
        request: tuple[str, ...],
        add: Callable[[str], None],
        how: str,
        expr: nw.Expr,
        name: str,
        *,
        taken: bool = False,
    ) -> nw.Expr:
        """The column of a request: the one there is, or a new one whose name no other table has."""
        if request not in self._names:
            name = name if taken else self.plan.fresh(name or _plain(self.plan.asking))
            self.asked[name] = Asked(name, how, expr, [])
            self._names[request] = name
            add(name)
        askers = self.asked[self._names[request]].askers
        if self.plan.asking not in askers:
            askers.append(self.plan.asking)
        return nw.col(self._names[request])

    # ---- building

    def frame(self) -> Frame:
        """The table with all its columns, made on first use."""
        if self.name not in self.plan.built:
            if self.name in self.plan.building:
                raise RecursionError(f"Table {self.name} would be made from itself.")
            self.plan.building.append(self.name)
            frame = self._build()
            if self.finer and self.plan.readers(self) > 1:
                # Grouping many rows into few is the work; several readers share it.
                frame = self.plan.engine.shared(frame)
            self.plan.built[self.name] = self.plan.engine.stage(frame, self.name)
            self.plan.building.pop()
        return self.plan.built[self.name]

    def reads(self, table: Table) -> bool:
        """Whether it is made of the other table, or gets columns from it."""
        sources = (*self.parents, *(t for t, _ in self._aggregates.values()), *self._taken.values())
        return any(t is table for t in sources)

    def _build(self) -> Frame:
        engine = self.plan.engine
        sources: dict[str, Table] = {self.finer.name: self.finer} if self.finer else {}
        sources |= {t.name: t for t, _ in self._aggregates.values()}
        frame = self._make()
        for source in sources.values():
            aggregates = [a for t, a in self._aggregates.values() if t is source]
            part = engine.group(source.frame(), self.keys, aggregates)
            if source is self.finer:
                frame = part
                continue
            frame = engine.join(frame, part, self.keys, "left")
            zero = [nw.col(a.name).fill_null(0.0) for a in aggregates if a.how in ("sum", "count")]
            frame = frame.with_columns(*zero) if zero else frame
        for coarser in {t.name: t for t in self._taken.values()}.values():
            wanted = [n for n, t in self._taken.items() if t is coarser]
            frame = engine.join(frame, self._picked(coarser, wanted), coarser.keys, "left")
        for level in range(1 + max((layer for layer, _ in self._columns.values()), default=-1)):
            frame = frame.with_columns(**{n: e for n, (layer, e) in self._columns.items() if layer == level})
        return frame

    def _picked(self, coarser: Table, wanted: Sequence[str]) -> Frame:
        sources = {
            new: request[2]
            for request, new in self._names.items()
            if request[0] == "take" and request[1] == coarser.name
        }
        return coarser.frame().select(*coarser.keys, **{n: nw.col(sources[n]) for n in wanted})


def _plain(label: str) -> str:
    """A label as part of a column name."""
    return re.sub(r"\W+", "_", label.lower()).strip("_") or "column"


class Plan:
    """The tables of one evaluation, on one engine.

    Args:
        engine: where the plan runs.
        ordered: add sums in the order of the rows, as a plain loop does (needs tables with an `order`).
    """

    def __init__(self, engine: Engine, *, ordered: bool = False) -> None:
        self.engine, self.ordered = engine, ordered
        self.tables: dict[str, Table] = {}
        self.built: dict[str, Frame] = {}
        self.building: list[str] = []
        self.requirements: list[Requirement] = []
        self.asking = ""
        self.unit: Table
        self._used: dict[str, int] = {}

    def readers(self, table: Table) -> int:
        """How many tables are made of it, or get columns from it."""
        return sum(t is not table and t.reads(table) for t in self.tables.values())

    def fresh(self, name: str) -> str:
        """A column name that no table of the plan has yet.

        Every name of the plan but those of its inputs ends in a number.
        """
        self._used[name] = self._used.get(name, 0) + 1
        return f"{name}_{self._used[name]}"

    @contextmanager
    def asked_by(self, who: str) -> Iterator[None]:
        """Everything asked inside is asked by `who`."""
        before, self.asking = self.asking, who
        yield
        self.asking = before

    def require(self, table: Table, bad: nw.Expr, error: Callable[[pl.DataFrame, int], Exception]) -> None:
        """Refuse the data if any row of `table` is `bad`; `error` gets the first such rows and how many there are."""
        if not any(r.table is table and expressions.key(r.bad) == expressions.key(bad) for r in self.requirements):
            self.requirements.append(Requirement(table, bad, error))

    def check(self) -> None:
        """Raise the error of the first requirement that the data does not meet."""
        for requirement in self.requirements:
            bad = requirement.table.frame().filter(requirement.bad)
            found = self.engine.collect(bad)
            if found.height:
                raise requirement.error(found.head(10), found.height)

    # ---- the ways a table is made

    def input(
        self, name: str, keys: Sequence[str], frame: Frame | Callable[[], Frame], *, order: str | None = None
    ) -> Table:
        """Rows that come from outside."""
        return self._add(name, keys, frame if callable(frame) else lambda: frame, made="input", order=order)

    def grouped(self, name: str, finer: Table, *keys: str) -> Table:
        """A row per distinct keys of `finer`; further tables may be summed into it as well."""
        return self._add(name, keys, finer.frame, made=f"{finer.name} grouped", finer=finer, parents=(finer,))

    def joined(
        self,
        name: str,
        keys: Sequence[str],
        left: Table,
        right: Table,
        on: Sequence[str] = (),
        how: Literal["inner", "left"] = "inner",
    ) -> Table:
        """Rows of `left`, each with the columns of the rows of `right` of equal `on`; no `on` is every combination."""
        kind = "×" if not on else {"inner": "⋈", "left": "⟕"}[how]
        return self._add(
            name,
            keys,
            lambda: self.engine.join(left.frame(), right.frame(), on, how),
            made=f"{left.name} {kind} {right.name}" + (f" on {', '.join(on)}" if on else ""),
            order=left.order,
            parents=(left, right),
            carries=(left, right),
        )

    def stacked(
        self, name: str, keys: Sequence[str], *parts: tuple[Table, dict[str, nw.Expr]], where: nw.Expr | None = None
    ) -> Table:
        """The parts' rows on top of each other, each with its own expressions for the same columns."""

        def make() -> Frame:
            frame = nw.concat([t.frame().select(**columns) for t, columns in parts], how="vertical")
            return frame if where is None else frame.filter(where)

        return self._add(
            name, keys, make, made="stacked " + ", ".join(t.name for t, _ in parts), parents=[t for t, _ in parts]
        )

    def picked(
        self, name: str, keys: Sequence[str], table: Table, where: nw.Expr | None = None, **columns: nw.Expr
    ) -> Table:
        """Chosen rows and columns of a table, under new names."""

        def make() -> Frame:
            frame = table.frame() if where is None else table.frame().filter(where)
            return frame.select(**{k: columns.get(k, nw.col(k)) for k in (*keys, *columns)}) if columns else frame

        return self._add(
            name,
            keys,
            make,
            made=f"{table.name} picked",
            order=None if columns else table.order,
            parents=(table,),
            carries=() if columns else (table,),
        )

    def computed(
        self,
        name: str,
        keys: Sequence[str],
        table: Table,
        function: Callable[[pl.DataFrame], pl.DataFrame],
        adds: Mapping[str, Any],
    ) -> Table:
        """The result of a Python function of all rows of a table, which must be small.

        `keys` of it, and the columns `adds` with their types.
        """
        what = (function.__doc__ or function.__name__).splitlines()[0].rstrip(".")
        return self._add(
            name,
            keys,
            lambda: self.engine.apply(table.frame(), function, keys, adds),
            made=f"{table.name} through Python: {what}",
            parents=(table,),
        )

    def levels(
        self, name: str, keys: Sequence[str], table: Table, by: str, flag: nw.Expr, weight: nw.Expr | None = None
    ) -> Table:
        """A row per distinct keys and `by` of a table, from the largest down.

        Its columns `yes` and `no` say how many rows (or what weight) of those have the flag and have it not, and
        `yes_so_far` and `no_so_far` the same of all rows down to here.
        """
        return self._add(
            name,
            (*keys, by),
            lambda: self.engine.levels(table.frame(), keys, by, flag, weight),
            made=f"the distinct {by} of {table.name}, falling",
            parents=(table,),
        )

    def sets(self, name: str, keys: Sequence[str], table: Table, of: str, column: str) -> Table:
        """A row per distinct keys of a table, and a `column` that names the set of their values of `of`."""
        return self._add(
            name,
            keys,
            lambda: self.engine.sets(table.frame(), keys, of, column),
            made=f"the sets of {of} of {table.name}",
            parents=(table,),
        )

    def spread(self, name: str, key: str, table: Table, low: nw.Expr, high: nw.Expr) -> Table:
        """Every row of `table` once for each integer from `low` to `high`."""
        first, last = (expressions.name(table.column(e.cast(nw.Int64))) for e in (low, high))
        return self._add(
            name,
            (*table.keys, key),
            lambda: self.engine.spread(table.frame(), first, last, key),
            made=f"{table.name} spread over {key}",
            parents=(table,),
        )

    def _add(
        self,
        name: str,
        keys: Sequence[str],
        make: Callable[[], Frame],
        *,
        made: str,
        order: str | None = None,
        finer: Table | None = None,
        parents: Sequence[Table] = (),
        carries: Sequence[Table] = (),
    ) -> Table:
        if name not in self.tables:
            self.tables[name] = Table(
                self, name, keys, make, made=made, order=order, finer=finer, parents=parents, carries=carries
            )
        return self.tables[name]
