"""Ranking in DuckDB: row_number, and the checks of the ranked rows."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, cast

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.base import Aggregate, Ranking
from ireval_frames.engines.duckdb_frame import DuckDBFrame
from ireval_frames.engines.sql_names import identifier, listed

if TYPE_CHECKING:
    from ireval_frames.engines.base import Engine
    from ireval_frames.engines.duckdb_statement import Step
    from ireval_frames.engines.frame import Frame

# Tables longer than this many rows are ranked and checked in slices of some groups, which fit a small memory limit and
# are not written to disk.
SLICE = 25_000_000


class Ranked:
    """The rows of a table with their ranks, and its groups."""

    def __init__(self, engine: Engine, frame: DuckDBFrame, ranking: Ranking, partner: Frame | None) -> None:
        self._engine, self._ranking, self._partner = engine, ranking, partner
        self._frame = DuckDBFrame(frame.engine, frame.settled())
        self._slices: list[DuckDBFrame] = []
        self._found: Step | None = None

    def rows(self) -> DuckDBFrame:
        """The rows with their rank; the join with the partner comes after, since DuckDB ranks before it filters."""
        step = self._ranked(self._frame).settled()
        step.before = self._from_slices
        return DuckDBFrame(self._frame.engine, step)

    def _ranked(self, frame: DuckDBFrame) -> DuckDBFrame:
        r = self._ranking
        order = ", ".join(f"{self._ordered(c)} {'DESC' if falls else 'ASC'}" for c, falls in r.order_by)
        over = f"OVER (PARTITION BY {listed(r.keys)} ORDER BY {order})"
        ranked = frame.with_text({"rank": f"row_number() {over}"}, windowed=True)
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
        self._slices = self._sliced() if rows > SLICE else [self._frame]
        if r.unique:
            for one in self._slices:
                self._check_duplicates(one)

    def _sliced(self) -> list[DuckDBFrame]:
        """The table in slices of whole groups, each of about as many rows; files in order are then read but once."""
        key = self._ranking.keys[-1]
        sizes = self._frame.grouped((key,), {"n": "count(*)"})
        so_far = sizes.with_text({"rows": f"CAST(sum(n) OVER (ORDER BY {identifier(key)}) AS BIGINT)"}, windowed=True)
        ends = so_far.kept(nw.col("rows") // SLICE > (nw.col("rows") - nw.col("n")) // SLICE).select(key).sort(key)
        last = self._engine.collect(ends)[key].to_list()
        slices = []
        for after, until in itertools.pairwise([None, *last, None]):
            some = self._frame if after is None else self._frame.kept(nw.col(key) > after)
            slices.append(some if until is None else some.kept(nw.col(key) <= until))
        return slices

    def _check_duplicates(self, rows: DuckDBFrame) -> None:
        """Hashes find candidates, and the ids decide.

        The hashes are counted in Polars, which takes half as long as `count(DISTINCT …)` of the same column.
        """
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        hashes = self._engine.collect(rows.with_text({"_hash": f"hash({listed(names)})"}).select("_hash"))["_hash"]
        if hashes.n_unique() == hashes.len():
            return
        twice = self._engine.group(rows, names, [Aggregate("n", "count", nw.lit(1.0))]).filter(nw.col("n") > 1)
        found = self._engine.collect(twice).sort(names)
        if found.height:
            raise r.duplicate(found.head(10), int(found["n"].sum()))

    def _from_slices(self) -> str | None:
        """Of a long table that was checked, few wanted rows are ranked beforehand, a slice at a time."""
        if len(self._slices) < 2 or self._partner is None or not self._ranking.on:
            return None
        if self._found is None:
            wanted = self._partner.select(*self._ranking.on).unique()
            if self._count(wanted) > SLICE:
                return None
            sliced = (self._engine.join(self._ranked(one), wanted, self._ranking.on, "inner") for one in self._slices)
            found = self._engine.from_polars(pl.concat([self._engine.collect(rows) for rows in sliced]))
            self._found = cast("DuckDBFrame", found).settled()
        return f"SELECT * FROM {self._found.name}"

    def _count(self, rows: Frame) -> int:
        return int(self._engine.numbers(self._engine.group(rows, (), [Aggregate("n", "count", nw.lit(1.0))]))["n"])

    def _ordered(self, column: str) -> str:
        """Adding zero makes -0.0 equal to 0.0."""
        zero = self._frame.dtype(column) == nw.Float64
        return f"{identifier(column)} + 0e0" if zero else identifier(column)
