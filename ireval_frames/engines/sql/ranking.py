"""Ranking in DuckDB: row_number, and the checks of the ranked rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import polars as pl

from ireval_frames.engines.base import SHOWN, Aggregate, Ranking, Way
from ireval_frames.engines.polars.hashes import all_differ
from ireval_frames.engines.quoting import identifier, listed
from ireval_frames.engines.sql.frame import DuckDBFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.expr import Expr, col, lit, when

if TYPE_CHECKING:
    from ireval_frames.engines.base import Engine
    from ireval_frames.engines.frame import Frame

# Of tables with more rows than this, the ranks of few wanted rows are counted: a window writes what does not fit into
# memory to disk.  Duplicates are looked for in slices of about as many rows, so that the hashes fit a small limit.
LONG = 20_000_000
# A window takes as long as so many comparisons of every row.
COMPARISONS = 32


class Ranked:
    """The rows of a table with their ranks, and its groups."""

    def __init__(self, engine: Engine, frame: DuckDBFrame, ranking: Ranking, partner: Frame | None) -> None:
        self._engine, self._ranking, self._partner = engine, ranking, partner
        self._frame = DuckDBFrame(frame.engine, frame.settled())
        self._rows = 0
        self._counted: Step | None = None

    def rows(self) -> DuckDBFrame:
        """The rows with their rank; the join with the partner comes after, since DuckDB ranks before it filters."""
        step = self._ranked(self._frame).settled()
        step.prepare = self._count_few
        return DuckDBFrame(self._frame.engine, step)

    def _ranked(self, frame: DuckDBFrame) -> DuckDBFrame:
        r = self._ranking
        order = ", ".join(f"{self._ordered(c)} {'DESC' if falls else 'ASC'}" for c, falls in r.order_by)
        over = f"OVER (PARTITION BY {listed(r.keys)} ORDER BY {order})"
        ranked = frame.with_text({"rank": f"row_number() {over}"}, windowed=True)
        return ranked if r.depth is None else ranked.where(col("rank") <= r.depth)

    def groups(self) -> DuckDBFrame:
        """A row per group."""
        n = "count(*)" if self._ranking.depth is None else f"least(count(*), {self._ranking.depth})"
        return self._frame.grouped(self._ranking.keys, {"n": f"CAST({n} AS BIGINT)"})

    def check(self) -> None:
        """One scan for the rules, and one for the duplicates."""
        r = self._ranking
        rules = [
            Aggregate(f"rule{i}", "sum", when(rule.bad).then(1.0).otherwise(0.0)) for i, rule in enumerate(r.rules)
        ]
        counted = self._engine.group(self._frame, (), [*rules, Aggregate("_rows", "count", lit(1.0))])
        *found, rows = self._engine.numbers(counted).values()
        for rule, bad in zip(r.rules, found, strict=True):
            if bad:
                raise rule.error(self._engine.collect(self._frame.filter(rule.bad).head(SHOWN)), int(bad))
        self._rows = int(rows)
        if not r.unique:
            return
        found = [self._duplicates(one) for one in (self._sliced() if rows > LONG else [self._frame])]
        count = sum(n for n, _ in found)
        if count:
            raise r.duplicate(pl.concat([rows for _, rows in found if rows is not None]).head(SHOWN), count)

    def ways(self) -> frozenset[Way]:
        """Counted where that was done beforehand, and else sorted by the statement."""
        if not self._rows:
            return frozenset()
        return frozenset(["sorted" if self._counted is None else "counted"])

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> None:
        """Hashing the rows would be a second look at them."""

    def _sliced(self) -> list[DuckDBFrame]:
        """The table in slices of whole groups, each of about as many rows; files in order are then read but once."""
        key = self._ranking.keys[-1]
        sizes = self._frame.grouped((key,), {"n": "count(*)"})
        so_far = sizes.with_text(
            {"rows": f"CAST(sum(n) OVER (ORDER BY {identifier(key)} ASC) AS BIGINT)"}, windowed=True
        )
        ends = so_far.where(col("rows") // LONG > (col("rows") - col("n")) // LONG).select(key).sort(key)
        last = self._engine.collect(ends)[key].to_list()
        slices = []
        for after, until in itertools.pairwise([None, *last, None]):
            some = self._frame if after is None else self._frame.where(col(key) > after)
            slices.append(some if until is None else some.where(col(key) <= until))
        return slices

    def _duplicates(self, rows: DuckDBFrame) -> tuple[int, pl.DataFrame | None]:
        """How many rows stand there several times, and the first of their ids.

        Hashes find candidates, and the ids decide.

        The hashes are sorted in Polars, which takes an eighth of the time of `count(DISTINCT …)` of the same column.
        """
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        hashes = self._engine.collect(rows.with_text({"_hash": f"hash({listed(names)})"}).select("_hash"))["_hash"]
        if all_differ(hashes):
            return 0, None
        twice = self._engine.group(rows, names, [Aggregate("n", "count", lit(1.0))]).filter(col("n") > 1)
        found = self._engine.collect(twice).sort(names)
        return int(found["n"].sum()), found.head(SHOWN)

    def _count_few(self) -> str | None:
        """Of a long table that was checked, few wanted rows are ranked before the statement that reads them."""
        r = self._ranking
        if self._rows <= LONG or self._partner is None or not (r.on and r.unique):
            return None
        if self._counted is None:
            wanted = self._engine.join(self._frame, self._partner.select(*r.on).unique(), r.on, "inner")
            if self._sum(wanted, lit(1.0)) > LONG:
                return None
            found = self._engine.collect(wanted).with_row_index("_place")
            if not self._few_comparisons(found):
                return None
            ranks = self._engine.collect(self._counting(self._given(found)))
            made = found.join(ranks, on="_place").drop("_place")
            self._counted = self._given(made if r.depth is None else made.filter(pl.col("rank") <= r.depth))
        return f"SELECT * FROM {self._counted.name}"

    def _few_comparisons(self, wanted: pl.DataFrame) -> bool:
        keys = self._ranking.keys
        many = wanted.group_by(keys).agg(_wanted=pl.len())
        if not many.filter(pl.col("_wanted") > COMPARISONS).height:
            return True
        sizes = self._frame.grouped(keys, {"n": "count(*)"})
        both = self._engine.join(sizes, self._engine.from_polars(many), keys, "inner")
        return self._sum(both, col("n").cast(pl.Float64) * col("_wanted")) <= COMPARISONS * self._rows

    def _counting(self, wanted: Step) -> DuckDBFrame:
        """The rank of each wanted row: how many rows of its group stand before it, and itself."""
        r = self._ranking
        value, falls = r.order_by[0]
        id_, id_falls = r.order_by[1]
        same = " AND ".join(f"l.{identifier(k)} IS NOT DISTINCT FROM r.{identifier(k)}" for k in r.keys)
        v, i = identifier(value), identifier(id_)
        before = f"l.{v} {'>' if falls else '<'} r.{v} OR l.{v} = r.{v} AND l.{i} {'>=' if id_falls else '<='} r.{i}"
        body = (
            "SELECT\n  r._place,\n  count(*) AS rank\nFROM ",
            self._frame.settled(),
            " AS l\nJOIN ",
            wanted,
            f" AS r\n  ON {same} AND ({before})\nGROUP BY r._place",
        )
        return DuckDBFrame(self._frame.engine, Step(body, ("_place", "rank")))

    def _sum(self, rows: Frame, term: Expr) -> float:
        return float(self._engine.numbers(self._engine.group(rows, (), [Aggregate("n", "sum", term)]))["n"])

    def _given(self, rows: pl.DataFrame) -> Step:
        return cast("DuckDBFrame", self._engine.from_polars(rows)).settled()

    def _ordered(self, column: str) -> str:
        """Adding zero makes -0.0 equal to 0.0."""
        zero = self._frame.dtype(column) == pl.Float64
        return f"{identifier(column)} + 0e0" if zero else identifier(column)
