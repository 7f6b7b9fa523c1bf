"""Requests for measures of segmentations: their inputs, tables and plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.documents.request import DocumentRequest
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.items.inputs import ItemNames
from ireval_frames.plan import Plan
from ireval_frames.segmentation.context import SegmentationContext
from ireval_frames.segmentation.inputs import RATERS, SegmentationInputs
from ireval_frames.segmentation.tables import SegmentationTables

if TYPE_CHECKING:
    from ireval_frames.conventions.segmentation import SegmentationPolicy
    from ireval_frames.segmentation.subject import Segmentation


class SegmentationRequest(DocumentRequest[SegmentationInputs, SegmentationTables]):
    """A request for measures of segmentations."""

    subject: Segmentation
    policy: SegmentationPolicy

    def inputs(self, engine: Engine) -> SegmentationInputs:
        """The user's tables under our names."""
        rater = self.subject._rater
        by = self.by if rater is None else (*RATERS, *self.by)
        return SegmentationInputs(self.user_tables, ItemNames(self.subject._columns, by), engine, rater=rater)

    def tables(self, inputs: SegmentationInputs) -> SegmentationTables:
        """The tables of a plan for the measures."""
        return SegmentationTables(Plan(inputs.engine, ordered=self.ordered), inputs, self.policy)

    def context(self, tables: SegmentationTables, measure: str) -> SegmentationContext:
        """The context of a measure."""
        return SegmentationContext(tables, measure)

    def overlap(self, tables: SegmentationTables) -> Overlap | None:
        """What two tables have in common, or the runs of one, which may have no rows."""
        overlap = super().overlap(tables)
        return replace(overlap, error=lambda: None) if overlap and tables.inputs.in_one else overlap

    def in_either(self, tables: SegmentationTables) -> None:
        """A document without boundaries is in a table as well: rows are counted."""

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        named = {"n_gold": "NumBoundaries", "n_predicted": "NumBoundaries(side='predicted')"}
        return {column: catalog.parse(name, "segmentation") for column, name in named.items()}
