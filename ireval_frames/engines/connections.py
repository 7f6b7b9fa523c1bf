"""Connections to DuckDB: the process's own, and one asking thread at a time for each."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any

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
    cursor = _database(os.getpid()).cursor()
    _own[cursor] = threading.RLock()
    return cursor


_own: weakref.WeakKeyDictionary[Any, threading.RLock] = weakref.WeakKeyDictionary()
_handed_in = threading.RLock()


def connection_lock(source: Any) -> threading.RLock:
    """The lock of a connection, or of a relation's: a connection has one result at a time.

    Threads that ask at once are refused by DuckDB at best, and wait for each other for ever at worst.  DuckDB does not
    tell a relation's connection, so all that are handed in share a lock.  It may be taken again by the thread that has
    it, since steps in Python ask for results within others'.
    """
    return _own.get(source, _handed_in) if hasattr(source, "cursor") else _handed_in
