"""A statement of DuckDB: steps, each a query over others, written as named common table expressions."""

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
        name: what the statement calls it; given when the stage it belongs to gets its name.
        external: a table that is there already: no common table expression is written for it.
        shared: it is costly, so it is made once if it is read more than once.
        prepare: runs before a statement that reads it, and returns its body, or None if that stays as it is.
        types: the types that are known.
        kinds: what columns hold whose type is not known.
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


def needed(step: Step, wanted: Callable[[Step], bool] = lambda _: True) -> list[Step]:
    """The steps that a step needs, each once and before its readers, and the step; none behind one that is unwanted."""
    out: list[Step] = []
    seen: set[int] = set()

    def visit(one: Step) -> None:
        if id(one) in seen or not wanted(one):
            return
        seen.add(id(one))
        for parent in one.parents:
            visit(parent)
        out.append(one)

    visit(step)
    return out


def statement(final: Step, stand_ins: Mapping[str, str] | None = None) -> str:
    """The steps that a step needs as named common table expressions, and the step itself as the query.

    Args:
        final: what is asked for.
        stand_ins: queries in the place of tables that are not there.
    """
    order = needed(final)
    made_once = _made_once(order)
    used = {parts(s.name)[-1].lower() for s in order if s.external}.union(*(s.reserved for s in order))
    names: dict[int, str] = {}
    stages = [f"{name} AS ({query})" for name, query in (stand_ins or {}).items()]
    for step in order:
        if step.external:
            names[id(step)] = step.name
            continue
        text = "".join(part if isinstance(part, str) else names[id(part)] for part in step.body)
        if step is final:
            return (f"WITH {', '.join(stages)}\n" if stages else "") + text
        name = step.name or f"step_{len(stages) + 1}"
        while name.lower() in used:
            name += "_stage"
        used.add(name.lower())
        names[id(step)] = identifier(name)
        how = "MATERIALIZED " if id(step) in made_once else ""
        stages.append(f"{identifier(name)} AS {how}(\n{_indented(text)}\n)")
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
    unnamed = needed(step, lambda one: not one.name)
    for number, one in enumerate(unnamed, start=1):
        one.name = name if one is step else f"{name}_{number}"


# Strings and quoted names, whose lines stay where they are, and ends of lines.
_QUOTED_OR_END = re.compile(r"""'[^']*'|"[^"]*"|\n""")


def _indented(text: str) -> str:
    """Lines moved to the right; those inside of strings and quoted names stay where they are."""
    return "  " + _QUOTED_OR_END.sub(lambda found: "\n  " if found[0] == "\n" else found[0], text)
