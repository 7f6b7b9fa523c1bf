"""Engines that run a plan as one SQL statement, each in its own dialect: joins, groups and stages as parts of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from ireval_frames import expr
from ireval_frames.engines.base import Aggregate, Engine, Part
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.sql.expressions import SQLDialect
from ireval_frames.engines.sql.frame import Rows, SQLFrame
from ireval_frames.engines.sql.statement import Step, name_stage
from ireval_frames.engines.sql.values import Text, ValueKind, number
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, reading

# Aggregates whose result is a double for every type of values.
DOUBLES = frozenset(("sum", "plain_sum", "mean", "count", "present", "variance"))


class StatementEngine(Engine):
    """Plans as one statement; how it runs, and its dialect, are the engine's own."""

    case_sensitive = False
    dialect: ClassVar[type[SQLDialect]] = SQLDialect

    # ---- dialect

    def to_sql(
        self, expr: Expr, columns: Mapping[str, str], kinds: Callable[[str], ValueKind], *, beside: bool = False
    ) -> Text:
        """An expression as SQL, given the texts and kinds of columns; `beside` columns an aggregate is a window."""
        return reading.translated(expr, self.dialect(columns, beside=beside, kinds=kinds))

    def _aggregate(self, a: Aggregate, frame: SQLFrame) -> str:
        """An aggregate of a group-by as SQL."""
        if a.how == "count":
            return self.dialect.grouped["count"]
        text = frame.text_of(a.expr)
        if a.how == "sum" and a.order:
            return self.dialect.ordered_sum.format(text, frame.text_of(col(a.order)))
        return self.dialect.grouped[a.how].format(text, number(a.at))

    @abstractmethod
    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns."""

    @abstractmethod
    def relation(self, step: Step) -> Any:
        """The step as the engine's own object."""

    @abstractmethod
    def text(self, frame: Frame) -> str:
        """The statement of a frame."""

    # ---- rows and groups

    def join(self, left: Frame, right: Frame, on: Sequence[str], how: Literal["inner", "left"]) -> Frame:
        """Joins in which a null key equals a null key."""
        kind = {"inner": "JOIN", "left": "LEFT JOIN"}[how]
        return self._joined(sql_frame(left).as_step(), [(kind, "r", Part(right, tuple(on)))])

    def attach(self, frame: Frame, parts: Sequence[Part]) -> Frame:
        """All joins in one SELECT: in one each, DuckDB would plan all columns again for each."""
        if not parts:
            return frame
        joins = [("LEFT JOIN", f"r{i}", part) for i, part in enumerate(parts, start=1)]
        return self._joined(sql_frame(frame).as_step(), joins)

    def _joined(self, rows: Step, joins: Sequence[tuple[str, str, Part]]) -> SQLFrame:
        items, types = {c: f"l.{identifier(c)}" for c in rows.columns}, dict(rows.types)
        body: list[str | Step] = [rows, " AS l"]
        for kind, alias, part in joins:
            frame = sql_frame(part.frame)
            step, names = frame.renamed()
            right = {c: f"{alias}.{identifier(names[c])}" for c in frame.columns}
            on = " AND ".join(f"{items[k]} IS NOT DISTINCT FROM {right[k]}" for k in part.on)
            body += [f"\n{kind if on else 'CROSS JOIN'} ", step, f" AS {alias}" + (f"\n  ON {on}" if on else "")]
            for c in (c for c in frame.columns if c not in part.on and c not in items):
                items[c] = f"coalesce({right[c]}, 0e0)" if c in part.zero else right[c]
                if names[c] in step.types:
                    types[c] = step.types[names[c]]
        aliases = frozenset({"l.", *(f"{alias}." for _, alias, _ in joins)})
        zero = frozenset(c for _, _, part in joins for c in part.zero)
        return SQLFrame(self, Rows(tuple(body), items, types, ("l.*", len(rows.columns)), aliases, zero))

    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One group-by; sums are compensated, since plain ones drift by 1e-11 on a million terms."""
        if not aggregates:
            return frame.select(*keys).unique() if keys else frame.select(_rows=expr.len())
        orders = [a.order for a in aggregates if a.order]
        native = sql_frame(frame)
        if native.windowed or native.tail:
            native = SQLFrame(self, native.as_step())
        native = native.over([a.expr for a in aggregates], [*keys, *orders])
        doubles = [a.name for a in aggregates if a.how in DOUBLES]
        return native.grouped(keys, {a.name: self._aggregate(a, native) for a in aggregates}, doubles)

    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """A row for each integer, from a range."""
        rows = sql_frame(frame.filter(col(low) <= col(high)))
        integers = self.dialect.int_range.format(identifier(low), identifier(high))
        return SQLFrame(self, rows.with_text({key: integers}).as_step())

    def number(self, frame: Frame, name: str) -> Frame:
        """Refused: rows may come in another order each time.

        Raises:
            NotDefined: always.
        """
        raise NotDefined(
            f"The rows of a {self.dialect.title} table have no order, so they need an id.",
            Hint("Name the column: ", Argument("item", "id")),
        )

    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """By the database's MD5."""
        return sql_frame(frame).with_text({name: self.dialect.id_hash(column, seed)})

    def shared(self, frame: Frame) -> Frame:
        """Materialised if it is read more than once; DuckDB alone may repeat a subquery for every reader."""
        step = sql_frame(frame).as_step()
        step.shared = not step.external
        return SQLFrame(self, step)

    def stage(self, frame: Frame, name: str) -> Frame:
        """The common table expression gets the table's name."""
        step = sql_frame(frame).as_step()
        name_stage(step, name)
        return SQLFrame(self, step)


def sql_frame(frame: Frame) -> SQLFrame:
    """The frame, which must be a part of a statement."""
    if not isinstance(frame, SQLFrame):
        raise TypeError(f"{frame!r} is no part of a statement")
    return frame
