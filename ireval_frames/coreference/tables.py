"""The tables of an evaluation of coreference.

```
gold, predicted              a row per mention           cells               a row per gold and predicted entity that
gold_clusters,               a row per entity                                share mentions
predicted_clusters                                       documents           a row per document
```

Entities of both sides and their cells are few; only the mentions have the size of the data.  The policy about mentions
that the other side lacks acts on entities and cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ireval_frames import per
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.coreference.inputs import CLUSTERS, CoreferenceInputs
from ireval_frames.coreference.matching import matched
from ireval_frames.documents.tables import DocumentTables
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table

GOLD, PREDICTED = CLUSTERS["gold"], CLUSTERS["predicted"]
OTHER = {"gold": "predicted", "predicted": "gold"}


@dataclass(frozen=True)
class Side:
    """The entities of one side.

    Attributes:
        clusters: a row per entity.
        size: at the entities: the number of their mentions.
        matched: at the entities: the number of their mentions that the other side has.
        at_cells: at the cells: the size of the entity.
    """

    clusters: Table
    size: per.Cluster
    matched: per.Cluster
    at_cells: per.Cell


class CoreferenceTables(DocumentTables):
    """The tables, made from the canonical inputs."""

    inputs: CoreferenceInputs
    policy: CoreferencePolicy

    def __init__(self, plan: Plan, inputs: CoreferenceInputs, policy: CoreferencePolicy) -> None:
        super().__init__(plan, inputs, policy)
        self.adds = policy.twinless == "sys"

    # ---- mentions

    @cached_property
    def gold(self) -> Table:
        """A row per gold mention."""
        return self._mentions("gold")

    @cached_property
    def predicted(self) -> Table:
        """A row per predicted mention."""
        return self._mentions("predicted")

    def rows(self, side: str) -> Table:
        """The rows of the user's table of a side."""
        return self.plan.input(side, (*self.keys, *self.inputs.mention), getattr(self.inputs, side))

    def _mentions(self, side: str) -> Table:
        plan, rows, cluster = self.plan, self.rows(side), CLUSTERS[side]
        if self.policy.duplicates == "drop":
            once = plan.grouped(f"{side}_once", rows, *rows.keys)
            more = [c for c in ("head", cluster) if rows.has(c)]
            firsts = {c: rows.min(col(c), into=once) for c in more}
            rows = plan.selected(f"{side}_firsts", once.keys, once, **firsts)
        if self.policy.singletons == "drop":
            clusters = plan.grouped(f"{side}_clusters_of_all", rows, *self.keys, cluster)
            size = rows.lookup(rows.count(into=clusters), of=clusters)
            rows = plan.selected(f"{side}_of_several", rows.keys, rows, size > 1)
        return rows

    @cached_property
    def common(self) -> Table:
        """A row per mention of both sides, with its two entities."""
        return matched(self.plan, self.gold, self.predicted, self.keys, self.inputs.mention, self.policy.match)

    # ---- entities, as the user's tables have them

    @cached_property
    def shared(self) -> Table:
        """A row per gold and predicted entity that share mentions."""
        return self.plan.grouped("shared", self.common, *self.keys, GOLD, PREDICTED)

    def entities(self, side: str) -> tuple[Table, Expr, Expr]:
        """A row per entity, the number of its mentions, and how many of them the other side has."""
        mentions = self.gold if side == "gold" else self.predicted
        table = self.plan.grouped(f"{side}_clusters", mentions, *self.keys, CLUSTERS[side])
        return table, mentions.count(into=table), self.shared.sum(self._common_size, into=table, name="matched")

    @property
    def _common_size(self) -> Expr:
        return self.common.count(into=self.shared)

    # ---- entities, after the policy about mentions that the other side lacks

    @cached_property
    def cells(self) -> Table:
        """A row per gold and predicted entity that share mentions: `size`; added ones with their number, `copies`."""
        plan, shared = self.plan, self.shared
        if not self.adds:
            return shared
        (gold, gold_size, _), (predicted, predicted_size, _) = self._left("gold"), self._left("predicted")
        own = {
            **{k: col(k) for k in shared.keys},
            "size": self._common_size,
            "gold_size": shared.lookup(gold_size, of=gold),
            "predicted_size": shared.lookup(predicted_size, of=predicted),
            "copies": lit(1.0),
        }
        one = lit(1.0)
        added = [
            (table, {**self._named(side), "size": one, f"{side}_size": size, f"{OTHER[side]}_size": one, "copies": n})
            for side in OTHER
            for table, size, n in [self._twinless(side)]
        ]
        parts = [(table, {name: columns[name] for name in own}) for table, columns in added]
        return plan.concat("cells", shared.keys, (shared, own), *parts)

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        """The entities of the gold, and of the predictions."""
        return {side: self._side(side) for side in OTHER}

    def _side(self, side: str) -> Side:
        table, size, common = self._left(side)
        if not self.adds:
            return Side(table, size, common, self.cells.lookup(size, of=table))
        other = OTHER[side]
        one = {"size": lit(1.0), "copies": lit(1.0)}
        twinless, _, n = self._twinless(other)
        keys = (*self.keys, GOLD, PREDICTED)
        clusters = self.plan.concat(
            f"{side}_clusters_of_both",
            keys,
            (table, {**self._named(side), **one, "size": size}),
            (twinless, {**self._named(other), **one, "copies": n}),
        )
        return Side(clusters, col("size"), col("size"), col(f"{side}_size"))

    def _named(self, side: str) -> dict[str, Expr]:
        """The keys of an entity of one side, as those of a cell without an entity of the other."""
        none = lit(None, dtype=self.inputs.types[OTHER[side]])
        clusters = {CLUSTERS[side]: col(CLUSTERS[side]), CLUSTERS[OTHER[side]]: none}
        return {**{k: col(k) for k in self.keys}, **{c: clusters[c] for c in (GOLD, PREDICTED)}}

    def _left(self, side: str) -> tuple[Table, Expr, Expr]:
        """The entities that the policy leaves, their sizes, and how many of their mentions the other side has."""
        table, size, common = self.entities(side)
        if side == "gold" or self.policy.twinless == "all":
            return table, size, common
        drop = self.policy.twinless == "drop"
        some = common > 0 if drop else (common > 0) | (size > 1)
        left = self.plan.selected(
            "predicted_clusters_left", table.keys, table, some, size=common if drop else size, matched=common
        )
        return left, col("size"), col("matched")

    def _twinless(self, side: str) -> tuple[Table, Expr, Expr]:
        """The entities with mentions that the other side lacks, their sizes, and the numbers of these mentions."""
        table, size, common = self._left(side)
        twinless = self.plan.selected(
            f"{side}_clusters_with_twinless", table.keys, table, size > common, size=size, copies=size - common
        )
        return twinless, col("size"), col("copies")

    # ---- other tables

    @cached_property
    def with_twinless(self) -> Table:
        """A row per cell of the user's tables with its `count`; mentions that the other side lacks are in cells, too.

        The other entity of these is null.
        """
        own = {**{k: col(k) for k in self.shared.keys}, "count": self._common_size}
        twinless = [
            (table, {**self._named(side), "count": n}) for side in OTHER for table, _, n in [self._twinless(side)]
        ]
        return self.plan.concat("cells_with_twinless", self.shared.keys, (self.shared, own), *twinless)

    def alignment(self, size: str, value: Expr) -> tuple[Table, list[str], list[str]]:
        """The cells with what an assignment sums, and the columns that name a gold and a predicted entity."""
        # The step in Python reads them as the other measures do.
        for table in (self.shared, *(self.entities(side)[0] for side in OTHER)):
            self.plan.compute_once(table, cached=True)
        columns, gold, predicted = {size: value}, [GOLD], [PREDICTED]
        if self.adds:
            # An added entity is named by the one that its mention is in.
            columns |= {
                "gold_added": when(col(GOLD).is_null()).then(col(PREDICTED)),
                "predicted_added": when(col(PREDICTED).is_null()).then(col(GOLD)),
            }
            gold, predicted = [*gold, "gold_added"], [*predicted, "predicted_added"]
        return self.plan.selected(f"cells_by_{size}", self.cells.keys, self.cells, **columns), gold, predicted
