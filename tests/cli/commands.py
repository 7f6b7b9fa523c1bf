"""Running the command in this process or in one of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from ireval_frames.cli.app import app

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data" / "stdlib"
QRELS, BM25 = str(DATA / "qrels.txt"), str(DATA / "runs" / "bm25.txt")
RUNS = str(DATA / "runs" / "*.txt")


def invoke(*arguments: object, text: bytes | None = None) -> Result:
    """The command in this process."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=text)


def process(*arguments: object, text: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ireval_frames", *map(str, arguments)],
        input=text,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )


def lines(result: Result) -> list[str]:
    """The output's lines, of a command that succeeded."""
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()
