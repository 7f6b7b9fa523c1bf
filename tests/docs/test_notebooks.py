"""The notebooks run without errors, and their stored outputs are up to date."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.notebooks import NOTEBOOKS, ROOT, Book, cells, read

LARGEST = 300_000


@functools.cache
def fresh() -> dict[str, Book]:
    """All notebooks, run in a process of their own."""
    command = [sys.executable, "-m", "tests.docs.notebooks", "--print"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def texts(book: Book) -> list[list[str]]:
    """The printed text and the values of each code cell, without pictures."""
    return [[text for o in cell["outputs"] if (text := text_of(o))] for cell in cells(book)]


def text_of(output: Book) -> str:
    if output["output_type"] == "stream":
        return "".join(output["text"]) if output["name"] == "stdout" else ""
    data = output["data"]
    return "picture" if any(mime.startswith("image/") for mime in data) else "".join(data.get("text/plain", ""))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    outputs = texts(fresh()[path.stem])
    assert outputs == texts(read(path))
    assert any("picture" in output for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_notebook(path: Path) -> None:
    assert path.stat().st_size < LARGEST
    assert [c["execution_count"] for c in cells(read(path))] == list(range(1, len(cells(read(path))) + 1))
    assert "<script" not in path.read_text(encoding="utf-8")
