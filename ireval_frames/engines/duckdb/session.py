"""Asking DuckDB: statements over the tables of this process, as relations or run at once."""

from __future__ import annotations

import builtins
import functools
import itertools
import types
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

# Of fewer rows DuckDB plans a statement longer than it runs it, and a relation plans it several times.
FEW_ROWS = 10_000

_PLAIN = {
    "BOOLEAN": pl.Boolean, "VARCHAR": pl.String, "DOUBLE": pl.Float64, "FLOAT": pl.Float32, "DATE": pl.Date,
    "TINYINT": pl.Int8, "SMALLINT": pl.Int16, "INTEGER": pl.Int32, "BIGINT": pl.Int64,
    "UTINYINT": pl.UInt8, "USMALLINT": pl.UInt16, "UINTEGER": pl.UInt32, "UBIGINT": pl.UInt64,
}  # fmt: skip

# Names that only our statements know.
numbers = itertools.count()


@dataclass(frozen=True, eq=False)
class Held:
    """A table of this process that statements read, as long as something holds this.

    Attributes:
        table: the table.
        rows: how many rows it has, or many.
    """

    table: Any
    rows: int


class Session:
    """A connection, or a relation whose own connection is used, and the tables of this process that statements read.

    DuckDB finds such tables among the names that the asking function sees, and keeps those that a query reads as long
    as its relation lives.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection | None, beside: Any) -> None:
        self.connection, self.beside = connection, beside
        self._tables: weakref.WeakValueDictionary[str, Held] = weakref.WeakValueDictionary()
        self._collates: bool | None = None
        self.files: dict[str, file_errors.Given] = {}
        self.lock = connection_lock(beside if connection is None else connection)

    def register(self, table: Any, rows: int = FEW_ROWS) -> tuple[str, Held]:
        """The name of a table of this process, and what holds it; if nobody knows its number of rows, they are many."""
        name, held = f"ireval_frames_given_{next(numbers)}", Held(table, rows)
        self._tables[name] = held
        return name, held

    def translate(self, error: Exception) -> BaseException:
        """An error of DuckDB as ours: what a file is the reason for is told as that."""
        found = self._failure() or engine_error(error)
        return file_errors.blame_file(found, list(self.files.values())) if isinstance(found, EngineError) else found

    def _failure(self) -> BaseException | None:
        """What went wrong while a table of this process was read in pieces, told once; DuckDB has only its text."""
        for held in list(self._tables.values()):
            table = held.table
            if isinstance(table, Streamed) and (error := table.failure) is not None:
                table.failure = None
                return polars_error(error) if isinstance(error, FAILURES) else error
        return None

    def rows(self, name: str) -> int:
        """The number of rows of a table of this process; others may have many."""
        held = self._tables.get(name)
        return FEW_ROWS if held is None else held.rows

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
            sql_name: as statements do; None if no table of that name is there.

        Raises:
            EngineError: there is no such table; the message lists those there are.
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

    def has(self, name: str) -> bool:
        """Whether the connection has a table or view of this name; names are compared without case."""
        return self.sql_name(name) is not None

    def sql_name(self, name: str) -> str | None:
        """How statements speak of the table or view of this name; None if the connection has none.

        The whole text is a name first, whatever signs it holds; else it may be `schema.name`, or be in quotes.
        """
        if not name or "\0" in name:
            return None
        if self._exists([name]):
            return identifier(name)
        names = parts(name)
        return qualified(name) if len(names) in (1, 2, 3) and self._exists(names) else None

    def _exists(self, names: Sequence[str]) -> bool:
        """Whether there is a table of that name, in that schema and database where these are named."""
        # Half the time of the same question to information_schema.tables, which is made of both.
        found = []
        for kind in ("table", "view"):
            same = zip((f"{kind}_name", "schema_name", "database_name"), reversed(names), strict=False)
            where = " AND ".join(f"lower({c}) = lower({string(n)})" for c, n in same)
            found.append(f"SELECT 1 FROM duckdb_{kind}s() WHERE {where}")
        return bool(self.values(f"{' UNION ALL '.join(found)} LIMIT 1"))

    def collates(self) -> bool:
        """Whether text without a collation of its own is compared otherwise than by its bytes."""
        if self._collates is None:
            ((setting,),) = self.values("SELECT current_setting('default_collation')")
            self._collates = str(setting).lower() not in ("", "binary")
        return self._collates

    def query(self, text: str) -> Any:
        """A query as a relation; a relation does not tell its connection, but can be asked through."""
        if self.connection is not None:
            return self._asked(functools.partial(self.connection.sql, text))
        return self._asked(functools.partial(self.beside.query, "ireval_frames_unused", text))

    def values(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of a query, run at once, as Python's values; a relation's connection makes a relation of it."""
        with self.lock:
            asked = self.query(text) if self.connection is None else self._executed(text)
            rows: list[tuple[Any, ...]] = asked.fetchall()
            return rows

    def fetched(self, text: str) -> pl.DataFrame | None:
        """The rows of a query, run at once, through Python's values; None where those do not say all of a type."""
        with self.lock:
            result = self._executed(text)
            known = {name: _PLAIN.get(str(dtype)) for name, dtype, *_ in result.description}
            if None in known.values():
                result.complete()
                return None
            return pl.DataFrame(result.fetchall(), known, orient="row")

    @property
    def _own(self) -> duckdb.DuckDBPyConnection:
        if self.connection is None:
            raise TypeError("a relation's connection is not known")
        return self.connection

    def _executed(self, text: str) -> Any:
        return self._asked(functools.partial(self._own.execute, text))

    def _asked(self, ask: Callable[[], Any]) -> Any:
        with self.lock:
            tables = {name: held.table for name, held in list(self._tables.items())}
            return types.FunctionType(_asking.__code__, {**tables, "ask": ask, "__builtins__": builtins})()


def _asking() -> Any:
    return globals()["ask"]()
