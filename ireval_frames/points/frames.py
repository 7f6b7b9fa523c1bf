"""Silhouettes by point, and distances by pair of clusters, as tables of a plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import polars as pl

from ireval_frames.engines.row_checks import run_checks
from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.progress import Progress
from ireval_frames.points.checks import declared, whole_weights
from ireval_frames.points.criteria.silhouettes import silhouettes as of_points
from ireval_frames.points.distances import one_thread_each
from ireval_frames.points.geometry import Geometry
from ireval_frames.points.inputs import NAMED, PointInputs
from ireval_frames.points.steps import units
from ireval_frames.points.tables import PointTables
from ireval_frames.results import TableQuery


class Step(ABC):
    """Rows of units, computed from the coordinates or distances of their points: key columns, and computed columns.

    As of `Values`, engines' frames refer to it, so it must not refer to the plan.
    """

    rows: tuple[str, ...]

    def __init__(self, tables: PointTables) -> None:
        self.keys, self.features, self.distances = tables.keys, tables.features, tables.inputs.distances
        self.cluster_type = tables.inputs.points.collect_schema()["cluster_id"]

    @property
    @abstractmethod
    def adds(self) -> dict[str, Any]:
        """The computed columns, with their types."""

    @abstractmethod
    def of_unit(self, rows: pl.DataFrame, g: Geometry) -> pl.DataFrame:
        """The rows of one unit, with these columns."""

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows of all units."""
        columns = (*self.keys, *self.rows)
        out = [pl.DataFrame(schema={**{k: frame.schema[k] for k in columns}, **self.adds})]
        with Progress("distances") as progress, one_thread_each():
            for keys, rows, g in units(frame, self.keys, self.features, self.distances, progress):
                table = self.of_unit(rows, g).with_columns(
                    **{k: pl.lit(v, dtype=frame.schema[k]) for k, v in zip(self.keys, keys, strict=True)}
                )
                out.append(table.select(*columns, *self.adds))
        return pl.concat(out)


class Silhouettes(Step):
    """A row per point."""

    rows = ("item_id", "cluster_id")

    def __init__(self, tables: PointTables, metric: str, *, self_in_mean: bool) -> None:
        super().__init__(tables)
        self.metric, self.self_in_mean = metric, self_in_mean

    @property
    def adds(self) -> dict[str, Any]:
        """The silhouette, its mean distances, and the nearest other cluster."""
        return {**dict.fromkeys(("a", "b", "silhouette"), pl.Float64), "nearest_id": self.cluster_type}

    def of_unit(self, rows: pl.DataFrame, g: Geometry) -> pl.DataFrame:
        """The silhouettes of the points."""
        points, near = of_points(g, self.metric, self_in_mean=self.self_in_mean), g.near(self.metric)
        names = rows["cluster_id"].gather(pl.Series(g.segments.starts))
        nearest = names.gather(pl.Series(near.nearest))
        if g.k < 2:
            nearest = pl.Series([None] * len(nearest), dtype=names.dtype)
        out = rows.with_columns(
            a=pl.Series(points.a), b=pl.Series(points.b), silhouette=pl.Series(points.s), nearest_id=nearest
        )
        # a is undefined for a single point of a cluster, b for a single cluster.
        single = pl.Series(g.single)
        out = out.with_columns(a=pl.when(~single).then("a"), b=pl.when(pl.col("b").is_finite()).then("b"))
        return out if g.separable else out.with_columns(silhouette=pl.lit(None, dtype=pl.Float64))


class Similarities(Step):
    """A row per pair of clusters, also of a cluster with itself."""

    rows = ("cluster_id",)

    def __init__(self, tables: PointTables, metric: str) -> None:
        super().__init__(tables)
        self.metric = metric

    @property
    def adds(self) -> dict[str, Any]:
        """The other cluster, the number of pairs of points, and their mean distance."""
        adds = {"other_id": self.cluster_type, "n_pairs": pl.Float64, "distance": pl.Float64}
        return {**adds, "similarity": pl.Float64} if self.metric == "cosine" else adds

    def of_unit(self, rows: pl.DataFrame, g: Geometry) -> pl.DataFrame:
        """The pairs of clusters."""
        import numpy as np

        first, second = np.triu_indices(g.k)
        sums, mass = g.cluster_sums(self.metric), g.mass
        inside = first == second
        n = np.where(inside, mass[first] * (mass[first] - 1.0) / 2.0, mass[first] * mass[second])
        total = np.where(inside, 0.5, 1.0) * sums[first, second]
        names = rows["cluster_id"].gather(pl.Series(g.segments.starts))
        ids = {"cluster_id": names.gather(pl.Series(first)), "other_id": names.gather(pl.Series(second))}
        out = pl.DataFrame({**ids, "n_pairs": n, "distance": total})
        mean = pl.when(pl.col("n_pairs") > 0).then(pl.col("distance") / pl.col("n_pairs"))
        return out.with_columns(distance=mean).with_columns(similarity=1.0 - pl.col("distance"))


def query(tables: PointTables, step: Step, name: str) -> TableQuery:
    """[run_id, by …] [unit], the keys of the rows, and the columns of the step, under the user's names."""
    plan, inputs = tables.plan, tables.inputs
    keys = (*tables.keys, *step.rows)
    table = plan.applied(name, keys, tables.points, step, step.adds, by=tables.keys)
    columns = {inputs.names.get(c, c): _named(inputs, c) for c in (*keys, *step.adds)}
    # Points are sorted by id, pairs of clusters by both.
    order = [*tables.keys, *(["item_id"] if "item_id" in keys else ["cluster_id", "other_id"])]

    def check() -> None:
        run_checks(inputs.engine, [*declared(inputs), *whole_weights(inputs, f"{name}()")])
        inputs.read_distances()

    return TableQuery(
        plan,
        plan.engine.stage(table.frame().select(**columns), name),
        tuple(inputs.names.get(c, c) for c in order),
        tuple(columns),
        [check],
    )


def _named(inputs: PointInputs, column: str) -> Expr:
    """A column; clusters under the user's names, singletons as null."""
    name = col(column)
    if not inputs.singletons or column not in ("cluster_id", "nearest_id", "other_id"):
        return name
    return when(name.str.starts_with(NAMED)).then(name.str.slice(1))
