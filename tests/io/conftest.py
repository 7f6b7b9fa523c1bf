"""What the tests of reading and writing share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.io.stores import Bucket, alone, s3, upload


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[..., Path]:
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
    monkeypatch.setattr("ireval_frames.io.text.chunks.SIZE", 256)


@pytest.fixture(scope="session")
def store() -> Iterator[Bucket]:
    """A store that speaks S3, one per worker."""
    with ExitStack() as running:
        with alone():
            bucket = running.enter_context(s3())
        yield bucket


@pytest.fixture
def bucket(store: Bucket, request: pytest.FixtureRequest) -> Iterator[Bucket]:
    """A bucket of the test's own."""
    with alone():
        own = Bucket(store.endpoint, f"b{abs(hash(request.node.nodeid))}")
        upload(f"{own.endpoint}/{own.name}")
        yield own
