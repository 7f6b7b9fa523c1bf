"""A table macro of DuckDB, its options, and the parameters of measures that become options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.declaration import Measure
from ireval_frames.engines.quoting import identifier, string
from ireval_frames.engines.sql.values import literal
from ireval_frames.parameters import LARGEST_WHOLE, REQUIRED, Parameter

# Values that a parameter is tried with: the statement must be the same for all that are allowed.
_TRIAL_VALUES = (10, 17, 0.5, 0.25, 1.5, 3.0)
# For a required parameter, such as the end of a scale: larger ones first.
_TRIAL_VALUES_REQUIRED = (100, 170, *_TRIAL_VALUES)


@dataclass(frozen=True)
class Option:
    """A parameter of a macro that is not a table.

    Attributes:
        name: its name.
        type: its type in DuckDB; empty for any type.
        default: the SQL of its default; empty where it is required.
        check: a condition that its values must fulfil; empty where all are allowed.
        allowed: the allowed values, for errors.
    """

    name: str
    type: str
    default: str = ""
    check: str = ""
    allowed: str = ""

    @property
    def declared(self) -> str:
        """Its text in CREATE MACRO."""
        return f"{identifier(self.name)} {self.type}".rstrip() + (f" := {self.default}" if self.default else "")


@dataclass(frozen=True)
class Macro:
    """A table macro.

    Attributes:
        name: its name without a prefix.
        tables: its parameters that name tables.
        options: its other parameters.
        body: the statement.
        sentence: the text of its comment.
    """

    name: str
    tables: tuple[str, ...]
    options: tuple[Option, ...]
    body: str
    sentence: str

    def arguments(self) -> str:
        """Its parameters, required ones first."""
        ordered = sorted(self.options, key=lambda o: bool(o.default))
        return ", ".join([*map(identifier, self.tables), *(o.declared for o in ordered)])

    def statements(self, prefix: str) -> list[str]:
        """The statements that create it and its comment."""
        name = prefix + self.name
        return [
            f"CREATE OR REPLACE MACRO {name}({self.arguments()}) AS TABLE (\n{self.body}\n)",
            f"COMMENT ON MACRO TABLE {name} IS {string(self.sentence)}",
        ]


@dataclass(frozen=True)
class Candidate:
    """A measure's parameter that may become an option of its macro.

    Attributes:
        name: its name in the measure.
        option: the option of the macro.
        values: the values that plans are made with, the default first.
        sql: its text in the statement.
    """

    name: str
    option: Option
    values: tuple[Any, ...]
    sql: str

    def default_only(self) -> Candidate:
        """The same with the default alone."""
        return replace(self, values=self.values[:1])

    def renamed(self) -> Candidate:
        """The same under a name that no column has."""
        return _candidate(self.name, f"measure_{self.option.name}", self.option, self.values)


def candidates_of(measure: Measure) -> Iterator[Candidate]:
    """The numbers among a measure's parameters.  A cutoff is called `k`; null means no cutoff."""
    values_of_measure = dict(measure.values)
    for name, parameter in measure.definition.parameters.items():
        default = values_of_measure.get(name, parameter.default)
        if default is None and name != "cutoff":
            continue
        has_default = default is not REQUIRED and default is not None
        trials = _TRIAL_VALUES_REQUIRED if default is REQUIRED else _TRIAL_VALUES
        values = [
            v for v in _convertible(parameter, trials) if not has_default or (v != default and type(v) is type(default))
        ]
        values = [default, *values] if has_default else values
        if len(values) < 2 or isinstance(values[0], bool) or not isinstance(values[0], (int, float)):
            continue
        text = "" if default is REQUIRED else literal(default).sql
        option = Option("", "BIGINT" if isinstance(values[0], int) else "DOUBLE", text)
        option_name = "k" if name == "cutoff" else name
        yield _candidate(name, option_name, _bounded(option_name, option, parameter), tuple(values[:2]))


def _candidate(name: str, option_name: str, option: Option, values: tuple[Any, ...]) -> Candidate:
    text = identifier(option_name)
    check = option.check.replace(identifier(option.name), text) if option.name else option.check
    # Without a cutoff, lists end before it.
    sql = f"coalesce({text}, {LARGEST_WHOLE})" if option.default == "NULL" else text
    return Candidate(name, replace(option, name=option_name, check=check), values, sql)


def _convertible(parameter: Parameter, values: Iterable[Any]) -> Iterator[Any]:
    """The values that a parameter allows."""
    for value in values:
        try:
            yield parameter.convert(value)
        except (ValueError, TypeError):
            continue


def _bounded(name: str, option: Option, parameter: Parameter) -> Option:
    """The option with the bounds of a parameter, as a condition and in words."""
    above, below = (">", "<") if parameter.open_ends else (">=", "<=")
    ends = [(above, parameter.low)] if parameter.low > -LARGEST_WHOLE else []
    ends += [(below, parameter.high)] if parameter.high < LARGEST_WHOLE else []
    bounds, text = [f"{sign} {float(end):g}" for sign, end in ends], identifier(name)
    conditions = [f"{text} {bound}" for bound in bounds]
    conditions += [] if option.type == "BIGINT" else [f"isfinite({text})"]
    null = f"{text} IS NULL OR " if option.default == "NULL" else f"{text} IS NOT NULL AND "
    number = "an integer" if option.type == "BIGINT" else "a number"
    allowed = f"{number} {' and '.join(bounds)}".rstrip()
    return replace(option, check=null + (" AND ".join(conditions) or "TRUE"), allowed=allowed)
