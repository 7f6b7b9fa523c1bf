"""Which engine runs an evaluation, and what users pass as its frames.

DuckDB relations, and tables by name with a connection, stay in DuckDB; frames of Spark stay in their session; paths are
read by the caller's reader.  All other frames become Polars frames.  Beside a relation, frames and files are read in
its connection, and beside a frame of Spark in its session.

A package adds an engine by an entry point of the group `ireval_frames.engines`, which has the engine's name and leads
to its class, a subclass of `Engine`.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import (
    Read,
    is_connection,
    is_relation,
    is_spark_frame,
    is_spark_session,
    names_files,
)
from ireval_frames.errors import EngineError, PluginWarning, UnknownName, WrongType, is_one, nearest, warn
from ireval_frames.expr import Expr, col

if TYPE_CHECKING:
    from ireval_frames.engines.row_checks import Check

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
            loaded = point.load()
        except Exception as error:  # noqa: BLE001 - whatever another package raises, ours goes on without it
            loaded = f"importing {point.value} raises {type(error).__name__}: {error}"
        if isinstance(loaded, type) and issubclass(loaded, Engine) and point.name not in OURS:
            out[point.name] = loaded
        else:
            why = loaded if isinstance(loaded, str) else f"{point.value} is no subclass of Engine, or the name is ours"
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
        more = "".join(f", or what the engine {name} opens" for name in others())
        raise EngineError(
            f"con= must be a DuckDB connection or a session of Spark{more}; it is of type {type(con).__name__}.",
            "Write con=duckdb.connect(path), or con=SparkSession.builder.getOrCreate().",
        )
    if engine is not None:
        opened = OURS[engine]() if engine in OURS else others()[engine]
    else:
        opened = connected or _engine_of(first)
    return opened.open(first, con)


def _connected(con: Any) -> type[Engine] | None:
    """The engine whose connection this is."""
    if is_connection(con):
        return _duckdb()
    if is_spark_session(con):
        return _spark()
    return next((other for other in others().values() if other.is_connection(con)), None)


def _engine_of(table: Any) -> type[Engine]:
    """The engine that holds a table; Polars where none does."""
    if is_relation(table):
        return _duckdb()
    if is_spark_frame(table):
        return _spark()
    if isinstance(table, (pl.DataFrame, pl.LazyFrame)) or names_files(table):
        return _polars()
    return next((other for other in others().values() if other.is_table(table)), _polars())


class Computed(ABC):
    """A table that is computed from a user's, on whatever engine opens it.

    Attributes:
        valid: its rows are what the family allows, so that they are not checked again.
        systems: the systems that its rows are of, also those without a row; empty where it has no `run_id`.
    """

    valid: bool = False
    systems: tuple[str, ...] = ()

    @abstractmethod
    def on(self, engine: Engine) -> Frame:
        """The table."""

    def checks(self, engine: Engine) -> Sequence[Check]:
        """What the user's table must not hold."""
        del engine
        return ()


@dataclass(frozen=True)
class Source:
    """One table of an evaluation, as the user passed it.

    Attributes:
        table: a frame, a relation, a path, or a table's name.
        name: what errors call it.
        read: how a path is read.
    """

    table: Any
    name: str
    read: Read


def open_source(source: Source, engine: Engine, *, any_names: bool = False) -> Frame:
    """The source as a frame of the engine, with its own column names.

    `any_names` lets names through that an engine reads as patterns, for callers that rename all columns first.

    Raises:
        WrongType: it is no table; the message says what it is.
        EngineError: the connection is closed, busy, or lacks the table.
    """
    if isinstance(source.table, Computed):
        return source.table.on(engine)
    frame = engine.open_table(source.table, source.name, source.read)
    if not any_names:
        _refuse_patterns(frame.columns, source.name, engine)
    return frame


def _refuse_patterns(names: Sequence[str], table: str, engine: Engine) -> None:
    """Refuse names that an engine reads as a pattern of names.

    Raises:
        WrongType: a column is called `*`, or on Polars `^…$`.
    """
    for name in names:
        if name == "*" or (engine.in_process and name.startswith("^") and name.endswith("$")):
            raise WrongType(
                f"The {table} table has a column {name!r}, which stands for several columns where columns are named.",
                f'Rename it: frame.rename({{"{name}": "star"}})',
            )


def is_missing_id(frame: Frame, name: str) -> Expr:
    """Whether a row has no value in a column: null, or NaN, which ids become that were numbers with gaps."""
    null = col(name).is_null()
    return null | col(name).is_nan() if frame.collect_schema()[name].is_float() else null
