"""Relatedness: two documents are in one cluster, or of one class.

Without overlaps the documents are counted by (cluster, class), as in BCubed; a document is related to itself.
"""

from __future__ import annotations

from ireval_frames.expr import col, when
from ireval_frames.organization.overlaps import overlapping
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.ratios import indicator


def relatedness(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, pairs: bool) -> Relation:
    """The relations that one side states.

    Args:
        tables: the tables of the plan.
        side: "system" or "gold".
        weights: of the documents.
        product: partners count with their weight.
        pairs: a pair that is related several times counts once.
    """
    if tables.inputs.overlapping:
        return overlapping(tables, side, weights, product=product, pairs=pairs)
    items = tables.items
    cells = tables.plan.grouped("related", items, *tables.keys, "cluster_id", "class_id")
    weight = weights.at(tables, side, items)
    n, w = items.count(into=cells), items.sum(weight, into=cells, name="weight")
    mine, theirs = ("cluster_id", "class_id") if side == "system" else ("class_id", "cluster_id")
    partners = w if product else n
    group = cells.over(partners.sum(), (*tables.keys, mine), name="group")
    here, there = ~col(mine).is_null(), ~col(theirs).is_null()
    related = cells.column(when(here).then(group).otherwise(0.0), "related")
    found = cells.column(when(here & there).then(partners).otherwise(0.0), "found")
    if tables.missing != "singleton":
        return Relation(cells, found, related, w)
    # A document that is a class of its own has itself in common with its cluster, and one without either itself alone.
    with_itself = cells.column(indicator(here & ~there), "with_itself")
    weighed = items.sum(weight * weight, into=cells, name="weighed") if product else w
    return Relation(
        cells,
        found,
        related,
        w,
        with_itself,
        weighed,
        cells.column(when(here).then(0.0).otherwise(1.0), "only_itself"),
    )
