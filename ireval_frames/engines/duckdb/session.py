"""Running statements in DuckDB over tables of this process, directly or as relations."""

from __future__ import annotations

import builtins
import functools
import itertools
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.connections import connection_lock
from ireval_frames.engines.duckdb.errors import engine_error
from ireval_frames.engines.duckdb.files import Streamed
from ireval_frames.engines.inputs import file_errors
from ireval_frames.engines.inputs.polars_errors import FAILURES
from ireval_frames.engines.inputs.polars_errors import engine_error as polars_error
from ireval_frames.engines.quoting import identifier, parts, qualified, string
from ireval_frames.errors import EngineError, listed

if TYPE_CHECKING:
    import duckdb

# For fewer rows DuckDB takes longer to plan a statement than to run it, and a relation plans it several times.
FEW_ROWS = 10_000

_PLAIN = {
    "BOOLEAN": pl.Boolean, "VARCHAR": pl.String, "DOUBLE": pl.Float64, "FLOAT": pl.Float32, "DATE": pl.Date,
    "TINYINT": pl.Int8, "SMALLINT": pl.Int16, "INTEGER": pl.Int32, "BIGINT": pl.Int64,
    "UTINYINT": pl.UInt8, "USMALLINT": pl.UInt16, "UINTEGER": pl.UInt32, "UBIGINT": pl.UInt64,
}  # fmt: skip

# Numbers for names that only our statements use.
numbers = itertools.count()


@dataclass(frozen=True, eq=False)
class LocalTable:
    """A table of this process that statements read, as long as a step refers to it.

    Attributes:
        table: the table.
        rows: its number of rows, FEW_ROWS if unknown.
    """

    table: Any
    rows: int


class Session:
    """A connection, or a relation whose connection is used, and the tables of this process that statements read.

    DuckDB finds such tables among the globals of the calling function, and refers to those that a query reads as long
    as its relation lives.

    Attributes:
        connection: the connection; None beside a relation.
        beside: the relation.
        files: the paths that were read, and how.
        lock: held by the thread that queries.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection | None, beside: Any, *, own: bool = False) -> None:
        self.connection, self.beside = connection, beside
        self._tables: weakref.WeakValueDictionary[str, LocalTable] = weakref.WeakValueDictionary()
        # Nobody else sets anything in the process's own connection.
        self._collates: bool | None = False if own else None
        self.files: dict[str, file_errors.ReadPath] = {}
        self.lock = connection_lock(beside if connection is None else connection)

    def register(self, table: Any, rows: int = FEW_ROWS) -> tuple[str, LocalTable]:
        """The name of a table of this process, and the object that has to live as long as statements read it."""
        name, owner = f"ireval_frames_table_{next(numbers)}", LocalTable(table, rows)
        self._tables[name] = owner
        return name, owner

    def translate(self, error: Exception) -> BaseException:
        """An error of DuckDB as ours; one that a file causes names the file."""
        ours = self._failure() or engine_error(error)
        return file_errors.blame_file(ours, list(self.files.values())) if isinstance(ours, EngineError) else ours

    def _failure(self) -> BaseException | None:
        """The exception while a table of this process was streamed, returned once; DuckDB has only its text."""
        for local in list(self._tables.values()):
            table = local.table
            if isinstance(table, Streamed) and (error := table.failure) is not None:
                table.failure = None
                return polars_error(error) if isinstance(error, FAILURES) else error
        return None

    def rows(self, name: str) -> int:
        """The number of rows of a table of this process; FEW_ROWS for others."""
        local = self._tables.get(name)
        return FEW_ROWS if local is None else local.rows

    def closed(self) -> bool:
        """Whether the connection has been closed."""
        import duckdb

        try:
            self.query("SELECT 1")
        except duckdb.ConnectionException:
            return True
        return False

    def table(self, name: str, sql_name: str | None) -> duckdb.DuckDBPyRelation:
        """A table or view by name, `schema.name` included.

        Args:
            name: as the user writes it.
            sql_name: as statements do; None if there is no such table.

        Raises:
            EngineError: there is no such table; the message lists the existing ones.
        """
        import duckdb

        try:
            if not name:
                raise self._missing(name)
            return self._own.sql(f"SELECT * FROM {sql_name or qualified(name)}")
        except duckdb.CatalogException as error:
            raise self._missing(name) from error
        except duckdb.Error as error:
            raise engine_error(error) from error

    def _missing(self, name: str) -> EngineError:
        rows = self._own.sql("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
        return EngineError(
            f"The DuckDB connection has no table {name!r} (it has: {listed([n for (n,) in rows], 20) or 'none'}).",
            "Name a table of the connection, or a file that exists.",
        )

    def sql_name(self, name: str) -> str | None:
        """The SQL name of a table or view, compared without case; None if the connection has none of that name.

        The complete text is tried as a name first; else it may be `schema.name`, or be in quotes.
        """
        if not name or "\0" in name:
            return None
        if self._exists([name]):
            return identifier(name)
        names = parts(name)
        return qualified(name) if len(names) in (1, 2, 3) and self._exists(names) else None

    def _exists(self, names: Sequence[str]) -> bool:
        """Whether there is a table or view of that name, in that schema and database if these are named."""
        # Twice as fast as information_schema.tables, which combines both.
        queries = []
        for kind in ("table", "view"):
            same = zip((f"{kind}_name", "schema_name", "database_name"), reversed(names), strict=False)
            where = " AND ".join(f"lower({c}) = lower({string(n)})" for c, n in same)
            queries.append(f"SELECT 1 FROM duckdb_{kind}s() WHERE {where}")
        return bool(self.values(f"{' UNION ALL '.join(queries)} LIMIT 1"))

    def collates(self) -> bool:
        """Whether the default collation of the connection is other than by bytes."""
        if self._collates is None:
            ((setting,),) = self.values("SELECT current_setting('default_collation')")
            self._collates = str(setting).lower() not in ("", "binary")
        return self._collates

    def query(self, text: str) -> Any:
        """A query as a relation; a relation does not expose its connection, but can run a query in it."""
        if self.connection is not None:
            return self._call(functools.partial(self.connection.sql, text))
        return self._call(functools.partial(self.beside.query, "ireval_frames_unused", text))

    def values(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of a query as Python's values, run directly or, in a relation's connection, as a relation."""
        with self.lock:
            result = self.query(text) if self.connection is None else self._execute(text)
            rows: list[tuple[Any, ...]] = result.fetchall()
            return rows

    def fetched(self, text: str) -> pl.DataFrame | None:
        """The rows of a query through Python's values, run directly; None where a type is not among the plain ones."""
        with self.lock:
            result = self._execute(text)
            types = {name: _PLAIN.get(str(dtype)) for name, dtype, *_ in result.description}
            if None in types.values():
                result.complete()
                return None
            return pl.DataFrame(result.fetchall(), types, orient="row")

    @property
    def _own(self) -> duckdb.DuckDBPyConnection:
        if self.connection is None:
            raise TypeError("a relation does not expose its connection")
        return self.connection

    def _execute(self, text: str) -> Any:
        return self._call(functools.partial(self._own.execute, text))

    def _call(self, query: Callable[[], Any]) -> Any:
        """Run a query in a function whose globals are the tables of this process."""
        with self.lock:
            tables = {name: local.table for name, local in list(self._tables.items())}
            scope = {**tables, "run_query": query, "__builtins__": builtins}
            return FunctionType(_run_query.__code__, scope)()


def _run_query() -> Any:
    return globals()["run_query"]()
