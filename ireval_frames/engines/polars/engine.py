"""Polars: frames in this process."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine, Function, RankedRows, Ranking, Way, added
from ireval_frames.engines.connections import own_connection
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.file_errors import Given, blame_file
from ireval_frames.engines.inputs.frames import Read, is_relation, names_files, polars_rows
from ireval_frames.engines.inputs.polars_errors import FAILURES, engine_error
from ireval_frames.engines.polars import counting as polars_counting
from ireval_frames.engines.polars import cumulative as polars_cumulative
from ireval_frames.engines.polars.aggregates import aggregated
from ireval_frames.engines.polars.counting import ENOUGH_ROWS, differ
from ireval_frames.engines.polars.frame import PolarsFrame
from ireval_frames.engines.polars.hashes import Summed
from ireval_frames.engines.polars.ranking import batches_in_order
from ireval_frames.engines.polars.ranking import ranked_rows as polars_ranked
from ireval_frames.engines.polars.ranking import small_inputs as polars_ranking_few
from ireval_frames.engines.quoting import md5
from ireval_frames.expr import Expr, col

Result = TypeVar("Result")

# Tables with fewer rows than this, together, are few.
FEW_ROWS = 10_000
# What several read is still made once.
AS_IT_IS = pl.QueryOptFlags.none(comm_subplan_elim=True)


class PolarsEngine(Engine):
    """Plans as Polars lazy frames."""

    name = "polars"
    ordered_rows = True
    in_process = True

    def __init__(self) -> None:
        self._rows = 0
        self._files: dict[str, Given] = {}

    def __getstate__(self) -> dict[str, Any]:
        """How files are read stays in its process; an evaluation that is made anew opens them anew."""
        return {**self.__dict__, "_files": {}}

    # ---- tables

    def open_table(self, given: Any, name: str, read: Read) -> Frame:
        """Every kind of frame becomes Polars' own, through Arrow; paths are read."""
        if names_files(given):
            self._files[str(given)] = given, read
        elif isinstance(given, pl.LazyFrame):
            self._files[name] = weakref.ref(given), read
        rows = given.pl() if is_relation(given) else polars_rows(given, name, read)
        # How many rows a lazy frame has is not known.
        self._rows += rows.height if isinstance(rows, pl.DataFrame) else FEW_ROWS
        return PolarsFrame(rows)

    def from_polars(self, frame: pl.DataFrame) -> Frame:
        """Lazy, as all of a plan."""
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

    def _run(self, frame: pl.LazyFrame) -> pl.DataFrame:
        """Of few rows, a plan takes longer to be bettered than to be run, and twice as long on the streaming engine."""
        with self.errors():
            if self._rows >= FEW_ROWS:
                return frame.collect()
            return frame.collect(engine="in-memory", optimizations=AS_IT_IS)

    # ---- rows and groups

    def join(self, left: Frame, right: Frame, on: Sequence[str], how: Literal["inner", "left"]) -> Frame:
        """Joins in which a null key equals a null key."""
        more = added(left, right, on)
        one, other = (
            _lazy(left),
            _lazy(right if len(more) + len(on) == len(right.columns) else right.select(*on, *more)),
        )
        columns = (*left.columns, *more)
        if not on:
            if not more:
                # Rows without columns are none to Polars; they count all the same.
                counted = _lazy(right).select(pl.repeat(1, pl.len()).alias("_row"))
                return PolarsFrame(one.join(counted, how="cross").drop("_row"), columns)
            return PolarsFrame(one.join(other, how="cross"), columns)
        return PolarsFrame(one.join(other, on=list(on), how=how, nulls_equal=True), columns)

    def group(self, frame: Frame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> Frame:
        """One group-by; ordered sums follow their order column inside each group."""
        if not aggregates:
            rows = _lazy(frame.select(*keys)) if keys else _lazy(frame)
            return PolarsFrame(rows.unique(), keys) if keys else PolarsFrame(rows.select(pl.len().alias("_rows")))
        names = (*keys, *(a.name for a in aggregates))
        out = [aggregated(a) for a in aggregates]
        terms = {a.name: a.expr for a in aggregates if a.how != "count"}
        if not keys:
            # Chosen alone, a literal would be one row.
            return PolarsFrame(_lazy(frame.with_columns(**terms)).select(*out), names)
        orders = {a.order: col(a.order) for a in aggregates if a.order and a.order not in keys}
        chosen = _polars(frame.select(*keys, **orders, **terms))
        native = chosen.to_native()
        grouped = native.group_by(*keys).agg(*out)
        if not polars_counting.fits(chosen, keys, aggregates):
            return PolarsFrame(grouped, names)

        @memoised
        def made() -> pl.DataFrame:
            rows = self._run(native)
            found = polars_counting.counted(rows, keys, aggregates)
            return self._run(rows.lazy().group_by(*keys).agg(*out)) if found is None else found

        return _deferred(made, grouped.collect_schema())

    def knows_unique(self, frame: Frame, keys: Sequence[str]) -> bool:
        """Of many rows in memory, by whole numbers."""
        return self._rows >= ENOUGH_ROWS and differ(_polars(frame), keys, self._run)

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """One pass over the rows, made when first needed."""
        return _Ranked(_polars(frame), ranking, partner, self)

    def cumulative_counts(self, frame: Frame, keys: Sequence[str], by: str, flag: Expr, weight: Expr | None) -> Frame:
        """Made on first use, once."""
        inner = {"_flag": flag.fill_null(value=False), **({} if weight is None else {"_weight": weight})}
        # Adding zero makes -0.0 equal to 0.0.
        native = _lazy(frame.select(*keys, **{by: col(by) + 0.0}, **inner))
        types = native.collect_schema()

        @memoised
        def made() -> pl.LazyFrame:
            return polars_cumulative.cumulative_counts(
                self._run(native), keys, by, "_flag", None if weight is None else "_weight"
            )

        schema = {k: types[k] for k in (*keys, by)}
        return _deferred(
            made, schema | dict.fromkeys(("positives", "negatives", "cum_positives", "cum_negatives"), pl.Float64)
        )

    def set_ids(self, frame: Frame, keys: Sequence[str], of: str, name: str) -> Frame:
        """Sorted lists of the values are counted off; made on first use, once, so that a set has one number."""
        native = _lazy(frame.select(*keys, of))
        numbers = native.select(of).unique().with_row_index(name)
        listed = native.join(numbers, on=of).group_by(*keys).agg(name)
        listed = listed.with_columns(pl.col(name).list.unique().list.sort())

        @memoised
        def made() -> pl.DataFrame:
            rows = self._run(listed)
            alike = rows.select(name, _row=pl.int_range(pl.len())).group_by(name).agg("_row")
            numbered = alike.select("_row", pl.int_range(pl.len()).alias(name)).explode("_row").sort("_row")
            return rows.with_columns(numbered[name])

        return _deferred(made, {**native.select(*keys).collect_schema(), name: pl.Int64})

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
        made = pl.col(column).map_batches(hashes, return_dtype=pl.Int64, is_elementwise=True)
        return PolarsFrame(_lazy(frame).with_columns(made.alias(name)), (*frame.columns, name))

    def apply(
        self, frame: Frame, function: Function, by: Sequence[str], keys: Sequence[str], adds: Mapping[str, Any]
    ) -> Frame:
        """Collected, computed on first use and kept."""
        native = _lazy(frame)
        types = native.collect_schema()
        made = memoised(lambda: function(self._run(native)))
        return _deferred(made, {k: types[k] for k in keys} | dict(adds))

    def compute_once(self, frame: Frame) -> Frame:
        """Collected on first use and kept."""
        native = _lazy(frame)

        @memoised
        def made() -> pl.DataFrame:
            rows = self._run(native)
            out.hold(rows)
            return rows

        out = _deferred(made, dict(native.collect_schema()))
        return out

    def shared(self, frame: Frame) -> Frame:
        """Kept while the plan runs."""
        return PolarsFrame(_lazy(frame).cache(), frame.columns)


def hashed(ids: pl.Series, *, seed: int) -> pl.Series:
    """The portable hashes of ids."""
    with own_connection() as connection:
        relation = connection.from_arrow(pl.DataFrame({"id": ids}).to_arrow())
        made = relation.project(f"{md5('id', seed)} AS h").to_arrow_table().column("h")
        return pl.Series(pl.from_arrow(made), dtype=pl.Int64)


def memoised(made: Callable[[], Result]) -> Callable[[], Result]:
    """The function, called once: parts of a plan run side by side and ask for the same."""
    lock, cached = threading.Lock(), functools.cache(made)

    def once() -> Result:
        with lock:
            return cached()

    return once


def _deferred(made: Callable[[], pl.DataFrame | pl.LazyFrame], schema: Mapping[str, Any]) -> PolarsFrame:
    # A lazy frame is taken as well as a frame, and then only the wanted columns are computed.
    frame = pl.defer(made, schema=dict(schema), validate_schema=False)  # type: ignore[arg-type]
    return PolarsFrame(frame, tuple(schema))


def _polars(frame: Frame) -> PolarsFrame:
    if not isinstance(frame, PolarsFrame):
        raise TypeError(f"{frame!r} is no frame of Polars")
    return frame


def _lazy(frame: Frame) -> pl.LazyFrame:
    return _polars(frame).to_native()


class _Ranked:
    """The result of the ranking pass, made on first use and shared by all that read it."""

    def __init__(
        self,
        frame: PolarsFrame,
        ranking: Ranking,
        partner: Frame | None,
        engine: PolarsEngine,
    ) -> None:
        self._frame, self._ranking, self._partner, self._engine = frame, ranking, partner, engine
        self._lock = threading.Lock()
        self._done: polars_ranked.Ranked | None = None

    @property
    def _few(self) -> pl.DataFrame | None:
        """The rows, if they are in memory and few."""
        rows = self._frame.rows
        return rows if isinstance(rows, pl.DataFrame) and rows.height < FEW_ROWS else None

    def rows(self) -> Frame:
        """The wanted rows with their rank; those of a pass that was made need not be put off."""
        if self._few is not None:
            made = polars_ranking_few.rows(self._few.lazy(), self._ranking, self._wanted)
            return PolarsFrame(made, (*self._frame.columns, "rank"))
        if self._done is not None:
            return PolarsFrame(self._done.rows.lazy())
        return _deferred(lambda: self._pass().rows, {**self._frame.types, "rank": pl.Int64})

    def groups(self) -> Frame:
        """A row per group."""
        keys = self._ranking.keys
        if self._few is not None:
            return PolarsFrame(polars_ranking_few.groups(self._few.lazy(), self._ranking), (*keys, "n"))
        if self._done is not None:
            return PolarsFrame(self._done.groups.lazy())
        types = self._frame.types
        return _deferred(lambda: self._pass().groups, {k: types[k] for k in keys} | {"n": pl.Int64})

    def check(self) -> None:
        """The pass checks as it goes."""
        few = self._few
        if few is None:
            self._pass()
        else:
            with self._engine.errors():
                polars_ranking_few.check(few, self._ranking)

    def sums(self, columns: Sequence[str], by: Sequence[str]) -> pl.DataFrame | None:
        """Those of a pass that is still to be made; it is made now."""
        summed = Summed.all(columns, by)
        if self._few is not None or self._done is not None or {*columns} != {*self._frame.columns}:
            return None
        if not {*by} <= {*self._ranking.keys}:
            return None
        found = self._pass(summed).sums
        return None if found is None else summed.together(found)

    def ways(self) -> frozenset[Way]:
        """Few rows are sorted by the plan itself."""
        if self._few is not None:
            return frozenset(["sorted"])
        return frozenset() if self._done is None else self._done.ways

    @property
    def _wanted(self) -> pl.LazyFrame | None:
        if self._partner is None or not self._ranking.on:
            return None
        return _lazy(self._partner).select(self._ranking.on)

    def _pass(self, summed: Summed | None = None) -> polars_ranked.Ranked:
        with self._lock:
            if self._done is None:
                wanted = self._wanted
                partner = None if wanted is None else self._engine.collect(PolarsFrame(wanted))
                with self._engine.errors():
                    self._done = batches_in_order.rank(self._frame.rows, self._ranking, partner, summed)
            return self._done
