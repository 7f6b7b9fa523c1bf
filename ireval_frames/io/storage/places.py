"""Where a path is: on this machine, or in a store with a URL."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from ireval_frames.errors import Argument, FileError, Hint, InvalidParameter

STORES = {
    "s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "az": "az", "azure": "az", "abfs": "az", "abfss": "az",
    "http": "http", "https": "http", "hf": "hf",
}  # fmt: skip
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
TABLES = {".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}
JSON = (".jsonl", ".ndjson", ".json")

Options = Mapping[str, str]


def as_text(name: str) -> str:
    r"""A file name as text, with invalid bytes as escapes.

    Example:
        >>> as_text("bm25.run"), as_text("\udcff.run")
        ('bm25.run', '\\udcff.run')
    """
    return name.encode("utf-8", "backslashreplace").decode()


def is_text(name: object) -> bool:
    """Whether a file name is valid text, which Polars and DuckDB require."""
    return as_text(str(name)) == str(name)


@dataclass(frozen=True)
class Located(os.PathLike[str]):
    """A path in a store, with the options of the store.

    Args:
        path: the path.
        options: options of its store, such as keys; they are not shown in repr.
    """

    path: str
    options: Options = field(default_factory=dict, repr=False)

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path

    def __hash__(self) -> int:
        return hash((self.path, *sorted(self.options.items())))


def located(source: Any, storage_options: Mapping[str, Any] | None) -> Any:
    """A path or several with the options of their store; other tables and local paths as they are.

    Raises:
        InvalidParameter: the options are not a mapping with text keys.
    """
    if storage_options is None:
        return source
    if not isinstance(storage_options, Mapping) or not all(isinstance(key, str) for key in storage_options):
        raise InvalidParameter(
            f"storage_options is of type {type(storage_options).__name__}; it must be a mapping with text keys.",
            Hint("Write ", Argument("storage_options", {"aws_region": "eu-central-1"})),
        )
    if isinstance(source, Sequence) and not isinstance(source, str):
        return [located(one, storage_options) for one in source]
    if is_remote(source) and not (isinstance(source, Located) and source.options):
        return Located(os.fspath(source), {key: _text(value) for key, value in storage_options.items()})
    return source


def is_remote(source: object) -> bool:
    """Whether it is a path that begins with the scheme of a store, such as `s3://`."""
    if not isinstance(source, str | os.PathLike):
        return False
    match = _SCHEME.match(os.fspath(source))
    return match is not None and match[1].lower() in STORES


def store(path: str) -> str:
    """The kind of store of a remote path."""
    match = _SCHEME.match(path)
    return STORES[match[1].lower()] if match else ""


def plain(path: str | os.PathLike[str]) -> str:
    """A local path, without the scheme of a URL such as `file:///runs`.

    Raises:
        InvalidParameter: it has another scheme.
    """
    text = os.fspath(path)
    match = _SCHEME.match(text)
    if match is None or is_remote(text):
        return text
    if match[1].lower() == "file":
        return unquote(urlsplit(text).path)
    raise InvalidParameter(
        f"{text!r} begins with {match[0]!r}, which is not a supported store.",
        f"Paths may begin with {', '.join(f'{name}://' for name in STORES)}.",
    )


def local(source: str | os.PathLike[str]) -> Path:
    """A local path.

    Raises:
        FileError: it is empty, or not a possible file name.
    """
    text = plain(source)
    if not text:
        raise FileError("The path is empty.", 'Name a file, or "." for the working directory.')
    path = Path(text).expanduser()
    try:
        path.stat()
    except OSError as error:
        if error.errno not in (errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES):
            return path
        shown = text if len(text) <= 200 else f"{text[:100]}…{text[-90:]}"
        raise FileError(f"{shown} cannot be opened: {error.strerror}.", "Check the path.") from error
    except ValueError as error:
        raise FileError(f"{text!r} cannot be opened: {error}.", "Check the path.") from error
    return path


def ending(path: str) -> str:
    """The suffix of a path, or of a URL without its query."""
    text = path.partition("?")[0] if store(path) == "http" else path
    return PurePosixPath(text).suffix.lower() if not text.endswith("/") else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
