"""The notebooks run without errors, and show what they give now."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from tests.docs.notebooks import NOTEBOOKS, executed

LARGEST = 300_000


def texts(book: NotebookNode) -> list[list[str]]:
    """The printed text and the values of each code cell, without pictures."""
    cells = [c for c in book.cells if c.cell_type == "code"]
    return [[text for o in c.outputs if (text := text_of(o))] for c in cells]


def text_of(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return output.text if output.name == "stdout" else ""
    return "picture" if any(kind.startswith("image/") for kind in output.data) else output.data.get("text/plain", "")


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


# The kernel is a process of its own, so its sockets and threads raise warnings that are not ours.
@pytest.mark.filterwarnings(
    "ignore:Kernel is running over TCP:UserWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)
    fresh = executed(path)
    assert not [o for c in fresh.cells if c.cell_type == "code" for o in c.outputs if o.output_type == "error"]
    assert texts(stored) == texts(fresh)
    assert any("picture" in shown for shown in texts(stored))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_notebook(path: Path) -> None:
    assert path.stat().st_size < LARGEST
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    assert [c.execution_count for c in cells] == list(range(1, len(cells) + 1))
    assert "<script" not in path.read_text(encoding="utf-8")
