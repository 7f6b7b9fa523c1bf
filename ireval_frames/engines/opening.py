"""What a user hands in, as a frame of the engine that will run the plan.

Frames of every kind Narwhals knows become Polars frames; DuckDB relations, and tables by name with a connection, stay
in DuckDB; frames of Spark stay in their session; paths are read by the caller's reader.  Beside a relation, frames and
files are read inside its connection, and beside a frame of Spark inside its session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, refuse_to_pickle
from ireval_frames.engines.registry import open_engine
from ireval_frames.errors import WrongType
from ireval_frames.expr import Expr, col

__all__ = ["Frame", "Source", "names_of", "open_engine", "open_source", "refuse_to_pickle"]


@dataclass(frozen=True)
class Source:
    """One table of an evaluation, as it was handed in."""

    table: Any
    name: str
    read: Read
    """How a path is read."""


def open_source(source: Source, engine: Engine, *, any_names: bool = False) -> Frame:
    """The source as a frame of the engine, with its own column names.

    `any_names` lets names through that an engine reads as patterns, for callers that rename all columns first.

    Raises:
        WrongType: it is no table; the message says what it is.
        EngineError: the connection is closed, busy, or lacks the table.
    """
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


def names_of(frame: Frame) -> list[str]:
    """The column names."""
    return list(frame.columns)


def no_id(frame: Frame, name: str) -> Expr:
    """Whether a column tells nothing in a row: it is null, or NaN, as ids are that were numbers with gaps."""
    null = col(name).is_null()
    return null | col(name).is_nan() if frame.collect_schema()[name].is_float() else null
