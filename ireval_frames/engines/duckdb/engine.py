"""DuckDB: the plan becomes one SQL query inside the caller's connection."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Aggregate, Function, RankedRows, Ranking
from ireval_frames.engines.connections import own_connection
from ireval_frames.engines.duckdb.collation import by_bytes, question
from ireval_frames.engines.duckdb.files import files
from ireval_frames.engines.duckdb.session import FEW_ROWS, Session, numbers
from ireval_frames.engines.duckdb.types import as_given, types_of
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
from ireval_frames.engines.quoting import identifier, md5, qualified, sayable, words
from ireval_frames.engines.sql.engine import StatementEngine, of_statement
from ireval_frames.engines.sql.expressions import sql_text
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.lists import duckdb_each, duckdb_places
from ireval_frames.engines.sql.ranking import Ranked
from ireval_frames.engines.sql.statement import Step, needed, statement
from ireval_frames.engines.sql.values import Text, ValueKind, nothing_of, number
from ireval_frames.errors import Argument, EngineError, Hint, NotDefined
from ireval_frames.expr import Expr, col

if TYPE_CHECKING:
    import duckdb

_AGGREGATES = {
    "sum": "coalesce(fsum({0}), 0e0)",
    "plain_sum": "coalesce(sum({0}), 0e0)",
    "count": "CAST(count(*) AS DOUBLE)",
    "present": "CAST(count({0}) AS DOUBLE)",
    # A compensated sum makes NaN of what is infinite.
    "mean": "CASE WHEN isfinite(avg({0})) THEN fsum({0}) / count({0}) ELSE avg({0}) END",
    "max": "max({0})",
    "min": "min({0})",
    "any": "any_value({0})",
    "quantile": "quantile_cont({0}, {1})",
    "variance": "var_samp({0})",
}


class DuckDBEngine(StatementEngine):
    """Plans as one statement of a connection; nothing is created in it that stays."""

    name = "duckdb"
    each, places = staticmethod(duckdb_each), staticmethod(duckdb_places)

    def __init__(self, connection: duckdb.DuckDBPyConnection | None, *, beside: Any = None, given: bool = True) -> None:
        """With a connection (`given` by the caller or our own), or beside a relation whose own connection is used."""
        self._session = Session(connection, beside)
        self.given = connection is not None and given
        self._made: list[str] = []

    @classmethod
    def open(cls, first: Any, con: Any) -> DuckDBEngine:
        """In this connection, that of a relation, or one of our own."""
        if con is not None:
            return cls(con)
        return cls(None, beside=first) if is_relation(first) else cls(own_connection(), given=False)

    def __reduce__(self) -> tuple[Callable[..., DuckDBEngine], tuple[None, None]]:
        """Pickled, an engine of our own is opened anew; the caller's connection is refused."""
        if self.given or self.beside is not None:
            raise EngineError("A DuckDB connection cannot be pickled.", TO_PICKLE)
        return DuckDBEngine.open, (None, None)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection | None:
        """The caller's connection, if there is one."""
        return self._session.connection if self.given else None

    @property
    def beside(self) -> Any:
        """The relation whose connection is used, if there is no other way to it."""
        return self._session.beside

    # ---- tables

    def open_table(self, given: Any, name: str, read: Read) -> Frame:
        """Relations and tables of the connection stay where they are; frames and files are read into it."""
        if is_relation(given):
            return self._relation(given)
        if isinstance(given, str) and self.given:
            sql_name = self._session.sql_name(given)
            if sql_name is not None or not is_path(given):
                return self._table(given, sql_name)
        if names_files(given):
            self._session.files[str(given)] = given, read
            return files(self, given, name, read)
        return self.from_polars(checked_frame(polars_frame(given, name, read), name))

    def names_table(self, given: Any) -> bool:
        """Whether it is the name of a table of the caller's connection, rather than a path."""
        if not isinstance(given, str) or not self.given:
            return False
        return self._session.sql_name(given) is not None or not is_path(given)

    def table(self, name: str) -> DuckDBFrame:
        """A table or view by name."""
        with self.locked():
            return self._table(name, self._session.sql_name(name))

    def _table(self, name: str, sql_name: str | None) -> DuckDBFrame:
        """A table, and how statements speak of it; None if the connection has none of that name."""
        with self.locked():
            found = self._session.table(name, sql_name)
            step = Step((), tuple(found.columns), sql_name or qualified(name), external=True, types=types_of(found))
            return self.by_bytes(step)

    def by_bytes(self, step: Step) -> DuckDBFrame:
        """A table whose text is compared by its bytes, whatever collation its columns have."""
        frame = DuckDBFrame(self, step)
        texts = [c for c, t in step.types.items() if t == pl.String]
        if not texts:
            return frame
        (found,) = self._session.values(question(texts, statement(step)))
        collated = {c: by_bytes(c) for c, other in zip(texts, found, strict=True) if other}
        return DuckDBFrame(self, frame.with_text(collated).settled()) if collated else frame

    def from_polars(self, frame: pl.DataFrame) -> DuckDBFrame:
        """A Polars frame, through Arrow; nothing is created in the connection."""
        sayable(frame.columns)
        return self.external(frame.to_arrow(), frame.schema, frame.height)

    def external(self, table: Any, types: Mapping[str, Any], rows: int = FEW_ROWS) -> DuckDBFrame:
        """A table of this process; where nobody knows how many rows it has, they may be many."""
        sayable(types)
        known = dict(types)
        name, owner = self._session.register(table, rows)
        step = Step((), tuple(known), name, external=True, types=known, owner=owner)
        with self.locked():
            return self.by_bytes(step) if self._session.collates() else DuckDBFrame(self, step)

    def _relation(self, relation: Any) -> DuckDBFrame:
        """A relation under a name that only our statements know; DuckDB writes its query into them."""
        with self.locked():
            (name, owner), reserved = self._session.register(relation), words(relation.sql_query())
            columns, known = tuple(relation.columns), types_of(relation)
            return self.by_bytes(Step((), columns, name, external=True, types=known, reserved=reserved, owner=owner))

    def materialise(self, frame: Frame) -> Frame:
        """A temporary table, which the database may spill."""
        step = of_statement(frame).settled()
        name = f"ireval_frames_{next(numbers)}"
        with self.locked():
            self.query(f"CREATE TEMP TABLE {name} AS {self._prepared(step)}")
        self._made.append(name)
        return DuckDBFrame(self, Step((), step.columns, f"temp.{name}", external=True, types=dict(step.types)))

    def release(self, frame: Frame) -> None:
        """Drop the temporary table, if it is one of ours."""
        name = of_statement(frame).settled().name.removeprefix("temp.")
        if name in self._made:
            self._made.remove(name)
            self._dropped(name)

    def close(self) -> None:
        """Drop what was materialised; a connection that the caller has closed holds nothing any more."""
        while self._made:
            name = self._made.pop()
            if not self._session.closed():
                self._dropped(name)

    def _dropped(self, name: str) -> None:
        with self.locked():
            self.query(f"DROP TABLE IF EXISTS temp.{name}")

    # ---- words

    def worded(
        self, expr: Expr, columns: Mapping[str, str], kinds: Callable[[str], ValueKind], *, beside: bool = False
    ) -> Text:
        """An expression in DuckDB's words."""
        return sql_text(expr, columns, kinds, beside=beside)

    def aggregated(self, a: Aggregate, frame: DuckDBFrame) -> str:
        """An aggregate in DuckDB's words."""
        if a.how == "count":
            return _AGGREGATES["count"]
        text = frame.text_of(a.expr)
        if a.how == "sum" and a.order:
            return f"coalesce(sum({text} ORDER BY {frame.text_of(col(a.order))} ASC), 0e0)"
        return _AGGREGATES[a.how].format(text, number(a.at))

    # ---- rows and groups

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """`row_number()` over the groups."""
        return Ranked(self, of_statement(frame), ranking, partner)

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """The values in order, each after its length."""
        text = f"CAST({identifier(of)} AS VARCHAR)"
        part = f"strlen({text}) || ':' || {text}"
        rows = DuckDBFrame(self, of_statement(frame.select(*keys, of)).settled())
        return rows.grouped(keys, {name: f"string_agg(DISTINCT {part}, '' ORDER BY {part} ASC)"})

    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """Integer ranges, unnested."""
        rows = of_statement(frame.filter(col(low) <= col(high)))
        made = rows.with_text({key: f"unnest(range({identifier(low)}, {identifier(high)} + 1))"})
        return DuckDBFrame(self, made.settled())

    def number(self, frame: Frame, name: str) -> Frame:
        """Refused: rows of a relation may come in another order every time.

        Raises:
            NotDefined: always.
        """
        raise NotDefined(
            "The rows of a DuckDB table have no order, so they need an id.",
            Hint("Name the column: ", Argument("item", "id")),
        )

    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """MD5 is DuckDB's own."""
        return of_statement(frame).with_text({name: md5(identifier(column), seed)})

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """The rows come out through Arrow before the statement that reads the result, and the result goes back so."""
        rows = of_statement(frame)
        made: list[DuckDBFrame] = []

        def prepare() -> str:
            if not made:
                made.append(self.from_polars(function(self.collect(rows))))
            return f"SELECT * FROM {made[0].settled().name}"

        known = {k: rows.dtype(k) for k in keys} | dict(adds)
        # What stands there until it has run tells the types.
        empty = f"SELECT {', '.join(f'{nothing_of(t)} AS {identifier(c)}' for c, t in known.items())} WHERE FALSE"
        return DuckDBFrame(self, Step((empty,), tuple(known), prepare=prepare, types=known))

    def hash_sums(self, frame: Frame, by: Sequence[str], columns: Sequence[str]) -> tuple[str, pl.DataFrame]:
        """DuckDB's hash; of several values it is their exclusive or, which two equal values take out."""
        odd = [0x9E3779B97F4A7C15 * (i + 1) % 2**63 for i in range(len(columns))]
        mixed = functools.reduce(
            "xor({}, {})".format,
            [f"hash(xor(hash({identifier(c)}), {place}))" for c, place in zip(columns, odd, strict=True)] or ["0"],
        )
        keys = "".join(f"{identifier(c)}, " for c in by)
        text = (
            f"SELECT {keys}CAST(count(*) AS BIGINT) AS n_rows, "
            f"CAST(sum(CAST(hash({mixed}) AS HUGEINT)) AS VARCHAR) AS total "
            f"FROM ({self.text(frame.select(*by, *columns))}) GROUP BY ALL"
        )
        with self.locked():
            found = pl.DataFrame(pl.from_arrow(self.query(text).to_arrow_table()))
            ((version,),) = self._session.values("SELECT version()")
        return f"duckdb-{'.'.join(version.removeprefix('v').split('.')[:2])}", found

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
        """While one thread asks the connection, others wait."""
        with self._session.lock, self.errors():
            yield

    def collect(self, frame: Frame) -> pl.DataFrame:
        """Run the statement.

        Raises:
            EngineError: DuckDB failed, or the connection is closed or busy.
        """
        step = of_statement(frame).settled()
        with self.locked():
            if self._is_small(step) and (rows := self._session.fetched(self._prepared(step))) is not None:
                return as_given(rows, step.types)
            return as_given(pl.DataFrame(pl.from_arrow(self.relation(step).to_arrow_table())), step.types)

    def numbers(self, frame: Frame) -> dict[str, Any]:
        """Run without a relation, for which DuckDB would plan the statement several times."""
        step = of_statement(frame).settled()
        if self._session.connection is None:
            return super().numbers(frame)
        with self.locked():
            (row,) = self._session.values(self._prepared(step))
        return dict(zip(step.columns, row, strict=True))

    def _is_small(self, step: Step) -> bool:
        """Whether it reads nothing but frames of this process, and few rows."""
        if self._session.connection is None:
            return False
        # What reads no other step is a table, or files, whose rows nobody has counted.
        read = [one for one in needed(step) if one.external or not (one.parents or one.prepare)]
        return sum(self._session.rows(one.name) for one in read) < FEW_ROWS

    def text(self, frame: Frame) -> str:
        """The statement of a frame."""
        return statement(of_statement(frame).settled())

    def describe(self, step: Step) -> Mapping[str, Any]:
        """The types of a step's columns."""
        with self.locked():
            # Steps in Python know their types, and do not run for this.
            return types_of(self.query(statement(step)))

    def relation(self, step: Step) -> Any:
        """The step as a relation of the connection."""
        with self.locked():
            return self.query(self._prepared(step))

    def _prepared(self, step: Step) -> str:
        """The statement, once the steps in Python that it reads have run."""
        for one in needed(step):
            if one.prepare is not None and (body := one.prepare()) is not None:
                one.body = (body,)
        return statement(step)

    def query(self, text: str) -> Any:
        """A query as a relation of the connection."""
        return self._session.query(text)
