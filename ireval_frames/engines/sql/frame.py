"""A frame as a SELECT that is being written, over a step of a statement or over joined steps.

A join and the projections and filters after it are one SELECT as long as none reads what another computes, since
DuckDB plans every column of every SELECT.  Writing it queries the database for the type of a computed column only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.frame import Frame
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.sql.number_types import of_type
from ireval_frames.engines.sql.statement import Step
from ireval_frames.engines.sql.values import ValueKind
from ireval_frames.expr import Expr, reading

if TYPE_CHECKING:
    from ireval_frames.engines.sql.engine import StatementEngine

WIDTH = 100


@dataclass(frozen=True, eq=False)
class Rows:
    """What a SELECT reads.

    Attributes:
        body: what follows FROM.
        items: its columns and the text of each.
        types: the known types of columns.
        stars: a text for the first n columns together, and n.
        aliases: prefixes that a column's name may have.
        computed: the columns that are more than a name; what reads them is another SELECT.
        kinds: the kinds of values in columns of unknown type.
        step: the step, unless it is a join.
    """

    body: tuple[str | Step, ...]
    items: Mapping[str, str]
    types: dict[str, Any]
    stars: tuple[str, int]
    aliases: frozenset[str] = frozenset({""})
    computed: frozenset[str] = frozenset()
    kinds: Mapping[str, Callable[[], ValueKind]] = field(default_factory=dict)
    step: Step | None = None

    @classmethod
    def of(cls, step: Step) -> Rows:
        """The rows of a step."""
        items = {c: identifier(c) for c in step.columns}
        return cls((step,), items, step.types, ("*", len(items)), kinds=step.kinds, step=step)


class SQLFrame(Frame):
    """A SELECT: expressions by name, and conditions."""

    def __init__(
        self,
        engine: StatementEngine,
        source: Step | Rows,
        items: Mapping[str, str] | None = None,
        plain: Mapping[str, str] | None = None,
        conditions: tuple[str, ...] = (),
        tail: str = "",
    ) -> None:
        self.engine, self.conditions, self.tail = engine, conditions, tail
        self.source = source if isinstance(source, Rows) else Rows.of(source)
        self.items = dict(self.source.items if items is None else items)
        # Columns that are a column of the source, by name.
        self.plain = {c: c for c in self.items if c not in self.source.computed} if plain is None else dict(plain)
        self.columns = tuple(self.items)
        self.windowed = False
        self._types: dict[str, Any] = {}
        self._kinds: dict[str, Callable[[], ValueKind]] = {}
        self._step: Step | None = None

    # ---- verbs

    def project(self, columns: Mapping[str, Expr]) -> SQLFrame:
        """Exactly these columns."""
        if self.tail.startswith("\nORDER BY") and all(e.is_column for e in columns.values()):
            # The rows may be sorted by a column that is not selected.
            return self._projected({}, columns)
        return self.over(columns.values())._projected({}, columns)

    def assign(self, columns: Mapping[str, Expr]) -> SQLFrame:
        """With these columns added or replaced."""
        frame = self.over(columns.values())
        return frame._projected(frame.items, columns)

    def where(self, condition: Expr) -> SQLFrame:
        """The rows for which the condition is true."""
        frame = self._as_source() if self.windowed or self.tail else self.over([condition])
        text = self.engine.to_sql(condition, {c: frame.items[c] for c in frame.plain}, frame.kind)
        return frame._with(conditions=(*frame.conditions, text.sql))

    def count_by(self, *keys: str, in_order: bool = True) -> SQLFrame:
        """A row per distinct keys, with the number of their rows."""
        del in_order
        frame = self._as_source() if self.tail or self.windowed else self.over([], keys)
        return frame.grouped(keys, {"n": "count(*)"})

    def concat(self, others: Sequence[SQLFrame]) -> SQLFrame:
        """The rows of this frame, then those of others with the same columns."""
        body: list[str | Step] = []
        for frame in (f._as_source() if f.tail else f for f in (self, *others)):
            step = frame._with(items={c: frame.items[c] for c in self.columns})._select("SELECT")
            body += ["\nUNION ALL\n" if body else "", *step.body]
        return SQLFrame(self.engine, Step(tuple(body), self.columns, types=self._known_types()))

    def explode(self, column: str) -> SQLFrame:
        """A row for each value of a column of lists."""
        return SQLFrame(
            self.engine, self.with_text({column: self.engine.dialect.explode(identifier(column))}).as_step()
        )

    def explode_lists(self, columns: Sequence[str], number: str) -> SQLFrame:
        """A row for each element of several columns of lists, and its position."""
        out = self
        for texts in self.engine.dialect.explode_lists(columns, number):
            out = SQLFrame(self.engine, out.with_text(texts).as_step())
        return out

    def with_row_index(self, name: str, order_by: Sequence[str]) -> SQLFrame:
        """With the number of each row in an order."""
        order = ", ".join(f"{identifier(c)} ASC NULLS FIRST" for c in order_by)
        out = self.with_text({name: f"row_number() OVER (ORDER BY {order}) - 1"}, windowed=True)
        return out.select(name, *self.columns)

    def sort(self, *names: str) -> SQLFrame:
        """The rows in the order of these columns."""
        if not names:
            return self
        order = ", ".join(f"{identifier(n)} ASC NULLS FIRST" for n in names)
        simple = not self.tail and self.source.step is not None and all(self.plain.get(n) == n for n in names)
        return (self if simple else self._as_source())._with(tail=f"\nORDER BY {order}")

    def head(self, n: int) -> SQLFrame:
        """Any n rows."""
        return (self._as_source() if self.tail else self)._with(tail=f"\nLIMIT {n}")

    def with_text(self, columns: Mapping[str, str], *, windowed: bool = False) -> SQLFrame:
        """With columns written in SQL, over those of this frame."""
        frame = self._as_source()
        out = frame._with(items={**frame.items, **columns}, plain={c: c for c in frame.plain if c not in columns})
        out.windowed = windowed
        return out

    # ---- types

    def dtype(self, name: str) -> Any:
        """The Polars type of a column; the database is queried if it is computed."""
        if name in self.plain:
            source, column = self.source, self.plain[name]
            if column not in source.types:
                source.types.update(self.engine.describe(source.step or SQLFrame(self.engine, source).as_step()))
            return source.types[column]
        if name not in self._types:
            self._types.update(self.engine.describe(self.as_step()))
        return self._types[name]

    def kind(self, name: str) -> ValueKind:
        """The kind of a column's values; its type is looked up only where the kind is not known."""
        plain = name in self.plain
        types, kinds = (self.source.types, self.source.kinds) if plain else (self._types, self._kinds)
        column = self.plain.get(name, name)
        if column not in types and column in kinds:
            return kinds[column]()
        return of_type(self.dtype(name))

    def to_native(self) -> Any:
        """The rows as the engine's own object."""
        return self.engine.relation(self.as_step())

    # ---- writing

    def as_step(self) -> Step:
        """The SELECT as a step; the same one each time."""
        if self._step is None:
            step = self.source.step if not self.conditions and not self.tail else None
            same = step is not None and self.columns == step.columns and self._all_plain()
            self._step = step if step is not None and same else self._select("SELECT")
        return self._step

    def renamed(self) -> tuple[Step, Mapping[str, str]]:
        """A step with these rows, and its names of the columns: the source itself if this only selects from it."""
        step = self.source.step if not self.conditions and not self.tail else None
        if step is None or len(self.plain) < len(self.items):
            return self.as_step(), {c: c for c in self.columns}
        return step, self.plain

    def _select(self, verb: str) -> Step:
        body = (verb + self._list() + "\nFROM ", *self.source.body, self._where() + self.tail)
        kinds = {c: self.source.kinds[p] for c, p in self.plain.items() if p in self.source.kinds} | self._kinds
        return Step(body, self.columns, types=self._known_types(), kinds=kinds)

    def _known_types(self) -> dict[str, Any]:
        return {c: self.source.types[p] for c, p in self.plain.items() if p in self.source.types} | self._types

    def grouped(self, keys: Sequence[str], aggregates: Mapping[str, str], doubles: Iterable[str] = ()) -> SQLFrame:
        """One row per distinct keys, with aggregates over the columns of the source; `doubles` are Float64."""
        items = [self._named(k) for k in keys]
        items += [f"{text} AS {identifier(name)}" for name, text in aggregates.items()]
        by = f"\nGROUP BY {', '.join(self.items[k] for k in keys)}" if keys else ""
        body = ("SELECT" + lines(items) + "\nFROM ", *self.source.body, self._where() + by)
        types = {k: self.source.types[p] for k in keys if (p := self.plain.get(k, "")) in self.source.types}
        types |= dict.fromkeys(doubles, pl.Float64())
        return SQLFrame(self.engine, Step(body, (*keys, *aggregates), types=types))

    def unique(self) -> SQLFrame:
        """The distinct rows."""
        if self.tail:
            return self._as_source().unique()
        return SQLFrame(self.engine, self._select("SELECT DISTINCT"))

    def text_of(self, expr: Expr) -> str:
        """An expression over the columns of the source; those that it reads must be plain."""
        return self.engine.to_sql(expr, {c: self.items[c] for c in self.plain}, self.kind).sql

    def over(self, exprs: Iterable[Expr], names: Iterable[str] = ()) -> SQLFrame:
        """The frame, as the source of a new SELECT if these expressions or names read what this one computes."""
        read = {*names}.union(*(e.columns for e in exprs))
        return self._as_source() if self.tail or not read <= self.plain.keys() else self

    # ---- within

    def _as_source(self) -> SQLFrame:
        return SQLFrame(self.engine, self.as_step())

    def _projected(self, before: Mapping[str, str], columns: Mapping[str, Expr]) -> SQLFrame:
        texts = {c: self.items[c] for c in self.plain if self.items[c] != identifier(c)}
        items, plain = dict(before), {c: self.plain[c] for c in before if c in self.plain}
        windowed = self.windowed and bool(before)
        types = {c: t for c, t in self._types.items() if c in before}
        kinds = {c: k for c, k in self._kinds.items() if c in before}
        for name, expr in columns.items():
            plain.pop(name, None)
            types.pop(name, None)
            kinds.pop(name, None)
            if expr.is_column:
                items[name] = self.items[expr.name]
                if expr.name in self.plain:
                    plain[name] = self.plain[expr.name]
                if expr.name in self._types:
                    types[name] = self._types[expr.name]
                if expr.name in self._kinds:
                    kinds[name] = self._kinds[expr.name]
                continue
            # Beside other columns an aggregate is a window over all rows.
            text = self.engine.to_sql(expr, texts, self.kind, beside=bool(before))
            items[name], kinds[name] = text.sql, text.kind
            windowed = windowed or reading.over_rows(expr)
            dtype = reading.cast_to(expr)
            if dtype is not None:
                types[name] = dtype
        out = self._with(items=items, plain=plain)
        out.windowed, out._types, out._kinds = windowed, types, kinds
        return out

    def _with(self, **changes: Any) -> SQLFrame:
        state = {"items": self.items, "plain": self.plain, "conditions": self.conditions, "tail": self.tail}
        out = SQLFrame(self.engine, self.source, **(state | changes))
        out.windowed, out._types, out._kinds = self.windowed, dict(self._types), dict(self._kinds)
        return out

    def _all_plain(self) -> bool:
        return all(self.plain.get(c) == c for c in self.items)

    def _list(self) -> str:
        names, (star, n) = list(self.items), self.source.stars
        first = list(self.source.items)[:n]
        starred = names[:n] == first and all(self.plain.get(c) == c for c in first)
        return lines([star, *map(self._named, names[n:])] if starred else [*map(self._named, names)])

    def _named(self, name: str) -> str:
        text, own = self.items[name], identifier(name)
        plain = text.endswith(own) and text[: -len(own)] in self.source.aliases
        return text if plain else f"{text} AS {own}"

    def _where(self) -> str:
        if not self.conditions:
            return ""
        return "\nWHERE " + (
            self.conditions[0] if len(self.conditions) == 1 else " AND ".join(f"({w})" for w in self.conditions)
        )


def lines(items: Sequence[str]) -> str:
    """The list of a SELECT: on one line if it fits, else one line each."""
    line = " " + ", ".join(items)
    return line if len(line) <= WIDTH else "\n  " + ",\n  ".join(items)
