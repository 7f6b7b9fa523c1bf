"""Ranking in DuckDB: row_number, and the checks of the ranked rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Aggregate, Ranking
from ireval_frames.engines.duckdb_frame import DuckDBFrame
from ireval_frames.engines.sql_names import identifier, listed

if TYPE_CHECKING:
    from ireval_frames.engines.base import Engine

# Duplicates are looked for in parts of about this many rows, so that the hashes fit a small memory limit.
CHECKED_ROWS = 20_000_000


class Ranked:
    """The rows of a table with their ranks, and its groups."""

    def __init__(self, engine: Engine, frame: DuckDBFrame, ranking: Ranking) -> None:
        self._engine, self._frame, self._ranking = engine, DuckDBFrame(frame.engine, frame.settled()), ranking
        # How many rows there are, once they were checked.
        self._height: int | None = None

    def rows(self) -> DuckDBFrame:
        """All rows with their rank; the join with the partner comes after, since DuckDB ranks before it filters."""
        r = self._ranking
        order = ", ".join(f"{self._ordered(c)} {'DESC' if falls else 'ASC'}" for c, falls in r.order_by)
        over = f"OVER (PARTITION BY {listed(r.keys)} ORDER BY {order})"
        ranked = self._frame.with_text({"rank": f"row_number() {over}"}, windowed=True)
        return ranked if r.depth is None else ranked.kept(nw.col("rank") <= r.depth)

    def groups(self) -> DuckDBFrame:
        """A row per group."""
        n = "count(*)" if self._ranking.depth is None else f"least(count(*), {self._ranking.depth})"
        return self._frame.grouped(self._ranking.keys, {"n": f"CAST({n} AS BIGINT)"})

    def check(self) -> None:
        """One scan for the rules, and one for the duplicates."""
        r = self._ranking
        rules = [
            Aggregate(f"rule{i}", "sum", nw.when(rule.bad).then(1.0).otherwise(0.0)) for i, rule in enumerate(r.rules)
        ]
        counted = self._engine.group(self._frame, (), [*rules, Aggregate("_rows", "count", nw.lit(1.0))])
        *found, rows = self._engine.numbers(counted).values()
        for rule, bad in zip(r.rules, found, strict=True):
            if bad:
                raise rule.error(self._engine.collect(self._frame.filter(rule.bad).head(10)), int(bad))
        self._height = int(rows)
        if r.unique:
            self._check_duplicates(self._height)

    def _check_duplicates(self, rows: int) -> None:
        """Hashes find candidates, and the ids decide.  Long tables are checked a part at a time.

        The hashes are counted in Polars, which takes half as long as `count(DISTINCT …)` of the same column.
        """
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        parts = -(-rows // CHECKED_ROWS)
        for part in range(parts):
            hashed = self._frame.with_text({"_hash": f"hash({listed(names)})"})
            some = hashed if parts == 1 else hashed.kept(nw.col("_hash") % parts == part)
            hashes = self._engine.collect(some.select("_hash"))["_hash"]
            if hashes.n_unique() == hashes.len():
                continue
            twice = self._engine.group(some, names, [Aggregate("n", "count", nw.lit(1.0))]).filter(nw.col("n") > 1)
            found = self._engine.collect(twice).sort(names)
            if found.height:
                raise r.duplicate(found.head(10), int(found["n"].sum()))

    def _ordered(self, column: str) -> str:
        """Adding zero makes -0.0 equal to 0.0."""
        zero = self._frame.dtype(column) == nw.Float64
        return f"{identifier(column)} + 0e0" if zero else identifier(column)
