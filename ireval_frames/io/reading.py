"""How engines read paths: which files they read themselves, and which Polars reads for them in batches or at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ireval_frames.engines.inputs.frames import Read
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.sql import any_tables
from ireval_frames.io.storage.delta import is_delta
from ireval_frames.io.storage.places import TABLES, ending, is_remote, local
from ireval_frames.io.storage.source import DATASET_PREFIXES, FOLDERS


def is_local(source: Any) -> bool:
    """Whether all files are on this machine, and can be read twice."""
    return all(_is_local_file(one) for one in _each(source))


def _is_local_file(one: Any) -> bool:
    if is_remote(one) or one == "-" or str(one).startswith(DATASET_PREFIXES):
        return False
    path = local(one)
    return path.is_file() or path.is_dir() or not path.exists()


def streams(source: Any) -> bool:
    """Whether it is a table that only Polars reads, in batches: in a store, or with a log."""
    return any(
        ending(os.fspath(one)) in (*TABLES, *FOLDERS) if is_remote(one) else is_delta(str(local(one)))
        for one in _each(source)
    )


def _each(source: Any) -> Iterable[Any]:
    return [source] if isinstance(source, str | os.PathLike) else source


TABLE = Read(scan_table, lambda path: any_tables(path) if is_local(path) else None, streams)
