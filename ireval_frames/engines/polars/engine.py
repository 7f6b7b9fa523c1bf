"""Polars: frames in this process."""

from __future__ import annotations

import copy
import functools
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine, Function, Ranking, added_columns
from ireval_frames.engines.connections import own_connection
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.file_errors import ReadPath, blame_file
from ireval_frames.engines.inputs.frames import MANY_ROWS, Read, is_relation, is_small_file, names_files, polars_rows
from ireval_frames.engines.inputs.polars_errors import FAILURES, engine_error
from ireval_frames.engines.polars import counting, cumulative, sequences
from ireval_frames.engines.polars.aggregates import groups, totals
from ireval_frames.engines.polars.counting import ENOUGH_ROWS, keys_differ
from ireval_frames.engines.polars.deferred import compute_once, deferred
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.engines.polars.ranked_table import RankedTable
from ireval_frames.engines.quoting import md5
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.expr import Expr, col

# Below this total of rows optimising a plan costs more than running it.
FEW_ROWS = 10_000
# What several tables read is still computed once.
NOT_OPTIMISED = pl.QueryOptFlags.none(comm_subplan_elim=True)
# Sums add in the order of rows, which Polars would give up where it cannot see that.
IN_ORDER = pl.QueryOptFlags(check_order_observe=False)


class PolarsEngine(Engine):
    """Plans as Polars lazy frames."""

    name = "polars"
    ordered_rows = True
    in_process = True

    def __init__(self) -> None:
        self._rows = 0
        # Lazy frames and large files are read in parts, in any order.
        self._in_memory = True
        self._ranks_judged = self._ranks_all = self._any_order = False
        self._files: dict[str, ReadPath] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Without the files and their readers, which an unpickled evaluation opens again."""
        return {**self.__dict__, "_files": {}}

    @property
    def in_order(self) -> bool:
        """Whether rows and groups keep an order, so that sums are the same again; many rows take twice as long.

        Judged rankings keep it however many rows they have: few rows are left when they are ranked.
        """
        few_rows = self._rows < MANY_ROWS or (self._ranks_judged and not self._ranks_all)
        return self._in_memory and not self._any_order and few_rows

    # ---- tables

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """Frames of other libraries become Polars frames, through Arrow; paths are read."""
        if names_files(table):
            self._files[str(table)] = table, read
        elif isinstance(table, pl.LazyFrame):
            self._files[name] = weakref.ref(table), read
        rows = table.pl() if is_relation(table) else polars_rows(table, name, read)
        # The number of rows of a lazy frame is unknown.
        self._rows += rows.height if isinstance(rows, pl.DataFrame) else FEW_ROWS
        self._in_memory &= isinstance(rows, pl.DataFrame) or is_small_file(table, rows)
        return PolarsFrame(rows)

    def from_polars(self, frame: pl.DataFrame) -> Frame:
        """As a lazy frame."""
        self._rows += frame.height
        return PolarsFrame(frame).lazy()

    def materialise(self, frame: Frame) -> Frame:
        """Collected."""
        return self.from_polars(self.collect(frame))

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Polars' errors and panics become ours."""
        try:
            yield
        except FAILURES as error:
            raise blame_file(engine_error(error), list(self._files.values())) from error

    def collect(self, frame: Frame) -> pl.DataFrame:
        """Run the plan."""
        return self._run(_lazy(frame))

    def _run(self, frame: pl.LazyFrame, *, in_parts: bool = False) -> pl.DataFrame:
        """For small inputs optimising costs more than running, and the streaming engine takes twice as long.

        For others the engine in memory would wait where a plan runs within another one, each for the threads of both.
        """
        with self.errors():
            if self._rows < FEW_ROWS and not in_parts:
                return frame.collect(engine="in-memory", optimizations=NOT_OPTIMISED)
            if not self.in_order:
                return frame.collect(engine="streaming" if in_parts else "auto")
            return frame.collect(engine="streaming", optimizations=IN_ORDER)

    def in_any_order(self) -> PolarsEngine:
        """Its groups come in any order, and Polars chooses how it computes them."""
        other = copy.copy(self)
        other._any_order = True
        return other

    # ---- rows and groups

    def join(self, left: Frame, right: Frame, on: Sequence[str], how: Literal["inner", "left"]) -> Frame:
        """Joins in which a null key equals a null key."""
        more = added_columns(left, right, on)
        first = _lazy(left)
        second = _lazy(right if len(more) + len(on) == len(right.columns) else right.select(*on, *more))
        columns = (*left.columns, *more)
        if on:
            order: Literal["left", "none"] = "left" if self.in_order else "none"
            joined = first.join(second, on=list(on), how=how, nulls_equal=True, maintain_order=order)
            return PolarsFrame(joined, columns)
        if more:
            return PolarsFrame(first.join(second, how="cross"), columns)
        # Polars drops rows without columns, but their number counts in a cross join.
        rows = _lazy(right).select(pl.repeat(1, pl.len()).alias("_row"))
        return PolarsFrame(first.join(rows, how="cross").drop("_row"), columns)

    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One group-by, in the order of each group's first row; sums add in the order of rows, or of their column."""
        if not aggregates:
            rows = _lazy(frame.select(*keys)) if keys else _lazy(frame)
            if not keys:
                return PolarsFrame(rows.select(pl.len().alias("_rows")))
            distinct = PolarsFrame(rows.unique(maintain_order=self.in_order), keys)
            return self.compute_once(distinct, in_parts=True) if self._has_many(frame) else distinct
        names = (*keys, *(a.name for a in aggregates))
        terms = {a.name: a.expr for a in aggregates if a.how != "count"}
        if not keys:
            # Selected alone, a literal would be one row.
            rows = _lazy(frame.with_columns(**terms))
            # Few rows are never dealt out to threads.
            is_dealt_out = self.in_order and self._rows >= FEW_ROWS
            return PolarsFrame(rows.select(*totals(rows, aggregates, in_order=is_dealt_out)), names)
        orders = {a.order: col(a.order) for a in aggregates if a.order and a.order not in keys}
        selected = _polars(frame.select(*keys, **orders, **terms))
        native = selected.to_native()
        in_order = self.in_order
        grouped = groups(native, keys, aggregates, in_order=in_order)
        is_counted = counting.fits(selected, keys, aggregates)
        if not is_counted and not self._has_many(selected):
            return PolarsFrame(grouped, names)

        @compute_once
        def result() -> pl.DataFrame:
            rows = self._run(native)
            counts = counting.count_cells(rows, keys, aggregates) if is_counted else None
            if counts is None and is_counted:
                counts = counting.single_rows(rows, keys, aggregates)
            if counts is not None:
                return counts
            return self._run(groups(rows.lazy(), keys, aggregates, in_order=in_order), in_parts=True)

        return deferred(result, grouped.collect_schema())

    def _has_many(self, frame: Frame) -> bool:
        """Whether its rows are many, and in memory: where their order does not matter, parts take half the time."""
        return self._rows >= ENOUGH_ROWS and _polars(frame).in_memory

    def knows_unique(self, frame: Frame, keys: Sequence[str]) -> bool:
        """Seen from integer keys of many rows in memory."""
        return self._rows >= ENOUGH_ROWS and keys_differ(_polars(frame), keys, self._run)

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """One pass over the rows, run when first needed."""
        if partner is None:
            self._ranks_all = True
        else:
            self._ranks_judged = True
        return RankedTable(_polars(frame), ranking, partner, self)

    def ranked_in_order(self, frame: Frame, ranking: Ranking) -> Frame:
        """Sorted once, after which the ranks are read."""
        order = [(k, False) for k in ranking.keys] + list(ranking.order_by)
        # Adding zero makes -0.0 equal to 0.0.
        by = [pl.col(c) + 0.0 if frame.dtype(c).is_float() else pl.col(c) for c, _ in order]
        native = _lazy(frame).sort(by, descending=[descends for _, descends in order], nulls_last=False)

        @compute_once
        def result() -> pl.LazyFrame:
            rows = PolarsFrame(self._run(native))
            return _lazy(RankedTable(rows, ranking, None, self).rows())

        return deferred(result, {**frame.collect_schema(), "rank": pl.Int64})

    def cumulative_counts(self, frame: Frame, keys: Sequence[str], by: str, flag: Expr, weight: Expr | None) -> Frame:
        """Computed on first use, once."""
        inner = {"_flag": flag.fill_null(value=False), **({} if weight is None else {"_weight": weight})}
        # Adding zero makes -0.0 equal to 0.0.
        native = _lazy(frame.select(*keys, **{by: col(by) + 0.0}, **inner))
        types = native.collect_schema()

        @compute_once
        def result() -> pl.LazyFrame:
            return cumulative.cumulative_counts(
                self._run(native), keys, by, "_flag", None if weight is None else "_weight"
            )

        schema = {k: types[k] for k in (*keys, by)}
        return deferred(
            result, schema | dict.fromkeys(("positives", "negatives", "cum_positives", "cum_negatives"), pl.Float64)
        )

    def neighbours(
        self,
        frame: Frame,
        keys: Sequence[str],
        order_by: str,
        before: Mapping[str, str],
        after: Mapping[str, str],
        place: str | None = None,
    ) -> Frame:
        """The rows are sorted on first use, once, where they are not in that order already."""
        native = _lazy(frame)
        types = native.collect_schema()
        added = {name: types[c] for name, c in (*before.items(), *after.items())}

        @compute_once
        def result() -> pl.LazyFrame:
            return sequences.neighbours(self._run(native), keys, order_by, before, after, place)

        return deferred(result, {**types, **added, **({} if place is None else {place: pl.Int64})})

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """Numbers the sorted lists of values; computed on first use, once, so that a set has one number."""
        native = _lazy(frame.select(*keys, of))
        numbers = native.select(of).unique(maintain_order=True).with_row_index(name)
        listed = native.join(numbers, on=of).group_by(*keys, maintain_order=True).agg(name)
        listed = listed.with_columns(pl.col(name).list.unique().list.sort())

        @compute_once
        def result() -> pl.DataFrame:
            # In memory Polars sorts short lists one by one, each in a turn of its threads.
            rows = self._run(listed, in_parts=True)
            equal = rows.select(name, _row=pl.int_range(pl.len())).group_by(name, maintain_order=True).agg("_row")
            numbered = equal.select("_row", pl.int_range(pl.len()).alias(name)).explode("_row").sort("_row")
            return rows.with_columns(numbered[name])

        return deferred(result, {**native.select(*keys).collect_schema(), name: pl.Int64})

    def expand_range(self, frame: Frame, low: str, high: str, key: str) -> Frame:
        """Integer ranges, exploded."""
        ranges = pl.int_ranges(low, pl.col(high) + 1).alias(key)
        native = _lazy(frame).filter(pl.col(low) <= pl.col(high)).with_columns(ranges).explode(key)
        return PolarsFrame(native, (*frame.columns, key))

    def number(self, frame: Frame, name: str) -> Frame:
        """From 0, in the order of the rows, which is the same whenever the frame is read."""
        native = _lazy(frame).with_row_index(name).with_columns(pl.col(name).cast(pl.Int64))
        return PolarsFrame(native, (name, *frame.columns))

    def hashed(self, frame: Frame, column: str, seed: int, name: str) -> Frame:
        """DuckDB hashes the column, batch by batch; Polars has no MD5."""
        hashes = functools.partial(hashed, seed=seed)
        column_hashes = pl.col(column).map_batches(hashes, return_dtype=pl.Int64, is_elementwise=True)
        return PolarsFrame(_lazy(frame).with_columns(column_hashes.alias(name)), (*frame.columns, name))

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """Computed from the collected rows on first use, and cached."""
        native = _lazy(frame)
        types = native.collect_schema()
        return deferred(compute_once(lambda: function(self._run(native))), {k: types[k] for k in keys} | dict(adds))

    def compute_once(self, frame: Frame, *, in_parts: bool = False) -> Frame:
        """Collected on first use, and cached; of few rows in memory, to compute them again costs less."""
        if _polars(frame).in_memory and self._rows < FEW_ROWS:
            return frame
        native = _lazy(frame)

        @compute_once
        def result() -> pl.DataFrame:
            rows = self._run(native, in_parts=in_parts)
            out.replace_rows(rows)
            return rows

        out = deferred(result, dict(native.collect_schema()))
        return out

    def shared(self, frame: Frame) -> Frame:
        """Cached while the plan runs."""
        return PolarsFrame(_lazy(frame).cache(), frame.columns)


def hashed(ids: pl.Series, *, seed: int) -> pl.Series:
    """The portable hashes of ids."""
    with own_connection() as connection:
        relation = connection.from_arrow(pl.DataFrame({"id": ids}).to_arrow())
        hashes = relation.project(f"{md5('id', seed)} AS h").to_arrow_table().column("h")
        return pl.Series(pl.from_arrow(hashes), dtype=pl.Int64)


def _polars(frame: Frame) -> PolarsFrame:
    if not isinstance(frame, PolarsFrame):
        raise TypeError(f"{frame!r} is no frame of Polars")
    return frame


def _lazy(frame: Frame) -> pl.LazyFrame:
    return _polars(frame).to_native()
