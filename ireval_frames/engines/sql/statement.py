"""An SQL statement: steps, each a query over others, written as named common table expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ireval_frames.engines.quoting import identifier, parts
from ireval_frames.engines.sql.values import ValueKind


@dataclass(eq=False)
class Step:
    """A query over other steps, or a table of the connection.

    Attributes:
        body: its text, with other steps where it reads them.
        columns: their names.
        name: its name in the statement; set when the stage that it belongs to gets a name.
        external: an existing table: no common table expression is written for it.
        shared: it is costly, so it is materialised if it is read more than once.
        prepare: runs before a statement that reads it, and returns its body, or None if that stays as it is.
        types: the known types of columns.
        kinds: the kinds of values in columns of unknown type.
        reserved: words of a caller's query, which may name tables; no step takes one as its name.
        owner: keeps a table of this process alive as long as the step is.
    """

    body: tuple[str | Step, ...]
    columns: tuple[str, ...]
    name: str = ""
    external: bool = False
    shared: bool = False
    prepare: Callable[[], str | None] | None = None
    types: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, Callable[[], ValueKind]] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    owner: object = None

    @property
    def parents(self) -> list[Step]:
        """The steps that it reads."""
        return [part for part in self.body if isinstance(part, Step)]


def required_steps(step: Step, include: Callable[[Step], bool] = lambda _: True) -> list[Step]:
    """The steps that a step reads, each once and before its readers, and the step; not those that `include` rejects."""
    out: list[Step] = []
    visited: set[int] = set()

    def visit(one: Step) -> None:
        if id(one) in visited or not include(one):
            return
        visited.add(id(one))
        for parent in one.parents:
            visit(parent)
        out.append(one)

    visit(step)
    return out


def statement(final: Step, placeholders: Mapping[str, str] | None = None, *, prefix: str = "") -> str:
    """The steps that a step reads as named common table expressions, and the step itself as the query.

    Args:
        final: the step whose rows are selected.
        placeholders: queries in the place of tables that do not exist.
        prefix: the start of the names of all stages.
    """
    order = required_steps(final)
    materialized = _materialized(order)
    used = {parts(s.name)[-1].lower() for s in order if s.external}.union(*(s.reserved for s in order))
    names: dict[int, str] = {}
    stages = [f"{name} AS ({query})" for name, query in (placeholders or {}).items()]
    for step in order:
        if step.external:
            names[id(step)] = step.name
            continue
        text = "".join(part if isinstance(part, str) else names[id(part)] for part in step.body)
        if step is final:
            return (f"WITH {', '.join(stages)}\n" if stages else "") + text
        name = step.name or f"step_{len(stages) + 1}"
        name = name if name.startswith(prefix) else prefix + name
        while name.lower() in used:
            name += "_stage"
        used.add(name.lower())
        names[id(step)] = identifier(name)
        how = "MATERIALIZED " if id(step) in materialized else ""
        stages.append(f"{identifier(name)} AS {how}(\n{_indented(text)}\n)")
    return f"SELECT * FROM {names[id(final)]}"


def _materialized(order: Sequence[Step]) -> set[int]:
    """The shared steps that would be computed more than once."""
    out: set[int] = set()
    times = Counter({id(order[-1]): 1})
    for step in reversed(order):
        if step.shared and times[id(step)] > 1:
            out.add(id(step))
        for parent in step.parents:
            times[id(parent)] += 1 if id(step) in out else times[id(step)]
    return out


def name_stage(step: Step, name: str) -> None:
    """Name a stage, and the unnamed steps before it after it, with a number."""
    unnamed = required_steps(step, lambda one: not one.name)
    for number, one in enumerate(unnamed, start=1):
        one.name = name if one is step else f"{name}_{number}"


# Strings and quoted names, which may contain line breaks, and line breaks.
_QUOTED_OR_END = re.compile(r"""'[^']*'|"[^"]*"|\n""")


def _indented(text: str) -> str:
    """Lines indented, except inside strings and quoted names."""
    return "  " + _QUOTED_OR_END.sub(lambda match: "\n  " if match[0] == "\n" else match[0], text)
