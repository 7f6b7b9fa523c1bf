"""How engines read paths: what they read themselves, what Polars reads for them in pieces, and what at once."""

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


def here(given: Any) -> bool:
    """Whether all that is named lies on this machine, and can be looked at twice."""
    return all(_again(one) for one in _each(given))


def _again(one: Any) -> bool:
    if is_remote(one) or one == "-" or str(one).startswith(DATASET_PREFIXES):
        return False
    path = local(one)
    return path.is_file() or path.is_dir() or not path.exists()


def streams(given: Any) -> bool:
    """Whether Polars reads a table of what is named that no other engine reads: in a store, or with a log."""
    return any(
        ending(os.fspath(one)) in (*TABLES, *FOLDERS) if is_remote(one) else is_delta(str(local(one)))
        for one in _each(given)
    )


def _each(given: Any) -> Iterable[Any]:
    return [given] if isinstance(given, str | os.PathLike) else given


TABLE = Read(scan_table, lambda path: any_tables(path) if here(path) else None, streams)
