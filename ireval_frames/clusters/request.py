"""Requests for measures of clusterings: their inputs, tables and plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.clusters.checks import absent, checks, noisy
from ireval_frames.clusters.context import ClusterContext
from ireval_frames.clusters.inputs import ClusterInputs
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.expr import Expr, col, when
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    from ireval_frames.clusters.subject import Clusters
    from ireval_frames.conventions.items import ClusterPolicy

ONE_SIDED = "Only the items of the clusters count; ir.Coreference counts those that either table has."


class ClusterRequest(ItemRequest[ClusterInputs, ClusterTables]):
    """A request for measures of clusterings."""

    subject: Clusters
    policy: ClusterPolicy

    resamples_items = True

    def inputs(self, engine: Engine) -> ClusterInputs:
        """The user's tables under our names."""
        subject = self.subject
        names = ItemNames(subject._columns, self.by, self.unit)
        return ClusterInputs(
            self.user_tables,
            names,
            engine,
            self.policy,
            clusterings=subject._clusterings,
            noise_cluster=subject._noise_cluster,
            overlapping=subject._overlapping,
        )

    def tables(self, inputs: ClusterInputs) -> ClusterTables:
        """The tables of a plan for the measures."""
        return ClusterTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def not_duplicates(self, tables: ClusterTables) -> Expr | None:
        """Singletons are no copies of each other, though their columns are equal."""
        return tables.is_singleton if tables.has_singletons and not tables.inputs.overlapping else None

    def in_both(self, tables: ClusterTables) -> Expr | None:
        """The number of items of each unit in both tables, if no item is in several clusters."""
        if tables.inputs.overlapping:
            return None
        cells = tables.input_cells
        in_none, n = col("cluster_id").is_null(), tables.items.count(into=cells)
        return cells.sum(cells.column(when(in_none).then(0.0).otherwise(n)), into=tables.units)

    def overlap(self, tables: ClusterTables) -> Overlap | None:
        """What two tables have in common; where they do not hold the same items it is said which of them count."""
        overlap = super().overlap(tables)
        return None if overlap is None else replace(overlap, one_sided=ONE_SIDED)

    def context(self, tables: ClusterTables, measure: str) -> ClusterContext:
        """The context of a measure."""
        return ClusterContext(tables, measure)

    def checks(self, tables: ClusterTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables, self.policy)

    def counts(self, tables: ClusterTables) -> dict[str, str]:
        """The number of items that each policy affects."""
        return {
            "missing": f"{absent(tables, 'cluster_id')} items",
            "noise": f"{noisy(tables)} items",
            "unlabelled": f"{absent(tables, 'label')} items",
        }

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {"n_items": "NumItems", "n_classes": "NumClasses", "n_clusters": "NumClusters"}
        return {column: catalog.parse(name, "clusters") for column, name in named.items()}
