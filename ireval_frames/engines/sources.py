"""What a user hands in, as a frame of the engine that will run the plan.

Frames of every kind Narwhals knows become Polars frames; DuckDB relations, and tables by name with a connection, stay
in DuckDB; paths are read by the caller's reader.  Beside a relation, frames and files are read inside its own
connection.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines import duckdb as duck
from ireval_frames.engines.base import Engine, lazy
from ireval_frames.engines.duckdb import DuckDBEngine
from ireval_frames.engines.polars import PolarsEngine
from ireval_frames.errors import EngineError, UnknownName, WrongType, listed, nearest

ENGINES = ("polars", "duckdb")
Frame = nw.LazyFrame | nw.DataFrame[Any]


@dataclass(frozen=True)
class Source:
    """One table of an evaluation, as it was handed in."""

    given: Any
    name: str
    read: Callable[[Any], pl.LazyFrame]
    """Reads a path."""


def open_engine(first: Any, engine: str | Engine | None, con: Any) -> Engine:
    """The engine: what `engine` says, else where the run is.

    Raises:
        UnknownName: there is no such engine.
        EngineError: PySpark frames, and connections that are not DuckDB's.
    """
    if engine is not None and not isinstance(engine, str):
        return engine
    if engine is not None and engine not in ENGINES:
        raise UnknownName(f"There is no engine {engine!r}.", nearest(engine, ENGINES))
    if con is not None and not duck.is_connection(con):
        raise EngineError(
            f"con= must be a DuckDB connection; it is a {type(con).__name__}.", "Write con=duckdb.connect(path)."
        )
    if engine == "polars" or (engine is None and con is None and not duck.is_relation(first)):
        return PolarsEngine()
    if con is None and duck.is_relation(first):
        return DuckDBEngine(None, beside=first)
    return DuckDBEngine(con) if con is not None else DuckDBEngine(duck.own_connection(), given=False)


def opened(source: Source, engine: Engine, *, any_names: bool = False) -> Frame:
    """The source as a frame of the engine, with its own column names.

    `any_names` lets names through that an engine reads as patterns, for callers that rename all columns first.

    Raises:
        WrongType: it is no table; the message says what it is.
            Or it has a column that the engine cannot tell from others.
        EngineError: the connection is closed, busy, or lacks the table.
    """
    frame: Frame = nw.from_native(_native(source, engine))
    if not any_names:
        _refuse_patterns(names_of(frame), source.name, engine)
    return frame


def names_of(frame: Frame) -> list[str]:
    """The column names."""
    return frame.collect_schema().names()


def renamed(frame: nw.LazyFrame, names: Mapping[str, str]) -> nw.LazyFrame:
    """All columns of a frame under other names, whatever the names are: DuckDB takes `*` for all columns elsewhere.

    Args:
        frame: a frame of either engine.
        names: the name of every column, and its new one.
    """
    native = frame.to_native()
    return lazy(duck.renamed(native, names) if duck.is_relation(native) else native.rename(dict(names)))


def _native(source: Source, engine: Engine) -> Any:
    given = source.given
    if isinstance(engine, DuckDBEngine):
        if duck.is_relation(given):
            return given
        if isinstance(given, str) and engine.given and not _is_path(given):
            return engine.table(given)
        return engine.from_polars(_told_apart(_polars(source), source.name))
    if duck.is_relation(given):
        return given.pl()
    return _polars(source, lazy=True)


def _told_apart(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """A frame for an engine that tells names apart without case, and takes what Arrow has.

    Raises:
        WrongType: two names are alike but for case, or a column holds integers of 128 bits.
    """
    wide = [column for column, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    if wide:
        raise WrongType(
            f"Column {wide[0]!r} of the {name} table is {frame.schema[wide[0]]}, which cannot be handed to DuckDB.",
            f'Convert it: frame.with_columns(pl.col("{wide[0]}").cast(pl.String))',
        )
    seen: dict[str, str] = {}
    for column in frame.columns:
        if column.lower() in seen:
            raise WrongType(
                f"The {name} table has columns {seen[column.lower()]!r} and {column!r}, which DuckDB cannot "
                "tell apart.",
                f'Drop or rename one of them: frame.drop("{column}")',
            )
        seen[column.lower()] = column
    return frame


def _refuse_patterns(names: Sequence[str], table: str, engine: Engine) -> None:
    """Refuse names that an engine reads as a pattern of names.

    Raises:
        WrongType: a column is called `*`, or on Polars `^…$`.
    """
    for name in names:
        if name == "*" or (engine.name == "polars" and name.startswith("^") and name.endswith("$")):
            raise WrongType(
                f"The {table} table has a column {name!r}, which stands for several columns where columns are named.",
                f'Rename it: frame.rename({{"{name}": "star"}})',
            )


def _is_path(text: str) -> bool:
    """With a connection a string is a table's name, unless a file has it or it could only be a path."""
    return (
        Path(text).exists()
        or any(c in text for c in "/\\*?")
        or text == "-"
        or text.startswith(("ir_datasets:", "irds:"))
    )


def _polars(source: Source, *, lazy: bool = False) -> Any:
    """A Polars frame: lazy ones are collected unless `lazy`."""
    given = source.given
    if isinstance(given, (str, os.PathLike)) or (
        isinstance(given, Sequence) and given and all(isinstance(g, (str, os.PathLike)) for g in given)
    ):
        given = source.read(given)
    if isinstance(given, (pl.DataFrame, pl.LazyFrame)):
        out: Any = given
    elif isinstance(given, (nw.DataFrame, nw.LazyFrame)):
        return _polars(Source(given.to_native(), source.name, source.read), lazy=lazy)
    else:
        out = _converted(given, source.name)
    if lazy or isinstance(out, pl.DataFrame):
        return out
    from ireval_frames.engines.polars import run

    return run(out.collect)


def _converted(given: Any, name: str) -> pl.DataFrame:
    """Any other frame, through Arrow."""
    if duck.is_relation(given):
        return pl.DataFrame(given.pl())
    try:
        frame = nw.from_native(given)
    except TypeError:
        raise WrongType(
            f"The {name} table is a {type(given).__name__}, which is not a table.",
            "Hand in a Polars, pandas or Arrow frame, a DuckDB relation, a path, or a table's name with con=.",
        ) from None
    except nw.exceptions.DuplicateError:
        raise WrongType(
            f"The {name} table has several columns of the same name ({listed(given.columns, 20)}).",
            "Rename or drop one of them.",
        ) from None
    if isinstance(frame, nw.LazyFrame):
        if "SPARK" in frame.implementation.name:
            raise EngineError(
                "Spark frames cannot be evaluated yet.",
                'Write the frame to Parquet and evaluate the path: ir.evaluate(qrels, "run.parquet", …).',
            )
        return pl.DataFrame(frame.collect("polars").to_native())
    try:
        return pl.DataFrame(pl.from_arrow(frame.to_arrow()))
    except (TypeError, ValueError) as error:
        # A column of pandas may hold text beside numbers; the last argument names it.
        raise WrongType(
            f"The {name} table cannot be read: {' '.join(str(a) for a in error.args)}.",
            'Give each column one type: frame.astype({"label": "string"})',
        ) from None
