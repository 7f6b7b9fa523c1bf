"""Options that belong together: one parameter of a command in Python, several options on the command line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the fields of its bundles as options of its own.

    A bundle is a parameter whose type is a dataclass: each of its fields that `__init__` takes becomes an option, in
    its place, and the command is handed the dataclass, made of what they were given.  What a dataclass refuses is told
    before the command runs.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Size:
        ...     width: int = 1
        ...     height: int = 2
        >>> def area(name: str, *, size: Size) -> None:
        ...     print(name, size.width * size.height)
        >>> spread(area)(name="a", width=3, height=4)
        a 12
        >>> inspect.signature(spread(area))
        <Signature (*, name: str, width: int = 1, height: int = 2) -> None>
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    bundles = {name: hints[name] for name in given if is_dataclass(hints[name])}
    options = {name: _options(kind) for name, kind in bundles.items()}
    parameters: list[inspect.Parameter] = []
    for name, parameter in given.items():
        own = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        parameters += options.get(name, [own])

    @functools.wraps(command)
    def spreaded(**told: Any) -> None:
        made = {name: kind(**{o.name: told.pop(o.name) for o in options[name]}) for name, kind in bundles.items()}
        command(**told, **made)

    shown = inspect.Signature(parameters, return_annotation=None)
    spreaded.__signature__ = shown  # type: ignore[attr-defined]  # what Typer reads, with `__annotations__`
    spreaded.__annotations__ = {p.name: p.annotation for p in parameters}
    return spreaded


def _options(kind: Any) -> list[inspect.Parameter]:
    """A parameter for each field."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            f.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if f.default is MISSING else f.default,
            annotation=hints[f.name],
        )
        for f in fields(kind)
        if f.init
    ]
