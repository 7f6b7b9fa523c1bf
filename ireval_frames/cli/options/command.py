"""Commands of Click from functions: each annotated parameter is an argument or an option.

A parameter whose type is a dataclass stands for several options that belong together: each of its fields that
`__init__` takes is one, and the function gets the dataclass.  A field that is declared with a `Parameter` needs no
annotation for the command line.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from ireval_frames.parameters import Parameter

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@dataclass(frozen=True)
class Argument:
    """What stands on the command line by its place."""

    metavar: str
    help: str


class Option:
    """What stands behind a name, such as `--measure`."""

    def __init__(self, *names: str, metavar: str | None = None, help: str, envvar: str | None = None) -> None:
        self.names = names
        self.settings = {"metavar": metavar, "help": help, "envvar": envvar, "show_envvar": envvar is not None}


def command(
    name: str | None = None, *, epilog: str = "", cls: type[click.Command] = click.Command, **settings: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """Makes a function a command.

    Args:
        name: how it is called; by default as the function.
        epilog: what stands below its help.
        cls: its class.
        settings: of the class.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Size:
        ...     width: Annotated[int, Option("--width", help="From left to right.")] = 1
        ...     height: Annotated[int, Option("--height", help="From top to bottom.")] = 2
        >>> @command()
        ... def area(title: Annotated[str, Argument("TITLE", "What it is.")], size: Size) -> None:
        ...     print(title, size.width * size.height)
        >>> area.main(["field", "--width", "3"], standalone_mode=False)
        field 6
    """

    def made(function: Callable[..., None]) -> click.Command:
        parameters = _parameters(function)
        groups: dict[str, Any] = {n: kind for n, (kind, _) in parameters.items() if is_dataclass(kind)}
        options = {n: _parameters(kind) for n, kind in groups.items()}

        @functools.wraps(function)
        def run(**values: Any) -> None:
            for n, kind in groups.items():
                values[n] = kind(**{field: values.pop(field) for field in options[n]})
            if takes_context:
                values["context"] = click.get_current_context()
            function(**values)

        takes_context = parameters.pop("context", None) is not None
        params = [
            _parameter(field, *of) for n, own in parameters.items() for field, of in options.get(n, {n: own}).items()
        ]
        return cls(
            name or function.__name__.replace("_", "-"),
            callback=run,
            params=params,
            help=inspect.getdoc(function),
            epilog=epilog,
            context_settings={**HELP, **settings.pop("context_settings", {})},
            **settings,
        )

    return made


def group(name: str, help: str, epilog: str, commands: Sequence[click.Command]) -> click.Group:
    """A command that has commands of its own."""
    return click.Group(name, commands, help=help, epilog=epilog, no_args_is_help=True, context_settings=HELP)


def _parameters(of: Any) -> dict[str, tuple[Any, Any]]:
    """The parameters of a function, or the fields of a dataclass that its `__init__` takes: types and defaults.

    A field that is declared with a `Parameter` has it as its type; one that says nothing for the command line is left
    out.
    """
    hints = get_type_hints(of, include_extras=True)
    if is_dataclass(of):
        own = {f.name: (f.metadata.get("parameter", hints[f.name]), f.default) for f in fields(of) if f.init}
        return {name: pair for name, pair in own.items() if _is_option(pair[0])}
    empty = inspect.Parameter.empty
    given = inspect.signature(of).parameters.values()
    return {p.name: (hints[p.name], MISSING if p.default is empty else p.default) for p in given}


def _is_option(of: Any) -> bool:
    return of.kind is not None if isinstance(of, Parameter) else get_origin(of) is Annotated


def _parameter(name: str, annotation: Any, default: Any) -> click.Parameter:
    """The argument or option of an annotation, or of a `Parameter`."""
    if isinstance(annotation, Parameter):
        return _declared(name, annotation, annotation.default)
    kind, described = get_args(annotation)[:2]
    if isinstance(described, Parameter):
        return _declared(name, described, default)
    kinds = [k for k in get_args(kind) or (kind,) if k is not NoneType] if get_origin(kind) is not list else [kind]
    several = get_origin(kinds[0]) is list
    of = get_args(kinds[0])[0] if several else kinds[0]
    required = default is MISSING
    shared: dict[str, Any] = {
        "type": click.Choice(of) if issubclass(of, Enum) else of,
        "required": required,
        "callback": _listed if several else None,
        # Click takes None for a default.
        **({} if required else {"default": default}),
    }
    if isinstance(described, Argument):
        shown = described.metavar + ("..." if several and not described.metavar.endswith((".", "…", "]")) else "")
        shown = shown if required or shown.startswith("[") else f"[{shown}]"
        return click.Argument([name], metavar=shown, help=described.help, nargs=-1 if several else 1, **shared)
    return click.Option(
        [name, *described.names],
        multiple=several,
        is_flag=of is bool,
        show_default=not required and _is_shown(default),
        **described.settings,
        **shared,
    )


def _declared(name: str, parameter: Parameter, default: Any) -> click.Option:
    """The option of a `Parameter`, which checks the value itself; `--name a,b` and `--name a --name b` are the same."""
    several, flag = parameter.kind is list, parameter.kind is bool
    plain = flag or parameter.kind in (int, float, str)
    shown = _text(parameter.default) if _is_shown(parameter.default) else None

    def read(_: click.Context, __: click.Parameter, value: Any) -> Any:
        if several:
            value = [word.strip() for text in value for word in text.split(",") if word.strip()]
        return default if value in (None, []) else value

    word = name.strip("_").replace("_", "-")
    return click.Option(
        [
            name,
            f"--{word}/--no-{word}" if flag and parameter.default else f"--{word}",
            *filter(None, [parameter.short]),
        ],
        type=str if several else parameter.kind,
        multiple=several,
        is_flag=flag,
        metavar="|".join(parameter.choices) or (None if plain or several else "VALUE"),
        default=default if plain else None,
        show_default=(plain and default == parameter.default) or shown if shown else False,
        help=f"{parameter.what[:1].upper()}{parameter.what[1:].rstrip('.')}.",
        callback=read,
    )


def _text(default: Any) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def _is_shown(default: Any) -> bool:
    """Whether the help tells a default."""
    return default is not False and default not in (None, "", ())


def _listed(_: click.Context, __: click.Parameter, values: tuple[Any, ...]) -> list[Any] | None:
    """Several values as a list, or None."""
    return list(values) or None
