"""Delta tables: folders with a log of the files that belong to the table."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from ireval_frames.engines.polars.batches import batches
from ireval_frames.errors import EngineError, FileError, IrevalError
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.failures import cause
from ireval_frames.io.storage.places import Options, is_remote, store
from ireval_frames.io.storage.remote import engine_error, has_match, store_options

LOG = "_delta_log"
_REWRITE = "Write it again without that feature, or pass a frame of Spark or a DuckDB relation that reads it."


def is_delta(path: str, options: Options | None = None) -> bool:
    """Whether a folder is a Delta table."""
    if is_remote(path):
        return store(path) != "http" and has_match(path, f"{LOG}/*.json", options)
    return (Path(path) / LOG).is_dir()


def scan_delta(path: str, options: Options | None = None) -> pl.LazyFrame:
    """The current version of the table.

    Raises:
        EngineError: the package deltalake is not installed, or it cannot read this table.
        FileError: a file of the table is missing or damaged.
    """
    if importlib.util.find_spec("deltalake") is None:
        raise EngineError(
            f"{path} is a Delta table, and the package deltalake is not installed.",
            'pip install "ireval-frames[delta]"',
        )

    def scan() -> pl.LazyFrame:
        return pl.scan_delta(path, storage_options=store_options(path, options) if is_remote(path) else None)

    with _our_errors(path):
        _refuse_other_names(path, options)
        schema = scan().collect_schema()

    def produce(columns: list[str]) -> Iterator[pl.DataFrame]:
        with _our_errors(path):
            yield from batches(scan().select(columns))

    return lazy(schema, produce, path)


def _refuse_other_names(path: str, options: Options | None) -> None:
    """Refuse a table with column mapping, which Polars may not notice.

    Raises:
        EngineError: it has column mapping.
    """
    from deltalake import DeltaTable

    stores = {key: str(value) for key, value in store_options(path, options).items()} if is_remote(path) else None
    mode = DeltaTable(path, storage_options=stores).metadata().configuration.get("delta.columnMapping.mode", "none")
    if mode != "none":
        raise EngineError(f"{path} is a Delta table that cannot be read: it has column mapping.", _REWRITE)


@contextmanager
def _our_errors(path: str) -> Iterator[None]:
    """Errors of a Delta table become ours."""
    from deltalake.exceptions import DeltaError, DeltaProtocolError

    try:
        yield
    except IrevalError:
        raise
    except DeltaProtocolError as error:
        raise EngineError(
            f"{path} is a Delta table that cannot be read: {cause(error)}.",
            _REWRITE,
        ) from error
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, DeltaError) as error:
        if is_remote(path):
            raise engine_error(path, error) from error
        raise FileError(
            f"{path} is a Delta table that cannot be read: {cause(error)}.",
            "A file of it is missing or damaged: restore it, or write the table again.",
        ) from error
