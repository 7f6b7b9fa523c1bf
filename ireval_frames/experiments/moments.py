"""Numbers of units, means, and sums of squares and products of each variant and group: one GROUP BY of the engine.

Sums of squares of raw values lose digits where the mean is large relative to the spread, and a unit may lack values of
some columns.  The first pass detects both, and only the metrics concerned are summed again, about their means and over
the units that have all their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import InvalidValue, rows_to_fix
from ireval_frames.experiments.metrics import Metric, Term
from ireval_frames.experiments.units import VARIANT, Buckets, Rows
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.stats.sample import Array, Integers

# A sum of squares of this many times the squares about the mean has lost two digits.
MAX_CANCELLATION = 100.0


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of the numbers of a metric, in each cell.

    Attributes:
        n: units, an element per cell.
        mean: cells × numbers.
        products: cells × numbers × numbers: sums of products of distances to the means.
    """

    n: Array
    mean: Array
    products: Array

    def of(self, cells: Integers) -> Moments:
        """Some of the cells."""
        return Moments(self.n[cells], self.mean[cells], self.products[cells])

    def merged(self, place: Integers, size: int) -> Moments:
        """Cells merged: cell i goes to place[i] of `size` cells.

        Source: Chan, Golub and LeVeque, American Statistician 1983.
        """
        k = self.mean.shape[1]
        n, total = np.zeros(size), np.zeros((size, k))
        with_units = self.n > 0
        weighted = np.where(with_units[:, None], self.n[:, None] * self.mean, 0.0)
        np.add.at(n, place, self.n)
        np.add.at(total, place, weighted)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = total / n[:, None]
        off = np.where(with_units[:, None], self.mean - mean[place], 0.0)
        products = np.zeros((size, k, k))
        np.add.at(products, place, self.products + self.n[:, None, None] * off[:, :, None] * off[:, None, :])
        return Moments(n, mean, products)


@dataclass(frozen=True, eq=False)
class Cells:
    """Variants and groups, with the moments of each metric in them.

    Attributes:
        keys: the variant, then the groups under the user's names; a row per cell, in order.
        variant: the name of the column of variants.
        n: units of each cell, whether or not they have values.
        of: the moments of each metric.
    """

    keys: pl.DataFrame
    variant: str
    n: Array
    of: Mapping[Metric, Moments]

    @property
    def groups(self) -> list[str]:
        """The columns of the groups."""
        return [c for c in self.keys.columns if c != self.variant]

    def coarser(self, groups: Sequence[str]) -> Cells:
        """The same in fewer groups."""
        names = [*groups, self.variant]
        if set(names) == set(self.keys.columns):
            return self
        keys = self.keys.select(names).unique().sort(names)
        place = places(self.keys.select(names), keys)
        n = np.zeros(keys.height)
        np.add.at(n, place, self.n)
        return Cells(keys, self.variant, n, {m: of.merged(place, keys.height) for m, of in self.of.items()})

    def by_group(self, groups: Sequence[str]) -> Iterator[tuple[tuple[object, ...], Integers]]:
        """The cells of each group: its values, and the numbers of its cells."""
        members: dict[tuple[object, ...], list[int]] = {}
        for i, key in enumerate(self.keys.select(groups).rows() if groups else [()] * self.keys.height):
            members.setdefault(key, []).append(i)
        for key, cells in members.items():
            yield key, np.array(cells, dtype=np.int64)


def places(rows: pl.DataFrame, keys: pl.DataFrame) -> Integers:
    """The index of each row among the keys; null equals null."""
    joined = rows.join(
        keys.with_row_index("_place"), on=rows.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["_place"].to_numpy().astype(np.int64)


def cells_of(rows: Rows, metrics: Sequence[Metric], groups: Sequence[str], buckets: Buckets | None = None) -> Cells:
    """The moments of metrics, per variant (or bucket) and group.

    Raises:
        InvalidValue: values are NaN or infinite or too large to be squared, of a proportion not 0 or 1; or rows have
            no variant.
    """
    terms = list(dict.fromkeys(term for metric in metrics for term in metric.terms))
    frame = rows.by_unit(terms, groups, buckets)
    keys = [*(f"g{i}" for i in range(len(groups))), VARIANT]
    place = {metric: [terms.index(t) for t in metric.terms] for metric in metrics}
    first = _summed(rows.engine, frame, keys, {0: range(len(terms))}, [place[m] for m in metrics])
    _refuse(rows, terms, first)
    n = first["n"].to_numpy()
    total = {i: first[f"s_0_{i}"].to_numpy() for i in range(len(terms))}
    counts = {i: first[f"k_0_{i}"].to_numpy() for i in range(len(terms))}
    moments_of: dict[Metric, Moments] = {}
    recomputed: list[Metric] = []
    for metric in metrics:
        of = place[metric]
        moments = _moments(first, 0, of, n)
        complete = all((counts[i] == n).all() for i in of)
        if complete and not _cancelled(moments, first, of):
            moments_of[metric] = moments
        else:
            recomputed.append(metric)
    if recomputed:
        centres = {i: float(total[i].sum() / max(counts[i].sum(), 1.0)) for i in total}
        moments_of |= _centred(rows.engine, frame, keys, first, {m: place[m] for m in recomputed}, centres)
    names = first.select(keys).rename(
        {f"g{i}": name for i, name in enumerate(groups)} | {VARIANT: rows.variant or VARIANT}
    )
    return Cells(names, rows.variant or VARIANT, n, {m: moments_of[m] for m in metrics})


def _summed(
    engine: Engine, frame: Frame, keys: Sequence[str], columns: Mapping[int, Sequence[int]], pairs: Sequence[list[int]]
) -> pl.DataFrame:
    """Counts, sums and sums of products of columns c0, c1 … or those of one metric, m_0, m_1 …, in one GROUP BY."""
    aggregates = [Aggregate("n", "count", lit(1.0))]
    for block, members in columns.items():
        for i in members:
            aggregates.append(Aggregate(f"s_{block}_{i}", "plain_sum", col(f"c{i}")))
            aggregates.append(Aggregate(f"k_{block}_{i}", "present", col(f"c{i}")))
    for i, j in sorted({(min(i, j), max(i, j)) for of in pairs for i in of for j in of}):
        aggregates.append(Aggregate(f"p_0_{i}_{j}", "plain_sum", col(f"c{i}") * col(f"c{j}")))
    with engine.errors():
        return engine.collect(engine.group(frame, keys, aggregates)).sort(keys)


def _moments(sums: pl.DataFrame, block: int, of: Sequence[int], n: Array) -> Moments:
    """Moments of the numbers `of` a metric from their sums."""
    k = len(of)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.stack([sums[f"s_{block}_{i}"].to_numpy() / n for i in of], axis=1)
    products = np.empty((len(n), k, k))
    for a, i in enumerate(of):
        for b, j in enumerate(of):
            raw = sums[f"p_{block}_{min(i, j)}_{max(i, j)}"].to_numpy()
            products[:, a, b] = np.where(n > 0, raw - n * mean[:, a] * mean[:, b], 0.0)
    return Moments(n, mean, _no_negatives(products))


def _no_negatives(products: Array) -> Array:
    """The products, with squares that rounding made negative set to 0."""
    at = np.arange(products.shape[1])
    products[:, at, at] = np.maximum(products[:, at, at], 0.0)
    return products


def _cancelled(moments: Moments, sums: pl.DataFrame, of: Sequence[int]) -> bool:
    """Whether some sum of squares lost digits to cancellation."""
    for a, i in enumerate(of):
        raw = sums[f"p_0_{i}_{i}"].to_numpy()
        # Whole numbers are summed exactly, so that the ones of a denominator need no second look.
        exact = (moments.products[:, a, a] == 0.0) & (moments.mean[:, a] == np.rint(moments.mean[:, a]))
        if ((raw > MAX_CANCELLATION * moments.products[:, a, a]) & (moments.n > 1) & ~exact).any():
            return True
    return False


def _centred(
    engine: Engine,
    frame: Frame,
    keys: Sequence[str],
    first: pl.DataFrame,
    place: Mapping[Metric, list[int]],
    centres: Mapping[int, float],
) -> dict[Metric, Moments]:
    """The moments of metrics about constants near their means, of the units that have all their numbers."""
    columns: dict[str, Expr] = {}
    of: dict[Metric, list[int]] = {}
    centre: dict[Metric, list[float]] = {}
    for metric, members in place.items():
        complete = ~col(f"c{members[0]}").is_null()
        for i in members[1:]:
            complete = complete & ~col(f"c{i}").is_null()
        own = []
        for i in members:
            number = len(columns)
            columns[f"c{number}"] = when(complete).then(col(f"c{i}") - centres[i])
            own.append(number)
        of[metric], centre[metric] = own, [centres[i] for i in members]
    rows = frame.select(*keys, **columns)
    sums = _summed(engine, rows, keys, {0: range(len(columns))}, list(of.values()))
    aligned = first.select(keys).join(sums, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
    out = {}
    for metric, own in of.items():
        moments = _moments(aligned, 0, own, aligned[f"k_0_{own[0]}"].to_numpy())
        out[metric] = Moments(moments.n, moments.mean + np.array(centre[metric]), moments.products)
    return out


def _refuse(rows: Rows, terms: Sequence[Term], sums: pl.DataFrame) -> None:
    if sums[VARIANT].null_count():
        missing = int(sums.filter(pl.col(VARIANT).is_null())["n"].sum())
        raise InvalidValue(
            f"Column {rows.variant!r} holds nulls, of {missing:,} units; every unit needs its variant.",
            rows_to_fix("frame", str(rows.variant), ".is_null()"),
        )
    for i, term in enumerate(terms):
        if np.isfinite(sums[f"s_0_{i}"].to_numpy()).all() and np.isfinite(sums[f"p_0_{i}_{i}"].to_numpy()).all():
            continue
        if term.how == "any":
            raise InvalidValue(
                f"Column {term.column!r} holds other values than 0 and 1, which a proportion needs.",
                f'Make a flag of it: frame.with_columns(pl.col("{term.column}") > 0)',
            )
        raise InvalidValue(
            f"Column {term.column!r} holds NaN, infinite values, or numbers too large to be squared.",
            rows_to_fix("frame", str(term.column), ".is_nan()", ".is_infinite()", ".abs() > 1e140"),
        )
