"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ireval_frames.errors import FileError
from ireval_frames.io.storage.compression import Compression, writer
from ireval_frames.io.storage.failures import ENGINE_ERRORS, cause

# Not of files that are read and gone (2).
_OF_DISK = re.compile(r"([^:]*) \(os error (?!2\))\d+\)")


@contextmanager
def replacing(path: Path, compression: Compression | None = None, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream into a temporary file of the same folder that takes the path's place when all is written.

    What is no file, such as `/dev/stdout` or a pipe, is written to as it is.

    Args:
        path: the file to make or replace.
        compression: how to compress what is written.
        durable: it is on the disk before it takes the path's place, and its place is when this ends.

    Raises:
        FileError: the folder is missing, the path is a directory, or the disk refuses.
    """
    target = destination(path)
    try:
        with _place(target, durable=durable) as raw:
            stream = writer(raw, compression)
            try:
                yield stream
            finally:
                if stream is not raw:
                    stream.close()
    except OSError as error:
        raise _refused(path, error) from error
    except ENGINE_ERRORS as error:
        # Polars tells what the disk says in the middle of what it says itself.
        if said := _OF_DISK.search(str(error)):
            raise FileError(f"{path} cannot be written: {said[1].strip()}.") from error
        raise


def _refused(path: Path, error: Exception) -> FileError:
    return FileError(f"{path} cannot be written: {getattr(error, 'strerror', None) or cause(error)}.")


def destination(path: Path) -> Path:
    """The file that is meant where a path is written to.

    Raises:
        FileError: it is a folder, or in none, or no name of a file.
    """
    try:
        # A link keeps pointing where it points; its target is replaced.
        target = path if _is_special(path) else path.resolve()
        is_folder, has_folder = target.is_dir(), target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(path, error) from error
    if is_folder:
        raise FileError(f"{path} is a directory.", f'Name a file in it: "{path / "name"}"')
    if not has_folder:
        made = f"mkdir -p {shlex.quote(str(target.parent))}"
        raise FileError(f"{path} cannot be written: there is no folder {target.parent}.", f"Make it first: {made}")
    return target


def _is_special(path: Path) -> bool:
    """Whether it is there and neither a file nor a folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def _place(target: Path, *, durable: bool) -> Iterator[IO[bytes]]:
    """The file to write to."""
    if _is_special(target):
        with target.open("wb") as raw:
            yield raw
        return
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        # Not tempfile: that would make the file unreadable for others.
        with temporary.open("x+b") as raw:
            yield raw
            if durable:
                raw.flush()
                os.fsync(raw.fileno())
        temporary.replace(target)
        if durable and os.name == "posix":
            _kept(target.parent)
    finally:
        # Where nothing can be written, nothing can be removed either.
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def _kept(folder: Path) -> None:
    """Have the disk know the names in a folder."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
