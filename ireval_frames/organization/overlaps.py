"""Relatedness where documents are in several clusters or classes.

Documents of equal sets of clusters and classes are alike: they are counted once, by a name of both sets.  Two kinds
of documents share as many clusters as their sets do; only kinds that share a cluster and a class too are held
against each other.
"""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames.engines import expressions
from ireval_frames.organization.named_sets import SETS
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table


def overlapping(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, pairs: bool) -> Relation:
    """The relations that one side states; `pairs` counts a pair that is related several times once."""
    plan, keys = tables.plan, tables.keys
    made = Overlaps(tables)
    kinds, kind = made.kinds, ("clusters", "classes")
    documents = made.documents
    weight = weights.at(tables, side, documents)
    n, w = documents.count(into=made.sizes), documents.sum(weight, into=made.sizes, name="weight")
    partners = w if product else n
    mine, theirs = ("cluster_id", "class_id") if side == "system" else ("class_id", "cluster_id")
    here, there = kinds.take(made.count(mine), of=made.sizes), kinds.take(made.count(theirs), of=made.sizes)
    shared = made.shared(mine)
    column = expressions.name(partners)
    partner = plan.picked(
        f"others_of_{column}",
        (*keys, *(f"{k}_2" for k in kind)),
        made.sizes,
        **{f"{k}_2": nw.col(k) for k in kind},
        **{f"{column}_2": partners},
    )
    times = made.pairs.take(nw.col(f"{column}_2"), of=partner)
    size = made.shared_of(mine) if pairs else nw.lit(1.0)
    found = made.pairs.sum(times * shared / size, into=kinds, name="found")
    related = made.partners(mine, partners, column) if pairs else made.relations(mine, partners)
    w_here = kinds.take(w, of=made.sizes)
    if tables.missing != "singleton":
        return Relation(kinds, found, related, w_here)
    own = kinds.column(nw.when((here > 0.0) & (there <= 0.0)).then(1.0 / here if pairs else 1.0).otherwise(0.0), "own")
    weighed = (
        kinds.take(documents.sum(weight * weight, into=made.sizes, name="weighed"), of=made.sizes)
        if product
        else w_here
    )
    return Relation(
        kinds, found, related, w_here, own, weighed, kinds.column(nw.when(here > 0.0).then(0.0).otherwise(1.0), "alone")
    )


class Overlaps:
    """The tables of kinds of documents."""

    def __init__(self, tables: OrganizationTables) -> None:
        self.tables, self.plan, self.keys = tables, tables.plan, tables.keys
        self.kind = (*self.keys, "clusters", "classes")
        self.documents = tables.documents
        self.sizes = self.plan.grouped("kind_sizes", self.documents, *self.kind)
        self.kinds = self.plan.picked("kinds", self.kind, self.sizes)

    def count(self, side: str) -> nw.Expr:
        """In how many clusters or classes a document of the kind is."""
        return self.documents.max(nw.col(f"n_{SETS[side]}"), into=self.sizes)

    def _members(self, side: str) -> Table:
        """A row per kind and cluster, or class, in its set."""
        long = self.plan.input(f"in_{SETS[side]}", (*self.keys, "item_id", side), self.tables.inputs.members[side])
        joined = self.plan.joined(
            f"in_{SETS[side]}_of_kinds",
            (*self.keys, "item_id", side),
            long,
            self.tables.items,
            on=(*self.keys, "item_id"),
        )
        return self.plan.grouped(f"kinds_in_{SETS[side]}", joined, *self.kind, side)

    @property
    def pairs(self) -> Table:
        """A row per two kinds that share a cluster and a class."""
        return self.plan.grouped("pairs_of_kinds", self._by_cluster, *self.kind, "clusters_2", "classes_2")

    @property
    def _by_cluster(self) -> Table:
        """A row per two kinds and cluster that both have, where they share a class too."""
        sets = ("clusters", "classes")
        blocks = self.plan.joined(
            "blocks",
            (*self.kind, "cluster_id", "class_id"),
            self._members("cluster_id"),
            self._members("class_id"),
            on=self.kind,
        )
        again = self.plan.picked(
            "blocks_again",
            (*self.keys, "cluster_id", "class_id", *(f"{s}_2" for s in sets)),
            blocks,
            **{f"{s}_2": nw.col(s) for s in sets},
        )
        both = (*blocks.keys, *(f"{s}_2" for s in sets))
        met = self.plan.joined("meetings", both, blocks, again, on=(*self.keys, "cluster_id", "class_id"))
        self._meetings = met
        return self.plan.grouped("meetings_by_cluster", met, *self.kind, *(f"{s}_2" for s in sets), "cluster_id")

    def shared_of(self, side: str) -> nw.Expr:
        """How many clusters, or classes, two kinds share."""
        by_cluster = self._by_cluster
        clusters = by_cluster.count(into=self.pairs)
        if side == "cluster_id":
            return clusters
        # Every shared cluster meets every shared class.
        meetings = by_cluster.sum(self._meetings.count(into=by_cluster), into=self.pairs)
        return self.pairs.column(meetings / clusters, "shared_classes")

    def shared(self, side: str) -> nw.Expr:
        """The smaller number of what two kinds share."""
        del side
        clusters, classes = self.shared_of("cluster_id"), self.shared_of("class_id")
        return self.pairs.column(nw.when(clusters < classes).then(clusters).otherwise(classes), "shared")

    def relations(self, side: str, partners: nw.Expr) -> nw.Expr:
        """How many relations a document of the kind has: the sizes of its clusters, added."""
        members = self._members(side)
        number = members.take(partners, of=self.sizes)
        return members.sum(members.over(number.sum(), (*self.keys, side), name="size"), into=self.kinds, name="related")

    def partners(self, side: str, partners: nw.Expr, column: str) -> nw.Expr:
        """How many documents share a cluster with one of the kind, each counted once."""
        name, members = SETS[side], self._members(side)
        sets = self.plan.grouped(f"sets_in_{name}", members, *self.keys, name, side)
        again = self.plan.picked(
            f"sets_in_{name}_again", (*self.keys, f"{name}_2", side), sets, **{f"{name}_2": nw.col(name)}
        )
        met = self.plan.joined(
            f"meetings_in_{name}", (*self.keys, name, f"{name}_2", side), sets, again, on=(*self.keys, side)
        )
        pairs = self.plan.grouped(f"pairs_in_{name}", met, *self.keys, name, f"{name}_2")
        number = self.plan.grouped(f"sizes_of_{name}", self.sizes, *self.keys, name)
        size = self.sizes.sum(partners, into=number)
        other = self.plan.picked(
            f"sizes_of_{name}_{column}",
            (*self.keys, f"{name}_2"),
            number,
            **{f"{name}_2": nw.col(name), f"{name}_{column}": size},
        )
        related = self.plan.grouped(f"related_in_{name}", pairs, *self.keys, name)
        total = pairs.sum(pairs.take(nw.col(f"{name}_{column}"), of=other), into=related)
        # Documents in no cluster meet none.
        return self.kinds.column(self.kinds.take(total, of=related).fill_null(0.0), "related")
