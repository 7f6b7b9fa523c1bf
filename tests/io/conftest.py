"""What the tests of reading and writing share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

CLEAN = b"q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.25 bm25\n007 Q0 NA 1 -3 bm25\n"
ROWS = [("bm25", "q1", "d1", 2.5), ("bm25", "q1", "d2", 1.25), ("bm25", "007", "NA", -3.0)]


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes or text into a file of the test's own folder."""

    def write(content: bytes | str, name: str = "bm25.run") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few lines, so that short files have many."""
    monkeypatch.setattr("ireval_frames.io.chunks.SIZE", 64)


def rows(frame: pl.DataFrame | pl.LazyFrame) -> list[tuple[object, ...]]:
    """The rows of a frame."""
    return frame.lazy().collect().rows()
