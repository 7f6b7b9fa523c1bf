"""Ranking in SQL: row_number, and the checks of the ranked rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import polars as pl

from ireval_frames.engines.base import SHOWN, Aggregate, Ranking, Way
from ireval_frames.engines.polars.hashes import all_differ
from ireval_frames.engines.quoting import identifier, listed
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.expr import Expr, col, lit, when

if TYPE_CHECKING:
    from ireval_frames.engines.base import Engine
    from ireval_frames.engines.frame import Frame

# In tables with more rows than this, the ranks of few requested rows are counted, since a window spills to disk what
# does not fit into memory; and duplicates are looked for in slices of about as many rows, which bounds the hashes.
LONG = 20_000_000
# A window takes as long as this number of comparisons of every row.
COMPARISONS = 32


class Ranked:
    """The rows of a table with their ranks, and its groups."""

    def __init__(self, engine: Engine, frame: SQLFrame, ranking: Ranking, partner: Frame | None) -> None:
        self._engine, self._ranking, self._partner = engine, ranking, partner
        self._frame = SQLFrame(frame.engine, frame.as_step())
        self._rows = 0
        self._counted: Step | None = None

    def rows(self) -> SQLFrame:
        """The rows with their rank; the join with the partner comes after, since ranks are over all rows."""
        step = self._ranked(self._frame).as_step()
        step.prepare = self._count_few
        return SQLFrame(self._frame.engine, step)

    def _ranked(self, frame: SQLFrame) -> SQLFrame:
        r = self._ranking
        order = ", ".join(f"{self._ordered(c)} {'DESC' if descends else 'ASC'}" for c, descends in r.order_by)
        over = f"OVER (PARTITION BY {listed(r.keys)} ORDER BY {order})"
        ranked = frame.with_text({"rank": f"row_number() {over}"}, windowed=True)
        return ranked if r.depth is None else ranked.where(col("rank") <= r.depth)

    def groups(self) -> SQLFrame:
        """A row per group."""
        n = "count(*)" if self._ranking.depth is None else f"least(count(*), {self._ranking.depth})"
        return self._frame.grouped(self._ranking.keys, {"n": f"CAST({n} AS BIGINT)"})

    def grouped(self, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """A group-by of the ranked rows."""
        self.check()
        return self._engine.group(self.rows(), keys, aggregates)

    def check(self) -> None:
        """One scan for the rules, and one for the duplicates."""
        r = self._ranking
        rules = [
            Aggregate(f"rule{i}", "sum", when(rule.bad).then(1.0).otherwise(0.0)) for i, rule in enumerate(r.rules)
        ]
        sums = self._engine.group(self._frame, (), [*rules, Aggregate("_rows", "count", lit(1.0))])
        *counts, n_rows = self._engine.numbers(sums).values()
        for rule, count in zip(r.rules, counts, strict=True):
            if count:
                raise rule.error(self._engine.collect(self._frame.filter(rule.bad).head(SHOWN)), int(count))
        self._rows = int(n_rows)
        if not r.unique:
            return
        duplicates = [self._duplicates(part) for part in (self._sliced() if n_rows > LONG else [self._frame])]
        count = sum(n for n, _ in duplicates)
        if count:
            raise r.duplicate(pl.concat([rows for _, rows in duplicates if rows is not None]).head(SHOWN), count)

    def ways(self) -> frozenset[Way]:
        """Counted if that was done before the statement, else sorted in it."""
        if not self._rows:
            return frozenset()
        return frozenset(["sorted" if self._counted is None else "counted"])

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> None:
        """None: hashing the rows would take another scan."""

    def _sliced(self) -> list[SQLFrame]:
        """The table in slices of whole groups, of about LONG rows each; sorted files are then read once in all."""
        key = self._ranking.keys[-1]
        sizes = self._frame.grouped((key,), {"n": "count(*)"})
        so_far = sizes.with_text(
            {"rows": f"CAST(sum(n) OVER (ORDER BY {identifier(key)} ASC) AS BIGINT)"}, windowed=True
        )
        ends = so_far.where(col("rows") // LONG > (col("rows") - col("n")) // LONG).select(key).sort(key)
        last = self._engine.collect(ends)[key].to_list()
        slices = []
        for after, until in itertools.pairwise([None, *last, None]):
            part = self._frame if after is None else self._frame.where(col(key) > after)
            slices.append(part if until is None else part.where(col(key) <= until))
        return slices

    def _duplicates(self, rows: SQLFrame) -> tuple[int, pl.DataFrame | None]:
        """The number of rows whose id occurs several times in its group, and the first of these.

        Hashes give candidates, and the ids decide.  The hashes are sorted in Polars, which takes an eighth of the time
        of `count(DISTINCT …)` of the same column.
        """
        r = self._ranking
        names = tuple(dict.fromkeys((*r.keys, r.id)))
        hashes = self._engine.collect(rows.with_text({"_hash": f"hash({listed(names)})"}).select("_hash"))["_hash"]
        if all_differ(hashes):
            return 0, None
        repeated = self._engine.group(rows, names, [Aggregate("n", "count", lit(1.0))]).filter(col("n") > 1)
        ids = self._engine.collect(repeated).sort(names)
        return int(ids["n"].sum()), ids.head(SHOWN)

    def _count_few(self) -> str | None:
        """Count the ranks of few requested rows of a long, checked table before the statement that reads it."""
        r = self._ranking
        if self._rows <= LONG or self._partner is None or not (r.on and r.unique):
            return None
        if self._counted is None:
            requested = self._engine.join(self._frame, self._partner.select(*r.on).unique(), r.on, "inner")
            if self._sum(requested, lit(1.0)) > LONG:
                return None
            rows = self._engine.collect(requested).with_row_index("_row")
            if not self._few_comparisons(rows):
                return None
            ranks = self._engine.collect(self._count_ranks(self._step_of(rows)))
            ranked = rows.join(ranks, on="_row").drop("_row")
            self._counted = self._step_of(ranked if r.depth is None else ranked.filter(pl.col("rank") <= r.depth))
        return f"SELECT * FROM {self._counted.name}"

    def _few_comparisons(self, requested: pl.DataFrame) -> bool:
        keys = self._ranking.keys
        counts = requested.group_by(keys, maintain_order=True).agg(_requested=pl.len())
        if not counts.filter(pl.col("_requested") > COMPARISONS).height:
            return True
        sizes = self._frame.grouped(keys, {"n": "count(*)"})
        both = self._engine.join(sizes, self._engine.from_polars(counts), keys, "inner")
        return self._sum(both, col("n").cast(pl.Float64) * col("_requested")) <= COMPARISONS * self._rows

    def _count_ranks(self, requested: Step) -> SQLFrame:
        """The rank of each requested row: the number of rows of its group before it, and itself."""
        r = self._ranking
        (value, value_descends), (id_, id_descends) = r.order_by
        same_group = " AND ".join(f"l.{identifier(k)} IS NOT DISTINCT FROM r.{identifier(k)}" for k in r.keys)
        v, i = identifier(value), identifier(id_)
        better, first = ">" if value_descends else "<", ">=" if id_descends else "<="
        before = f"l.{v} {better} r.{v} OR l.{v} = r.{v} AND l.{i} {first} r.{i}"
        body = (
            "SELECT\n  r._row,\n  count(*) AS rank\nFROM ",
            self._frame.as_step(),
            " AS l\nJOIN ",
            requested,
            f" AS r\n  ON {same_group} AND ({before})\nGROUP BY r._row",
        )
        return SQLFrame(self._frame.engine, Step(body, ("_row", "rank")))

    def _sum(self, rows: Frame, term: Expr) -> float:
        return float(self._engine.numbers(self._engine.group(rows, (), [Aggregate("n", "sum", term)]))["n"])

    def _step_of(self, rows: pl.DataFrame) -> Step:
        return cast("SQLFrame", self._engine.from_polars(rows)).as_step()

    def _ordered(self, column: str) -> str:
        """Adding zero makes -0.0 equal to 0.0."""
        zero = self._frame.dtype(column) == pl.Float64
        return f"{identifier(column)} + 0e0" if zero else identifier(column)
