"""Connections to DuckDB: the process's own, and a lock for each, since one thread may use it at a time."""

from __future__ import annotations

import atexit
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
    import duckdb

    # DuckDB complains of what is still there when modules are torn down.
    atexit.register(_release, process)
    return duckdb.connect()


def _release(process: int) -> None:
    """Drop the database as the process ends; a forked child leaves its parent's alone."""
    if os.getpid() == process:
        _database.cache_clear()


def own_connection() -> duckdb.DuckDBPyConnection:
    """A connection for tables that come with none.

    Opening a database takes as long as a small plan, so a process opens one.
    """
    cursor = _database(os.getpid()).cursor()
    _own[cursor] = threading.RLock()
    return cursor


_own: weakref.WeakKeyDictionary[Any, threading.RLock] = weakref.WeakKeyDictionary()
_of_users = threading.RLock()


def connection_lock(source: Any) -> threading.RLock:
    """The lock of a connection, or of a relation's connection: a connection has one result at a time.

    Threads that query at once get an error of DuckDB at best, and a deadlock at worst.  A relation does not expose its
    connection, so all connections of users share a lock.  The lock is reentrant: steps in Python query while another
    query runs.
    """
    return _own.get(source, _of_users) if hasattr(source, "cursor") else _of_users
