"""Tables that users pass, as Polars frames; and column names that an engine cannot distinguish."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.engines.inputs.parquet_files import Table
from ireval_frames.errors import Argument, EngineError, Hint, WrongType, listed, literal


@dataclass(frozen=True)
class Read:
    """How a path is read.

    Args:
        scan: reads it with Polars.
        tables: its local Parquet files, which engines read themselves; None for others.
        streams: whether Polars reads it in batches, repeatedly.
    """

    scan: Callable[[Any], pl.LazyFrame]
    tables: Callable[[Any], Sequence[Table] | None] = lambda _: None
    streams: Callable[[Any], bool] = lambda _: False

    def __call__(self, path: Any) -> pl.LazyFrame:
        """The path, read by Polars."""
        return self.scan(path)


# The tools whose judgments and runs `ir.interop` reads.
OTHER_TOOLS = ("dicts", "ranx", "ir_datasets")
# What to write in the place of arrays, by table.
FRAMES_OF_ARRAYS = {
    "labels": 'Make a frame of both: pl.DataFrame({"label": y_true, "prediction": y_pred})',
    "clusters": 'Make a frame of both: pl.DataFrame({"label": labels_true, "cluster_id": labels_pred})',
    "points": 'Make a frame of both: pl.DataFrame(X, schema=["x", "y"]).with_columns(cluster_id=labels)',
    "ratings": 'Make a frame with a column per rater: pl.DataFrame(ratings, schema=["ann", "bob"])',
    "probabilities": Hint(
        'Make a column per class: labels.hstack(pl.DataFrame(probabilities, schema=["cat", "dog"])), and write ',
        Argument("probabilities", ["cat", "dog"]),
    ),
}
# Files of at most so many bytes, and of fewer rows, are read at once.
SMALL, MANY_ROWS = 10_000_000, 1_000_000
# How Arrow calls the levels of a pandas index that have no name.
UNNAMED_INDEX = "__index_level_"
SPARK_TO_PICKLE = "Pickle the result: evaluation.per_unit(); or pass paths."
TO_PICKLE = "Pickle the result: evaluation.per_unit(); or pass frames or paths: relation.pl()"


def is_path(text: str) -> bool:
    """Whether a text is a path beside a connection: a file has that name, or no table could."""
    if text.startswith('"') or not text:
        return False
    try:
        return not may_name_table(text) or Path(text).exists()
    except OSError:
        # The name is too long for a file.
        return False


def may_name_table(text: str) -> bool:
    """Whether it could be the name of a table; an existing table takes precedence over a file."""
    return not (any(c in text for c in "/\\*?") or text == "-" or text.startswith(("ir_datasets:", "irds:")))


def is_relation(source: object) -> bool:
    """Whether it is a DuckDB relation, without importing duckdb."""
    kind = type(source)
    return kind.__name__ == "DuckDBPyRelation" and kind.__module__.partition(".")[0] in ("duckdb", "_duckdb")


def is_connection(source: object) -> bool:
    """Whether it is a DuckDB connection, without importing duckdb."""
    return type(source).__name__ == "DuckDBPyConnection"


def is_spark_frame(source: object) -> bool:
    """Whether it is a frame of Spark, classic or Connect, without importing pyspark."""
    return any(kind.__module__ == "pyspark.sql.dataframe" for kind in type(source).__mro__[:-1])


def is_spark_session(source: object) -> bool:
    """Whether it is a session of Spark, classic or Connect, without importing pyspark."""
    kind = type(source)
    return kind.__name__ == "SparkSession" and kind.__module__.startswith("pyspark.sql.")


def refuse_to_pickle(tables: Mapping[str, Any]) -> None:
    """Refuse tables of a DuckDB connection or a session of Spark.

    Raises:
        EngineError: a table is a relation, or a frame of Spark.
    """
    for name, table in tables.items():
        if is_relation(table):
            raise EngineError(f"The {name} table is a DuckDB relation, which cannot be pickled.", TO_PICKLE)
        if is_spark_frame(table):
            raise EngineError(f"The {name} table is a frame of Spark, which cannot be pickled.", SPARK_TO_PICKLE)


def checked_frame(frame: pl.DataFrame, name: str, engine: str = "DuckDB") -> pl.DataFrame:
    """The frame, checked for an engine that compares names without case and reads Arrow.

    Raises:
        WrongType: two names differ only in case, or a column has integers of 128 bits.
    """
    check_names(frame.columns, name, engine)
    wide = [column for column, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    if wide:
        raise WrongType(
            f"Column {wide[0]!r} of the {name} table is {frame.schema[wide[0]]}, which cannot be passed to {engine}.",
            f'Convert it: frame.with_columns(pl.col("{wide[0]}").cast(pl.Int64)); longer ids become text: '
            ".cast(pl.String)",
        )
    return frame.with_columns(pl.col(pl.Float16).cast(pl.Float32))


def check_names(columns: Sequence[str], name: str, engine: str) -> None:
    """Refuse names that an engine cannot distinguish, since it compares them without case.

    Raises:
        WrongType: two names differ only in case, or one is empty.
    """
    first_of: dict[str, str] = {}
    for column in columns:
        if not column:
            raise WrongType(
                f"The {name} table has a column without a name, which {engine} does not take.",
                'Name it: frame.rename({"": "label"})',
            )
        if column.lower() in first_of:
            first = first_of[column.lower()]
            # Our own names are in lower case: the other one is hardly the column in use.
            other = first if column.islower() else column
            raise WrongType(
                f"The {name} table has columns {first!r} and {column!r}, which {engine} cannot distinguish.",
                f'Drop or rename the one that is not evaluated: frame.drop("{other}")',
            )
        first_of[column.lower()] = column


def polars_frame(table: Any, name: str, read: Read) -> pl.DataFrame:
    """The table as a Polars frame in memory."""
    out = polars_rows(table, name, read)
    if isinstance(out, pl.DataFrame):
        return out
    from ireval_frames.engines.inputs.polars_errors import run

    return run(out.collect)


def names_files(table: Any) -> bool:
    """Whether it is a path, or several."""
    several = isinstance(table, Sequence) and table and all(isinstance(g, (str, os.PathLike)) for g in table)
    return isinstance(table, (str, os.PathLike)) or bool(several)


def is_small_file(table: Any, rows: pl.LazyFrame) -> bool:
    """Whether it is a file of this machine that is small enough to be read at once.

    Args:
        table: a path, or another table.
        rows: its rows; those of Parquet, in which small files may have many, are counted.
    """
    try:
        if not (
            isinstance(table, (str, os.PathLike)) and Path(table).is_file() and Path(table).stat().st_size <= SMALL
        ):
            return False
        with Path(table).open("rb") as file:
            return file.read(4) != b"PAR1" or rows.select(pl.len()).collect().item() < MANY_ROWS
    except (OSError, ValueError, pl.exceptions.PolarsError):
        # What cannot be read has its error when it is read.
        return False


def polars_rows(table: Any, name: str, read: Read) -> pl.DataFrame | pl.LazyFrame:
    """The table as a Polars frame, in memory or lazy.

    Raises:
        WrongType: it is no table; the message says what it is.
        EngineError: a frame of an engine that does not run here.
    """
    if names_files(table):
        table = read(table)
    if isinstance(table, (pl.DataFrame, pl.LazyFrame)):
        return table
    import narwhals.stable.v2 as nw

    if isinstance(table, (nw.DataFrame, nw.LazyFrame)):
        return polars_rows(table.to_native(), name, read)
    return _converted(table, name)


def _instead(table: Any, name: str) -> str:
    """What to pass instead: other tools' objects have a function that converts them."""
    tool = "dicts" if isinstance(table, Mapping) else type(table).__module__.partition(".")[0]
    if isinstance(table, Mapping) and not any(isinstance(value, Mapping) for value in table.values()):
        return f"Make it a frame: pl.DataFrame({name})"
    if tool in OTHER_TOOLS and name in ("qrels", "run"):
        return f"Make it a table: ir.interop.{tool}.from_{name}({name})"
    if _is_array(table):
        return FRAMES_OF_ARRAYS.get(name, f"Make it a frame whose columns have names: pl.DataFrame({name}, schema=[…])")
    return "Pass a Polars, pandas or Arrow frame, a DuckDB relation, a path, or a table's name with con=."


def _is_array(table: Any) -> bool:
    """Whether it is a list, an array of NumPy, or one column of a frame."""
    return isinstance(table, Sequence) or (hasattr(table, "__array__") and not hasattr(table, "columns"))


def type_in(table: Any, column: str) -> Any:
    """The Polars type of a column of a frame of any library; None for other things, such as paths."""
    import narwhals.stable.v2 as nw

    try:
        schema = nw.from_native(table).collect_schema()
        return nw.Schema({column: schema[column]}).to_polars()[column]
    except (TypeError, NotImplementedError, nw.exceptions.NarwhalsError):
        return None


def _converted(table: Any, name: str) -> pl.DataFrame:
    """Any other frame, through Arrow; an index of pandas is a column if it has a name."""
    import narwhals.stable.v2 as nw

    if is_relation(table):
        return pl.DataFrame(table.pl())
    try:
        frame = nw.from_native(table)
    except TypeError:
        raise WrongType(
            f"The {name} table is of type {type(table).__name__}, which is no table.",
            _instead(table, name),
        ) from None
    except nw.exceptions.DuplicateError:
        raise WrongType(
            f"The {name} table has several columns of the same name ({listed(table.columns, 20)}).",
            "Rename or drop one of them.",
        ) from None
    if isinstance(frame, nw.LazyFrame):
        if "SPARK" in frame.implementation.name:
            raise EngineError(
                f"The {name} table is a frame of Spark, and the evaluation runs elsewhere.",
                Hint(Argument("engine", "spark"), ", or pass frame.toArrow()"),
            )
        return pl.DataFrame(frame.collect("polars").to_native())
    try:
        rows = pl.DataFrame(pl.from_arrow(frame.to_arrow()))
        rows = rows.select(name for name in rows.columns if not name.startswith(UNNAMED_INDEX))
        # Arrow keeps a range of pandas as metadata, with or without a name.
        index: Any = getattr(table, "index", None)
        if type(index).__name__ != "RangeIndex" or not isinstance(index.name, str) or index.name in rows.columns:
            return rows
        return rows.with_columns(pl.Series(index.name, index.to_numpy()))
    except (TypeError, ValueError) as error:
        # A column of pandas may mix text and numbers; the last argument of pyarrow's error names it.
        column = re.search(r"column (.+) with type", str(error.args[-1:])) or ["", "label"]
        raise WrongType(
            f"The {name} table cannot be read: {' '.join(str(a) for a in error.args)}.",
            f"Give each column one type: frame.astype({literal({column[1]: 'string'})})",
        ) from None
