"""The step of a plan in Python: values of units from their points as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.polars.engine import hashed
from ireval_frames.expr import Expr, col
from ireval_frames.kernels.progress import Progress
from ireval_frames.plan import Plan, Table
from ireval_frames.points.distances import one_thread_each
from ireval_frames.points.geometry import Geometry
from ireval_frames.points.precomputed import Distances

# The rows that are sorted into the array at a time, without a second copy of all.
ROWS = 8192
Value = Callable[[Geometry], float | None]


class Steps:
    """Values of units that measures compute from points, all in one pass over the units."""

    def __init__(
        self, plan: Plan, points: Table, keys: Sequence[str], features: Sequence[str], distances: Distances | None
    ) -> None:
        self._plan, self._points, self._keys = plan, points, tuple(keys)
        self._values = Values(self._keys, tuple(features), distances)
        self._types: dict[str, Any] = {}

    def value(self, value: Value, at: Table, seed: int | None = None) -> Expr:
        """A column of a table of units; `seed` makes random orders for samples."""
        name = self._plan.new_column("value")
        self._values.add(name, value, seed)
        self._types[name] = pl.Float64
        return at.lookup(
            col(name),
            of=self._plan.applied("geometry", self._keys, self._points, self._values, self._types, by=self._keys),
        )


class Values:
    """Values of whole units from the coordinates of their points, or from their distances.

    The engine's frames refer to it, out of sight of Python's garbage collector: with a reference to the plan, and so to
    these frames, neither would ever be freed.
    """

    def __init__(self, keys: tuple[str, ...], features: tuple[str, ...], distances: Distances | None) -> None:
        self._keys, self._features, self._distances = keys, features, distances
        self._functions: dict[str, Value] = {}
        self._seeds: list[int] = []

    def add(self, name: str, value: Value, seed: int | None) -> None:
        """Add a value; `seed` makes random orders for samples."""
        self._functions[name] = value
        if seed is not None and seed not in self._seeds:
            self._seeds.append(seed)

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A row per unit of a table of points: its keys and values."""
        rows: list[tuple[Any, ...]] = []
        with Progress("distances") as progress, one_thread_each():
            for keys, _, geometry in units(frame, self._keys, self._features, self._distances, progress, self._seeds):
                rows.append((*keys, *(value(geometry) for value in self._functions.values())))
        if not rows and not self._keys:
            rows.append(tuple(None for _ in self._functions))
        types = {k: frame.schema[k] for k in self._keys} | dict.fromkeys(self._functions, pl.Float64)
        return pl.DataFrame(rows, schema=types, orient="row")


def units(
    frame: pl.DataFrame,
    keys: Sequence[str],
    features: Sequence[str],
    distances: Distances | None,
    progress: Progress,
    seeds: Sequence[int] = (),
) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame, Geometry]]:
    """The units of a frame of points: their keys, their rows by cluster without the features, and their arrays."""
    import numpy as np

    order = frame.select(*keys, "cluster_id").with_row_index("_row").sort(*keys, "cluster_id")["_row"]
    x = np.empty((frame.height, len(features)))
    columns, places = [frame[f].to_numpy() for f in features], order.to_numpy()
    for start in range(0, len(x), ROWS):
        for d, column in enumerate(columns):
            x[start : start + ROWS, d] = column[places[start : start + ROWS]]
    for seed in seeds:
        frame = frame.with_columns(hashed(frame["item_id"], seed=seed).alias(f"_order_{seed}"))
    rows = frame.drop(features)[order]
    weights = rows["weight"].to_numpy() if "weight" in rows.columns else np.ones(len(x))
    orders = {seed: rows[f"_order_{seed}"].to_numpy() for seed in seeds}
    clusters = rows.group_by(*keys, "cluster_id", maintain_order=True).agg(_n=pl.len())
    sizes = clusters.group_by(*keys, maintain_order=True).agg("_n") if keys else clusters.select(pl.col("_n").implode())
    start = 0
    for *key, counts in sizes.iter_rows() if clusters.height else ():
        part = slice(start, start + sum(counts))
        codes = np.repeat(np.arange(len(counts)), counts)
        matrix = None if distances is None else distances.among(rows["item_id"][part])
        geometry = Geometry(x[part], codes, weights[part], {s: o[part] for s, o in orders.items()}, progress, matrix)
        yield tuple(key), rows[part], geometry
        start = part.stop
