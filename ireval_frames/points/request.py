"""Requests for measures of points in clusters: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ireval_frames import catalog, expr
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import Expr, col
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan
from ireval_frames.points import frames
from ireval_frames.points.checks import checks
from ireval_frames.points.context import PointContext
from ireval_frames.points.inputs import PointInputs
from ireval_frames.points.tables import PointTables
from ireval_frames.results import Result, TableQuery

if TYPE_CHECKING:
    from ireval_frames.conventions.items import PointPolicy
    from ireval_frames.points.subject import Points


class PointRequest(ItemRequest[PointInputs, PointTables]):
    """A request for measures of points in clusters."""

    subject: Points
    policy: PointPolicy

    def plan(self, engine: Engine) -> PlannedEvaluation:
        """The plan on an engine; of several clusterings, Polars takes one after another."""
        plan = super().plan(engine)
        clusters = self.subject._features.clusters
        if not engine.in_process or len(clusters) < 2:
            return plan

        def parts() -> Sequence[PlannedEvaluation]:
            return [self.planned(self.tables(self.inputs(engine, only=c))) for c in clusters]

        return replace(plan, parts=parts)

    def tables(self, inputs: PointInputs) -> PointTables:
        """The tables of a plan for the measures."""
        return PointTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def inputs(self, engine: Engine, *, numbered: bool = False, only: str | None = None) -> PointInputs:
        """The user's table under our names, `numbered` with row numbers, `only` for one clustering."""
        return PointInputs(
            self.user_tables["points"],
            self.subject._features,
            self.by,
            self.unit,
            self.policy,
            engine,
            numbered=numbered or any(m.arguments().get("sample") is not None for m in self.measures),
            only=only,
            distances=self.subject._distances,
        )

    def rows_of(self, name: str, step: Callable[[PointTables], frames.Step], *, numbered: bool = False) -> Result:
        """A table that is computed from the coordinates; its frame takes one clustering after another."""

        def query(engine: Engine, only: str | None = None) -> TableQuery:
            tables = self.tables(self.inputs(engine, numbered=numbered, only=only))
            return frames.query(tables, step(tables), name)

        def all_clusterings(engine: Engine) -> TableQuery:
            parts = [partial(query, engine, only) for only in self.subject._features.clusters]
            return replace(query(engine), parts=parts if len(parts) > 1 else ())

        return self.result(name, all_clusterings)

    def context(self, tables: PointTables, measure: str) -> PointContext:
        """The context of a measure."""
        return PointContext(tables, measure, self.subject._metric)

    def checks(self, tables: PointTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return [*checks(tables.inputs), tables.plan.check]

    def counts(self, tables: PointTables) -> dict[str, str]:
        """The number of points that each policy affects."""
        inputs = tables.inputs

        def count(where: Expr) -> str:
            return f"{inputs.engine.collect(inputs.raw.filter(where).select(n=expr.len()))['n'][0]} points"

        noise = count(inputs.is_noise) if inputs.point_columns.noise_cluster is not None else "0 points"
        return {"missing": count(col("cluster_id").is_null()), "noise": noise}

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        return {"n_points": catalog.parse("NumPoints", "points"), "n_clusters": catalog.parse("NumClusters", "points")}
