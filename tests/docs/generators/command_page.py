"""The page of commands, `docs/commands.md`: every command of `ireval` with its arguments, options and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from ireval_frames.cli.app import app
from tests.docs.generators.markdown import escaped

INTRODUCTION = """\
# Commands

Every command with its arguments and options; `ireval VERB --help` prints the same.
[The command line](cli.md) describes what commands have in common, and shows output.
Replace the files of the examples (`qrels.txt`, `runs/*.run`, `items.csv`) by yours.
"""


# More of them in the choices of an option would leave no room for what it is.
MOST_CHARACTERS = 60


def commands() -> dict[str, Any]:
    """Every command and subcommand, by its words."""
    out: dict[str, Any] = {}
    context = click.Context(app)

    def walk(words: str, group: Any) -> None:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            out[f"{words} {name}"] = command
            if isinstance(command, click.Group):
                walk(f"{words} {name}", command)

    walk("ireval", app)
    return out


def examples(command: Any) -> list[tuple[str, str]]:
    """The command lines of a help page with their comments; continued lines are joined."""
    text = re.sub(r"\\\n\s+", "", command.epilog or "")
    lines = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    return [(line, comment) for line, _, comment in (re.split(r"(\s{3,}|$)", line, maxsplit=1) for line in lines)]


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    for words, command in commands().items():
        heading = "###" if words.count(" ") > 1 else "##"
        lines += [f"{heading} `{words}`", "", *_section(words, command), ""]
    return "\n".join(lines).rstrip() + "\n"


def _section(words: str, command: Any) -> Iterator[str]:
    yield _prose(" ".join(re.sub(r"[\b]", "", command.help or "").split()))
    if words == "ireval trec-eval":
        yield from (
            "",
            "It takes trec_eval's options ([its page](trec_eval.md)); `ireval trec-eval --help` lists them.",
        )
    parameters = command.params
    arguments = [p for p in parameters if p.param_type_name == "argument"]
    options = [p for p in parameters if p.param_type_name == "option"]
    if arguments:
        yield from ("", "| argument | description |", "|---|---|")
        yield from (f"| {escaped(f'`{_argument(p)}`')} | {_prose(p.help)} |" for p in arguments)
    if options:
        yield from ("", "| option | description |", "|---|---|")
        yield from (f"| {_option(p)} | {_prose(p.help)}{_one_of(p)}{_default(p)} |" for p in options)
    if lines := examples(command):
        yield from (
            "",
            "```console",
            *(f"$ {line}" + (f"  # {comment.strip('()')}" if comment else "") for line, comment in lines),
            "```",
        )


def _prose(text: str | None) -> str:
    """Text of a command, with its options as code, if they are not code already."""
    parts = re.split(r"(`[^`]*`)", text or "")
    marked = (p if p.startswith("`") else re.sub(r"(?<![\w-])(--?[a-z][\w-]*)", r"`\1`", p) for p in parts)
    return escaped("".join(marked))


def _argument(argument: Any) -> str:
    """An argument as in the usage line."""
    name = argument.metavar.strip("[]").removesuffix("...")
    name = f"{name}…" if argument.nargs == -1 and not name.endswith("…") else name
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    value = "" if option.is_flag else f" {_value(option)}"
    names = sorted(option.opts, key=len)
    return ", ".join(f"`{name}`" for name in names[:-1]) + (", " if names[1:] else "") + f"`{names[-1]}{value}`"


def _value(option: Any) -> str:
    """The value of an option: its name, or the allowed choices, without the strokes that end cells of a table."""
    words = _choices(option)
    if words and not _one_of(option):
        return "/".join(words)
    return "NAME" if words else option.metavar or option.type.name.upper()


def _choices(option: Any) -> list[str]:
    if isinstance(option.type, click.Choice):
        return [str(word) for word in option.type.choices]
    return option.metavar.split("|") if option.metavar and "|" in option.metavar else []


def _one_of(option: Any) -> str:
    """The choices of an option that has too many for the cell of its name."""
    words = _choices(option)
    return f" One of {', '.join(f'`{word}`' for word in words)}." if sum(map(len, words)) > MOST_CHARACTERS else ""


def _default(option: Any) -> str:
    default = option.default
    return (
        ""
        if option.required or default in (None, False, "", [], ()) or callable(default)
        else f" Default: `{getattr(default, 'value', default)}`."
    )
