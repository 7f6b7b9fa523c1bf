"""The user's tables of clusterings under our names, on one engine.

If each item is in one class and one cluster: a row per item with its `label` and `cluster_id`.  If they overlap: a row
per item, and two long frames of the classes and the clusters of the items.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.columns.schema import CLUSTERS, resolve
from ireval_frames.columns.suggestions import or_header
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, WrongType, listed
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.checks import unique_items
from ireval_frames.items.class_types import is_list, literal_class, named_by, side_type, type_of_values
from ireval_frames.items.inputs import ItemInputs, ItemNames, aliased, found_in, free_name, same_kinds

COLUMNS = ("label", "cluster_id", "item_id", "weight")
SIDES = {"label": "label", "cluster_id": "cluster"}


class ClusterInputs(ItemInputs):
    """The items of one evaluation, with their classes and clusters.

    Attributes:
        items: a row per item: keys, `weight` if there is one; not overlapping: `label` and `cluster_id`.
        gold, system: overlapping only: keys, `item_id`, and `label` or `cluster_id`.
        types: the types in which classes and clusters are compared.
        noise_cluster: the cluster that holds noise, or None.
        mixed: whether several clusterings are of different types, and compared as text.
        max_items: an upper bound of the number of items, where one is known without counting.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: ItemNames,
        engine: Engine,
        policy: ClusterPolicy,
        *,
        clusterings: tuple[str, ...] = (),
        noise_cluster: Any = None,
        overlapping: bool = False,
    ) -> None:
        self._clusterings, self.mixed = clusterings, False
        second = tables.get("system")
        # Of two tables the second has the clusters.
        first = {k: v for k, v in names.columns.items() if second is None or k != "cluster_id"}
        self._side_by_side = second is None
        super().__init__(CLUSTERS, tables["clusters"], ItemNames(first, names.by, names.unit), engine, policy.units)
        self.policy, self._unique = policy, "item_id" in names.columns
        other = None
        if second is not None:
            self._side_by_side = True
            other, names = self.arranged(self.opened(second, "system"), names)
        self._needs("label", self.user_columns, self.frame, "clusters")
        if other is None:
            self._needs("cluster_id", self.user_columns, self.frame, "clusters")
        lists = any(is_list(self.frame, self.user_columns.get(c)) for c in SIDES)
        self.overlapping = overlapping or lists
        self.gold: Frame | None = None
        self.system: Frame | None = None
        self.types: dict[str, Any] = {}
        self.max_items: int | None = None
        if other is not None:
            self._two_tables(other, names)
        elif lists:
            self._lists()
        elif overlapping:
            self._rows()
        else:
            self._columns()
        noise = str(noise_cluster) if self.mixed and noise_cluster is not None else noise_cluster
        self.noise_cluster = None if noise is None else literal_class(noise, self.types["cluster_id"], "noise_cluster")

    def arranged(self, frame: Frame, names: ItemNames) -> tuple[Frame, ItemNames]:
        """The table with the clusters; several clusterings are stacked."""
        if len(self._clusterings) < 2 or not self._side_by_side:
            return frame, names
        used = {*names.columns.values(), *names.by, *names.unit}
        table = "clusters" if not hasattr(self, "frame") else "system"
        run_id = resolve(CLUSTERS, list(frame.columns), {}).get("run_id")
        frame, columns, self.mixed = _stacked_clusterings(frame, table, self._clusterings, used, run_id)
        return frame, replace(names, columns={**names.columns, **columns})

    # ---- the shapes

    def _columns(self) -> None:
        """A row per item."""
        frame = self.frame
        self.max_items = frame.height
        self._typed(frame, SIDES, self.user_columns)
        self.items = frame.lazy().select(
            **self.keyed, **self._item(), **{s: self._named(s, self.user_columns[s]) for s in SIDES}, **self._weight()
        )
        if self._unique:
            self.know_items(frame, self.user_columns["item_id"], "clusters")
            self._once(self.items, self.keys, "clusters")

    def _lists(self) -> None:
        """A row per item; its classes and clusters in list columns."""
        frame = self.numbered(self.frame)
        self.know_items(frame, self.user_columns["item_id"], "clusters")
        rows, item = frame.lazy(), {"item_id": col(self.user_columns["item_id"])}
        sides = {}
        for side in SIDES:
            column = self.user_columns[side]
            lists = is_list(frame, column)
            self.types[side] = side_type(type_of_values(frame, column), column)
            long = rows.select(**self.keyed, **item, **{side: col(column)})
            sides[side] = self._members(long.explode(side) if lists else long, side)
        self.gold, self.system = sides["label"], sides["cluster_id"]
        self.items = rows.select(**self.keyed, **item, **self._weight())
        self._once(self.items, self.keys, "clusters")

    def _rows(self) -> None:
        """A row per item, class and cluster; items have several rows."""
        if "item_id" not in self.user_columns:
            raise MissingColumn(
                "Overlapping clusters need the items' ids, and the clusters table has none.",
                Hint("Name them: ", Argument("item", "their_name")),
            )
        self._typed(self.frame, SIDES, self.user_columns)
        self.know_items(self.frame, self.user_columns["item_id"], "clusters")
        rows, item = self.frame.lazy(), {"item_id": col(self.user_columns["item_id"])}
        self.gold, self.system = (
            self._members(rows.select(**self.keyed, **item, **{s: col(self.user_columns[s])}), s) for s in SIDES
        )
        self.items = self.distinct(rows.select(**self.keyed, **item, **self._weight()))
        self._once(self.items, self.keys, "clusters")

    def _two_tables(self, system: Frame, names: ItemNames) -> None:
        """A table of classes and a table of clusters; the items are those of the first."""
        gold = self.frame
        found = found_in(
            CLUSTERS,
            system,
            ItemNames({k: v for k, v in names.columns.items() if k in ("item_id", "cluster_id", "run_id")}),
        )
        self._needs("item_id", self.user_columns, gold, "clusters")
        self._needs("item_id", found, system, "system")
        self.know_items(gold, self.user_columns["item_id"], "clusters")
        self.know_items(system, found["item_id"], "system")
        if "cluster_id" not in found and "label" in found:
            # In a second table of item and label the labels are clusters.
            found["cluster_id"] = found["label"]
        self._needs("cluster_id", found, system, "system")
        self._typed(gold, ("label",), self.user_columns)
        self._typed(system, ("cluster_id",), found)
        groups = aliased(system, self.by_names | self.unit_names)
        joined = {self.user_columns["item_id"]: found["item_id"]} | {c: c for c in self.names.values()}
        gold, system = same_kinds({"clusters": gold, "system": system}, joined)
        keyed = {k: e for k, e in self.keyed.items() if k != "run_id"}
        several = {"run_id": col(found["run_id"])} if "run_id" in found else {}
        clustered = system.lazy().select(
            **several,
            **groups,
            item_id=col(found["item_id"]),
            cluster_id=self._named("cluster_id", found["cluster_id"]),
        )
        labelled = gold.lazy().select(
            **keyed,
            item_id=col(self.user_columns["item_id"]),
            label=self._named("label", self.user_columns["label"]),
            **self._weight(),
        )
        if several:
            # Every run has the same classes.
            labelled = self.engine.join(self.distinct(clustered.select("run_id")), labelled, (), "inner")
        self.keys = (*several, *keyed)
        item = (*self.keys, "item_id")
        sides = [frame.select(*item) for frame in (labelled, clustered)]
        ids = self.user_columns["item_id"], found["item_id"]
        sides = [self.distinct(side) for side in sides] if self.overlapping else sides
        self.sides = dict(zip(("clusters", "system"), zip(sides, ids, strict=True), strict=True))
        if not self.overlapping:
            self._once(labelled, self.keys, "clusters")
            self._once(clustered, self.keys, "system")
            self.items = self.engine.join(labelled, clustered, item, "left")
            return
        weight = ("weight",) if "weight" in self.user_columns else ()
        self.items = self.distinct(labelled.select(*item, *weight))
        self._once(self.items, self.keys, "clusters")
        self.gold = self._members(labelled.select(*item, "label"), "label")
        self.system = self._members(self.engine.join(clustered, self.items.select(*item), item, "inner"), "cluster_id")

    # ---- columns and checks

    def _item(self) -> dict[str, Expr]:
        return {"item_id": col(self.user_columns["item_id"])} if self._unique else {}

    def _weight(self) -> dict[str, Expr]:
        return {"weight": self.number("weight")} if "weight" in self.user_columns else {}

    def _typed(self, frame: Frame, sides: Sequence[str] | Mapping[str, str], found: Mapping[str, str]) -> None:
        schema = frame.collect_schema()
        for side in sides:
            if is_list(frame, found[side]):
                raise WrongType(
                    f"Column {found[side]!r} holds lists, but each row of this table has one {SIDES[side]}.",
                    Hint(f'Give it a row for each: frame.explode("{found[side]}"), with ', Argument("overlapping")),
                )
            self.types[side] = side_type(schema[found[side]], found[side])

    def _members(self, long: Frame, side: str) -> Frame:
        """The distinct rows of a long table in which the class or cluster is not null."""
        return self.distinct(
            long.with_columns(**{side: named_by(col(side), self.types[side])}).filter(~col(side).is_null())
        )

    def _named(self, side: str, column: str) -> Expr:
        """A column of classes or clusters; it is cast later, on fewer rows, but NaN must be null before."""
        dtype = self.types[side]
        return named_by(col(column), dtype) if dtype.is_float() else col(column)

    def _needs(self, column: str, found: Mapping[str, str], frame: Frame, table: str) -> None:
        if column not in found:
            argument = {"item_id": "item", "cluster_id": "cluster"}.get(column, column)
            raise MissingColumn(
                f"The {table} table has no column {column!r} (it has: {listed(frame.columns, 20)}).",
                or_header(Hint("Name it: ", Argument(argument, "their_name")), list(frame.columns)),
            )

    def _once(self, frame: Frame, keys: Sequence[str], table: str) -> None:
        """Refuse items in several rows."""
        line = Hint("Give every item one row, or write, if classes or clusters overlap: ", Argument("overlapping"))
        self.checks.append(unique_items(frame, keys, table, line))


def _stacked_clusterings(
    frame: Frame, table: str, clusterings: Sequence[str], used: Collection[str], run_id: str | None
) -> tuple[Frame, Mapping[str, str], bool]:
    """The rows of each clustering, the names of the new columns, and whether the clusterings are of several types.

    Args:
        frame: a table with a column per clustering.
        table: its name in errors.
        clusterings: the columns; those of different types are compared as text.
        used: columns that are used otherwise, too, such as groups.
        run_id: the column of runs, if the table has one.

    Raises:
        MissingColumn: a column does not exist.
        InvalidParameter: the table has runs, or only some clusterings are lists.
    """
    present = list(frame.columns)
    for column in clusterings:
        if column not in present:
            known = [c for c in clusterings if c in present]
            raise MissingColumn(
                f"The {table} table has no column {column!r} (it has: {listed(present, 20)}).",
                Hint("Name some of them: ", Argument("cluster", known or present[-1:])),
            )
    if run_id is not None and run_id not in clusterings:
        raise InvalidParameter(
            f"The {table} table has a column {run_id!r} of runs, and {len(clusterings)} clusterings side by side.",
            "Drop the column, or name one clustering.",
        )
    columns = {"cluster_id": free_name("cluster_id", frame), "run_id": free_name("run_id", frame)}
    types = [type_of_values(frame, c) for c in clusterings]
    lists = [is_list(frame, c) for c in clusterings]
    mixed = any(t != types[0] for t in types)
    text = pl.List(pl.String()) if any(lists) else pl.String()
    if mixed and len(set(lists)) > 1:
        raise InvalidParameter(
            f"Of the clusterings {listed(map(repr, clusterings))} some are lists and some are not.",
            f'Make lists of all: frame.with_columns(pl.concat_list("{clusterings[lists.index(False)]}"))',
        )
    rest = {c: col(c) for c in present if c not in clusterings or c in used}
    rows = frame.lazy()
    parts = []
    for name in clusterings:
        cluster = col(name).cast(text) if mixed else col(name)
        parts.append(rows.select(**rest, **{columns["run_id"]: lit(name), columns["cluster_id"]: cluster}))
    return concat(parts), columns, mixed
