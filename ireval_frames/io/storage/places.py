"""What paths say of where files lie: on this machine, or in a store that is reached by an address."""

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
    r"""A name of a file as text: bytes that are none are written as escapes.

    Example:
        >>> as_text("bm25.run"), as_text("\udcff.run")
        ('bm25.run', '\\udcff.run')
    """
    return name.encode("utf-8", "backslashreplace").decode()


def is_text(name: object) -> bool:
    """Whether a name of a file is text, which Polars and DuckDB need."""
    return as_text(str(name)) == str(name)


@dataclass(frozen=True)
class Located(os.PathLike[str]):
    """A path in a store, and how the store is opened.

    Args:
        path: the path.
        options: what its store is told, such as keys; they are not shown.
    """

    path: str
    options: Options = field(default_factory=dict, repr=False)

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path

    def __hash__(self) -> int:
        return hash((self.path, *sorted(self.options.items())))


def located(given: Any, storage_options: Mapping[str, Any] | None) -> Any:
    """A path or several with what their store is told; other tables, and paths of this machine, as they are.

    Raises:
        InvalidParameter: the options are no mapping of names.
    """
    if storage_options is None:
        return given
    if not isinstance(storage_options, Mapping) or not all(isinstance(key, str) for key in storage_options):
        raise InvalidParameter(
            f"storage_options is of type {type(storage_options).__name__}; it must be a mapping of names.",
            Hint("Write ", Argument("storage_options", {"aws_region": "eu-central-1"})),
        )
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [located(one, storage_options) for one in given]
    if is_remote(given) and not (isinstance(given, Located) and given.options):
        return Located(os.fspath(given), {key: _text(value) for key, value in storage_options.items()})
    return given


def is_remote(given: object) -> bool:
    """Whether it is a path that begins with the name of a store, such as `s3://`."""
    if not isinstance(given, str | os.PathLike):
        return False
    found = _SCHEME.match(os.fspath(given))
    return found is not None and found[1].lower() in STORES


def store(path: str) -> str:
    """The kind of store of a remote path."""
    found = _SCHEME.match(path)
    return STORES[found[1].lower()] if found else ""


def plain(given: str | os.PathLike[str]) -> str:
    """A path of this machine as it stands, that of an address such as `file:///runs` taken out.

    Raises:
        InvalidParameter: it begins with the name of a store that is not known.
    """
    text = os.fspath(given)
    found = _SCHEME.match(text)
    if found is None or is_remote(text):
        return text
    if found[1].lower() == "file":
        return unquote(urlsplit(text).path)
    raise InvalidParameter(
        f"{text!r} begins with {found[0]!r}, which is no store that can be read.",
        f"Paths may begin with {', '.join(f'{name}://' for name in STORES)}.",
    )


def local(given: str | os.PathLike[str]) -> Path:
    """A path of this machine.

    Raises:
        FileError: it is empty, or no file can have that name.
    """
    text = plain(given)
    if not text:
        raise FileError("The path is empty.", 'Name a file, or "." for the folder that is worked in.')
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
    """The suffix of a path's last part; of an address without what follows a question mark."""
    text = path.partition("?")[0] if store(path) == "http" else path
    return PurePosixPath(text).suffix.lower() if not text.endswith("/") else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
