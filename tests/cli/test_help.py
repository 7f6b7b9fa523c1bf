"""Help pages have whole sentences, of commands and of their options."""

from __future__ import annotations

import re

from tests.cli.commands import invoke
from tests.docs.generators.command_page import commands
from tests.together import each_of

COMMANDS = commands()


@each_of([words for words, command in COMMANDS.items() if hasattr(command, "commands")] + ["ireval"])
def test_lists_of_commands_cut_no_sentence_off(words: str) -> None:
    text = " ".join(invoke(*words.split()[1:], "--help").stdout.split())
    assert ".. " not in text.partition("Examples:")[0].replace("[ARGS]... ", "")


@each_of(COMMANDS)
def test_sentences_are_whole(words: str) -> None:
    texts = [COMMANDS[words].help, *(p.help for p in COMMANDS[words].params if words != "ireval trec-eval")]
    for text in filter(None, texts):
        # Or they begin with the values of the option.
        assert re.match(r"[A-Z0-9-]|[a-z][\w.-]*(,| \()", text), text
        assert text.rstrip().endswith((".", "?", "…")), text
