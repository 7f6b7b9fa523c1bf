"""DuckDB: the plan becomes one SQL query inside the caller's connection.

All SQL text of the package is in this file.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.base import Aggregate, RankedRows, Ranking, lazy
from ireval_frames.engines.polars import without
from ireval_frames.errors import Argument, EngineError, Hint, NotDefined

if TYPE_CHECKING:
    import duckdb

# Duplicates are looked for in parts of about this many rows, so that the hashes fit a small memory limit.
CHECKED_ROWS = 20_000_000

# The condition that marks a relation as shared, and how a query reads the common table expression of such a relation.
SHARED = "'ireval_frames: shared' IS NOT NULL"
_MARKED = re.compile(r'FROM "(__duckdb_s[0-9]+)" AS "[^"]*" WHERE \(+' + re.escape(SHARED))
_STEP = re.compile(r'"__duckdb_s([0-9]+)"')

_SUMS = {
    "sum": "coalesce(fsum({0}), 0.0)",
    "count": "CAST(count(*) AS DOUBLE)",
    "mean": "fsum({0}) / count({0})",
    "max": "max({0})",
    "min": "min({0})",
}


@functools.cache
def _database(process: int) -> duckdb.DuckDBPyConnection:
    """The process's own database, in memory, which stays empty."""
    del process
    import duckdb

    return duckdb.connect()


def own_connection() -> duckdb.DuckDBPyConnection:
    """A connection for frames that have none.

    Making a database takes as long as a small plan, so a process makes one.
    """
    return _database(os.getpid()).cursor()


class DuckDBEngine:
    """Plans as DuckDB relations of one connection; nothing is created in it."""

    name = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None, *, beside: Any = None, given: bool = True) -> None:
        """With a connection (`given` by the caller or our own), or beside a relation whose own connection is used."""
        self._connection, self._beside = connection, beside
        self.given = connection is not None and given

    @property
    def connection(self) -> duckdb.DuckDBPyConnection | None:
        """The caller's connection, if there is one."""
        return self._connection if self.given else None

    def table(self, name: str) -> duckdb.DuckDBPyRelation:
        """A table or view by name."""
        return table(self._connection, name)  # type: ignore[arg-type]

    def from_polars(self, frame: pl.DataFrame) -> Any:
        """A Polars frame as a relation of the connection, through Arrow; nothing is created there.

        A relation does not tell its connection, but a query through it can read a variable of this function.
        """
        import duckdb

        try:
            if self._connection is not None:
                return self._connection.from_arrow(frame.to_arrow())
            ireval_frames_arrow = frame.to_arrow()  # noqa: F841 - read by the query
            return self._beside.query("ireval_frames_unused", "SELECT * FROM ireval_frames_arrow").set_alias("frame")
        except duckdb.Error as error:
            raise engine_error(error) from error

    def join(
        self, left: nw.LazyFrame, right: nw.LazyFrame, on: Sequence[str], how: Literal["inner", "left"]
    ) -> nw.LazyFrame:
        """Joins in which a null key equals a null key."""
        right = without(right, left, on)
        condition = " AND ".join(f"l.{quoted(k)} IS NOT DISTINCT FROM r.{quoted(k)}" for k in on) or "TRUE"
        columns = [f"l.{quoted(c)}" for c in left.columns] + [f"r.{quoted(c)}" for c in right.columns if c not in on]
        joined = _native(left).set_alias("l").join(_native(right).set_alias("r"), condition, how=how if on else "inner")
        return lazy(joined.select(", ".join(columns)))

    def group(self, frame: nw.LazyFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> nw.LazyFrame:
        """One group-by; sums are compensated, since plain ones drift by 1e-11 on a million terms."""
        groups = _listed(keys)
        if not aggregates:
            return lazy(_native(frame).select(groups).distinct()) if keys else frame.select(nw.len().alias("_rows"))
        orders = {a.order: nw.col(a.order) for a in aggregates if a.order and a.order not in keys}
        terms = {a.name: a.expr for a in aggregates if a.how != "count"}
        native = _native(
            frame.select(*keys, **orders, **terms) if keys else frame.with_columns(**terms) if terms else frame
        )
        columns = [quoted(k) for k in keys] + [f"{_aggregate(a)} AS {quoted(a.name)}" for a in aggregates]
        return lazy(native.aggregate(", ".join(columns), groups))

    def rank(
        self, frame: nw.LazyFrame | nw.DataFrame[Any], ranking: Ranking, partner: nw.LazyFrame | None
    ) -> RankedRows:
        """`row_number()` over the groups."""
        return _Ranked(self, frame.lazy(), ranking)

    def levels(
        self, frame: nw.LazyFrame, keys: Sequence[str], by: str, flag: nw.Expr, weight: nw.Expr | None
    ) -> nw.LazyFrame:
        """A group-by, and running sums over its groups."""
        one = nw.lit(1.0) if weight is None else weight
        flags = {"yes": nw.when(flag).then(one).otherwise(0.0), "no": nw.when(flag).then(0.0).otherwise(one)}
        terms = frame.select(*keys, **{by: nw.col(by) + 0.0}, **flags)
        sums = [Aggregate(name, "sum", nw.col(name)) for name in flags]
        rows = self.group(terms, (*keys, by), sums)
        within = f"PARTITION BY {_listed(keys)} " if keys else ""
        window = f"OVER ({within}ORDER BY {quoted(by)} DESC ROWS UNBOUNDED PRECEDING)"
        return self.shared(
            lazy(_native(rows).project(f"*, sum(yes) {window} AS yes_so_far, sum(no) {window} AS no_so_far"))
        )

    def sets(self, frame: nw.LazyFrame, keys: Sequence[str], of: str, name: str) -> nw.LazyFrame:
        """The values in order, each after its length."""
        text = f"CAST({quoted(of)} AS VARCHAR)"
        part = f"strlen({text}) || ':' || {text}"
        listed = _listed(keys)
        return lazy(
            _native(frame).aggregate(
                f"{listed}, string_agg(DISTINCT {part}, '' ORDER BY {part}) AS {quoted(name)}", listed
            )
        )

    def spread(self, frame: nw.LazyFrame, low: str, high: str, key: str) -> nw.LazyFrame:
        """Integer ranges, unnested."""
        native = _native(frame).filter(f"{quoted(low)} <= {quoted(high)}")
        return lazy(native.project(f"*, unnest(range({quoted(low)}, {quoted(high)} + 1)) AS {quoted(key)}"))

    def number(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """Refused: rows of a relation may come in another order every time.

        Raises:
            NotDefined: always.
        """
        raise NotDefined(
            "The rows of a DuckDB table have no order, so they need an id.",
            Hint("Name the column: ", Argument("item", "id")),
        )

    def hashed(self, frame: nw.LazyFrame, column: str, seed: int, name: str) -> nw.LazyFrame:
        """MD5 is DuckDB's own."""
        return lazy(_native(frame).project(f"*, {md5(column, seed)} AS {quoted(name)}"))

    def apply(
        self,
        frame: nw.LazyFrame,
        function: Callable[[pl.DataFrame], pl.DataFrame],
        keys: Sequence[str],
        adds: Mapping[str, Any],
    ) -> nw.LazyFrame:
        """The rows come out through Arrow, and the result goes back so."""
        return lazy(self.from_polars(function(self.collect(frame))))

    def once(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """DuckDB finds shared subplans itself."""
        return frame

    def shared(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """Marked, so that `collect` has the subquery made once; left to itself DuckDB repeats it for every reader."""
        return lazy(_native(frame).filter(SHARED))

    def stage(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """Names cost planning time and are given only where the text is shown."""
        return frame

    @contextmanager
    def errors(self) -> Iterator[None]:
        """DuckDB's errors become ours: a failed query, a closed, busy or foreign connection."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise engine_error(error) from error

    def collect(self, frame: nw.LazyFrame) -> pl.DataFrame:
        """Run the query.

        Raises:
            EngineError: DuckDB failed, or the connection is closed or busy.
        """
        with self.errors():
            native = _native(frame)
            text = native.sql_query()
            if SHARED in text:
                native = self._query(materialized(text))
            return pl.DataFrame(pl.from_arrow(native.to_arrow_table()))

    def _query(self, text: str) -> Any:
        """A query as a relation of the connection; a relation does not tell its own, but can be asked through."""
        return (
            self._connection.sql(text)
            if self._connection is not None
            else self._beside.query("ireval_frames_unused", text)
        )


class _Ranked:
    def __init__(self, engine: DuckDBEngine, frame: nw.LazyFrame, ranking: Ranking) -> None:
        self._engine, self._frame, self._ranking = engine, frame, ranking

    def rows(self) -> nw.LazyFrame:
        """All rows with their rank; the join with the partner comes after, since DuckDB ranks before it filters."""
        r = self._ranking
        native = _native(self._frame)
        order = ", ".join(f"{_zero(native, c)} {'DESC' if falls else 'ASC'}" for c, falls in r.order_by)
        keys = _listed(r.keys)
        ranked = native.project(f"*, row_number() OVER (PARTITION BY {keys} ORDER BY {order}) AS rank")
        return lazy(ranked if r.depth is None else ranked.filter(f"rank <= {r.depth}"))

    def groups(self) -> nw.LazyFrame:
        """A row per group."""
        keys = _listed(self._ranking.keys)
        n = "count(*)" if self._ranking.depth is None else f"least(count(*), {self._ranking.depth})"
        return lazy(_native(self._frame).aggregate(f"{keys}, CAST({n} AS BIGINT) AS n", keys))

    def check(self) -> None:
        """One scan for the rules, and one for the duplicates."""
        r = self._ranking
        counts = {f"rule{i}": _one(rule.bad).sum() for i, rule in enumerate(r.rules)}
        found = self._engine.collect(self._frame.select(_rows=nw.len(), **counts)).row(0)
        for rule, bad in zip(r.rules, found[1:], strict=True):
            if bad:
                raise rule.error(self._engine.collect(self._frame.filter(rule.bad).head(10)), int(bad))
        if r.unique:
            self._check_duplicates(-(-found[0] // CHECKED_ROWS))

    def _check_duplicates(self, parts: int) -> None:
        """Hashes find candidates, and the ids decide.  Long tables are checked a part at a time.

        The hashes are counted in Polars, which takes half as long as `count(DISTINCT …)` of the same column.
        """
        r, native = self._ranking, _native(self._frame)
        ids = _listed(dict.fromkeys((*r.keys, r.id)))
        for part in range(parts):
            rows = native if parts == 1 else native.filter(f"hash({ids}) % {parts} = {part}")
            hashes = self._engine.collect(lazy(rows.project(f"hash({ids}) AS h")))["h"]
            if hashes.n_unique() == hashes.len():
                continue
            twice = rows.aggregate(f"{ids}, count(*) AS n", ids).filter("n > 1")
            found = self._engine.collect(lazy(twice.order(ids)))
            if found.height:
                raise r.duplicate(found.head(10), int(found["n"].sum()))


def md5(column: str, seed: int) -> str:
    """The portable hash of an id and a seed; the sign bit is dropped, so that every engine's integers hold it."""
    return f"CAST(md5_number_lower('{seed}:' || {quoted(column)}) >> 1 AS BIGINT)"


def materialized(text: str) -> str:
    """A relation's query with the common table expressions that are marked as shared made once.

    They get names of their own: asked through a relation that is a query itself, DuckDB names the steps of both alike.
    """
    for name in set(_MARKED.findall(text)):
        text = text.replace(f'"{name}" AS NOT MATERIALIZED (', f'"{name}" AS MATERIALIZED (')
    return _STEP.sub(r'"ireval_frames_s\1"', text)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(quoted(name) for name in names)


def _one(expr: nw.Expr) -> nw.Expr:
    return nw.when(expr).then(1.0).otherwise(0.0)


def _zero(native: duckdb.DuckDBPyRelation, column: str) -> str:
    """Adding zero makes -0.0 equal to 0.0."""
    return f"{quoted(column)} + 0.0" if str(native.types[native.columns.index(column)]) == "DOUBLE" else quoted(column)


def _aggregate(a: Aggregate) -> str:
    if a.how == "sum" and a.order:
        return f"coalesce(sum({quoted(a.name)} ORDER BY {quoted(a.order)}), 0.0)"
    return _SUMS[a.how].format(quoted(a.name))


def _native(frame: nw.LazyFrame) -> Any:
    return frame.to_native()


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def renamed(relation: duckdb.DuckDBPyRelation, names: Mapping[str, str]) -> duckdb.DuckDBPyRelation:
    """All columns of a relation under other names."""
    return relation.project(", ".join(f"{quoted(old)} AS {quoted(new)}" for old, new in names.items()))


def engine_error(error: Exception) -> EngineError:
    """DuckDB's error as ours, with the cause named."""
    text = str(error).splitlines()[0]
    if "closed" in text.lower():
        return EngineError(
            f"The DuckDB connection is closed: {text}",
            "Open it again: con = duckdb.connect(path), and build the relation anew.",
        )
    if "different connections" in text:
        return EngineError(
            "The tables are relations of different DuckDB connections.",
            "Make both from one connection, or hand in the judgments as a frame.",
        )
    return EngineError(f"DuckDB could not run the query: {text}")


def is_relation(source: object) -> bool:
    """Whether it is a DuckDB relation, without importing duckdb."""
    return type(source).__name__ == "DuckDBPyRelation" and type(source).__module__.partition(".")[0] in (
        "duckdb",
        "_duckdb",
    )


def is_connection(source: object) -> bool:
    """Whether it is a DuckDB connection, without importing duckdb."""
    return type(source).__name__ == "DuckDBPyConnection"


def table(connection: duckdb.DuckDBPyConnection, name: str) -> duckdb.DuckDBPyRelation:
    """A table or view by name, `schema.name` included.

    Raises:
        EngineError: there is no such table; the message lists those there are.
    """
    import duckdb

    try:
        return connection.sql(f"SELECT * FROM {'.'.join(quoted(p) for p in name.split('.'))}")
    except duckdb.CatalogException as error:
        there = [
            name for (name,) in connection.sql("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
        ]
        listing = ", ".join(there[:20]) or "none"
        raise EngineError(
            f"The DuckDB connection has no table {name!r} (it has: {listing}).",
            "Name a table of the connection, or a file that exists.",
        ) from error
    except duckdb.Error as error:
        raise engine_error(error) from error


def ctes(stages: Iterable[tuple[str, str]], final: str) -> str:
    """Named stages and a final SELECT as one statement."""
    parts = [f"{name} AS (\n{_indent(text)}\n)" for name, text in stages]
    return ("WITH " + ",\n".join(parts) + "\n" if parts else "") + final


def _indent(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())
