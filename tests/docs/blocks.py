"""The code blocks of a Markdown text, run one after another.

`python -m tests.docs.blocks README.md docs/sql.md` runs the blocks of files in this process and prints what each gave,
as JSON: by file a list, or the text of an error.  Python blocks of a file share their names; SQL blocks run on the
connection `con` that they made; shell blocks run in a shell.  Each file has a folder of its own to write in, in which
`data/` is.  A block marked `text` is what the block before it prints; one marked `python needs=NAME` is run where that
package is.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.errors import OverlapWarning

RUN = ("python", "sql", "sh")
# Command lines that speak of the reader's files: tests/cli/test_examples.py.
EXAMPLES = "console"


@dataclass
class Block:
    """A block: where it starts, its language, lines, what package it needs, and what it prints (None: not said)."""

    line: int
    language: str
    code: str
    needs: str = ""
    expected: str | None = None


def blocks(text: str) -> list[Block]:
    """The fenced blocks of languages that are run, each with the `text` block that follows it."""
    out: list[Block] = []
    opened: Block | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("```"):
            if opened is not None:
                opened.code += line + "\n"
        elif opened is None:
            language, _, needs = line.removeprefix("```").strip().partition(" needs=")
            opened = Block(number, language, "", needs)
        else:
            if opened.language in RUN:
                out.append(opened)
            elif opened.language == "text":
                out[-1].expected = opened.code
            elif opened.language != EXAMPLES:
                raise ValueError(f"line {opened.line}: blocks are python, sql, sh or text, not {opened.language!r}")
            opened = None
    return out


def run(block: Block, names: dict[str, Any]) -> str:
    """What a block prints; a Python block also the value of its last expression."""
    match block.language:
        case "python":
            tree = ast.parse(block.code)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, "block", "exec"), names)
                value = None if last is None else eval(compile(ast.Expression(last.value), "block", "eval"), names)
                if value is not None:
                    printed.write(f"{value!r}\n")
            return printed.getvalue()
        case "sql":
            return str(names["con"].sql(block.code))
        case _:
            done = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", block.code], capture_output=True, text=True, check=False
            )
            if done.returncode or done.stderr:
                raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}")
            return done.stdout


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """A folder where a page may write, and finds the data of the current one."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").symlink_to(Path("data").resolve())
        with contextlib.chdir(folder):
            yield


def page(path: str) -> list[str | None] | str:
    """What its blocks give (None: not run), or the error; the next file finds nothing that this one declared or set."""
    names: dict[str, Any] = {}
    given: list[str | None] = []
    text = Path(path).read_text(encoding="utf-8")
    with catalog.restored(), pl.Config(), scratch():
        for block in blocks(text):
            try:
                with warnings.catch_warnings():
                    # Small tables of examples share few ids.
                    warnings.simplefilter("ignore", OverlapWarning)
                    if block.needs:
                        # Another tool's warnings are its own.
                        warnings.simplefilter("ignore")
                    given.append(run(block, names) if not block.needs or find_spec(block.needs) else None)
            except Exception:  # noqa: BLE001 - told with its page
                return f"line {block.line}\n{traceback.format_exc()}"
    return given


if __name__ == "__main__":
    json.dump({path: page(path) for path in sys.argv[1:]}, sys.stdout)
