"""From requested measures to one lazy plan: a small graph of tables.  Nothing here knows a family of measures.

A table states what one of its rows is (its keys) and how the rows are computed; `tables.py` has the requests that it
takes.  Only tables of which something is requested are built, each once, in as many stages as its columns need
(`building.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Literal, Self

import polars as pl

from ireval_frames.engines.base import Engine, Function
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col
from ireval_frames.plan.building import Building
from ireval_frames.plan.tables import Frames, Origin, Table, columns_of, function_key, keys_of

RowError = Callable[[pl.DataFrame, int], Exception | None]


class Plan:
    """The tables of one evaluation, on one engine.

    Used in a `with` statement, it releases what it materialised at the end, also after an error.

    Args:
        engine: where the plan runs.
        ordered: add sums in the order of the rows, as a plain loop does (needs tables with an `order`).
    """

    def __init__(self, engine: Engine, *, ordered: bool = False) -> None:
        self.engine, self.ordered = engine, ordered
        self.tables: dict[str, Table] = {}
        self.requirements: list[tuple[Table, Expr, RowError]] = []
        # The measure that requests columns now, and its form in names of columns.
        self.requested_by, self.label = "", "column"
        self.unit: Table
        # The names of all columns, in lower case, and the endings of names that keys have.
        self._column_names: set[str] = set()
        self._key_endings: set[str] = set()
        self._used: dict[str, int] = {}
        self._building: Building | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.close()

    # ---- for its tables

    def new_column(self, name: str, *, numbered: bool = True) -> str:
        """A name for a column that no table has: every name of the plan but those of its inputs ends in a number.

        Names differ whatever their case, as some engines want it.
        """
        self._building = None
        if numbered:
            name = name.lower()
            while True:
                self._used[name] = self._used.get(name, 0) + 1
                candidate = f"{name}_{self._used[name]}"
                if candidate not in self._column_names and not candidate.endswith(tuple(self._key_endings)):
                    break
            name = candidate
        self._column_names.add(name.lower())
        return name

    def built(self, table: Table, upto: int | None = None) -> Frame:
        """A table with its columns, built on first use."""
        return self._built().frame(table, upto)

    def _built(self) -> Building:
        if self._building is None:
            self._building = Building(self.engine, self.tables.values())
        return self._building

    def having(self, column: str) -> Iterator[Table]:
        """The tables that computed a column, then those that have it from outside."""
        tables = list(self.tables.values())
        yield from (t for t in tables if column in t.requests)
        yield from (t for t in tables if column in (t.origin.columns or ()))

    @property
    def built_tables(self) -> list[Table]:
        """The tables that were built, in the order in which they were added."""
        names = self._building.names if self._building else set()
        return [t for t in self.tables.values() if t.name in names]

    # ---- requesting

    @contextmanager
    def requesting(self, who: str) -> Iterator[None]:
        """Columns requested inside are requested by `who`."""
        before = self.requested_by, self.label
        self.requested_by = who
        self.label = re.sub(r"\W+", "_", who.lower()).strip("_") or "column"
        try:
            yield
        finally:
            self.requested_by, self.label = before

    @contextmanager
    def into(self, unit: Table) -> Iterator[None]:
        """Inside, requests without a table of their own go into this one."""
        before, self.unit = self.unit, unit
        try:
            yield
        finally:
            self.unit = before

    def require(self, table: Table, bad: Expr, error: RowError) -> None:
        """Refuse the data if any row of `table` is `bad`; `error` gets ten such rows and how many there are.

        It may warn instead, and return None.
        """
        if not any(t is table and b.key == bad.key for t, b, _ in self.requirements):
            self.requirements.append((table, bad, error))

    def check(self) -> None:
        """Raise the error of the first requirement that the data does not meet; one query counts all."""
        if self.requirements:
            frame = self._built().with_columns
            checks = [Check(frame(table, bad.columns), bad, error) for table, bad, error in self.requirements]
            run_checks(self.engine, checks)

    def materialise(self, table: Table) -> Table:
        """The table as it is now, computed at once and stored until the plan is closed."""
        frame = self.engine.materialise(table.frame())
        return self.input(f"{table.name}_materialised", table.keys, frame, order=table.order)

    # ---- tables

    def input(
        self,
        name: str,
        keys: Sequence[str],
        frame: Frame | Callable[[], Frame],
        *,
        columns: Sequence[str] | None = None,
        order: str | None = None,
        identity: Any = None,
    ) -> Table:
        """Rows that come from outside.

        Args:
            name: what the table is called.
            keys: what one of its rows is.
            frame: the rows, or a function that gives them.
            columns: their names, where the frame is a function.
            order: the column that a plain loop would follow.
            identity: distinguishes the rows from others under that name; by default the frame itself.
        """
        identity = frame if identity is None else identity
        if isinstance(frame, Frame):
            origin = Origin("input", (), lambda _: frame, tuple(frame.columns), identity=identity)
        else:
            origin = Origin(
                "input", (), lambda _: frame(), None if columns is None else tuple(columns), identity=identity
            )
        return self.add(name, keys, origin, order=order)

    def constant(self, name: str, keys: Sequence[str], frame: pl.DataFrame) -> Table:
        """A small table of our own."""
        origin = Origin(
            "input",
            (),
            lambda _: self.engine.from_polars(frame),
            tuple(frame.columns),
            identity=(tuple(frame.columns), tuple(frame.iter_rows())),
        )
        return self.add(name, keys, origin)

    def grouped(self, name: str, finer: Table, *keys: str) -> Table:
        """A row per distinct keys of `finer`; further tables may be summed into it as well."""
        origin = Origin(f"{finer.name} grouped", (finer,), lambda frames: frames(finer), (), reads=frozenset(keys))
        return self.add(name, keys, origin, finer=finer)

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
        sign = "×" if not on else {"inner": "⋈", "left": "⟕"}[how]
        origin = Origin(
            f"{left.name} {sign} {right.name}" + (f" on {', '.join(on)}" if on else ""),
            (left, right),
            lambda frames: self.engine.join(frames(left), frames(right), on, how),
            (),
            carries=(left, right),
            reads=frozenset(on),
        )
        return self.add(name, keys, origin, order=left.order)

    def concat(
        self, name: str, keys: Sequence[str], *parts: tuple[Table, Mapping[str, Expr]], where: Expr | None = None
    ) -> Table:
        """The parts' rows on top of each other, each with its own expressions for the same columns."""

        def make(frames: Frames) -> Frame:
            frame = concat([frames(t).select(**columns) for t, columns in parts])
            return frame if where is None else frame.filter(where)

        origin = Origin(
            "rows of " + ", ".join(t.name for t, _ in parts),
            tuple(t for t, _ in parts),
            make,
            tuple(parts[0][1]),
            reads=columns_of(e for _, columns in parts for e in columns.values()),
            identity=(tuple(keys_of(c) for _, c in parts), None if where is None else where.key),
        )
        return self.add(name, keys, origin)

    def compute_once(self, table: Table, *, cached: bool = False) -> Table:
        """The table, its rows computed once for all readers, as those of grouped tables always are.

        `cached` is for tables that steps in Python and other plans read, too.
        """
        table.compute_once, table.cached = True, cached
        return table

    def selected(
        self, name: str, keys: Sequence[str], table: Table, where: Expr | None = None, **columns: Expr
    ) -> Table:
        """Some rows and columns of a table, under new names."""

        def make(frames: Frames) -> Frame:
            frame = frames(table) if where is None else frames(table).filter(where)
            return frame.select(**{k: columns.get(k, col(k)) for k in (*keys, *columns)}) if columns else frame

        conditions = [] if where is None else [where]
        origin = Origin(
            f"{table.name} selected",
            (table,),
            make,
            tuple(columns),
            carries=() if columns else (table,),
            reads=columns_of([*conditions, *columns.values()])
            | (frozenset(keys) - columns.keys() if columns else frozenset()),
            identity=(keys_of(columns), tuple(c.key for c in conditions)),
        )
        return self.add(name, keys, origin, order=None if columns else table.order)

    def applied(
        self,
        name: str,
        keys: Sequence[str],
        table: Table,
        function: Function,
        adds: Mapping[str, Any],
        *,
        by: Sequence[str],
    ) -> Table:
        """The result of a Python function of the rows of each group of `by`, or of several groups at once.

        It has `keys` of the table, and the columns `adds` with their types.
        """
        what = (function.__doc__ or function.__name__).splitlines()[0].rstrip(".")
        origin = Origin(
            f"{table.name} through Python: {what}",
            (table,),
            lambda frames: self.engine.apply(frames(table), function, by, keys, adds),
            adds,
            reads=frozenset(by),
            identity=(function_key(function), tuple(by)),
        )
        return self.add(name, keys, origin)

    def cumulative_counts(
        self, name: str, keys: Sequence[str], table: Table, by: str, flag: Expr, weight: Expr | None = None
    ) -> Table:
        """A row per distinct keys and `by` of a table, from the largest down.

        Its columns `positives` and `negatives` say how many rows (or what weight) of those have the flag and have it
        not, and `cum_positives` and `cum_negatives` the same of all rows down to here.
        """
        reads = [flag] if weight is None else [flag, weight]
        origin = Origin(
            f"the distinct {by} of {table.name}, descending",
            (table,),
            lambda frames: self.engine.cumulative_counts(frames(table), keys, by, flag, weight),
            (*keys, by, "positives", "negatives", "cum_positives", "cum_negatives"),
            reads=columns_of(reads) | {*keys, by},
            identity=(by, tuple(r.key for r in reads)),
        )
        return self.add(name, (*keys, by), origin)

    def set_ids(self, name: str, keys: Sequence[str], table: Table, of: str, column: str) -> Table:
        """A row per distinct keys of a table, and a `column` that names the set of their values of `of`."""
        origin = Origin(
            f"the sets of {of} of {table.name}",
            (table,),
            lambda frames: self.engine.set_ids(frames(table), keys, of, column),
            (*keys, column),
            reads=frozenset((*keys, of)),
            identity=(of, column),
        )
        return self.add(name, keys, origin)

    def expand_range(self, name: str, key: str, table: Table, low: Expr, high: Expr) -> Table:
        """Every row of `table` once for each integer from `low` to `high`."""
        first, last = (table.column(e.cast(pl.Int64)).name for e in (low, high))
        origin = Origin(
            f"{table.name} expanded over {key}",
            (table,),
            lambda frames: self.engine.expand_range(frames(table), first, last, key),
            (key,),
            carries=(table,),
            reads=frozenset((first, last)),
            identity=(first, last, key),
        )
        return self.add(name, (*table.keys, key), origin)

    def add(
        self, name: str, keys: Sequence[str], origin: Origin, *, order: str | None = None, finer: Table | None = None
    ) -> Table:
        """The table of that name, if it is computed in the same way; a new one, if there is none."""
        if name not in self.tables:
            self.tables[name] = Table(self, name, keys, origin, order=order, finer=finer)
            self._column_names.update(map(str.lower, (*(origin.columns or ()), *keys)))
            self._key_endings.update([f"_{k.lower()}" for k in keys])
            self._building = None
            return self.tables[name]
        existing = self.tables[name]
        before, now = (
            ([id(t) for t in o.parents], o.description, o.identity, tuple(k))
            for o, k in ((existing.origin, existing.keys), (origin, keys))
        )
        if before != now:
            raise NotDefined(
                f"Two tables are called {name!r}: one is {existing.described}, {existing.origin.description}; "
                f"the other is a row per {', '.join(keys)}, {origin.description}.",
                "Give the second one another name.",
            )
        return existing
