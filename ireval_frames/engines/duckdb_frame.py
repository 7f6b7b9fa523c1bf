"""A frame of DuckDB: a SELECT that is being written, over steps of a statement.

A step becomes a named common table expression.  Consecutive projections and filters are one SELECT as long as none
reads what another computes.  Nothing is asked of DuckDB to write it, but the type of a computed column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.sql_expressions import sql
from ireval_frames.engines.sql_names import identifier, listed

WIDTH = 100


@dataclass(eq=False)
class Step:
    """A query over other steps, or a table of the connection.

    Attributes:
        body: its text, with other steps where it reads them.
        columns: their names.
        name: what the statement calls it; given when the stage it belongs to gets its name.
        external: a table that is there already: no common table expression is written for it.
        shared: it is costly, so it is made once if it is read more than once.
        before: what must run before a statement that reads it; it tells the body then.
        types: the types that are known.
        theirs: the words of a caller's query, which may name tables that no step must hide.
    """

    body: tuple[str | Step, ...]
    columns: tuple[str, ...]
    name: str = ""
    external: bool = False
    shared: bool = False
    before: Callable[[], str] | None = None
    types: dict[str, Any] = field(default_factory=dict)
    theirs: frozenset[str] = frozenset()

    @property
    def parents(self) -> list[Step]:
        """The steps that it reads."""
        return [part for part in self.body if isinstance(part, Step)]


class Describer(Protocol):
    """Who can tell the type of a column of a step, and run it."""

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of its columns."""

    def relation(self, step: Step) -> Any:
        """The step as a relation."""


class DuckDBFrame(Frame):
    """A SELECT over one step: expressions by the name they get, and conditions."""

    def __init__(
        self,
        engine: Describer,
        source: Step,
        items: Mapping[str, str] | None = None,
        plain: Mapping[str, str] | None = None,
        where: tuple[str, ...] = (),
        tail: str = "",
    ) -> None:
        self.engine, self.source, self.where, self.tail = engine, source, where, tail
        self.items = {c: identifier(c) for c in source.columns} if items is None else dict(items)
        # Which columns are nothing but a column of the source.
        self.plain = {c: c for c in source.columns} if plain is None else dict(plain)
        self.columns = tuple(self.items)
        self.windowed = False
        self._types: dict[str, Any] = {}

    # ---- verbs

    def chosen(self, columns: Mapping[str, nw.Expr]) -> DuckDBFrame:
        """Exactly these columns."""
        if self.tail.startswith("\nORDER BY") and all(expressions.is_column(e) for e in columns.values()):
            # Rows may follow a column that is not among those that are given.
            return self._projected({}, columns)
        return self._over(columns.values())._projected({}, columns)

    def extended(self, columns: Mapping[str, nw.Expr]) -> DuckDBFrame:
        """With these columns besides its own, or in their place."""
        frame = self._over(columns.values())
        return frame._projected(frame.items, columns)

    def kept(self, condition: nw.Expr) -> DuckDBFrame:
        """The rows for which the condition is true."""
        frame = self._settled() if self.windowed or self.tail else self._over([condition])
        text = sql(condition, {c: frame.items[c] for c in frame.plain})
        return frame._with(where=(*frame.where, text))

    def counted(self, *keys: str) -> DuckDBFrame:
        """A row per distinct keys, with the number of their rows."""
        frame = self._settled() if self.tail or self.windowed else self.over([], keys)
        return frame.grouped(keys, {"n": "count(*)"})

    def followed_by(self, others: Sequence[DuckDBFrame]) -> DuckDBFrame:
        """The rows of this frame, and those of others with the same columns."""
        steps = [f.settled() for f in (self, *others)]
        body: list[str | Step] = []
        for step in steps:
            body += ["\nUNION ALL\n" if body else "", f"SELECT {listed(self.columns)} FROM ", step]
        return DuckDBFrame(self.engine, Step(tuple(body), self.columns, types=dict(steps[0].types)))

    def explode(self, column: str) -> DuckDBFrame:
        """A row for each value of a column of lists."""
        name = identifier(column)
        some = f"CASE WHEN len({name}) > 0 THEN {name} ELSE [NULL] END"
        return DuckDBFrame(self.engine, self.with_text({column: f"unnest({some})"}).settled())

    def with_row_index(self, name: str, order_by: Sequence[str]) -> DuckDBFrame:
        """With the number of each row in an order."""
        order = ", ".join(f"{identifier(c)} NULLS FIRST" for c in order_by)
        out = self.with_text({name: f"row_number() OVER (ORDER BY {order}) - 1"}, windowed=True)
        return out.select(name, *self.columns)

    def sort(self, *names: str) -> DuckDBFrame:
        """The rows in the order of these columns."""
        order = ", ".join(f"{identifier(n)} NULLS FIRST" for n in names)
        return self._settled()._with(tail=f"\nORDER BY {order}") if names else self

    def head(self, n: int) -> DuckDBFrame:
        """Some n rows."""
        return (self._settled() if self.tail else self)._with(tail=f"\nLIMIT {n}")

    def with_text(self, columns: Mapping[str, str], *, windowed: bool = False) -> DuckDBFrame:
        """With columns that are written in SQL, over the columns it has."""
        frame = self._settled()
        out = frame._with(items={**frame.items, **columns}, plain={c: c for c in frame.plain if c not in columns})
        out.windowed = windowed
        return out

    # ---- asking

    def dtype(self, name: str) -> Any:
        """The Narwhals type of a column; asked of DuckDB if it is computed."""
        if name in self.plain:
            source, theirs = self.source, self.plain[name]
            if theirs not in source.types:
                source.types.update(self.engine.describe(source))
            return source.types[theirs]
        if name not in self._types:
            self._types.update(self.engine.describe(self.settled()))
        return self._types[name]

    def to_native(self) -> Any:
        """The rows as a relation of the connection."""
        return self.engine.relation(self.settled())

    # ---- writing

    def settled(self) -> Step:
        """The SELECT as a step."""
        if not self.where and not self.tail and list(self.items) == list(self.source.columns) and self._all_plain():
            return self.source
        return self._select("SELECT")

    def _select(self, verb: str) -> Step:
        types = {c: self.source.types[p] for c, p in self.plain.items() if p in self.source.types} | self._types
        body = (verb + self._list() + "\nFROM ", self.source, self._where() + self.tail)
        return Step(body, self.columns, types=types)

    def grouped(self, keys: Sequence[str], aggregates: Mapping[str, str]) -> DuckDBFrame:
        """One row per distinct keys, with aggregates that are written over the columns of the source."""
        items = [*(f"{self.items[k]} AS {identifier(k)}" if self.plain.get(k) != k else identifier(k) for k in keys)]
        items += [f"{text} AS {identifier(name)}" for name, text in aggregates.items()]
        by = f"\nGROUP BY {', '.join(self.items[k] for k in keys)}" if keys else ""
        body = ("SELECT" + lines(items) + "\nFROM ", self.source, self._where() + by)
        types = {k: self.source.types[p] for k in keys if (p := self.plain.get(k, "")) in self.source.types}
        types |= dict.fromkeys(aggregates, nw.Float64()) if all(_is_double(t) for t in aggregates.values()) else {}
        return DuckDBFrame(self.engine, Step(body, (*keys, *aggregates), types=types))

    def unique(self) -> DuckDBFrame:
        """The rows, each once."""
        if self.tail:
            return self._settled().unique()
        return DuckDBFrame(self.engine, self._select("SELECT DISTINCT"))

    def text_of(self, expr: nw.Expr) -> str:
        """An expression over the columns of the source; those that it reads must be plain."""
        return sql(expr, {c: self.items[c] for c in self.plain})

    def reads_computed(self, exprs: Iterable[nw.Expr]) -> bool:
        """Whether an expression reads a column that this SELECT computes."""
        return any(c not in self.plain for e in exprs for c in expressions.columns(e))

    def over(self, exprs: Iterable[nw.Expr], names: Iterable[str] = ()) -> DuckDBFrame:
        """The frame, settled if these expressions or names read what it computes."""
        return self._over(exprs) if all(n in self.plain for n in names) else self._settled()

    # ---- within

    def _over(self, exprs: Iterable[nw.Expr]) -> DuckDBFrame:
        return self._settled() if self.tail or self.reads_computed(exprs) else self

    def _settled(self) -> DuckDBFrame:
        return DuckDBFrame(self.engine, self.settled())

    def _projected(self, before: Mapping[str, str], columns: Mapping[str, nw.Expr]) -> DuckDBFrame:
        texts = {c: self.items[c] for c in self.plain if self.items[c] != identifier(c)}
        items, plain = dict(before), {c: self.plain[c] for c in before if c in self.plain}
        windowed = self.windowed and bool(before)
        types = {c: t for c, t in self._types.items() if c in before}
        for name, expr in columns.items():
            plain.pop(name, None)
            types.pop(name, None)
            if expressions.is_column(expr):
                theirs = expressions.name(expr)
                items[name] = self.items[theirs]
                if theirs in self.plain:
                    plain[name] = self.plain[theirs]
                if theirs in self._types:
                    types[name] = self._types[theirs]
                continue
            # An aggregate beside other columns is one over all rows.
            items[name] = sql(expr, texts, beside=bool(before))
            windowed = windowed or expressions.over_rows(expr)
            dtype = expressions.cast_to(expr)
            if dtype is not None:
                types[name] = dtype
        out = self._with(items=items, plain=plain)
        out.windowed, out._types = windowed, types
        return out

    def _with(self, **changes: Any) -> DuckDBFrame:
        given = {"items": self.items, "plain": self.plain, "where": self.where, "tail": self.tail, **changes}
        out = DuckDBFrame(self.engine, self.source, **given)
        out.windowed, out._types = self.windowed, dict(self._types)
        return out

    def _all_plain(self) -> bool:
        return all(self.plain.get(c) == c for c in self.items)

    def _list(self) -> str:
        names, source = list(self.items), list(self.source.columns)
        starred = names[: len(source)] == source and all(self.plain.get(c) == c for c in source)
        rest = names[len(source) :] if starred else names
        items = ["*"] if starred else []
        items += [
            self.items[n] if self.items[n] == identifier(n) else f"{self.items[n]} AS {identifier(n)}" for n in rest
        ]
        return lines(items)

    def _where(self) -> str:
        if not self.where:
            return ""
        return "\nWHERE " + (self.where[0] if len(self.where) == 1 else " AND ".join(f"({w})" for w in self.where))


def _is_double(text: str) -> bool:
    return text.startswith(("coalesce(fsum(", "CAST(count(*) AS DOUBLE)", "fsum("))


def lines(items: Sequence[str]) -> str:
    """What a SELECT lists: on its line if it fits, or a line each."""
    line = " " + ", ".join(items)
    return line if len(line) <= WIDTH else "\n  " + ",\n  ".join(items)


def statement(final: Step, stand_ins: Mapping[str, str] | None = None) -> str:
    """The steps that a step needs as named common table expressions, and the step itself as the query.

    Args:
        final: what is asked for.
        stand_ins: queries in the place of tables that are not there.
    """
    order: list[Step] = []
    seen: set[int] = set()

    def visit(step: Step) -> None:
        if id(step) in seen:
            return
        seen.add(id(step))
        for parent in step.parents:
            visit(parent)
        order.append(step)

    visit(final)
    made_once = _made_once(order)
    used = {s.name.lower() for s in order if s.external}.union(*(s.theirs for s in order))
    names: dict[int, str] = {}
    parts = [f"{name} AS ({query})" for name, query in (stand_ins or {}).items()]
    for step in order:
        if step.external:
            names[id(step)] = step.name
            continue
        text = "".join(part if isinstance(part, str) else names[id(part)] for part in step.body)
        if step is final:
            return (f"WITH {', '.join(parts)}\n" if parts else "") + text
        name = step.name or f"step_{len(parts) + 1}"
        while name.lower() in used:
            name += "_stage"
        used.add(name.lower())
        names[id(step)] = identifier(name)
        how = "MATERIALIZED " if id(step) in made_once else ""
        parts.append(f"{identifier(name)} AS {how}(\n{_indented(text)}\n)")
    return f"SELECT * FROM {names[id(final)]}"


def _made_once(order: Sequence[Step]) -> set[int]:
    """The shared steps that would be made more than once, each with its readers: one that is read once is not kept."""
    out: set[int] = set()
    times = Counter({id(order[-1]): 1})
    for step in reversed(order):
        if step.shared and times[id(step)] > 1:
            out.add(id(step))
        for parent in step.parents:
            times[id(parent)] += 1 if id(step) in out else times[id(step)]
    return out


def name_stage(step: Step, name: str) -> None:
    """Give a stage its name, and the unnamed steps before it numbers after that name."""
    unnamed: list[Step] = []
    seen: set[int] = set()

    def visit(one: Step) -> None:
        if id(one) in seen or one.name:
            return
        seen.add(id(one))
        for parent in one.parents:
            visit(parent)
        unnamed.append(one)

    visit(step)
    for number, one in enumerate(unnamed, start=1):
        one.name = name if one is step else f"{name}_{number}"


# Strings and quoted names, whose lines stay where they are, and ends of lines.
_QUOTED_OR_END = re.compile(r"""'[^']*'|"[^"]*"|\n""")


def _indented(text: str) -> str:
    """Lines moved to the right; those inside of strings and quoted names stay where they are."""
    return "  " + _QUOTED_OR_END.sub(lambda found: "\n  " if found[0] == "\n" else found[0], text)
