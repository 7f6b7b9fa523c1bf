"""The examples that help pages show, and `docs/commands.md` with them, are taken by their commands."""

from __future__ import annotations

import re
import shlex

import pytest
import typer

from ireval_frames.cli.app import app
from tests.docs.command_page import commands, examples

VERBS = commands()
SHOWN = [line for command in [typer.main.get_command(app), *VERBS.values()] for line, _ in examples(command)]
# What stands for words of the reader's.
LEFT_OUT = "…"


def calls(line: str) -> list[tuple[str, list[str]]]:
    """The commands of a line, by the words that call them, with their arguments; other programs are left out."""
    out = []
    for part in re.split(r"\s(?:\|{1,2}|&&)\s", line):
        words = shlex.split(part)
        if words[0] == "ireval":
            verb = " ".join(words[:3]) if " ".join(words[:3]) in VERBS else " ".join(words[:2])
            out.append((verb, words[verb.count(" ") + 1 :]))
    return out


def test_examples_are_found() -> None:
    assert len(SHOWN) > 100
    assert {verb for line in SHOWN for verb, _ in calls(line)} >= {
        verb for verb, command in VERBS.items() if not getattr(command, "commands", None) and verb.count(" ") == 1
    } - {"ireval trec-eval"}


@pytest.mark.parametrize("line", SHOWN)
def test_it_is_taken(line: str) -> None:
    """Every option is one of the command's, and arguments are as many as it takes; nothing is evaluated."""
    assert calls(line)
    for verb, arguments in calls(line):
        if LEFT_OUT not in arguments:
            VERBS[verb].make_context(verb, arguments)


def test_what_is_wrong_is_seen() -> None:
    with pytest.raises(typer.TyperException):
        VERBS["ireval labels"].make_context("labels", ["items.csv", "--no-such-option"])
