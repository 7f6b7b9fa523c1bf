"""The engines there are: each says what it recognises and how it is opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ireval_frames.engines.base import Engine
from ireval_frames.errors import EngineError, UnknownName, is_one, nearest


@dataclass(frozen=True)
class Kind:
    """A kind of engine.

    Attributes:
        name: what `engine=` calls it.
        frames: whether a table that was handed in lives there.
        connections: whether a connection is one of its own.
        open: makes an engine beside the first table, in a connection if there is one.
    """

    name: str
    frames: Callable[[Any], bool]
    connections: Callable[[Any], bool]
    open: Callable[[Any, Any], Engine]


# Where frames go that no engine recognises.
DEFAULT = "polars"
_kinds: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make an engine known; those registered later are asked first."""
    _kinds[kind.name] = kind


def kinds() -> tuple[str, ...]:
    """The names of the engines."""
    return tuple(_kinds)


def open_engine(first: Any, engine: str | Engine | None, con: Any) -> Engine:
    """The engine: what `engine` says, else that of the connection, else where the first table is.

    Raises:
        UnknownName: there is no such engine.
        EngineError: a connection that is none of an engine's.
    """
    if isinstance(engine, Engine):
        return engine
    if engine is not None and not is_one(engine, _kinds):
        raise UnknownName(f"There is no engine {engine!r}.", nearest(engine, _kinds))
    if con is not None and not any(kind.connections(con) for kind in _kinds.values()):
        raise EngineError(
            f"con= must be a DuckDB connection or a session of Spark; it is of type {type(con).__name__}.",
            "Write con=duckdb.connect(path), or con=SparkSession.builder.getOrCreate().",
        )
    if engine is not None:
        return _kinds[engine].open(first, con)
    known = reversed(_kinds.values())
    found = next((k for k in known if (k.connections(con) if con is not None else k.frames(first))), _kinds[DEFAULT])
    return found.open(first, con)
