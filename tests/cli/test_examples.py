"""The examples that help pages show, and `docs/commands.md` with them, are run, on files as they name them."""

from __future__ import annotations

import gzip
import itertools
import re
import shlex
from pathlib import Path

import duckdb
import pytest

from ireval_frames.browser import built as built_page
from ireval_frames.cli.app import app
from tests.browser.built_pages import built
from tests.cli import example_files
from tests.cli.commands import invoke
from tests.docs.generators.command_page import commands, examples

VERBS = commands()
SHOWN = [line for command in [app, *VERBS.values()] for line, _ in examples(command)]
# What stands for words of the reader's, and with which the example that is run goes on.
LEFT_OUT = "…"
GOES_ON = {"gate": ["qrels.txt", "--baseline", "main.run", "--candidate", "new.run", "-m", "AP"]}
# Those that need print nothing.
QUIET = ("store",)
RUN: dict[str, list[str]] = {}
for shown in dict.fromkeys(SHOWN):
    RUN.setdefault(shown.partition("ireval ")[2].split()[0], []).append(shown)


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


@pytest.mark.parametrize("verb", RUN)
def test_they_run(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after another in a folder that holds the files they name."""
    example_files.written(tmp_path, verb)
    monkeypatch.chdir(tmp_path)
    # `--github` writes there.
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setattr(built_page, "_places", lambda: iter([built(tmp_path / "built")]))
    failed = [message for line in RUN[verb] if (message := failing(line, tmp_path))]
    assert not failed, "\n".join([*failed, "Three blanks stand between a line and what is said of it."])


def failing(line: str, folder: Path) -> str:
    """The message of a line that failed; empty if it succeeded."""
    text, stdin = "", None
    for part in re.split(r"\s(?:\|{1,2}|&&)\s", line):
        program, *words = shlex.split(part)
        if program == "duckdb":
            with duckdb.connect(*words) as con:
                con.execute(text)
            continue
        if program == "zcat":
            stdin = gzip.decompress(Path(*words).read_bytes())
            continue
        arguments = [meant(word, words[0], folder, quoted=f'"{word}"' in part) for word in words]
        result = invoke(*itertools.chain(*arguments), text=stdin)
        text = result.stdout
        if result.exit_code or not (text or {"-o", "--output"} & {*words} or words[0] in QUIET):
            return f"{line}: {result.exit_code}: {result.stderr or result.exception!r}"
    return ""


def meant(word: str, verb: str, folder: Path, *, quoted: bool) -> list[str]:
    """A word as the shell hands it over."""
    if word == LEFT_OUT:
        return GOES_ON[verb]
    if word in example_files.KNOWN:
        return [example_files.KNOWN[word](folder)]
    return sorted(map(str, Path().glob(word))) or [word] if "*" in word and not quoted else [word]


def test_what_is_wrong_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example_files.written(tmp_path, "labels")
    monkeypatch.chdir(tmp_path)
    assert "no-such-option" in failing("ireval labels items.csv --no-such-option", tmp_path)
    assert "nowhere.csv" in failing("ireval labels nowhere.csv", tmp_path)
