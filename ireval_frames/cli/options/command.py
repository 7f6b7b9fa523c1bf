"""Commands of Click from functions: each annotated parameter is an argument or an option.

A parameter whose type is a dataclass stands for a group of options, its fields, and the function gets the dataclass.
A field that is declared with a `Parameter` needs no annotation for the command line.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from difflib import get_close_matches
from enum import Enum
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from ireval_frames.parameters import Parameter

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@dataclass(frozen=True)
class Argument:
    """An argument by its position."""

    metavar: str
    help: str


class Option:
    """An option by its name, such as `--measure`."""

    def __init__(self, *names: str, metavar: str | None = None, help: str, envvar: str | None = None) -> None:
        self.names = names
        self.settings = {"metavar": metavar, "help": help, "envvar": envvar, "show_envvar": envvar is not None}


def command(
    name: str | None = None, *, epilog: str = "", cls: type[click.Command] = click.Command, **settings: Any
) -> Callable[[Callable[..., None]], click.Command]:
    """A decorator that makes a function a command.

    Args:
        name: the command's name; by default that of the function.
        epilog: the text below its help.
        cls: its class.
        settings: arguments of the class.

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

    def decorate(function: Callable[..., None]) -> click.Command:
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

    return decorate


class Group(click.Group):
    """A command with commands of its own; if a later argument is one of them, the error says that it comes first."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its first sentence."""
        self.format_group("Commands", self.list_commands(ctx), ctx, formatter)

    def format_group(
        self, title: str, names: Sequence[str], ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands of these names; Click cuts sentences off that are longer than a line."""
        commands = {name: self.get_command(ctx, name) for name in names}
        with formatter.section(title):
            formatter.write_dl([(n, c.get_short_help_str(len(c.help or ""))) for n, c in commands.items() if c])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first argument, and the other arguments."""
        names, first = self.list_commands(ctx), args[0]
        verb = next((argument for argument in args[1:] if argument in names), None)
        if first not in names and verb is not None and not get_close_matches(first, names):
            ctx.fail(f"{verb!r} comes first: {ctx.command_path} {verb} {first} …")
        return super().resolve_command(ctx, args)


def group(name: str, help: str, epilog: str, commands: Sequence[click.Command]) -> click.Group:
    """A command with commands of its own."""
    return Group(name, commands, help=help, epilog=epilog, no_args_is_help=True, context_settings=HELP)


def _parameters(source: Any) -> dict[str, tuple[Any, Any]]:
    """The parameters of a function, or the fields of a dataclass that its `__init__` takes: types and defaults.

    A field that is declared with a `Parameter` has it as its type; one without an option is left out.
    """
    hints = get_type_hints(source, include_extras=True)
    if is_dataclass(source):
        pairs = {f.name: (f.metadata.get("parameter", hints[f.name]), f.default) for f in fields(source) if f.init}
        return {name: pair for name, pair in pairs.items() if _is_option(pair[0])}
    empty = inspect.Parameter.empty
    signature = inspect.signature(source).parameters.values()
    return {p.name: (hints[p.name], MISSING if p.default is empty else p.default) for p in signature}


def _is_option(annotation: Any) -> bool:
    return annotation.kind is not None if isinstance(annotation, Parameter) else get_origin(annotation) is Annotated


def _parameter(name: str, annotation: Any, default: Any) -> click.Parameter:
    """The argument or option of an annotation, or of a `Parameter`."""
    if isinstance(annotation, Parameter):
        return _option(name, annotation, annotation.default)
    hint, declared = get_args(annotation)[:2]
    if isinstance(declared, Parameter):
        return _option(name, declared, default)
    hints = [h for h in get_args(hint) or (hint,) if h is not NoneType] if get_origin(hint) is not list else [hint]
    multiple = get_origin(hints[0]) is list
    value_type = get_args(hints[0])[0] if multiple else hints[0]
    required = default is MISSING
    shared: dict[str, Any] = {
        "type": click.Choice(value_type) if issubclass(value_type, Enum) else value_type,
        "required": required,
        "callback": _as_list if multiple else None,
        # Click takes None for a default.
        **({} if required else {"default": default}),
    }
    if isinstance(declared, Argument):
        metavar = declared.metavar + ("..." if multiple and not declared.metavar.endswith((".", "…", "]")) else "")
        metavar = metavar if required or metavar.startswith("[") else f"[{metavar}]"
        return click.Argument([name], metavar=metavar, help=declared.help, nargs=-1 if multiple else 1, **shared)
    return click.Option(
        [name, *declared.names],
        multiple=multiple,
        is_flag=value_type is bool,
        show_default=not required and _is_shown(default),
        **declared.settings,
        **shared,
    )


def _option(name: str, parameter: Parameter, default: Any) -> click.Option:
    """The option of a `Parameter`, which checks the value itself; `--name a,b` and `--name a --name b` are the same."""
    multiple, flag = parameter.kind is list, parameter.kind is bool
    plain = flag or parameter.kind in (int, float, str)
    shown = _text(parameter.default) if _is_shown(parameter.default) else None

    def read(_: click.Context, __: click.Parameter, value: Any) -> Any:
        if multiple:
            value = [word.strip() for text in value for word in text.split(",") if word.strip()]
        return default if value in (None, []) else value

    word = name.strip("_").replace("_", "-")
    return click.Option(
        [
            name,
            f"--{word}/--no-{word}" if flag and parameter.default else f"--{word}",
            *filter(None, [parameter.short]),
        ],
        type=str if multiple else parameter.kind,
        multiple=multiple,
        is_flag=flag,
        metavar="|".join(parameter.choices) or (None if plain or multiple else "VALUE"),
        default=default if plain else None,
        show_default=(plain and default == parameter.default) or shown if shown else False,
        help=f"{parameter.what[:1].upper()}{parameter.what[1:].rstrip('.')}.",
        callback=read,
    )


def _text(default: Any) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def _is_shown(default: Any) -> bool:
    """Whether the help shows a default."""
    return default is not False and default not in (None, "", ())


def _as_list(_: click.Context, __: click.Parameter, values: tuple[Any, ...]) -> list[Any] | None:
    """Several values as a list, or None."""
    return list(values) or None
