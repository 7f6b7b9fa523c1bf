"""The tables of results of relations: counts, report, and each relation with its error."""

from __future__ import annotations

import polars as pl

from ireval_frames import catalog
from ireval_frames.documents import compared_results
from ireval_frames.documents.compared import Compared
from ireval_frames.expr import Expr, col
from ireval_frames.relations.inputs import POSITIONS
from ireval_frames.relations.request import RelationRequest
from ireval_frames.relations.tables import RelationTables
from ireval_frames.results import Result

LABEL = "label"


def counts(request: RelationRequest, match: str, *, attached: bool, per_unit: bool) -> Result:
    """The numbers of each document and label."""
    return compared_results.counts(request, _select(match, attached=attached), LABEL, per_unit=per_unit)


def report(request: RelationRequest, match: str, *, attached: bool) -> Result:
    """Precision, recall and F1 of each label."""
    return compared_results.report(request, _select(match, attached=attached), LABEL)


def errors(request: RelationRequest, match: str, *, attached: bool) -> Result:
    """Each relation with its error."""

    def columns(tables: RelationTables) -> dict[str, Expr]:
        names, _ = tables.columns_of(match, attached=attached)
        return {c: col(c).cast(pl.Int64) if c in POSITIONS else col(c) for c in names}

    return compared_results.errors(request, _select(match, attached=attached), columns)


def _select(match: str, *, attached: bool) -> compared_results.Select:
    catalog.parse("F1", "relations")(match=match, attached=attached)

    def select(tables: RelationTables) -> Compared:
        with tables.plan.requesting("This"):
            return tables.compared(match, attached=attached)

    return select
