"""Clusterings as handed in, as canonical frames of one engine.

Each item in one class and one cluster: a row per item with its `label` and `cluster_id`.  Overlapping: a row per item,
and two long frames of the classes and the clusters it is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ireval_frames.clusters.clusterings import stacked_clusterings
from ireval_frames.columns.schema import CLUSTERS, resolve
from ireval_frames.columns.suggestions import or_header
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, MissingColumn, WrongType, listed
from ireval_frames.expr import Expr, col
from ireval_frames.items.checks import once_each
from ireval_frames.items.class_types import is_list, literal_class, named_by, side_type, type_of_values
from ireval_frames.items.inputs import ItemInputs, Names, aliased, found_in, same_kinds

GIVEN = ("label", "cluster_id", "item_id", "weight")
SIDES = {"label": "label", "cluster_id": "cluster"}


class ClusterInputs(ItemInputs):
    """The canonical frames of one evaluation.

    Attributes:
        items: a row per item: keys, `weight` if there is one; not overlapping: `label` and `cluster_id`.
        gold, system: overlapping only: keys, `item_id`, and `label` or `cluster_id`.
        types: the types in which classes and clusters are told apart.
        noise_cluster: the cluster that holds noise, or None.
        mixed: whether several clusterings are of different types, and so compared as text.
        most_items: how many items there are at most, where that is known without counting them.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        names: Names,
        engine: Engine,
        policy: ClusterPolicy,
        *,
        clusterings: tuple[str, ...] = (),
        noise_cluster: Any = None,
        overlapping: bool = False,
    ) -> None:
        self._clusterings, self.mixed = clusterings, False
        second = given.get("system")
        # Of two tables, the second has the clusters.
        first = {k: v for k, v in names.columns.items() if second is None or k != "cluster_id"}
        self._side_by_side = second is None
        super().__init__(CLUSTERS, given["clusters"], Names(first, names.by, names.unit), engine, policy.units)
        self.policy, self._unique = policy, "item_id" in names.columns
        other = None
        if second is not None:
            self._side_by_side = True
            other, names = self.arranged(self.opened(second, "system"), names)
        self._needs("label", self.found, self.frame, "clusters")
        if other is None:
            self._needs("cluster_id", self.found, self.frame, "clusters")
        lists = any(is_list(self.frame, self.found.get(c)) for c in SIDES)
        self.overlapping = overlapping or lists
        self.gold: Frame | None = None
        self.system: Frame | None = None
        self.types: dict[str, Any] = {}
        self.most_items: int | None = None
        if other is not None:
            self._two_tables(other, names)
        elif lists:
            self._lists()
        elif overlapping:
            self._rows()
        else:
            self._columns()
        named = str(noise_cluster) if self.mixed and noise_cluster is not None else noise_cluster
        self.noise_cluster = None if named is None else literal_class(named, self.types["cluster_id"], "noise_cluster")

    def arranged(self, frame: Frame, names: Names) -> tuple[Frame, Names]:
        """The table that holds the clusters, several clusterings below each other."""
        if len(self._clusterings) < 2 or not self._side_by_side:
            return frame, names
        kept = {*names.columns.values(), *names.by, *names.unit}
        table = "clusters" if not hasattr(self, "frame") else "system"
        run_id = resolve(CLUSTERS, list(frame.columns), {}).get("run_id")
        frame, called, self.mixed = stacked_clusterings(frame, table, self._clusterings, kept, run_id)
        return frame, replace(names, columns={**names.columns, **called})

    # ---- the shapes

    def _columns(self) -> None:
        """A row per item."""
        frame = self.frame
        self.most_items = frame.height
        self._typed(frame, SIDES, self.found)
        self.items = frame.lazy().select(
            **self.keyed, **self._item(), **{s: self._named(s, self.found[s]) for s in SIDES}, **self._weight()
        )
        if self._unique:
            self.know_items(frame, self.found["item_id"], "clusters")
            self._once(self.items, self.keys, "clusters")

    def _lists(self) -> None:
        """A row per item; its classes and clusters in list columns."""
        frame = self.numbered(self.frame)
        self.know_items(frame, self.found["item_id"], "clusters")
        rows, item = frame.lazy(), {"item_id": col(self.found["item_id"])}
        sides = {}
        for side in SIDES:
            theirs = self.found[side]
            several = is_list(frame, theirs)
            self.types[side] = side_type(type_of_values(frame, theirs), theirs)
            long = rows.select(**self.keyed, **item, **{side: col(theirs)})
            sides[side] = self._members(long.explode(side) if several else long, side)
        self.gold, self.system = sides["label"], sides["cluster_id"]
        self.items = rows.select(**self.keyed, **item, **self._weight())
        self._once(self.items, self.keys, "clusters")

    def _rows(self) -> None:
        """A row per item, class and cluster; an item stands in several."""
        if "item_id" not in self.found:
            raise MissingColumn(
                "Overlapping clusters need the items' ids, and the clusters table has none.",
                Hint("Name them: ", Argument("item", "their_name")),
            )
        self._typed(self.frame, SIDES, self.found)
        self.know_items(self.frame, self.found["item_id"], "clusters")
        rows, item = self.frame.lazy(), {"item_id": col(self.found["item_id"])}
        self.gold, self.system = (
            self._members(rows.select(**self.keyed, **item, **{s: col(self.found[s])}), s) for s in SIDES
        )
        self.items = self.distinct(rows.select(**self.keyed, **item, **self._weight()))
        self._once(self.items, self.keys, "clusters")

    def _two_tables(self, system: Frame, names: Names) -> None:
        """Items with their class, and items with their cluster; items are those that have a class."""
        gold = self.frame
        theirs = found_in(
            CLUSTERS,
            system,
            Names({k: v for k, v in names.columns.items() if k in ("item_id", "cluster_id", "run_id")}),
        )
        self._needs("item_id", self.found, gold, "clusters")
        self._needs("item_id", theirs, system, "system")
        self.know_items(gold, self.found["item_id"], "clusters")
        self.know_items(system, theirs["item_id"], "system")
        if "cluster_id" not in theirs and "label" in theirs:
            # A second table of item and label is a clustering whose clusters go by that name.
            theirs["cluster_id"] = theirs["label"]
        self._needs("cluster_id", theirs, system, "system")
        for frame, found, side in ((gold, self.found, "label"), (system, theirs, "cluster_id")):
            self._typed(frame, (side,), found)
        mine = aliased(system, self.by_names | self.unit_names)
        joined = {self.found["item_id"]: theirs["item_id"]} | {c: c for c in self.names.values()}
        gold, system = same_kinds({"clusters": gold, "system": system}, joined)
        keyed = {k: e for k, e in self.keyed.items() if k != "run_id"}
        several = {"run_id": col(theirs["run_id"])} if "run_id" in theirs else {}
        clustered = system.lazy().select(
            **several,
            **mine,
            item_id=col(theirs["item_id"]),
            cluster_id=self._named("cluster_id", theirs["cluster_id"]),
        )
        labelled = gold.lazy().select(
            **keyed,
            item_id=col(self.found["item_id"]),
            label=self._named("label", self.found["label"]),
            **self._weight(),
        )
        if several:
            # Every run is held against the same classes.
            labelled = self.engine.join(self.distinct(clustered.select("run_id")), labelled, (), "inner")
        self.keys = (*several, *keyed)
        item = (*self.keys, "item_id")
        sides = [frame.select(*item) for frame in (labelled, clustered)]
        named = self.found["item_id"], theirs["item_id"]
        sides = [self.distinct(side) for side in sides] if self.overlapping else sides
        self.sides = dict(zip(("clusters", "system"), zip(sides, named, strict=True), strict=True))
        if not self.overlapping:
            self._once(labelled, self.keys, "clusters")
            self._once(clustered, self.keys, "system")
            self.items = self.engine.join(labelled, clustered, item, "left")
            return
        weight = ("weight",) if "weight" in self.found else ()
        self.items = self.distinct(labelled.select(*item, *weight))
        self._once(self.items, self.keys, "clusters")
        self.gold = self._members(labelled.select(*item, "label"), "label")
        self.system = self._members(self.engine.join(clustered, self.items.select(*item), item, "inner"), "cluster_id")

    # ---- within

    def _item(self) -> dict[str, Expr]:
        return {"item_id": col(self.found["item_id"])} if self._unique else {}

    def _weight(self) -> dict[str, Expr]:
        return {"weight": self.number("weight")} if "weight" in self.found else {}

    def _typed(self, frame: Frame, sides: Sequence[str] | Mapping[str, str], found: Mapping[str, str]) -> None:
        schema = frame.collect_schema()
        for side in sides:
            if is_list(frame, found[side]):
                raise WrongType(
                    f"Column {found[side]!r} holds lists, but each row of this table stands for one {SIDES[side]}.",
                    Hint(f'Give it a row for each: frame.explode("{found[side]}"), with ', Argument("overlapping")),
                )
            self.types[side] = side_type(schema[found[side]], found[side])

    def _members(self, long: Frame, side: str) -> Frame:
        """The rows of a long table that name a class or cluster, each once."""
        return self.distinct(
            long.with_columns(**{side: named_by(col(side), self.types[side])}).filter(~col(side).is_null())
        )

    def _named(self, side: str, theirs: str) -> Expr:
        """A column of classes or clusters, cast where the rows are fewer: NaN alone must be null before."""
        dtype = self.types[side]
        return named_by(col(theirs), dtype) if dtype.is_float() else col(theirs)

    def _needs(self, column: str, found: Mapping[str, str], frame: Frame, table: str) -> None:
        if column not in found:
            argument = {"item_id": "item", "cluster_id": "cluster"}.get(column, column)
            raise MissingColumn(
                f"The {table} table has no column {column!r} (it has: {listed(frame.columns, 20)}).",
                or_header(Hint("Name it: ", Argument(argument, "their_name")), list(frame.columns)),
            )

    def _once(self, frame: Frame, keys: Sequence[str], table: str) -> None:
        """Refuse an item in several rows."""
        line = Hint("Give every item one row, or say that classes or clusters overlap: ", Argument("overlapping"))
        self.checks.append(once_each(frame, keys, table, line))
