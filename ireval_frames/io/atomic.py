"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ireval_frames.errors import FileError
from ireval_frames.io.compression import Compression, writer
from ireval_frames.io.failures import cause


@contextmanager
def replacing(path: Path, compression: Compression | None = None, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream into a temporary file of the same folder that takes the path's place when all is written.

    Args:
        path: the file to make or replace.
        compression: how to compress what is written.
        durable: it is on the disk before it takes the path's place, and its place is when this ends.

    Raises:
        FileError: the folder is missing, the path is a directory, or the disk refuses.
    """
    # A link keeps pointing where it points; its target is replaced.
    target = path.resolve()
    if target.is_dir():
        raise FileError(f"{path} is a directory.", f'Name a file in it: "{path / "name"}"')
    if not target.parent.is_dir():
        raise FileError(
            f"{path} cannot be written: there is no folder {target.parent}.", f"Make it first: mkdir -p {target.parent}"
        )
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        # Not tempfile: that would make the file unreadable for others.
        with temporary.open("xb") as raw:
            stream = writer(raw, compression)
            try:
                yield stream
            finally:
                if stream is not raw:
                    stream.close()
            if durable:
                raw.flush()
                os.fsync(raw.fileno())
        temporary.replace(target)
        if durable and os.name == "posix":
            _kept(target.parent)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or cause(error)}.") from error
    finally:
        temporary.unlink(missing_ok=True)


def _kept(folder: Path) -> None:
    """Have the disk know the names in a folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
