"""Command lines: each line of the input is an argument of `ireval`, run in a folder with the files of its examples.

It ends with one of the documented exit codes, and says why in words of its own; nothing but what `-o` names is written.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from ireval_frames.cli.app import MODULES
from tests.cli import example_files
from tests.cli.commands import invoke
from tests.cli.test_examples import RUN, calls
from tests.fuzzing.properties import Fault, legible, lines

CODES = (0, 1, 2, 3, 4, 255)
# Arguments that leave the folder, ask for much work on purpose, or wait for a browser.
LEFT_OUT = re.compile(r"[/~\0]|\.\.|\d{4}|^(page|serve)$")
WORDS = "Polars failed|Traceback|PanicException|Error: "


def fuzz(data: bytes) -> None:
    """Run the command."""
    arguments = lines(data)
    if not arguments or any(LEFT_OUT.search(a) for a in arguments) or any(_is_surrogate(a) for a in arguments):
        return
    verb = arguments[0] if arguments[0] in MODULES else "evaluate"
    folder = Path(tempfile.mkdtemp(prefix="ireval-fuzzing-command-"))
    home = Path.cwd()
    try:
        shutil.copytree(files(verb), folder, dirs_exist_ok=True)
        os.chdir(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = invoke(*arguments, text=b"")
    finally:
        os.chdir(home)
        shutil.rmtree(folder, ignore_errors=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in CODES:
        raise Fault(f"exit code {result.exit_code}")
    if result.exit_code in (1, 2) and not result.stderr.strip():
        raise Fault(f"exit code {result.exit_code} without a word of {arguments}")
    legible(result.stderr)
    if match := re.search(WORDS, result.stderr):
        raise Fault(f"not our words: {match.group()}: {result.stderr[:300]}")


@functools.cache
def files(verb: str) -> Path:
    """A folder with the files that the examples of a verb name."""
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    folder = Path(tempfile.mkdtemp(prefix=f"ireval-fuzzing-{verb}-"))
    home = Path.cwd()
    try:
        os.chdir(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            example_files.written(folder, verb)
    finally:
        os.chdir(home)
    return folder


def _is_surrogate(text: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in text)


def examples() -> Iterator[tuple[str, bytes]]:
    """The examples of the help pages, as inputs to begin with."""
    for verb, shown in RUN.items():
        for number, line in enumerate(shown):
            for part, (name, arguments) in enumerate(calls(line)):
                yield f"{verb}-{number}-{part}", "\n".join([*name.split()[1:], *arguments]).encode()
