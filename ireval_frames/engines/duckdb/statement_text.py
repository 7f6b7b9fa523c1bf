"""The plan as SQL text over the caller's own tables: the statement that `DuckDBEngine` runs.

Frames have no name in a database, so the text has tables with the names of the arguments; files are read where they
are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.base import Function
from ireval_frames.engines.connections import own_connection
from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.engines.duckdb.types import types_of
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, is_relation, polars_rows
from ireval_frames.engines.quoting import checked_name, identifier, parts, qualified, words
from ireval_frames.engines.sql.expressions import sql
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step, statement
from ireval_frames.engines.sql.values import null_of, type_name
from ireval_frames.errors import Argument, Hint, NotDefined, listed
from ireval_frames.expr import lit

Files = Callable[[str, Any], tuple[str, Mapping[str, Any]]]


class SQLText(DuckDBEngine):
    """Writes the statement that `DuckDBEngine` runs.

    Args:
        engine: the engine of the evaluation.
        files: from a table's name and a path, the SELECT that reads it and the types of its columns.
    """

    writes_sql = True

    def __init__(self, engine: Any, files: Files) -> None:
        connection, beside = getattr(engine, "connection", None), getattr(engine, "beside", None)
        if beside is not None:
            super().__init__(None, beside=beside)
        else:
            super().__init__(connection or own_connection(), own=connection is None)
        self.engine, self._files = engine, files
        self._empty: dict[str, str] = {}

    @property
    def frames(self) -> list[str]:
        """The names of the frames that are tables in the text."""
        return list(self._empty)

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """A table of the text.

        Raises:
            NotDefined: it is one of Spark.
        """
        if self.engine.session_table(table) is not None:
            raise NotDefined(
                f"The {name} table is in a session of Spark, and DuckDB's SQL cannot read it.",
                Hint("Write Spark's: ", Argument("dialect", "spark"), "."),
            )
        if is_relation(table):
            with self.locked():
                query = table.sql_query().rstrip()
                step = Step((query,), tuple(table.columns), types=types_of(table), reserved=words(query))
                return self._named(self.by_bytes(step), name)
        if self.names_table(table):
            return self.table(table)
        if isinstance(table, (str, list, tuple)) or hasattr(table, "__fspath__"):
            text, types = self._files(name, table)
            return self._named(SQLFrame(self, Step((text,), tuple(types), types=dict(types))), name)
        return self._placeholder(name, polars_rows(table, name, read).collect_schema())

    def _placeholder(self, name: str, types: Mapping[str, Any]) -> SQLFrame:
        """A table of the text, empty wherever the text is planned."""
        empty = ", ".join(f"{null_of(t)} AS {identifier(c)}" for c, t in types.items())
        self._empty[name] = f"SELECT {empty} WHERE FALSE"
        return SQLFrame(self, Step((), tuple(types), name, external=True, types=dict(types)))

    def _named(self, frame: SQLFrame, name: str) -> SQLFrame:
        # The caller's query may read a table of that name, which no step may shadow.
        frame.as_step().name = f"ireval_{name}"
        return frame

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns, from empty tables in the place of frames."""
        with self.locked():
            return types_of(self.query(statement(step, self._empty)))

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """Refused: SQL text cannot run Python.

        Raises:
            NotDefined: always.
        """
        what = (function.__doc__ or function.__name__).splitlines()[0].rstrip(".")
        raise NotDefined(
            f"The plan has a step in Python ({what}), which has no SQL text.",
            "Leave those measures out of sql(); explain() names them.",
        )

    def from_polars(self, frame: pl.DataFrame) -> SQLFrame:
        """A small table of the package, as VALUES."""
        types = dict(frame.schema)
        columns = [f"CAST(c{i} AS {type_name(t)}) AS {identifier(c)}" for i, (c, t) in enumerate(types.items())]
        rows = [f"({', '.join(sql(lit(v)) for v in row)})" for row in frame.iter_rows()]
        names = ", ".join(f"c{i}" for i in range(len(types)))
        values = (
            f"(VALUES {', '.join(rows)}) AS rows({names})"
            if rows
            else "(SELECT " + ", ".join(f"NULL AS c{i}" for i in range(len(types))) + ") WHERE FALSE"
        )
        return SQLFrame(self, Step((f"SELECT {', '.join(columns)}\nFROM {values}",), tuple(types), types=types))


def create_view(engine: Any, files: Files, plan: Callable[[Any], Frame], name: str, *, replace: bool) -> None:
    """Create a view of a plan, in the connection of its engine.

    Raises:
        NotDefined: the engine has no connection of the user's, or the plan reads frames, or the view itself.
        InvalidParameter: `name` is no name.
        EngineError: DuckDB refuses the view.
    """
    target = _target(engine, name, "view")
    text = SQLText(engine, files)
    with text.errors():
        query = text.text(plan(text))
        if replace and _reads(query, name):
            raise NotDefined(f"The evaluation reads {name}, so its view cannot take that name.", "Name it otherwise.")
        if text.frames:
            raise NotDefined(
                f"A view cannot read frames, and {listed(text.frames)} {'is one' if len(text.frames) == 1 else 'are'}.",
                f'Put it into the database and name it: con.sql("CREATE TABLE {text.frames[0]} AS FROM frame").',
            )
        text.query(f"CREATE {'OR REPLACE ' if replace else ''}VIEW {target} AS\n{query}")


def _reads(query: str, name: str) -> bool:
    """Whether a query reads the table of that name; names without a schema match any."""
    target = [part.lower() for part in parts(name)]
    for table in own_connection().get_table_names(query, qualified=True):
        read = [part.lower() for part in parts(table)]
        common = min(len(read), len(target))
        if read[-common:] == target[-common:]:
            return True
    return False


def create_table(engine: Any, frame: Frame, name: str, *, replace: bool) -> None:
    """Create a table of a frame, in the connection of its engine.

    Raises:
        NotDefined: the engine has no connection of the user's.
        InvalidParameter: `name` is no name.
        EngineError: DuckDB refuses the table.
    """
    target = _target(engine, name, "table")
    with engine.errors(), engine.locked():
        # This runs the steps in Python, whose results the statement reads.
        frame.to_native()
        engine.query(f"CREATE {'OR REPLACE ' if replace else ''}TABLE {target} AS\n{engine.text(frame)}")


def _target(engine: Any, name: str, kind: str) -> str:
    """The SQL name of a view or table that is created.

    Raises:
        NotDefined: the engine has no connection of the user's.
        InvalidParameter: it is no name.
    """
    if getattr(engine, "connection", None) is None and getattr(engine, "beside", None) is None:
        raise NotDefined(
            f"A {kind} is created in a DuckDB connection, and this evaluation has none.",
            f'Name tables of one: ir.evaluate("qrels", "run", "AP", con=con).to_{kind}("per_topic")',
        )
    return qualified(checked_name(name, f'Write to_{kind}("per_topic") or to_{kind}(\'results."per topic"\').'))
