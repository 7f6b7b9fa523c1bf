"""Relatedness where documents are in several clusters or classes.

Documents of equal sets of clusters and classes are alike: they are counted once, by a name of both sets.  Two kinds
of documents share as many clusters as their sets do; only kinds that share a cluster and a class too are held
against each other.
"""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.signatures import Signatures
from ireval_frames.organization.named_sets import SETS
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio


def overlapping(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, pairs: bool) -> Relation:
    """The relations that one side states; `pairs` counts a pair that is related several times once."""
    items = tables.items
    kinds = tables.plan.grouped("kinds", items, *tables.keys, *SETS.values())
    made = Signatures(tables.plan, tables.keys, kinds, SETS, lambda group: _members(tables, group))
    weight = weights.at(tables, side, items)
    n, w = items.count(into=kinds), items.sum(weight, into=kinds, name="weight")
    partners = w if product else n
    mine, theirs = ("cluster_id", "class_id") if side == "system" else ("class_id", "cluster_id")
    here, there = (items.max(col(f"n_{SETS[group]}"), into=kinds) for group in (mine, theirs))
    found = made.common(partners, mine if pairs else "")
    related = made.partners(mine, partners) if pairs else _relations(made, mine, partners)
    if tables.missing != "singleton":
        return Relation(kinds, found, related, w)
    with_itself = kinds.column(
        when((here > 0.0) & (there <= 0.0)).then(ratio(1.0, here) if pairs else 1.0).otherwise(0.0), "with_itself"
    )
    weighed = items.sum(weight * weight, into=kinds, name="weighed") if product else w
    only_itself = kinds.column(when(here > 0.0).then(0.0).otherwise(1.0), "only_itself")
    return Relation(kinds, found, related, w, with_itself, weighed, only_itself)


def _members(tables: OrganizationTables, side: str) -> Table:
    """A row per set and what is in it."""
    plan, keys, name = tables.plan, tables.keys, SETS[side]
    item = (*keys, "item_id")
    long = plan.input(f"in_{name}", (*item, side), tables.inputs.members[side])
    joined = plan.joined(f"documents_in_{name}", (*item, side), long, tables.items, on=item)
    return plan.grouped(f"members_of_{name}", joined, *keys, name, side)


def _relations(made: Signatures, side: str, partners: Expr) -> Expr:
    """How many relations a document of the kind has: the sizes of its clusters, added."""
    members = made.memberships(side)
    number = members.lookup(partners, of=made.table)
    size = members.over(number.sum(), (*made.keys, side), name="size")
    return members.sum(size, into=made.table, name="related")
