"""The process's own connection to DuckDB."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


@functools.cache
def _database(process: int) -> duckdb.DuckDBPyConnection:
    """The process's own database, in memory, which stays empty."""
    del process
    import duckdb

    return duckdb.connect()


def own_connection() -> duckdb.DuckDBPyConnection:
    """A connection for frames that have none.

    Making a database takes as long as a small plan, so a process makes one.
    """
    return _database(os.getpid()).cursor()
