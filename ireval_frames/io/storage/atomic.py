"""Writing files atomically: completely or not at all."""

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

# Error 2 is about a file that is read, not written.
_OF_DISK = re.compile(r"([^:]*) \(os error (?!2\))\d+\)")


@contextmanager
def replacing(path: Path, compression: Compression | None = None, *, durable: bool = False) -> Iterator[IO[bytes]]:
    """A stream into a temporary file of the same folder that replaces the path once all is written.

    Special files, such as `/dev/stdout` or a pipe, are written directly.

    Args:
        path: the file to create or replace.
        compression: the compression of its content.
        durable: sync the file before it replaces the path, and then the folder.

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
        # Polars' message includes that of the operating system.
        if match := _OF_DISK.search(str(error)):
            raise FileError(f"{path} cannot be written: {match[1].strip()}.") from error
        raise


def _refused(path: Path, error: Exception) -> FileError:
    return FileError(f"{path} cannot be written: {getattr(error, 'strerror', None) or cause(error)}.")


def destination(path: Path) -> Path:
    """The file that is written for a path.

    Raises:
        FileError: it is a folder, its folder does not exist, or it is no file name.
    """
    try:
        # Not a link itself is replaced, but its target.
        target = path if _is_special(path) else path.resolve()
        is_folder, has_folder = target.is_dir(), target.parent.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(path, error) from error
    if is_folder:
        raise FileError(f"{path} is a directory.", f'Name a file in it: "{path / "name"}"')
    if not has_folder:
        command = f"mkdir -p {shlex.quote(str(target.parent))}"
        raise FileError(f"{path} cannot be written: there is no folder {target.parent}.", f"Make it first: {command}")
    return target


def _is_special(path: Path) -> bool:
    """Whether it exists and is neither a file nor a folder."""
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
        # Not tempfile, whose files others cannot read.
        with temporary.open("x+b") as raw:
            yield raw
            if durable:
                raw.flush()
                os.fsync(raw.fileno())
        temporary.replace(target)
        if durable and os.name == "posix":
            _sync_folder(target.parent)
    finally:
        # Where writing fails, removing may fail, too.
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
