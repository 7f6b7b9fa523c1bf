"""Aggregates of an experiment: counts, means, sums of squares and products, as a table that merges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ireval_frames import io
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.errors import (
    Argument,
    DuplicateRows,
    Hint,
    InvalidValue,
    MissingColumn,
    UnknownName,
    WrongType,
    listed,
    nearest,
    rows_to_fix,
)
from ireval_frames.experiments.metrics import Metric
from ireval_frames.experiments.moments import Cells, Moments, places
from ireval_frames.experiments.parsing import metrics_of
from ireval_frames.experiments.units import VARIANT
from ireval_frames.io.reading import TABLE

# The most numbers of a metric: numerator and denominator, during and before the experiment.
MAX_COLUMNS = 4
MEANS = [f"mean_{i + 1}" for i in range(MAX_COLUMNS)]
PRODUCTS = {(i, j): f"product_{i + 1}{j + 1}" for i in range(MAX_COLUMNS) for j in range(i + 1)}
NUMBERS = ["n_units", "n", *MEANS, *PRODUCTS.values()]


@dataclass(frozen=True, eq=False)
class Aggregates:
    """Aggregates of an experiment, a row per group, variant and metric.

    Columns: variant, the groups, metric (as text that parses), n_units (of the variant), n (with a value), mean_1 …
    (of the metric's numbers: value or numerator, denominator, then those from before), product_11, product_21 … (sums
    of products of distances to the means); null where a metric has fewer numbers.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> def day(values):
        ...     return ir.Experiment(pl.DataFrame({"variant": [*"aabb"], "y": values}), unit=None).aggregates("Mean(y)")
        >>> both = ir.Experiment.of_aggregates([day([1.0, 2.0, 3.0, 5.0]), day([2.0, 2.0, 4.0, 5.0])])
        >>> both.analyze().table().select("n", "value_baseline", "value").row(0)
        (4, 1.75, 4.25)
    """

    frame: pl.DataFrame

    @classmethod
    def from_cells(cls, cells: Cells) -> Aggregates:
        """The table of moments."""
        keys = cells.keys.rename({cells.variant: VARIANT}).select(VARIANT, pl.exclude(VARIANT))
        parts = []
        for metric, of in cells.of.items():
            k = of.mean.shape[1]
            columns = {"n_units": cells.n, "n": of.n}
            columns |= {MEANS[i]: of.mean[:, i] for i in range(k)}
            columns |= {PRODUCTS[i, j]: of.products[:, i, j] for i in range(k) for j in range(i + 1)}
            numbers = [
                pl.Series(c, columns[c]) if c in columns else pl.Series(c, [None] * keys.height, dtype=pl.Float64)
                for c in NUMBERS
            ]
            parts.append(keys.with_columns(pl.lit(str(metric)).alias("metric"), *numbers))
        return cls(pl.concat(parts).with_columns(pl.col(NUMBERS).fill_nan(None)))

    @classmethod
    def of(cls, tables: Any) -> Aggregates:
        """Tables of aggregates, concatenated.

        Raises:
            MissingColumn, WrongType: one lacks a column, or a column holds no numbers.
            InvalidValue: counts or squares are negative, or numbers are missing.
            DuplicateRows: a row is repeated, so that units would count twice.
            UnknownName, InvalidParameter: a text is no metric.
        """
        several = isinstance(tables, Iterable) and not isinstance(
            tables, str | pl.DataFrame | pl.LazyFrame | Aggregates
        )
        frames = [_read(one) for one in (tables if several else [tables])]
        if not frames:
            raise InvalidValue("There are no aggregates.", "Pass one table, or several: [monday, tuesday]")
        first = frames[0].columns
        for frame in frames[1:]:
            if set(frame.columns) != set(first):
                raise MissingColumn(
                    f"Aggregates have different columns: {listed(first, 20)}; {listed(frame.columns, 20)}.",
                    "Make them by the same columns.",
                )
        rows = pl.concat([f.select(first) for f in frames], how="vertical_relaxed")
        _refuse(rows)
        return cls(rows)

    @property
    def variant(self) -> str:
        """The column of variants."""
        return VARIANT

    @property
    def groups(self) -> list[str]:
        """The columns of groups."""
        return [c for c in self.frame.columns if c not in (VARIANT, "metric", *NUMBERS)]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the aggregates."""
        return metrics_of(self.frame["metric"].unique(maintain_order=True).to_list())

    def has(self, name: str) -> None:
        """Refuse a group that the aggregates lack.

        Raises:
            MissingColumn: they lack it.
        """
        if name not in self.groups:
            raise MissingColumn(
                f"The aggregates have no column {name!r} (groups: {listed(self.groups, 20) or 'none'}).",
                Hint("Make them by it: ", Argument("by", name, "experiment.aggregates(metrics, {})"), "."),
            )

    def cells(self, metrics: Sequence[Metric], groups: Sequence[str]) -> Cells:
        """The moments of metrics in these groups.

        Raises:
            UnknownName: the aggregates lack a metric.
        """
        names = [*groups, VARIANT]
        keys = self.frame.select(names).unique().sort(names)
        known = self.frame["metric"].unique(maintain_order=True).to_list()
        moments, n = {}, np.zeros(keys.height)
        for metric in metrics:
            rows = self.frame.filter(pl.col("metric") == str(metric))
            if not rows.height:
                raise UnknownName(f"The aggregates have no {metric}.", nearest(str(metric), known))
            place = places(rows.select(names), keys)
            moments[metric] = _moments(rows, len(metric.terms)).merged(place, keys.height)
            n = np.zeros(keys.height)
            np.add.at(n, place, rows["n_units"].to_numpy())
        return Cells(keys, VARIANT, n, moments)


def _moments(rows: pl.DataFrame, k: int) -> Moments:
    """The moments of a metric of k numbers.

    Raises:
        InvalidValue: a row with units lacks one of its numbers.
    """
    own = [*MEANS[:k], *(PRODUCTS[i, j] for i in range(k) for j in range(i + 1))]
    with_units = rows.filter(pl.col("n") > 0)
    for name in own:
        if with_units[name].null_count() or not with_units[name].is_finite().all():
            raise InvalidValue(
                f"Column {name!r} of the aggregates lacks numbers of {rows['metric'][0]}: it is null, NaN or infinite.",
                rows_to_fix("frame", name, ".is_null()", ".is_nan()", ".is_infinite()"),
            )
    products = np.zeros((rows.height, k, k))
    for i in range(k):
        for j in range(i + 1):
            products[:, i, j] = products[:, j, i] = rows[PRODUCTS[i, j]].fill_null(0.0).to_numpy()
    return Moments(rows["n"].to_numpy(), rows.select(pl.col(MEANS[:k]).fill_null(0.0)).to_numpy(), products)


def _read(table: Any) -> pl.DataFrame:
    """A table of aggregates as a frame.

    Raises:
        MissingColumn, WrongType: it lacks a column, or one holds no numbers.
    """
    if isinstance(table, Aggregates):
        return table.frame
    engine = open_engine(table, None, None)
    with engine.errors():
        frame = engine.collect(
            open_source(Source(io.located(table, None), "aggregates", TABLE), engine, any_names=True)
        )
    missing = [c for c in (VARIANT, "metric", *NUMBERS) if c not in frame.columns]
    if missing:
        raise MissingColumn(
            f"The table of aggregates has no column {missing[0]!r} (it has: {listed(frame.columns, 20)}).",
            "Make it by experiment.aggregates(metrics).frame",
        )
    # Numbers in CSV files are text.
    from_cells = frame.with_columns(pl.col(NUMBERS).cast(pl.Float64, strict=False))
    for name in NUMBERS:
        if (wrong := frame[name].filter(from_cells[name].is_null() & frame[name].is_not_null())).len():
            raise WrongType(
                f"Column {name!r} of the aggregates holds {wrong[0]!r}; it must hold numbers.",
                rows_to_fix("frame", name, ".cast(pl.Float64, strict=False).is_null()"),
            )
    return from_cells


def _refuse(rows: pl.DataFrame) -> None:
    for name in ("n_units", "n", *(PRODUCTS[i, i] for i in range(MAX_COLUMNS))):
        if (rows[name] < 0).any() or rows[name].is_nan().any() or (name in NUMBERS[:2] and rows[name].null_count()):
            raise InvalidValue(
                f"Column {name!r} of the aggregates holds negative counts or squares, NaN or nulls.",
                rows_to_fix("frame", name, " < 0", ".is_nan()", ".is_null()"),
            )
    if rows[VARIANT].null_count() or rows["metric"].null_count():
        name = VARIANT if rows[VARIANT].null_count() else "metric"
        raise InvalidValue(f"Column {name!r} of the aggregates holds nulls.", rows_to_fix("frame", name, ".is_null()"))
    twice = rows.filter(rows.is_duplicated() & (rows["n"] > 0))
    if twice.height:
        raise DuplicateRows(
            f"{twice.height} rows of aggregates are repeated, such as that of {twice['metric'][0]} of "
            f"{twice[VARIANT][0]!r}; their units would count twice.",
            "Pass each table once.",
        )
