"""The code blocks of a Markdown text, run one after another.

`python -m tests.docs.blocks README.md docs/sql.md` runs the blocks of files in this process and prints their output as
JSON: by file a list, or the text of an error.  Python blocks of a file share their names, SQL blocks run on the
connection `con` of the Python blocks, shell blocks in bash.  Each file has a folder of its own to write in, which has
`data/`.  A block marked `text` is the output of the block before it; one marked `python needs=NAME` runs where that
package is installed.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
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
from tests.docs import shell

RUN = ("python", "sql", "sh")
# Command lines with files of the reader, which tests/cli/test_examples.py runs.
EXAMPLES = "console"


@dataclass
class Block:
    """A block: its first line, language and code, the package that it needs, and its output (None: not shown)."""

    line: int
    language: str
    code: str
    needs: str = ""
    expected: str | None = None


def blocks(text: str) -> list[Block]:
    """The fenced blocks that are run, each with the `text` block that follows it."""
    out: list[Block] = []
    current: Block | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("```"):
            if current is not None:
                current.code += line + "\n"
        elif current is None:
            language, _, needs = line.removeprefix("```").strip().partition(" needs=")
            current = Block(number, language, "", needs)
        else:
            if current.language in RUN:
                out.append(current)
            elif current.language == "text":
                out[-1].expected = current.code
            elif current.language != EXAMPLES:
                raise ValueError(f"line {current.line}: blocks are python, sql, sh or text, not {current.language!r}")
            current = None
    return out


def run(block: Block, names: dict[str, Any]) -> str:
    """The output of a block; of a Python block also the value of its last expression."""
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
            return shell.run(block.code)


@contextlib.contextmanager
def scratch() -> Iterator[None]:
    """A folder where a page may write, with `data/` of the current one."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").symlink_to(Path("data").resolve())
        with contextlib.chdir(folder):
            yield


def page(path: str) -> list[str | None] | str:
    """The output of its blocks (None: not run), or the error; what a page declares or sets is undone after it."""
    names: dict[str, Any] = {}
    outputs: list[str | None] = []
    text = Path(path).read_text(encoding="utf-8")
    with catalog.restored(), pl.Config(), scratch():
        for block in blocks(text):
            try:
                with warnings.catch_warnings():
                    # The small tables of examples share few ids.
                    warnings.simplefilter("ignore", OverlapWarning)
                    if block.needs:
                        # Warnings of another tool.
                        warnings.simplefilter("ignore")
                    outputs.append(run(block, names) if not block.needs or find_spec(block.needs) else None)
            except Exception:  # noqa: BLE001 - reported with its page
                return f"line {block.line}\n{traceback.format_exc()}"
    return outputs


if __name__ == "__main__":
    json.dump({path: page(path) for path in sys.argv[1:]}, sys.stdout)
