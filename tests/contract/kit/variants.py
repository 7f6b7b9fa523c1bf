"""Variants of measures: with the values of parameters that a suite declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.declaration import Definition, Measure
from ireval_frames.parameters import REQUIRED

ValuesByName = Mapping[str, tuple[Any, ...]]


class NoValues(AssertionError):
    """No values are declared for a parameter; the text says which line to write where."""


def values_of(definition: Definition, names: Iterable[str], values: ValuesByName, place: str) -> dict[str, list[Any]]:
    """The values to try for parameters: those of the declared ones that their checks accept.

    Args:
        definition: the measure.
        names: the parameters.
        values: values by the parameter's name; `"Dunn.diameter"` is that of one measure.
        place: where they are declared, for the error.

    Raises:
        NoValues: there are none for some of them.
    """
    declared: dict[str, tuple[Any, ...]] = {}
    missing = []
    for name in names:
        key = next((k for k in (f"{definition.name}.{name}", name) if k in values), None)
        if key is None:
            missing.append(name)
        else:
            declared[name] = values[key]
    if missing:
        lines = " ".join(_line(n, definition) for n in missing)
        raise NoValues(f"No value is tried for {' and '.join(missing)} of {definition.name}: write {lines} in {place}.")
    out = {n: [v for v in of if _is_accepted(definition, n, v)] for n, of in declared.items()}
    for name, accepted in out.items():
        if declared[name] and not accepted:
            line = _line(f"{definition.name}.{name}", definition)
            raise NoValues(f"{name} of {definition.name} takes none of {declared[name]}: write {line} in {place}.")
    return out


def _is_accepted(definition: Definition, name: str, value: Any) -> bool:
    try:
        definition.parameters[name].convert(value)
    except ValueError:
        return False
    return True


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
    of = values_of(definition, [n for n in definition.parameters if n not in without], values, place)
    required = {n: of[n][0] for n in of if definition.parameters[n].default is REQUIRED}
    changed = [definition(**required | {n: v}) for n, own in of.items() for v in own]
    return list(dict.fromkeys([definition(**required), *changed]))


def allow_no_overlap(policy: Any, conventions: Any) -> Any:
    """The policy, under which small tables may have nothing in common."""
    return conventions.of(policy).with_fields({"overlap": "allow"})
