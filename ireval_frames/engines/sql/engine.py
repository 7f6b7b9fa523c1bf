"""Engines of which a plan is one statement: joins, groups and stages as parts of it, in words that each engine has."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ireval_frames import expr
from ireval_frames.engines.base import Aggregate, Engine, Part
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.sql.frame import DuckDBFrame, Rows
from ireval_frames.engines.sql.statement import Step, name_stage
from ireval_frames.engines.sql.values import Text, ValueKind
from ireval_frames.expr import Expr

# Aggregates that are doubles whatever they are of.
DOUBLES = frozenset(("sum", "plain_sum", "mean", "count", "present", "variance"))


class StatementEngine(Engine):
    """Plans as one statement; how it is run, and its words, are an engine's own."""

    case_sensitive = False

    # ---- words

    @abstractmethod
    def worded(
        self, expr: Expr, columns: Mapping[str, str], kinds: Callable[[str], ValueKind], *, beside: bool = False
    ) -> Text:
        """An expression, with the texts and kinds of columns; beside columns an aggregate is one over all rows."""

    @abstractmethod
    def each(self, values: str) -> str:
        """A row for each value of a list; null for lists that are null or empty."""

    @abstractmethod
    def places(self, columns: Sequence[str], number: str) -> Sequence[Mapping[str, str]]:
        """The columns of each SELECT that makes rows of the places of several lists, and numbers them."""

    @abstractmethod
    def aggregated(self, a: Aggregate, frame: DuckDBFrame) -> str:
        """An aggregate."""

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
        return self._joined(of_statement(left).settled(), [(kind, "r", Part(right, tuple(on)))])

    def attach(self, frame: Frame, parts: Sequence[Part]) -> Frame:
        """One SELECT with all joins: every one of its own would name all columns again, and DuckDB plan them again."""
        if not parts:
            return frame
        joins = [("LEFT JOIN", f"r{i}", part) for i, part in enumerate(parts, start=1)]
        return self._joined(of_statement(frame).settled(), joins)

    def _joined(self, rows: Step, joins: Sequence[tuple[str, str, Part]]) -> DuckDBFrame:
        items, types = {c: f"l.{identifier(c)}" for c in rows.columns}, dict(rows.types)
        body: list[str | Step] = [rows, " AS l"]
        for kind, alias, part in joins:
            frame = of_statement(part.frame)
            step, theirs = frame.renamed()
            there = {c: f"{alias}.{identifier(theirs[c])}" for c in frame.columns}
            same = " AND ".join(f"{items[k]} IS NOT DISTINCT FROM {there[k]}" for k in part.on)
            body += [f"\n{kind if same else 'CROSS JOIN'} ", step, f" AS {alias}" + (f"\n  ON {same}" if same else "")]
            for c in (c for c in frame.columns if c not in part.on and c not in items):
                items[c] = f"coalesce({there[c]}, 0e0)" if c in part.zero else there[c]
                if theirs[c] in step.types:
                    types[c] = step.types[theirs[c]]
        aliases = frozenset({"l.", *(f"{alias}." for _, alias, _ in joins)})
        zero = frozenset(c for _, _, part in joins for c in part.zero)
        return DuckDBFrame(self, Rows(tuple(body), items, types, ("l.*", len(rows.columns)), aliases, zero))

    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One group-by; sums are compensated, since plain ones drift by 1e-11 on a million terms."""
        if not aggregates:
            return frame.select(*keys).unique() if keys else frame.select(_rows=expr.len())
        orders = [a.order for a in aggregates if a.order]
        native = of_statement(frame)
        if native.windowed or native.tail:
            native = DuckDBFrame(self, native.settled())
        native = native.over([a.expr for a in aggregates], [*keys, *orders])
        doubles = [a.name for a in aggregates if a.how in DOUBLES]
        return native.grouped(keys, {a.name: self.aggregated(a, native) for a in aggregates}, doubles)

    def shared(self, frame: Frame) -> Frame:
        """Made once; left to itself DuckDB may repeat a subquery for every reader."""
        step = of_statement(frame).settled()
        step.shared = not step.external
        return DuckDBFrame(self, step)

    def stage(self, frame: Frame, name: str) -> Frame:
        """The common table expression gets the table's name."""
        step = of_statement(frame).settled()
        name_stage(step, name)
        return DuckDBFrame(self, step)


def of_statement(frame: Frame) -> DuckDBFrame:
    """A frame that is a part of a statement."""
    if not isinstance(frame, DuckDBFrame):
        raise TypeError(f"{frame!r} is no part of a statement")
    return frame
