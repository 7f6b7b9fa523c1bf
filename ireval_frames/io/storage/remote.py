"""Paths in stores, read by Polars' own readers: the options of stores, and their errors as ours."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from glob import has_magic
from typing import Any
from urllib.parse import unquote

import polars as pl

from ireval_frames.engines.polars.batches import batches
from ireval_frames.errors import Argument, EngineError, FileError, Hint, InvalidParameter, IrevalError, WrongType
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.copies import Copy
from ireval_frames.io.storage.failures import cause
from ireval_frames.io.storage.folders import is_hidden_name, names_in, same_folders
from ireval_frames.io.storage.places import Options, store
from ireval_frames.io.storage.web import fetched, refuse_unreadable, silent

# A store that does not answer, or missing keys, are reported within half a minute, for which Polars' defaults take
# minutes.
PATIENCE = {"max_retries": "2", "connect_timeout": "3s", "read_timeout": "5s"}
_COUNTS = ("max_retries", "retry_timeout_ms", "retry_init_backoff_ms", "retry_max_backoff_ms", "file_cache_ttl")
# Prefixes of files that other tools put beside those of a table.
HIDDEN = ["_", "."]
# A temporary column of the files' paths.
_PATH = "\0path"
# A folder's name for a null.
NULL = "__HIVE_DEFAULT_PARTITION__"
_KEYS = {
    "s3": {"aws_access_key_id": "…", "aws_secret_access_key": "…"},
    "gs": {"google_service_account": "key.json"},
    "az": {"azure_storage_account_name": "…", "azure_storage_account_key": "…"},
    "hf": {"token": "…"},
}
_MISSING = ("nosuchbucket", "containernotfound", "specified bucket does not exist")
_REFUSED = ("403 forbidden", "401 unauthorized", "accessdenied", "invalidaccesskeyid", "signaturedoesnotmatch")
_NO_KEYS = (
    "169.254.169.254", "/latest/api/token", "metadata.google", "identity/oauth2", "account must be specified",
    "no credential", "locate credential", "nocredential",
)  # fmt: skip
_SILENT = ("operation timed out", "error sending request", "connection refused", "dns error", "tcp connect error")
_DAMAGED = ("out of specification", "magic bytes", "out-of-spec", "outofspec", "thrift", "corrupt")
_CHANGED = ("did not find column", "data type mismatch", "extra column", "not present in the given hive schema")


def store_options(path: str, options: Options | None) -> dict[str, Any]:
    """The options that Polars gets for a path's store.

    Raises:
        InvalidParameter: one that must be a number is not.
    """
    patience = {k: v for k, v in PATIENCE.items() if store(path) != "hf" or k in _COUNTS}
    return {key: _converted(key, value) for key, value in {**patience, **(options or {})}.items()}


def _converted(key: str, value: str) -> str | int:
    """The option, as an integer where Polars expects one."""
    if key not in _COUNTS:
        return value
    if not value.isdecimal():
        raise InvalidParameter(
            f"storage_options has {key}={value!r}; it must be a whole number.",
            Hint("Write ", Argument("storage_options", {key: "2"})),
        )
    return int(value)


def scan_parquet(path: str, options: Options | None) -> pl.LazyFrame:
    """A file, a folder (it ends with `/`) or a pattern of them, each with the columns that its folders name."""
    several = store(path) != "http" and (path.endswith("/") or has_magic(path))
    reader: dict[str, Any] = {"storage_options": store_options(path, options), "hidden_file_prefix": HIDDEN}
    fixed_keys = names_in(_fixed(path), path)
    paths = _files(path, reader) if several else [path]
    keys = names_in(_folders(paths[0]), paths[0]) if several and paths else fixed_keys
    # Polars fails for files whose folders differ from this schema.
    hive = {"hive_partitioning": True, "hive_schema": dict.fromkeys(keys, pl.String)}
    ways: dict[str, Any] = hive if several and keys else {"hive_partitioning": False}
    fixed = [] if several and keys else [pl.lit(value, pl.String).alias(name) for name, value in _named(path).items()]
    source: Any = paths or path
    glob = several and not paths
    return _scanned(path, lambda: pl.scan_parquet(source, **reader, glob=glob, **ways).with_columns(fixed))


def _files(path: str, reader: dict[str, Any]) -> list[str]:
    """The files with rows, without those in hidden folders, as for local files.

    Raises:
        FileError: their folders name different columns, or all are hidden.
    """
    with errors(path):
        scanned = pl.scan_parquet(path, **reader, glob=True, hive_partitioning=False, include_file_paths=_PATH)
        paths = scanned.select(pl.col(_PATH).unique()).collect(engine="streaming")[_PATH].sort().to_list()
    visible = [file for file in paths if not any(map(is_hidden_name, _folders(file)[len(_fixed(path)) :]))]
    if paths and not visible:
        raise FileError(f"{path} holds no Parquet file.", "Folders that begin with _ or . are ignored.")
    for file in visible[1:]:
        same_folders(path, visible[0], names_in(_folders(visible[0]), visible[0]), file, names_in(_folders(file), file))
    return visible


def _folders(path: str) -> list[str]:
    return path.partition("://")[2].split("/")[:-1]


def _fixed(path: str) -> list[str]:
    """The folders of a path before its first pattern."""
    return list(itertools.takewhile(lambda part: not has_magic(part), _folders(path)))


def _named(path: str) -> dict[str, str | None]:
    """The columns that a path's own folders name."""
    pairs = [part.partition("=") for part in _fixed(path) if "=" in part[1:]]
    return {name: None if value == NULL else unquote(value) for name, _, value in pairs}


def scan_arrow(path: str, options: Options | None) -> pl.LazyFrame:
    """An Arrow file."""
    return _scanned(path, lambda: pl.scan_ipc(path, storage_options=store_options(path, options), glob=False))


def _scanned(path: str, scan: Callable[[], pl.LazyFrame]) -> pl.LazyFrame:
    """The frame, with errors as ours also while it is read."""
    if store(path) == "http":
        refuse_unreadable(path)
    with errors(path):
        schema = scan().collect_schema()

    def produce(columns: list[str]) -> Iterator[pl.DataFrame]:
        with errors(path):
            yield from batches(scan().select(columns))

    return lazy(schema, produce, path)


def has_match(path: str, pattern: str, options: Options | None) -> bool:
    """Whether a file in a folder matches a pattern."""
    pattern = f"{path.rstrip('/')}/{pattern}"
    with errors(path):
        return pl.scan_lines(pattern, storage_options=store_options(pattern, options)).head(1).collect().height > 0


def copy_of(path: str, options: Options | None) -> Copy:
    """The lines of a text, decompressed."""
    if store(path) == "http":
        return fetched(path)
    out = Copy()
    with errors(path):
        lines = pl.scan_lines(path, storage_options=store_options(path, options), glob=False)
        for batch in batches(lines):
            out.file.writelines(f"{line}\n".encode() for line in batch.to_series())
    out.file.flush()
    return out


@contextmanager
def errors(path: str) -> Iterator[None]:
    """Errors of stores and their files become ours."""
    try:
        yield
    except IrevalError:
        raise
    except (pl.exceptions.PanicException, Exception) as error:
        raise engine_error(path, error) from error


def engine_error(path: str, error: BaseException) -> IrevalError:
    """Polars' error for a path in a store as ours."""
    text = str(error).lower()
    kind = store(path)
    if isinstance(error, ImportError):
        return EngineError(f"{path} cannot be read: {cause(error)}.", "Install that package.")
    if _any(_MISSING, text):
        return FileError(f"{path} cannot be opened: there is no such bucket.", "Check the name after the scheme.")
    if isinstance(error, FileNotFoundError) or "404 not found" in text:
        return FileError(f"{path} does not exist.", "Check the path; a folder ends with /.")
    if "different file extensions" in text:
        return FileError(
            f"{path} holds Parquet files and others: {cause(error).partition(': ')[2].partition('. Please')[0]}.",
            f'Name those to read: "{path}**/*.parquet"',
        )
    if "expanded paths were empty" in text:
        return FileError(f"{path} holds no Parquet file.", "Check the path; a folder ends with /.")
    if _any(_NO_KEYS, text) and not _any(("invalidaccesskeyid", "signaturedoesnotmatch", "accessdenied"), text):
        return FileError(f"{path} cannot be opened: no keys for its store were found.", _keys_hint(kind))
    if _any(_REFUSED, text):
        return FileError(f"{path} cannot be opened: its store refuses the keys.", _keys_hint(kind))
    if _any(_SILENT, text):
        return silent(path, cause(error))
    if _any(_CHANGED, text):
        return WrongType(f"The files of {path} have different columns: {cause(error)}.", _REWRITE)
    if _any(_DAMAGED, text):
        return FileError(f"{path} is damaged, or one of its files is: {cause(error)}.", _REWRITE)
    if "utf8" in text or "utf-8" in text:
        return FileError(f"{path} is not text in UTF-8.", "Binary files must end with .parquet or .arrow.")
    return FileError(f"{path} cannot be read: {cause(error)}.")


_REWRITE = "Write the differing files again, or select files by a pattern."


def _keys_hint(kind: str) -> Hint:
    if kind not in _KEYS:
        return Hint("Ask the operators of the store.")
    environment = ", ".join(name.upper() for name in _KEYS[kind]) if kind in ("s3", "az") else ""
    shown: Sequence[str | Argument] = ["Pass them: ", Argument("storage_options", _KEYS[kind])]
    return Hint(*shown, f", or set {environment}." if environment else ".")


def _any(words: Sequence[str], text: str) -> bool:
    return any(word in text for word in words)
