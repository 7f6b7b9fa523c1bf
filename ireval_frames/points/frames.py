"""Silhouettes by point, and distances by pair of clusters, as frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames.points.distances import one_thread_each
from ireval_frames.points.geometry import Geometry
from ireval_frames.points.inputs import NAMED, PointInputs
from ireval_frames.points.progress import Progress
from ireval_frames.points.silhouettes import silhouettes as of_points
from ireval_frames.points.steps import units

Made = Callable[[tuple[Any, ...], pl.DataFrame, Geometry], pl.DataFrame]


def silhouettes(clusterings: Iterable[PointInputs], metric: str, *, self_in_mean: bool) -> pl.DataFrame:
    """[run_id, by …] [unit] item_id cluster_id a b silhouette nearest_id: a row per point."""

    def made(keys: tuple[Any, ...], rows: pl.DataFrame, g: Geometry) -> pl.DataFrame:
        del keys
        found, near = of_points(g, metric, self_in_mean=self_in_mean), g.near(metric)
        names = rows["cluster_id"].gather(pl.Series(g.segments.starts))
        nearest = names.gather(pl.Series(near.nearest))
        if g.k < 2:
            nearest = pl.Series([None] * len(nearest), dtype=names.dtype)
        out = rows.with_columns(
            a=pl.Series(found.a), b=pl.Series(found.b), silhouette=pl.Series(found.s), nearest_id=nearest
        )
        # A single cluster has no other one, and alone in a cluster there is no one else.
        alone = pl.Series(g.alone)
        out = out.with_columns(a=pl.when(~alone).then("a"), b=pl.when(pl.col("b").is_finite()).then("b"))
        return out if g.separable else out.with_columns(silhouette=pl.lit(None, dtype=pl.Float64))

    types = dict.fromkeys(("a", "b", "silhouette"), pl.Float64)
    return _framed(clusterings, made, ("item_id", "cluster_id"), types, "nearest_id")


def similarities(clusterings: Iterable[PointInputs], metric: str) -> pl.DataFrame:
    """[run_id, by …] [unit] cluster_id other_id n_pairs distance [similarity].

    A row per two clusters, and per cluster with itself.
    """

    def made(keys: tuple[Any, ...], rows: pl.DataFrame, g: Geometry) -> pl.DataFrame:
        import numpy as np

        first, second = np.triu_indices(g.k)
        sums, mass = g.cluster_sums(metric), g.mass
        inside = first == second
        n = np.where(inside, mass[first] * (mass[first] - 1.0) / 2.0, mass[first] * mass[second])
        total = np.where(inside, 0.5, 1.0) * sums[first, second]
        names = rows["cluster_id"].gather(pl.Series(g.segments.starts))
        out = pl.DataFrame(
            {
                "cluster_id": names.gather(pl.Series(first)),
                "other_id": names.gather(pl.Series(second)),
                "n_pairs": n,
                "distance": total,
            }
        )
        out = out.with_columns(
            pl.when(pl.col("n_pairs") > 0).then(pl.col("distance") / pl.col("n_pairs")).alias("distance")
        )
        types = {k: rows.schema[k] for k in rows.columns}
        names_of_keys = [k for k in rows.columns if k == "run_id" or k.startswith(("by_", "unit_"))]
        return out.with_columns(**{k: pl.lit(v, dtype=types[k]) for k, v in zip(names_of_keys, keys, strict=True)})

    last = {"n_pairs": pl.Float64, "distance": pl.Float64}
    out = _framed(clusterings, made, ("cluster_id",), {}, "other_id", last)
    return out.with_columns(similarity=1.0 - pl.col("distance")) if metric == "cosine" else out


def _framed(
    clusterings: Iterable[PointInputs],
    made: Made,
    first: Sequence[str],
    types: dict[str, Any],
    other: str,
    last: dict[str, Any] | None = None,
) -> pl.DataFrame:
    """The units' frames on top of each other: keys, `first`, the columns of `types`, `other`, the columns of `last`."""
    parts, schema = [], None
    with Progress() as progress, one_thread_each():
        for inputs in clusterings:
            frame = inputs.engine.collect(inputs.points)
            schema = schema or frame.schema
            parts += [made(*unit) for unit in units(frame, inputs.keys, inputs.features, progress)]
    ends = dict(last or {})
    wanted = [*inputs.keys, *first, *types, other, *ends]
    if schema is None or not parts:
        known = dict(schema or {}) | types | ends
        out = pl.DataFrame(schema={c: known.get(c, known["cluster_id"]) for c in wanted})
    else:
        out = pl.concat([part.select(wanted) for part in parts])
    out = out.with_columns(_named(inputs, c) for c in ("cluster_id", other))
    order = [c for c in (*inputs.keys, *first, other) if c != "cluster_id" or "item_id" not in first]
    return out.sort(order).rename(inputs.names)


def _named(inputs: PointInputs, column: str) -> pl.Expr:
    """The user's name of a cluster; of a point that is a cluster of its own, null."""
    if not inputs.alone:
        return pl.col(column)
    of_user = pl.when(pl.col(column).str.starts_with(NAMED)).then(pl.col(column).str.slice(1))
    return of_user.alias(column)
