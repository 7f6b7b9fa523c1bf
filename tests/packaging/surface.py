"""The public surface as text: `python -m tests.packaging.surface` writes `surface.txt` beside it.

Names with their signatures, measures with their parameters, the columns of results, and the commands with their
options, defaults and exit codes; a change of any of them is a change of that file, which is seen in review.
"""

from __future__ import annotations

import functools
import inspect
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.catalog.registry import FAMILIES
from ireval_frames.cli.app import app
from ireval_frames.gating.text import OUTCOME
from ireval_frames.parameters import REQUIRED, Parameter
from tests.packaging.tables import TABLES, columns

STORED = Path(__file__).with_name("surface.txt")
NO_DEFAULT = inspect.Parameter.empty


def names() -> Iterator[str]:
    """Every public name, with its signature; of classes their public methods and attributes, too."""
    for name in ir.__all__:
        at = getattr(ir, name)
        if not inspect.ismodule(at):
            yield from _of(f"ir.{name}", at)
            continue
        yield f"ir.{name}: module"
        for inner in sorted(_public(at)):
            below = getattr(at, inner)
            if not inspect.ismodule(below):
                yield from _of(f"ir.{name}.{inner}", below)
                continue
            yield f"ir.{name}.{inner}: module"
            for deeper in sorted(_public(below)):
                if not inspect.ismodule(getattr(below, deeper)):
                    yield from _of(f"ir.{name}.{inner}.{deeper}", getattr(below, deeper))


def _public(module: Any) -> list[str]:
    """The names of `__all__`, or what a module without it defines itself."""
    own = (n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__)
    return list(getattr(module, "__all__", None) or (n for n in own if not n.startswith("_")))


def _of(name: str, at: Any) -> Iterator[str]:
    if inspect.isclass(at) and issubclass(at, BaseException):
        code = f", exit code {at.exit_code}" if hasattr(at, "exit_code") else ""
        yield f"{name}: {at.__mro__[1].__name__}{code}"
    elif inspect.isclass(at):
        yield f"{name}{_signature(at)}"
        for inner in sorted(n for n in dir(at) if not n.startswith("_") and not _from_python(at, n)):
            member = inspect.getattr_static(at, inner)
            # A method that gives a table stands in the class as an object that wraps its function.
            bound = inspect.unwrap(getattr(at, inner, None) or member)
            called = callable(bound) and not isinstance(member, property | functools.cached_property)
            yield f"    .{inner}{_signature(bound) if called else ''}"
    elif callable(at):
        yield f"{name}{_signature(at)}"
    else:
        yield name


def _from_python(at: type, name: str) -> bool:
    """Whether a class has a member from a type of Python's, such as `str`, which differs between its versions."""
    return next(c for c in at.__mro__ if name in vars(c)).__module__ == "builtins"


def _signature(of: Any) -> str:
    """The arguments by name, with their defaults; those of Python's own types differ between its versions."""
    if getattr(of, "__module__", "") == "builtins":
        return "(…)"
    try:
        parameters = inspect.signature(of).parameters.values()
    except (TypeError, ValueError):
        return "(…)"
    plain = [p.replace(annotation=NO_DEFAULT, default=_default(p.default)) for p in parameters if p.name != "self"]
    return str(inspect.Signature(plain))


class _Default:
    """A default whose text is the same in every process."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    if value is NO_DEFAULT:
        return value
    return _Default(getattr(value, "__name__", "…") if " at 0x" in repr(value) else repr(value))


def measures() -> Iterator[str]:
    """Every measure with its parameters, what they may be, and further names."""
    for family in FAMILIES:
        for d in catalog.definitions(family):
            if d.is_own or d.module not in {f"ireval_frames.{m}" for m in _modules(family)}:
                continue
            values = [
                (n if p.default is REQUIRED else f"{n}={p.default!r}") + _allowed(p) for n, p in d.parameters.items()
            ]
            also = ", ".join([*d.aliases, *(t.name for t in d.trec)])
            yield (
                f"{family}.{d.name}({', '.join(values)})"
                + (f" @{d.at}" if d.at in d.parameters else "")
                + (f" also {also}" if also else "")
            )


def _allowed(p: Parameter) -> str:
    """The words that a parameter may be, or the ends between which its number is."""
    if p.choices:
        return f" of {'|'.join(p.choices)}"
    if not (math.isfinite(p.low) or math.isfinite(p.high)):
        return ""
    # Integers have no other upper bound than what a float holds exactly.
    if p.high >= 2**53:
        return f" {'>' if p.open_ends else '>='} {p.low:g}"
    opening, closing = "()" if p.open_ends else "[]"
    return f" in {opening}{p.low:g}, {p.high:g}{closing}"


def _modules(family: str) -> list[str]:
    from ireval_frames.catalog.index import MEASURES

    return list(MEASURES[family])


def tables() -> Iterator[str]:
    """The columns of each table that results have, on the tables of the examples."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in TABLES:
            yield f"{call}: {', '.join(columns(call))}"


def commands() -> Iterator[str]:
    """Every command with its arguments, options and their defaults; the exit codes."""
    context = click.Context(app)

    def walk(words: str, command: Any) -> Iterator[str]:
        yield words
        for p in command.params:
            kind = "" if p.param_type_name == "argument" else ", ".join(p.opts + p.secondary_opts)
            many = "…" if getattr(p, "multiple", False) or p.nargs == -1 else ""
            default = f" [{p.default}]" if isinstance(p.default, str | int | float) and p.default is not False else ""
            yield f"    {kind or str(p.name).upper()}{many}{default}"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                yield from walk(f"{words} {name}", command.get_command(context, name))

    yield from walk("ireval", app)
    for code, outcome in OUTCOME.items():
        yield f"ireval gate: exit code {code}: {outcome}"


def text() -> str:
    """The whole surface."""
    parts = {"Names": names(), "Measures": measures(), "Columns of results": tables(), "Commands": commands()}
    return "\n".join(line for title, lines in parts.items() for line in (f"# {title}", "", *lines, "")).rstrip() + "\n"


if __name__ == "__main__":
    STORED.write_text(text(), encoding="utf-8", newline="\n")
