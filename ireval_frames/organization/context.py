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
    """What a measure of document organization may ask for."""

    def __init__(self, tables: OrganizationTables, measure: str) -> None:
        self.tables, self.measure = tables, measure

    def reliability(self, **given: Any) -> per.Unit:
        """How many of the system's relations the gold has; the parameters are those of the measure."""
        return self._side("system", **given)

    def sensitivity(self, **given: Any) -> per.Unit:
        """How many of the gold's relations the system has."""
        return self._side("gold", **given)

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
                f"{self.measure} asks for {relation}, which needs the columns {needs}.",
                'Write relation="all" for what there is.',
            )
        asked = self.tables.tasks if relation == "all" else (relation,)
        made = [
            priority(self.tables, side, scheme, product=product, strict=strict)
            if task == "priority"
            else relatedness(self.tables, side, scheme, product=product, pairs=overlap == "pairs")
            for task in asked
        ]
        if types == "pooled" and len(made) > 1:
            return self._pooled(side, scheme, made, product=product, unrelated=unrelated)
        return harmonic([self._mean(m, unrelated) for m in made], [1.0] * len(made))

    def _mean(self, r: Relation, unrelated: str) -> Expr:
        """The weighted mean over documents of the share of their relations that the other side has."""
        found = r.found * r.weight
        if r.with_itself is not None and r.weighed is not None:
            found = found + r.with_itself * r.weighed
        some = r.related > 0.0
        of_unrelated = lit(1.0 if unrelated == "one" else 0.0)
        if r.only_itself is not None:
            of_unrelated = when(r.only_itself > 0.0).then(1.0).otherwise(of_unrelated)
        return self._ratio(
            r.table,
            when(some).then(found / when(some).then(r.related).otherwise(1.0)).otherwise(of_unrelated * r.weight),
            some,
            of_unrelated,
            r.weight,
        )

    def _ratio(self, table: Table, top: Expr, some: Expr, of_unrelated: Expr, weight: Expr) -> Expr:
        above = table.sum(top)
        below = table.sum(when(some).then(weight).otherwise(of_unrelated * weight))
        return share(above, below)

    def _pooled(self, side: str, scheme: Weights, made: Sequence[Relation], *, product: bool, unrelated: str) -> Expr:
        """All relations of a document together, whatever their task."""
        documents = self.tables.items
        w = scheme.at(self.tables, side, documents)
        partner = w if product else lit(1.0)
        found, related = lit(0.0), lit(0.0)
        for r in made:
            found = found + documents.lookup(r.found, of=r.table)
            related = related + documents.lookup(r.related, of=r.table)
            if r.with_itself is not None and r.only_itself is not None:
                only_itself = documents.lookup(r.only_itself, of=r.table) * partner
                found = found + documents.lookup(r.with_itself, of=r.table) * partner + only_itself
                related = related + only_itself
        related = documents.column(related, "related")
        some = related > 0.0
        found_of = found / when(some).then(related).otherwise(1.0)
        of_unrelated = lit(1.0 if unrelated == "one" else 0.0)
        return self._ratio(documents, when(some).then(found_of * w).otherwise(of_unrelated * w), some, of_unrelated, w)
