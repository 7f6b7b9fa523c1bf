"""Which engine runs an evaluation: one of ours, or one of another package.

A package adds an engine by an entry point of the group `ireval_frames.engines`, which has the engine's name and leads
to its class, a subclass of `Engine`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import metadata
from typing import Any

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.inputs.frames import (
    is_connection,
    is_relation,
    is_spark_frame,
    is_spark_session,
    names_files,
)
from ireval_frames.errors import EngineError, PluginWarning, UnknownName, is_one, nearest, warn

ENTRY_POINTS = "ireval_frames.engines"


def _polars() -> type[Engine]:
    from ireval_frames.engines.polars.engine import PolarsEngine

    return PolarsEngine


def _duckdb() -> type[Engine]:
    from ireval_frames.engines.duckdb.engine import DuckDBEngine

    return DuckDBEngine


def _spark() -> type[Engine]:
    from ireval_frames.engines.spark.engine import SparkEngine

    return SparkEngine


# Our engines are imported when they are needed.
OURS: dict[str, Callable[[], type[Engine]]] = {"polars": _polars, "duckdb": _duckdb, "spark": _spark}


@functools.cache
def others() -> dict[str, type[Engine]]:
    """The engines of other packages by name; warns of those that cannot be imported."""
    out = {}
    for point in metadata.entry_points(group=ENTRY_POINTS):
        try:
            found = point.load()
        except Exception as error:  # noqa: BLE001 - whatever another package raises, ours goes on without it
            found = f"importing {point.value} raises {type(error).__name__}: {error}"
        if isinstance(found, type) and issubclass(found, Engine) and point.name not in OURS:
            out[point.name] = found
        else:
            why = found if isinstance(found, str) else f"{point.value} is no subclass of Engine, or the name is ours"
            warn(f"The engine {point.name!r} of an entry point is missing: {why}.", PluginWarning)
    return out


def open_engine(first: Any, engine: str | Engine | None, con: Any) -> Engine:
    """The engine: what `engine` says, else that of the connection, else where the first table is.

    Raises:
        UnknownName: there is no such engine.
        EngineError: a connection that is none of an engine's.
    """
    if isinstance(engine, Engine):
        return engine
    if engine is not None and not is_one(engine, OURS) and not is_one(engine, others()):
        raise UnknownName(f"There is no engine {engine!r}.", nearest(engine, [*OURS, *others()]))
    connected = None if con is None else _connected(con)
    if connected is None and con is not None:
        raise EngineError(
            f"con= must be a DuckDB connection or a session of Spark; it is of type {type(con).__name__}.",
            "Write con=duckdb.connect(path), or con=SparkSession.builder.getOrCreate().",
        )
    if engine is not None:
        found = OURS[engine]() if engine in OURS else others()[engine]
    else:
        found = connected or _holding(first)
    return found.open(first, con)


def _connected(con: Any) -> type[Engine] | None:
    """The engine whose connection this is."""
    if is_connection(con):
        return _duckdb()
    if is_spark_session(con):
        return _spark()
    return next((found for found in others().values() if found.is_connection(con)), None)


def _holding(table: Any) -> type[Engine]:
    """The engine in which a table is; Polars where no engine has it."""
    if is_relation(table):
        return _duckdb()
    if is_spark_frame(table):
        return _spark()
    if isinstance(table, (pl.DataFrame, pl.LazyFrame)) or names_files(table):
        return _polars()
    return next((found for found in others().values() if found.is_table(table)), _polars())
