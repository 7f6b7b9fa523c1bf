"""Histograms of latencies: percentiles that are approximate, and histograms pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import UNTYPED, wrong_type
from ireval_frames.columns.user_names import columns_named
from ireval_frames.displayed import Displayed
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.errors import InvalidValue, MismatchedTables, MissingColumn, UnknownName, listed, nearest
from ireval_frames.io.reading import TABLE
from ireval_frames.parameters import choice, number
from ireval_frames.timings.order_statistics import ROUNDING

COLUMNS = {"low": pl.Float64, "high": pl.Float64, "count": pl.Float64}
INSIDE = choice("linear", "upper", what="where the latencies of a bucket are: evenly inside, or at its upper end")
PERCENTAGE = number(what="a percentage", low=0.0, high=100.0, example=95)


class Histogram(Displayed):
    """Numbers of latencies between two bounds, of which percentiles are approximate; it prints as these.

    Args:
        frame: a table with a row per bucket: `low`, `high` (seconds, infinity for no bound) and `count`, and columns
            of what each histogram is of, such as `run_id`.
        inside: where the latencies of a bucket are: evenly between its bounds ("linear", as Prometheus assumes), or at
            the upper one ("upper", as in HdrHistogram, whose buckets are narrow).

    The percentile p of n latencies is at p·n of the cumulative count.  In the bucket without an upper bound it is the
    highest bound there is: the true one is that or more, and `capped` says so.  Of several machines, hours or runs the
    counts are added (`pooled`); percentiles must not be averaged.

    Raises:
        MissingColumn, WrongType, InvalidValue: the table is no histogram.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> bounds = {"low": [0, 10, 50, 100], "high": [10.0, 50, 100, float("inf")], "count": [5, 3, 1, 1]}
        >>> histogram = ir.timings.Histogram(pl.DataFrame(bounds))
        >>> histogram.percentiles([50, 90, 95]).select("p", "value", "low", "high", "capped").rows()
        [(50.0, 10.0, 0.0, 10.0, False), (90.0, 100.0, 50.0, 100.0, False), (95.0, 100.0, 100.0, inf, True)]
    """

    def __init__(self, frame: Any, *, inside: str = "linear") -> None:
        self.inside = INSIDE.check("inside", inside)
        frame = polars_frame(frame, "histogram", TABLE)
        if absent := [c for c in COLUMNS if c not in frame.columns]:
            raise MissingColumn(
                f"The histogram has no column {absent[0]!r} (it has: {listed(frame.columns, 20)}).",
                "Write low, high and count of every bucket.",
            )
        if text := [c for c in COLUMNS if not frame.schema[c].is_numeric() and frame.schema[c] not in UNTYPED]:
            raise wrong_type("histogram", text[0], frame.schema[text[0]], "numbers", "Float64")
        frame = frame.with_columns(pl.col(c).cast(t) for c, t in COLUMNS.items())
        self.groups = [c for c in frame.columns if c not in COLUMNS]
        bad = frame.filter(
            pl.any_horizontal(pl.col(*COLUMNS).is_null() | pl.col(*COLUMNS).is_nan())
            | (pl.col("high") < pl.col("low")) | pl.col("low").is_infinite()
            | (pl.col("count") < 0) | pl.col("count").is_infinite()
        )  # fmt: skip
        if bad.height:
            row = bad.row(0, named=True)
            raise InvalidValue(
                f"A bucket from {row['low']} to {row['high']} has the count {row['count']}.",
                "Bounds ascend, and counts are numbers of at least 0, of each bucket alone: not cumulative ones.",
            )
        self.frame = frame.select(*self.groups, *COLUMNS).sort(*self.groups, "high", "low")

    def percentiles(self, p: float | Iterable[float] = (50, 90, 95, 99)) -> pl.DataFrame:
        """The latencies that p % do not exceed, in seconds.

        Returns:
            [groups …] p value low high n capped approximate: `low` and `high` are the bounds of the bucket, between
            which the true percentile lies; `approximate` is always true.

        Raises:
            InvalidParameter: a percentage is none.
        """
        wanted = [PERCENTAGE.check("p", x) for x in ([p] if isinstance(p, int | float) else p)]
        rows: list[dict[str, Any]] = []
        for key, buckets in self._parts():
            bounds = buckets.filter(pl.col("count") > 0).select("low", "high", "count").rows()
            n = math.fsum(count for *_, count in bounds)
            for x in wanted:
                row: dict[str, Any] = {**key, "p": x, "n": n, "value": None, "low": None, "high": None}
                if bounds:
                    row["value"], row["low"], row["high"] = self._at(bounds, x * n / 100.0)
                row["capped"] = row["high"] == math.inf
                rows.append(row)
        types = {c: self.frame.schema[c] for c in self.groups}
        numbers = dict.fromkeys(("p", "value", "low", "high", "n"), pl.Float64)
        frame = pl.DataFrame(rows, schema={**types, **numbers, "capped": pl.Boolean})
        return frame.with_columns(approximate=pl.lit(value=True))

    def pooled(self, over: str | Sequence[str] | None = None) -> Histogram:
        """The counts of several histograms added.

        Args:
            over: the columns whose groups are added up, such as "instance"; by default all.

        Raises:
            UnknownName: there is no such column.
            MismatchedTables: the histograms have other bounds, and latencies lie evenly inside.
        """
        dropped = self.groups if over is None else columns_named(over, "over")
        if unknown := [c for c in dropped if c not in self.groups]:
            raise UnknownName(f"The histogram has no column {unknown[0]!r}.", nearest(unknown[0], self.groups))
        remaining = [c for c in self.groups if c not in dropped]
        if self.inside == "linear":
            self._check_bounds(remaining)
        added = self.frame.group_by(*remaining, "low", "high", maintain_order=True).agg(pl.col("count").sum())
        return Histogram(added, inside=self.inside)

    def _check_bounds(self, remaining: Sequence[str]) -> None:
        """Refuse to add counts of buckets with other bounds."""
        seen: dict[tuple[Any, ...], list[tuple[float, float]]] = {}
        for key, buckets in self._parts():
            group = tuple(key[c] for c in remaining)
            bounds = buckets.select("low", "high").rows()
            first = seen.setdefault(group, bounds)
            if bounds != first:
                one = next(b for b in (*bounds, *first) if b not in first or b not in bounds)
                raise MismatchedTables(
                    f"The histograms have different buckets: only one has {one[0]:g} to {one[1]:g}.",
                    "Count them in the same buckets, or pool those that have them.",
                )

    def _parts(self) -> list[tuple[dict[str, Any], pl.DataFrame]]:
        if not self.groups:
            return [({}, self.frame)]
        parts = self.frame.partition_by(self.groups, maintain_order=True, include_key=True)
        return [(dict(zip(self.groups, part.select(self.groups).row(0), strict=True)), part) for part in parts]

    def _at(self, buckets: Sequence[tuple[float, float, float]], rank: float) -> tuple[float, float, float]:
        """The value at a position of the cumulative count, and the bounds of its bucket."""
        before = 0.0
        for i, (low, high, count) in enumerate(buckets):
            # Floats may have made a whole rank a little more.
            if before + count >= rank * (1.0 - ROUNDING) or i == len(buckets) - 1:
                if high == math.inf:
                    return low, low, high
                if self.inside == "upper":
                    return high, low, high
                return low + (high - low) * min(1.0, (rank - before) / count), low, high
            before += count
        raise AssertionError

    def _displays(self) -> Sequence[Any]:
        """The percentiles."""
        return [self.percentiles()]

    def __str__(self) -> str:
        return f"approximate percentiles, from buckets\n{self.percentiles()}"


def bucket_bounds(bounds: Sequence[float], counts: Sequence[float], where: str) -> list[tuple[float, float, float]]:
    """Buckets with counts of their own, from upper bounds and cumulative counts.

    Raises:
        InvalidValue: the counts descend.
    """
    out: list[tuple[float, float, float]] = []
    low, before = min(0.0, bounds[0] if bounds else 0.0), 0.0
    for high, count in sorted(zip(bounds, counts, strict=True)):
        if count < before:
            raise InvalidValue(
                f"{where}: {count:g} latencies are at most {high:g}, and {before:g} at most {low:g}.",
                "Cumulative counts ascend; read a whole scrape of one moment.",
            )
        out.append((low, high, count - before))
        low, before = high, count
    return out
