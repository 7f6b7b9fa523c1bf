"""Relatedness: two documents are in one cluster, or of one class.

Without overlaps the documents are counted by (cluster, class), as in BCubed; a document is related to itself.

With overlaps, documents with equal sets of clusters and classes are alike and counted once, by the names of both sets.
Two groups of documents share as many clusters as their sets do; only groups that share a cluster and a class, too, are
compared.
"""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.signatures import Signatures
from ireval_frames.organization.inputs import SETS
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio


def relatedness(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, pairs: bool) -> Relation:
    """The relations of one side.

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
    own_set, other_set = ("cluster_id", "class_id") if side == "system" else ("class_id", "cluster_id")
    partners = w if product else n
    group = cells.over(partners.sum(), (*tables.keys, own_set), name="group")
    has_own, has_other = ~col(own_set).is_null(), ~col(other_set).is_null()
    related = cells.column(when(has_own).then(group).otherwise(0.0), "related")
    agreed = cells.column(when(has_own & has_other).then(partners).otherwise(0.0), "agreed")
    if tables.missing != "singleton":
        return Relation(cells, agreed, related, w)
    # A singleton class has its document in common with its cluster; a document without either is related to itself
    # alone.
    with_itself = cells.column(indicator(has_own & ~has_other), "with_itself")
    weight_with_itself = items.sum(weight * weight, into=cells, name="weight_with_itself") if product else w
    return Relation(
        cells,
        agreed,
        related,
        w,
        with_itself,
        weight_with_itself,
        cells.column(when(has_own).then(0.0).otherwise(1.0), "only_itself"),
    )


def overlapping(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, pairs: bool) -> Relation:
    """The relations of one side with overlaps; `pairs` counts a pair that is related several times once."""
    items = tables.items
    groups = tables.plan.grouped("kinds", items, *tables.keys, *SETS.values())
    signatures = Signatures(tables.plan, tables.keys, groups, SETS, lambda group: _members(tables, group))
    weight = weights.at(tables, side, items)
    n, w = items.count(into=groups), items.sum(weight, into=groups, name="weight")
    partners = w if product else n
    own_set, other_set = ("cluster_id", "class_id") if side == "system" else ("class_id", "cluster_id")
    has_own, has_other = (items.max(col(f"n_{SETS[group]}"), into=groups) for group in (own_set, other_set))
    agreed = signatures.common(partners, own_set if pairs else "")
    related = signatures.partners(own_set, partners) if pairs else _relations(signatures, own_set, partners)
    if tables.missing != "singleton":
        return Relation(groups, agreed, related, w)
    with_itself = groups.column(
        when((has_own > 0.0) & (has_other <= 0.0)).then(ratio(1.0, has_own) if pairs else 1.0).otherwise(0.0),
        "with_itself",
    )
    weight_with_itself = items.sum(weight * weight, into=groups, name="weight_with_itself") if product else w
    only_itself = groups.column(when(has_own > 0.0).then(0.0).otherwise(1.0), "only_itself")
    return Relation(groups, agreed, related, w, with_itself, weight_with_itself, only_itself)


def _members(tables: OrganizationTables, side: str) -> Table:
    """A row per set and member."""
    plan, keys, name = tables.plan, tables.keys, SETS[side]
    item = (*keys, "item_id")
    long = plan.input(f"in_{name}", (*item, side), tables.inputs.members[side])
    joined = plan.joined(f"documents_in_{name}", (*item, side), long, tables.items, on=item)
    return plan.grouped(f"members_of_{name}", joined, *keys, name, side)


def _relations(signatures: Signatures, side: str, partners: Expr) -> Expr:
    """The number of relations of a document of the group: the sum of the sizes of its clusters."""
    members = signatures.memberships(side)
    number = members.lookup(partners, of=signatures.table)
    size = members.over(number.sum(), (*signatures.keys, side), name="size")
    return members.sum(size, into=signatures.table, name="related")
