"""Polars: frames in this process."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines import polars_counting, polars_levels, polars_ranking
from ireval_frames.engines.base import Aggregate, RankedRows, Ranking, lazy
from ireval_frames.errors import EngineError, InvalidValue, IrevalError, rows_to_fix

Result = TypeVar("Result")
# What Polars says of text that is no number: the column, and some of the values.
_TEXT = re.compile(r"conversion from `str` to `\w+` failed in column '(.*?)' for .*?: \[(.*?)\]", re.DOTALL)
FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


class PolarsEngine:
    """Plans as Polars lazy frames."""

    name = "polars"

    def join(
        self, left: nw.LazyFrame, right: nw.LazyFrame, on: Sequence[str], how: Literal["inner", "left"]
    ) -> nw.LazyFrame:
        """Joins in which a null key equals a null key."""
        right = without(right, left, on)
        if not on:
            return left.join(right, how="cross")
        return lazy(left.to_native().join(right.to_native(), on=list(on), how=how, nulls_equal=True))

    def group(self, frame: nw.LazyFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> nw.LazyFrame:
        """One group-by; ordered sums follow their order column inside each group."""
        if not aggregates:
            return frame.select(*keys).unique() if keys else frame.select(nw.len().alias("_rows"))
        used = {a.name: a.expr for a in aggregates}
        orders = {a.order: nw.col(a.order) for a in aggregates if a.order}
        out = [_aggregate(a) for a in aggregates]
        if not keys:
            # Chosen alone, a literal would be one row.
            return lazy(frame.with_columns(**used).to_native().select(*out))
        terms = {a.name: a.expr for a in aggregates if a.how != "count"}
        native: pl.LazyFrame = frame.select(
            *keys, **{k: v for k, v in orders.items() if k not in keys}, **terms
        ).to_native()
        grouped = native.group_by(*keys).agg(*out)
        if not polars_counting.fits(native, keys, aggregates):
            return lazy(grouped)

        @kept
        def made() -> pl.DataFrame:
            rows = run(native.collect)
            found = polars_counting.counted(rows, keys, aggregates)
            return run(rows.lazy().group_by(*keys).agg(*out).collect) if found is None else found

        return lazy(pl.defer(made, schema=grouped.collect_schema(), validate_schema=False))

    def rank(
        self, frame: nw.LazyFrame | nw.DataFrame[Any], ranking: Ranking, partner: nw.LazyFrame | None
    ) -> RankedRows:
        """One pass over the rows, made when first needed."""
        return _Ranked(frame, ranking, partner)

    def levels(
        self, frame: nw.LazyFrame, keys: Sequence[str], by: str, flag: nw.Expr, weight: nw.Expr | None
    ) -> nw.LazyFrame:
        """Made on first use, once."""
        inner = {"_flag": flag.fill_null(value=False), **({} if weight is None else {"_weight": weight})}
        # Adding zero makes -0.0 equal to 0.0.
        native: pl.LazyFrame = frame.select(*keys, **{by: nw.col(by) + 0.0}, **inner).to_native()
        types = native.collect_schema()

        @kept
        def made() -> pl.LazyFrame:
            return polars_levels.levels(run(native.collect), keys, by, "_flag", None if weight is None else "_weight")

        schema = {k: types[k] for k in (*keys, by)} | dict.fromkeys(
            ("yes", "no", "yes_so_far", "no_so_far"), pl.Float64
        )
        # A lazy frame is taken as well as a frame, and then only the wanted columns are computed.
        return lazy(pl.defer(made, schema=schema, validate_schema=False))  # type: ignore[arg-type]

    def sets(self, frame: nw.LazyFrame, keys: Sequence[str], of: str, name: str) -> nw.LazyFrame:
        """Sorted lists of the values are counted off; made on first use, once, so that a set has one number."""
        native: pl.LazyFrame = frame.select(*keys, of).to_native()
        numbers = native.select(of).unique().with_row_index(name)
        listed = (
            native.join(numbers, on=of).group_by(*keys).agg(name).with_columns(pl.col(name).list.unique().list.sort())
        )

        @kept
        def made() -> pl.DataFrame:
            rows = run(listed.collect)
            alike = rows.select(name, _row=pl.int_range(pl.len())).group_by(name).agg("_row")
            numbered = alike.select("_row", pl.int_range(pl.len()).alias(name)).explode("_row").sort("_row")
            return rows.with_columns(numbered[name])

        return lazy(
            pl.defer(made, schema={**native.select(*keys).collect_schema(), name: pl.Int64}, validate_schema=False)
        )

    def spread(self, frame: nw.LazyFrame, low: str, high: str, key: str) -> nw.LazyFrame:
        """Integer ranges, exploded."""
        native: pl.LazyFrame = frame.to_native()
        ranges = pl.int_ranges(low, pl.col(high) + 1).alias(key)
        return lazy(native.filter(pl.col(low) <= pl.col(high)).with_columns(ranges).explode(key))

    def from_polars(self, frame: pl.DataFrame) -> pl.LazyFrame:
        """Lazy, as all of a plan."""
        return frame.lazy()

    def number(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """From 0, in the order of the rows, which is the same whenever the frame is read."""
        native: pl.LazyFrame = frame.to_native()
        return lazy(native.with_row_index(name).with_columns(pl.col(name).cast(pl.Int64)))

    def hashed(self, frame: nw.LazyFrame, column: str, seed: int, name: str) -> nw.LazyFrame:
        """DuckDB hashes the column, batch by batch; Polars has no MD5."""
        native: pl.LazyFrame = frame.to_native()
        made = pl.col(column).map_batches(
            functools.partial(_md5, seed=seed), return_dtype=pl.Int64, is_elementwise=True
        )
        return lazy(native.with_columns(made.alias(name)))

    def apply(
        self,
        frame: nw.LazyFrame,
        function: Callable[[pl.DataFrame], pl.DataFrame],
        keys: Sequence[str],
        adds: Mapping[str, Any],
    ) -> nw.LazyFrame:
        """Collected, computed on first use and kept."""
        native: pl.LazyFrame = frame.to_native()
        types = native.collect_schema()
        made = kept(lambda: function(run(native.collect)))
        return lazy(pl.defer(made, schema={k: types[k] for k in keys} | dict(adds), validate_schema=False))

    def once(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """Collected on first use and kept."""
        native: pl.LazyFrame = frame.to_native()
        made = kept(lambda: run(native.collect))
        return lazy(pl.defer(made, schema=dict(native.collect_schema()), validate_schema=False))

    def shared(self, frame: nw.LazyFrame) -> nw.LazyFrame:
        """Kept while the plan runs."""
        native: pl.LazyFrame = frame.to_native()
        return lazy(native.cache())

    def stage(self, frame: nw.LazyFrame, name: str) -> nw.LazyFrame:
        """Polars plans have no names."""
        return frame

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Polars' errors and panics become ours."""
        try:
            yield
        except FAILURES as error:
            raise engine_error(error) from error

    def collect(self, frame: nw.LazyFrame) -> pl.DataFrame:
        """Run the plan."""
        native: pl.LazyFrame = frame.to_native()
        return run(native.collect)


def kept(made: Callable[[], Result]) -> Callable[[], Result]:
    """The function, called once: parts of a plan run side by side and ask for the same."""
    lock, cached = threading.Lock(), functools.cache(made)

    def once() -> Result:
        with lock:
            return cached()

    return once


def run(action: Callable[[], Result]) -> Result:
    """Run a Polars plan; its panics and engine errors become ours.

    Raises:
        EngineError: Polars failed; the message names the cause.
    """
    try:
        return action()
    except FAILURES as error:
        raise engine_error(error) from error


def engine_error(error: BaseException) -> IrevalError:
    """Our own error that Polars wrapped, or one that names the cause."""
    text = _TEXT.match(str(error))
    if text:
        return InvalidValue(
            f"Column {text[1]!r} holds text where numbers belong: {text[2]}.",
            "Name a column of numbers. " + rows_to_fix("frame", text[1], ".cast(pl.Float64, strict=False).is_null()"),
        )
    return original(error) or EngineError(
        f"Polars could not run the plan: {(str(error).splitlines() or [type(error).__name__])[0]}"
    )


def original(error: BaseException) -> IrevalError | None:
    """Our own error inside one that Polars wrapped around it."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, IrevalError):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _md5(ids: pl.Series, *, seed: int) -> pl.Series:
    from ireval_frames.engines.duckdb import md5, own_connection

    with own_connection() as connection:
        relation = connection.from_arrow(pl.DataFrame({"id": ids}).to_arrow())
        return pl.Series(
            pl.from_arrow(relation.project(f"{md5('id', seed)} AS h").to_arrow_table().column("h")), dtype=pl.Int64
        )


def without(right: nw.LazyFrame, left: nw.LazyFrame, on: Sequence[str]) -> nw.LazyFrame:
    """`right` less the columns that `left` has, the keys aside."""
    mine = set(left.collect_schema().names()) - set(on)
    drop = [c for c in right.collect_schema().names() if c in mine]
    return right.drop(*drop) if drop else right


def _aggregate(a: Aggregate) -> pl.Expr:
    column = pl.col(a.name)
    match a.how:
        case "count":
            return pl.len().cast(pl.Float64).alias(a.name)
        case "sum" if a.order:
            return column.sort_by(a.order).cum_sum().last().alias(a.name)
        case "sum":
            return column.sum()
        case "mean":
            return column.mean()
        case "max":
            return column.max()
        case "min":
            return column.min()


class _Ranked:
    """The result of the ranking pass, made on first use and shared by all that read it."""

    def __init__(self, frame: nw.LazyFrame | nw.DataFrame[Any], ranking: Ranking, partner: nw.LazyFrame | None) -> None:
        self._frame, self._ranking, self._partner = frame, ranking, partner
        self._lock = threading.Lock()
        self._done: polars_ranking.Ranked | None = None
        schema = frame.collect_schema()
        self._types: dict[str, Any] = {
            n: nw.to_native(nw.new_series(n, [], schema[n], backend="polars")).dtype for n in schema.names()
        }

    def rows(self) -> nw.LazyFrame:
        """The wanted rows with their rank."""
        schema = self._types | {"rank": pl.Int64}
        return lazy(pl.defer(lambda: self._pass().rows, schema=schema, validate_schema=False))

    def groups(self) -> nw.LazyFrame:
        """A row per group."""
        schema = {k: self._types[k] for k in self._ranking.keys} | {"n": pl.Int64}
        return lazy(pl.defer(lambda: self._pass().groups, schema=schema, validate_schema=False))

    def check(self) -> None:
        """The pass checks as it goes."""
        self._pass()

    def _pass(self) -> polars_ranking.Ranked:
        with self._lock:
            if self._done is None:
                partner = None
                if self._partner is not None and self._ranking.on:
                    native: pl.LazyFrame = self._partner.to_native()
                    partner = run(lambda: native.select(self._ranking.on).collect())
                self._done = run(lambda: polars_ranking.rank(self._frame.to_native(), self._ranking, partner))
            return self._done
