"""What the tests of reading and writing share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


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
    monkeypatch.setattr("ireval_frames.io.chunks.SIZE", 256)
