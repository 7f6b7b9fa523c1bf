"""The context of measures of document organization: reliability and sensitivity of the tasks' relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ireval_frames import per
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, lit, when
from ireval_frames.organization.priority import priority
from ireval_frames.organization.relatedness import relatedness
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table
from ireval_frames.ratios import harmonic, share


class OrganizationContext:
    """What a measure of document organization can use."""

    def __init__(self, tables: OrganizationTables, measure: str) -> None:
        self.tables, self.measure = tables, measure

    def reliability(self, **options: Any) -> per.Unit:
        """The share of the system's relations that the gold has; the options are the measure's parameters."""
        return self._side("system", **options)

    def sensitivity(self, **options: Any) -> per.Unit:
        """The share of the gold's relations that the system has."""
        return self._side("gold", **options)

    def _side(
        self,
        side: str,
        *,
        n: float,
        W: float,
        weights: str,
        pair_weight: str,
        types: str,
        relation: str,
        strict: bool,
        unrelated: str,
        overlap: str,
    ) -> Expr:
        scheme, product = Weights(n, W, weights), pair_weight == "product"
        if relation not in ("all", *self.tables.tasks):
            needs = "relevance and score (or rank)" if relation == "priority" else "label and cluster_id"
            raise NotDefined(
                f"{self.measure} needs the columns {needs}.",
                'Write relation="all" for those of the other columns.',
            )
        tasks = self.tables.tasks if relation == "all" else (relation,)
        relations = [
            priority(self.tables, side, scheme, product=product, strict=strict)
            if task == "priority"
            else relatedness(self.tables, side, scheme, product=product, pairs=overlap == "pairs")
            for task in tasks
        ]
        if types == "pooled" and len(relations) > 1:
            return self._pooled(side, scheme, relations, product=product, unrelated=unrelated)
        return harmonic([self._mean(m, unrelated) for m in relations], [1.0] * len(relations))

    def _mean(self, r: Relation, unrelated: str) -> Expr:
        """The weighted mean over documents of the share of their relations that the other side has."""
        agreed = r.agreed * r.weight
        if r.with_itself is not None and r.weight_with_itself is not None:
            agreed = agreed + r.with_itself * r.weight_with_itself
        is_related = r.related > 0.0
        of_unrelated = lit(1.0 if unrelated == "one" else 0.0)
        if r.only_itself is not None:
            of_unrelated = when(r.only_itself > 0.0).then(1.0).otherwise(of_unrelated)
        return self._ratio(
            r.table,
            when(is_related)
            .then(agreed / when(is_related).then(r.related).otherwise(1.0))
            .otherwise(of_unrelated * r.weight),
            is_related,
            of_unrelated,
            r.weight,
        )

    def _ratio(self, table: Table, value: Expr, is_related: Expr, of_unrelated: Expr, weight: Expr) -> Expr:
        numerator = table.sum(value)
        denominator = table.sum(when(is_related).then(weight).otherwise(of_unrelated * weight))
        return share(numerator, denominator)

    def _pooled(
        self, side: str, scheme: Weights, relations: Sequence[Relation], *, product: bool, unrelated: str
    ) -> Expr:
        """The relations of a document in all tasks, pooled."""
        documents = self.tables.items
        w = scheme.at(self.tables, side, documents)
        partner = w if product else lit(1.0)
        agreed, related = lit(0.0), lit(0.0)
        for r in relations:
            agreed = agreed + documents.lookup(r.agreed, of=r.table)
            related = related + documents.lookup(r.related, of=r.table)
            if r.with_itself is not None and r.only_itself is not None:
                only_itself = documents.lookup(r.only_itself, of=r.table) * partner
                agreed = agreed + documents.lookup(r.with_itself, of=r.table) * partner + only_itself
                related = related + only_itself
        related = documents.column(related, "related")
        is_related = related > 0.0
        share_agreed = agreed / when(is_related).then(related).otherwise(1.0)
        of_unrelated = lit(1.0 if unrelated == "one" else 0.0)
        return self._ratio(
            documents, when(is_related).then(share_agreed * w).otherwise(of_unrelated * w), is_related, of_unrelated, w
        )
