"""The page of commands, `docs/commands.md`: every verb of `ireval` with its arguments, options and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from ireval_frames.cli.app import app
from tests.docs.markdown import escaped

INTRODUCTION = """\
# Commands

Every verb with all its arguments and options, made from the commands themselves; `ireval VERB --help` prints the same.
[The command line](cli.md) tells what they have in common, and shows what they print.
Examples speak of your files: `qrels.txt`, `runs/*.run`, `items.csv`.
"""


def commands() -> dict[str, Any]:
    """Every verb, and every verb below one, by the words that call it."""
    out: dict[str, Any] = {}
    context = click.Context(app)

    def walk(words: str, command: Any) -> None:
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            out[f"{words} {name}"] = below
            if isinstance(below, click.Group):
                walk(f"{words} {name}", below)

    walk("ireval", app)
    return out


def examples(command: Any) -> list[tuple[str, str]]:
    """The command lines of a help page, each with what is said of it; one over several lines is one."""
    text = re.sub(r"\\\n\s+", "", command.epilog or "")
    lines = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    return [(line, says) for line, _, says in (re.split(r"(\s{3,}|$)", line, maxsplit=1) for line in lines)]


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    for words, command in commands().items():
        below = words.count(" ") > 1
        lines += [f"{'###' if below else '##'} `{words}`", "", *_told(words, command), ""]
    return "\n".join(lines).rstrip() + "\n"


def _told(words: str, command: Any) -> Iterator[str]:
    yield _said(" ".join(re.sub(r"[\b]", "", command.help or "").split()))
    if words == "ireval trec-eval":
        yield from (
            "",
            "It takes trec_eval's options ([its page](trec_eval.md)); `ireval trec-eval --help` lists them.",
        )
    parameters = command.params
    arguments = [p for p in parameters if p.param_type_name == "argument"]
    options = [p for p in parameters if p.param_type_name == "option"]
    if arguments:
        yield from ("", "| argument | what it is |", "|---|---|")
        yield from (f"| {escaped(f'`{_named(p)}`')} | {_said(p.help)} |" for p in arguments)
    if options:
        yield from ("", "| option | what it does |", "|---|---|")
        yield from (f"| {_written(p)} | {_said(p.help)}{_default(p)} |" for p in options)
    if shown := examples(command):
        yield from (
            "",
            "```console",
            *(f"$ {line}" + (f"  # {says.strip('()')}" if says else "") for line, says in shown),
            "```",
        )


def _said(text: str | None) -> str:
    """What a command says of itself, its options as code."""
    return escaped(re.sub(r"(?<![\w`-])(--?[a-z][\w-]*)", r"`\1`", text or ""))


def _named(argument: Any) -> str:
    """An argument as the usage line has it."""
    name = argument.metavar.strip("[]").removesuffix("...")
    name = f"{name}…" if argument.nargs == -1 and not name.endswith("…") else name
    return name if argument.required else f"[{name}]"


def _written(option: Any) -> str:
    value = "" if option.is_flag else f" {_value(option)}"
    names = sorted(option.opts, key=len)
    return ", ".join(f"`{name}`" for name in names[:-1]) + (", " if names[1:] else "") + f"`{names[-1]}{value}`"


def _value(option: Any) -> str:
    """What is written behind an option: its word, or the words that it allows."""
    words = [str(word) for word in option.type.choices] if isinstance(option.type, click.Choice) else []
    return "/".join(words) or option.metavar or option.type.name.upper()


def _default(option: Any) -> str:
    given = option.default
    return (
        ""
        if option.required or given in (None, False, "", [], ()) or callable(given)
        else f" Default: `{getattr(given, 'value', given)}`."
    )
