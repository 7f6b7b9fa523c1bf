"""The plan as SQL text: every table of the plan a named stage, against the caller's own tables.

The plan is built once more in an empty scratch database that has tables of the same names and columns; each stage
becomes a table there, so the text of the next one speaks of it by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines import duckdb as duck
from ireval_frames.engines import sql_text
from ireval_frames.engines.duckdb import DuckDBEngine
from ireval_frames.errors import NotDefined

_SUMMARIES = {
    "mean": "favg({0})",
    "sum": "fsum({0})",
    "geometric": "exp(favg(ln(greatest({0}, 1e-5))))",
    "median": "median({0})",
    "min": "min({0})",
    "max": "max({0})",
    "std": "stddev_samp({0})",
}


class SQLText(DuckDBEngine):
    """Writes what `DuckDBEngine` runs.

    Args:
        given: the tables as they were handed in, by the name they get where they have none.
        connection: the connection in which strings name tables.
        files: the SELECT that reads a path, and its columns, by the table's name.
    """

    def __init__(
        self, given: Mapping[str, Any], connection: Any, files: Callable[[str, Any], tuple[str, pl.Schema]]
    ) -> None:
        import duckdb

        self._empty = duckdb.connect()
        super().__init__(self._empty)
        self._stages: list[tuple[str, str]] = []
        self._used: set[str] = set()
        self._columns: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, Any] = {}
        for name, table in given.items():
            if table is not None:
                self.tables[name] = self._scratch(name, table, connection, files)

    def _scratch(
        self, name: str, table: Any, connection: Any, files: Callable[[str, Any], tuple[str, pl.Schema]]
    ) -> Any:
        """An empty table like the caller's, under the name that the text will use."""
        if isinstance(table, str) and connection is not None and not Path(table).exists():
            empty, name = duck.table(connection, table).limit(0).pl(), table
        elif isinstance(table, (str, os.PathLike, list, tuple)):
            text, schema = files(name, table)
            self._stages.append((name, text))
            empty = pl.DataFrame(schema=schema)
        elif duck.is_relation(table):
            empty = table.limit(0).pl()
        else:
            empty = _empty(table)
        self._used.add(name.lower())
        within = name.rpartition(".")[0]
        if within:
            self._empty.execute(f"CREATE SCHEMA IF NOT EXISTS {duck.quoted(within)}")
        self._empty.from_arrow(empty.to_arrow()).create(name)
        return self._empty.sql(f"SELECT * FROM {'.'.join(duck.quoted(p) for p in name.split('.'))}")

    def apply(
        self,
        frame: nw.LazyFrame,
        function: Callable[[pl.DataFrame], pl.DataFrame],
        keys: Sequence[str],
        adds: Mapping[str, Any],
    ) -> nw.LazyFrame:
        """Refused: SQL text has no Python in it.

        Raises:
            NotDefined: always.
        """
        what = (function.__doc__ or function.__name__).splitlines()[0].rstrip(".")
        raise NotDefined(
            f"The plan has a step in Python ({what}), which SQL text cannot say.",
            "Leave those measures out of sql(); explain() names them.",
        )

    def shared(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """Stages are named, and DuckDB decides."""
        return frame

    def stage(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """The stage's text, and a view of that name for the stages that read it."""
        while name.lower() in self._used:
            name += "_stage"
        self._used.add(name.lower())
        text = frame.to_native().sql_query()
        # A table rather than a view: later stages would be bound through the whole chain of views again.
        self._empty.execute(f"CREATE TABLE {duck.quoted(name)} AS {text}")
        for step, body in sql_text.steps(name, text, self._columns, self._used):
            self._stages.append((step, body))
        self._columns[name] = tuple(self._empty.table(name).columns)
        return nw.from_native(self._empty.table(name))

    def statement(
        self,
        final: nw.LazyFrame,
        groups: Sequence[str],
        by: Mapping[str, str],
        measures: Sequence[Measure],
        result: str,
    ) -> str:
        """The whole statement: stages, then the wanted columns under the measures' names."""
        keys = [k for k in final.collect_schema().names() if not (k[0] == "m" and k[1:].isdigit())]
        values = [(f"m{i}", m) for i, m in enumerate(measures)]
        # An alias of ours that stays in the result is the user's name again.
        named = {k: sql_text.plain(k) + (f" AS {duck.quoted(by[k])}" if k in by else "") for k in keys}
        self.stage(final, "per_unit")
        name = self._stages[-1][0]
        if result == "per_unit":
            columns = [*named.values(), *(f"{alias} AS {duck.quoted(str(m))}" for alias, m in values)]
            tail = f"\nORDER BY {', '.join(sql_text.plain(k) for k in keys)}" if keys else ""
        else:
            columns = [
                *(named[g] for g in groups),
                *(f"{_SUMMARIES[m.aggregation].format(alias)} AS {duck.quoted(str(m))}" for alias, m in values),
            ]
            columns.append("count(*) AS n_units")
            tail = (
                f"\nGROUP BY {', '.join(map(sql_text.plain, groups))}\nORDER BY "
                f"{', '.join(map(sql_text.plain, groups))}"
                if groups
                else ""
            )
        return duck.ctes(self._stages, "SELECT\n  " + ",\n  ".join(columns) + f"\nFROM {name}{tail}")


def _empty(table: Any) -> pl.DataFrame:
    """A frame of the same columns without rows."""
    frame = nw.from_native(table)
    if isinstance(frame, nw.DataFrame):
        return pl.DataFrame(pl.from_arrow(frame.head(0).to_arrow()))
    return pl.DataFrame(frame.head(0).collect("polars").to_native())
