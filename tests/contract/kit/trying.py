"""Measures with the values that a family says to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.declaration import Definition, Measure
from ireval_frames.parameters import REQUIRED

Tried = Mapping[str, tuple[Any, ...]]


class Untried(AssertionError):
    """No value is there to try for a parameter; the text says which line to write where."""


def to_try(definition: Definition, name: str, tried: Tried, place: str, pool: Sequence[Any] | None = None) -> list[Any]:
    """The values to try for a parameter, of those its check takes.

    Args:
        definition: the measure.
        name: the parameter.
        tried: values by the parameter's name; `"Dunn.diameter"` is that of one measure.
        place: where they stand, for the error.
        pool: what to try for a name that is not there.

    Raises:
        Untried: there are none.
    """
    own = f"{definition.name}.{name}"
    if own not in tried and name not in tried and pool is None:
        raise Untried(f"No value is tried for {name} of {definition.name}: write {_line(name)} in {place}.")
    values = tried.get(own, tried.get(name, tuple(pool or ())))
    parameter, out = definition.parameters[name], []
    for value in values:
        try:
            parameter.convert(value)
        except ValueError:
            continue
        out.append(value)
    if values and not out:
        raise Untried(f"{name} of {definition.name} takes none of {values}: write {_line(own)} in {place}.")
    return out


def _line(name: str) -> str:
    return f'"{name}": (values …,)'


def alone(
    definition: Definition, tried: Tried, place: str, pool: Sequence[Any] | None = None, without: Sequence[str] = ()
) -> list[Measure]:
    """The measure with its defaults, and with each parameter changed alone.

    What a measure must be given has the first of its values while others are changed.
    """
    values = {n: to_try(definition, n, tried, place, pool) for n in definition.parameters if n not in without}
    needed = {n: values[n][0] for n in values if definition.parameters[n].default is REQUIRED}
    changed = [definition(**needed | {n: v}) for n, some in values.items() for v in some]
    return list(dict.fromkeys([definition(**needed), *changed]))


def whatever_meets(policy: Any, conventions: Any) -> Any:
    """A policy under which small tables may have nothing in common."""
    return conventions.of(policy).with_fields({"overlap": "allow"})
