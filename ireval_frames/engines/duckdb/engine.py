"""DuckDB: the plan becomes one SQL query inside the caller's connection."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Function, Ranking
from ireval_frames.engines.connections import own_connection
from ireval_frames.engines.duckdb.files import files
from ireval_frames.engines.duckdb.session import FEW_ROWS, Session, numbers
from ireval_frames.engines.duckdb.types import by_bytes, collation_query, restore_types, types_of
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import (
    TO_PICKLE,
    Read,
    checked_frame,
    is_path,
    is_relation,
    names_files,
    polars_frame,
)
from ireval_frames.engines.quoting import identifier, qualified, refuse_nul, words
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.sql.engine import StatementEngine, sql_frame
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step, required_steps, statement
from ireval_frames.engines.sql.values import null_of
from ireval_frames.errors import EngineError

if TYPE_CHECKING:
    import duckdb


class DuckDBEngine(StatementEngine):
    """Plans as one statement of a connection; nothing is created in it that stays."""

    name = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None, *, beside: Any = None, own: bool = False) -> None:
        """With a connection (the caller's or, `own`, the process's), or beside a relation whose connection is used."""
        self._session = Session(connection, beside, own=own)
        self._of_caller = connection is not None and not own
        self._temporary: list[str] = []

    @classmethod
    def open(cls, first: Any, con: Any) -> DuckDBEngine:
        """In this connection, that of a relation, or one of our own."""
        if con is not None:
            return cls(con)
        return cls(None, beside=first) if is_relation(first) else cls(own_connection(), own=True)

    def __reduce__(self) -> tuple[Callable[..., DuckDBEngine], tuple[None, None]]:
        """An engine on the process's own connection is opened again; the caller's connection is refused."""
        if self._of_caller or self.beside is not None:
            raise EngineError("A DuckDB connection cannot be pickled.", TO_PICKLE)
        return DuckDBEngine.open, (None, None)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection | None:
        """The caller's connection, if there is one."""
        return self._session.connection if self._of_caller else None

    @property
    def beside(self) -> Any:
        """The relation whose connection is used, where that is the only way to it."""
        return self._session.beside

    # ---- tables

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """Relations and tables of the connection stay where they are; frames and files are read into it."""
        if is_relation(table):
            return self._relation(table)
        if isinstance(table, str) and self._of_caller:
            sql_name = self._session.sql_name(table)
            if sql_name is not None or not is_path(table):
                return self._table(table, sql_name)
        if names_files(table):
            self._session.files[str(table)] = table, read
            return files(self, table, name, read)
        return self.from_polars(checked_frame(polars_frame(table, name, read), name))

    def names_table(self, table: Any) -> bool:
        """Whether it is the name of a table of the caller's connection, rather than a path."""
        if not isinstance(table, str) or not self._of_caller:
            return False
        return self._session.sql_name(table) is not None or not is_path(table)

    def table(self, name: str) -> SQLFrame:
        """A table or view by name."""
        with self.locked():
            return self._table(name, self._session.sql_name(name))

    def _table(self, name: str, sql_name: str | None) -> SQLFrame:
        """A table by its name and its SQL name; None if the connection has no such table."""
        with self.locked():
            table = self._session.table(name, sql_name)
            step = Step((), tuple(table.columns), sql_name or qualified(name), external=True, types=types_of(table))
            return self.by_bytes(step)

    def by_bytes(self, step: Step) -> SQLFrame:
        """A table whose text is compared by its bytes, whatever collation its columns have."""
        frame = SQLFrame(self, step)
        texts = [c for c, t in step.types.items() if t == pl.String]
        if not texts:
            return frame
        (has_collation,) = self._session.values(collation_query(texts, statement(step)))
        collated = {c: by_bytes(c) for c, other in zip(texts, has_collation, strict=True) if other}
        return SQLFrame(self, frame.with_text(collated).as_step()) if collated else frame

    def from_polars(self, frame: pl.DataFrame) -> SQLFrame:
        """A Polars frame, through Arrow; nothing is created in the connection."""
        refuse_nul(frame.columns)
        return self.external(frame.to_arrow(), frame.schema, frame.height)

    def external(self, table: Any, types: Mapping[str, Any], rows: int = FEW_ROWS) -> SQLFrame:
        """A table of this process; `rows` is its number of rows where known."""
        refuse_nul(types)
        name, owner = self._session.register(table, rows)
        step = Step((), tuple(types), name, external=True, types=dict(types), owner=owner)
        with self.locked():
            return self.by_bytes(step) if self._session.collates() else SQLFrame(self, step)

    def _relation(self, relation: Any) -> SQLFrame:
        """A relation under a name that only our statements use; DuckDB inserts its query into them."""
        with self.locked():
            (name, owner), reserved = self._session.register(relation), words(relation.sql_query())
            columns, types = tuple(relation.columns), types_of(relation)
            return self.by_bytes(Step((), columns, name, external=True, types=types, reserved=reserved, owner=owner))

    def materialise(self, frame: Frame) -> Frame:
        """A temporary table, which the database may spill."""
        step = sql_frame(frame).as_step()
        name = f"ireval_frames_{next(numbers)}"
        with self.locked():
            self.query(f"CREATE TEMP TABLE {name} AS {self._prepared(step)}")
        self._temporary.append(name)
        return SQLFrame(self, Step((), step.columns, f"temp.{name}", external=True, types=dict(step.types)))

    def release(self, frame: Frame) -> None:
        """Drop the temporary table, if it is ours."""
        name = sql_frame(frame).as_step().name.removeprefix("temp.")
        if name in self._temporary:
            self._temporary.remove(name)
            self._drop(name)

    def close(self) -> None:
        """Drop what was materialised, unless the caller has closed the connection."""
        while self._temporary:
            name = self._temporary.pop()
            if not self._session.closed():
                self._drop(name)

    def _drop(self, name: str) -> None:
        with self.locked():
            self.query(f"DROP TABLE IF EXISTS temp.{name}")

    # ---- rows and groups

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """`row_number()` over the groups."""
        return Ranked(self, sql_frame(frame), ranking, partner)

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """The values in order, each after its length."""
        text = f"CAST({identifier(of)} AS VARCHAR)"
        part = f"strlen({text}) || ':' || {text}"
        rows = SQLFrame(self, sql_frame(frame.select(*keys, of)).as_step())
        return rows.grouped(keys, {name: f"string_agg(DISTINCT {part}, '' ORDER BY {part} ASC)"})

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """Runs before the statement that reads the result; rows and result pass through Arrow."""
        rows = sql_frame(frame)
        # The result is computed once, and stays registered as long as the step lives.
        result = functools.cache(lambda: self.from_polars(function(self.collect(rows))))
        types = {k: rows.dtype(k) for k in keys} | dict(adds)
        # Until the function has run, the body gives the types.
        empty = f"SELECT {', '.join(f'{null_of(t)} AS {identifier(c)}' for c, t in types.items())} WHERE FALSE"
        step = Step((empty,), tuple(types), types=types, prepare=lambda: f"SELECT * FROM {result().as_step().name}")
        return SQLFrame(self, step)

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame]:
        """DuckDB's hash of each value, mixed with the column's number, since equal values would cancel in an XOR."""
        salts = [0x9E3779B97F4A7C15 * (i + 1) % 2**63 for i in range(len(columns))]
        hashes = [f"hash(xor(hash({identifier(c)}), {salt}))" for c, salt in zip(columns, salts, strict=True)]
        mixed = functools.reduce("xor({}, {})".format, hashes or ["0"])
        keys = "".join(f"{identifier(c)}, " for c in by)
        text = (
            f"SELECT {keys}CAST(count(*) AS BIGINT) AS n_rows, "
            f"CAST(sum(CAST(hash({mixed}) AS HUGEINT)) AS VARCHAR) AS total "
            f"FROM ({self.text(frame.select(*by, *columns))}) GROUP BY ALL"
        )
        with self.locked():
            sums = pl.DataFrame(pl.from_arrow(self.query(text).to_arrow_table()))
            ((version,),) = self._session.values("SELECT version()")
        return f"duckdb-{'.'.join(version.removeprefix('v').split('.')[:2])}", sums

    # ---- running

    @contextmanager
    def errors(self) -> Iterator[None]:
        """DuckDB's errors become ours: a failed query, a closed, busy or foreign connection, an interrupt."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise self._session.translate(error) from error
        except RuntimeError as error:
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from error
            raise

    @contextmanager
    def locked(self) -> Iterator[None]:
        """The connection for one thread at a time; others wait."""
        with self._session.lock, self.errors():
            yield

    def collect(self, frame: Frame) -> pl.DataFrame:
        """Run the statement.

        Raises:
            EngineError: DuckDB failed, or the connection is closed or busy.
        """
        step = sql_frame(frame).as_step()
        with self.locked():
            if self._is_small(step) and (rows := self._session.fetched(self._prepared(step))) is not None:
                return restore_types(rows, step.types)
            return restore_types(pl.DataFrame(pl.from_arrow(self.relation(step).to_arrow_table())), step.types)

    def numbers(self, frame: Frame) -> dict[str, Any]:
        """Run without a relation, for which DuckDB would plan the statement several times."""
        step = sql_frame(frame).as_step()
        if self._session.connection is None:
            return super().numbers(frame)
        with self.locked():
            (row,) = self._session.values(self._prepared(step))
        return dict(zip(step.columns, row, strict=True))

    def _is_small(self, step: Step) -> bool:
        """Whether it reads only tables of this process, with few rows."""
        if self._session.connection is None:
            return False
        # A step that reads no other is a table, or files, whose number of rows is unknown.
        read = [one for one in required_steps(step) if one.external or not (one.parents or one.prepare)]
        return sum(self._session.rows(one.name) for one in read) < FEW_ROWS

    def text(self, frame: Frame) -> str:
        """The statement of a frame."""
        return statement(sql_frame(frame).as_step())

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns."""
        with self.locked():
            # Steps in Python have known types, and do not run.
            return types_of(self.query(statement(step)))

    def relation(self, step: Step) -> Any:
        """The step as a relation of the connection."""
        with self.locked():
            return self.query(self._prepared(step))

    def _prepared(self, step: Step) -> str:
        """The statement, once the steps in Python that it reads have run."""
        for one in required_steps(step):
            if one.prepare is not None and (body := one.prepare()) is not None:
                one.body = (body,)
        return statement(step)

    def query(self, text: str) -> Any:
        """A query as a relation of the connection."""
        return self._session.query(text)
