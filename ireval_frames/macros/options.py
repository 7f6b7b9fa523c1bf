"""The parameters of macros that are no tables, and which of a measure's may become some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.sql.values import literal
from ireval_frames.parameters import LARGEST_WHOLE, REQUIRED, Parameter

# Values that a parameter is tried with: the text must be the same for all that it takes.
TRIED = (10, 17, 0.5, 0.25, 1.5, 3.0)
# The same of one that must be given: above the others, such as the end of a scale.
TRIED_NEEDED = (100, 170, *TRIED)


@dataclass(frozen=True)
class Option:
    """A parameter of a macro that is no table.

    Attributes:
        name: what it is called.
        type: its type in DuckDB; nothing if it may be of any.
        default: the text of its default; nothing where it must be given.
        check: a condition that its values fulfil; nothing if all do.
        must: what it must be, in words.
    """

    name: str
    type: str
    default: str = ""
    check: str = ""
    must: str = ""

    @property
    def declared(self) -> str:
        """As it is declared."""
        return f"{identifier(self.name)} {self.type}".rstrip() + (f" := {self.default}" if self.default else "")


@dataclass(frozen=True)
class Tried:
    """A measure's parameter that may become one of its macro.

    Attributes:
        name: what the measure calls it.
        option: the parameter of the macro.
        values: those that the plan is made with, the default first.
        sql: how the text speaks of it.
    """

    name: str
    option: Option
    values: tuple[Any, ...]
    sql: str

    def first_only(self) -> Tried:
        """The same, tried with no other value."""
        return replace(self, values=self.values[:1])

    def renamed(self) -> Tried:
        """The same under a name that no column has."""
        return _tried(self.name, f"measure_{self.option.name}", self.option, self.values)


def numbers_of(measure: Measure) -> Iterator[Tried]:
    """The numbers among a measure's parameters.  A cutoff is called `k`; null is none."""
    given = dict(measure.values)
    for name, parameter in measure.definition.parameters.items():
        default = given.get(name, parameter.default)
        if default is None and name != "cutoff":
            continue
        known = default is not REQUIRED and default is not None
        trying = TRIED_NEEDED if default is REQUIRED else TRIED
        values = [
            v for v in _convertible(parameter, trying) if not known or (v != default and type(v) is type(default))
        ]
        values = [default, *values] if known else values
        if len(values) < 2 or isinstance(values[0], bool) or not isinstance(values[0], (int, float)):
            continue
        text = "" if default is REQUIRED else literal(default).sql
        option = Option("", "BIGINT" if isinstance(values[0], int) else "DOUBLE", text)
        called = "k" if name == "cutoff" else name
        yield _tried(name, called, _bounded(called, option, parameter), tuple(values[:2]))


def _tried(name: str, called: str, option: Option, values: tuple[Any, ...]) -> Tried:
    check = option.check.replace(identifier(option.name), identifier(called)) if option.name else option.check
    # No cutoff is one that no list reaches.
    sql = f"coalesce({identifier(called)}, {LARGEST_WHOLE})" if option.default == "NULL" else identifier(called)
    return Tried(name, replace(option, name=called, check=check), values, sql)


def _convertible(parameter: Parameter, values: Iterable[Any]) -> Iterator[Any]:
    """The values to try that a parameter takes."""
    for value in values:
        try:
            yield parameter.convert(value)
        except (ValueError, TypeError):
            continue


def _bounded(name: str, option: Option, parameter: Parameter) -> Option:
    """The option with the condition that its values fulfil, and in words."""
    above, below = (">", "<") if parameter.open_ends else (">=", "<=")
    ends = [(above, parameter.low)] if parameter.low > -LARGEST_WHOLE else []
    ends += [(below, parameter.high)] if parameter.high < LARGEST_WHOLE else []
    said, called = [f"{sign} {float(end):g}" for sign, end in ends], identifier(name)
    kind, number = ("a whole number", "TRUE") if option.type == "BIGINT" else ("a number", f"isfinite({called})")
    condition = " AND ".join([*(f"{called} {one}" for one in said), *([] if number == "TRUE" else [number])])
    null = f"{called} IS NULL OR " if option.default == "NULL" else f"{called} IS NOT NULL AND "
    return replace(option, check=f"{null}{condition or 'TRUE'}", must=f"{kind} {' and '.join(said)}".rstrip())
