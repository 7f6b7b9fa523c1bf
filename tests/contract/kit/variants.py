"""Variants of measures: with the values of parameters that a suite declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.declaration import Definition, Measure
from ireval_frames.parameters import REQUIRED

ValuesByName = Mapping[str, tuple[Any, ...]]


class NoValues(AssertionError):
    """No values are declared for a parameter; the text says which line to write where."""


def parameter_values(definition: Definition, name: str, values: ValuesByName, place: str) -> list[Any]:
    """The values to try for a parameter: those of the declared ones that its check accepts.

    Args:
        definition: the measure.
        name: the parameter.
        values: values by the parameter's name; `"Dunn.diameter"` is that of one measure.
        place: where they are declared, for the error.

    Raises:
        NoValues: there are none.
    """
    own = f"{definition.name}.{name}"
    if own not in values and name not in values:
        missing = [n for n in definition.parameters if n not in values and f"{definition.name}.{n}" not in values]
        raise NoValues(
            f"No value is tried for {' and '.join(missing)} of {definition.name}: write "
            f"{' '.join(_line(n, definition) for n in missing)} in {place}."
        )
    declared = values[own] if own in values else values[name]
    parameter, accepted = definition.parameters[name], []
    for value in declared:
        try:
            parameter.convert(value)
        except ValueError:
            continue
        accepted.append(value)
    if declared and not accepted:
        raise NoValues(
            f"{name} of {definition.name} takes none of {declared}: write {_line(own, definition)} in {place}."
        )
    return accepted


def _line(name: str, definition: Definition) -> str:
    """The line to write, with the default among the values."""
    default = definition.parameters[name.rpartition(".")[2]].default
    known = "False, True" if isinstance(default, bool) else "…" if default is REQUIRED else f"{default!r}, …"
    return f'"{name}": ({known}),'


def one_at_a_time(
    definition: Definition, values: ValuesByName, place: str, *, without: Sequence[str] = ()
) -> list[Measure]:
    """The measure with its defaults, and with one parameter changed at a time.

    Required parameters have the first of their values while others are changed.
    """
    of = {n: parameter_values(definition, n, values, place) for n in definition.parameters if n not in without}
    required = {n: of[n][0] for n in of if definition.parameters[n].default is REQUIRED}
    changed = [definition(**required | {n: v}) for n, own in of.items() for v in own]
    return list(dict.fromkeys([definition(**required), *changed]))


def allow_no_overlap(policy: Any, conventions: Any) -> Any:
    """The policy, under which small tables may have nothing in common."""
    return conventions.of(policy).with_fields({"overlap": "allow"})
