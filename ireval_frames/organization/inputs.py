"""Documents with the gold's side and the system's side, as canonical frames of one engine.

A document's `position` increases down the system's list, and is `NOT_RETRIEVED` for documents that were not retrieved;
its `grade` is the gold's, or 0.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.columns.schema import Schema, number
from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, UnknownName, listed, nearest
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import is_list, named_by, side_type, type_of_values
from ireval_frames.items.inputs import ItemInputs, ItemNames, aliased, found_in, same_kinds
from ireval_frames.organization.tasks import GOLD, ONE, SYSTEM, tasks_of
from ireval_frames.ratios import indicator

# The position of unretrieved documents, and the last one of retrieved ones: SQL has no literal for infinity.
NOT_RETRIEVED, LOWEST = 1.7e308, 1e308
SIDES = ("class_id", "cluster_id")
# The column with the name of a document's set, by the column of its members.
SETS = {"cluster_id": "clusters", "class_id": "classes"}


class OrganizationInputs(ItemInputs):
    """The canonical frames of one evaluation.

    Attributes:
        one: whether one table has both sides.
        other: the system's table, which may be the first one.
        system_columns: the user's names of its columns.
        tasks: "priority" and "relatedness", those that both sides have.
        unit_rows: one or more rows for each unit.
        rows: a row per document: keys, `in_gold`, `in_system` (0 or 1), `grade`, `position`; not overlapping:
            `class_id` and `cluster_id`.
        items: the same; overlapping: with the names of its sets, and their sizes.
        members: overlapping only: by `class_id` and `cluster_id`, the rows of keys, `item_id` and class or cluster.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: ItemNames,
        engine: Engine,
        policy: OrganizationPolicy,
        *,
        overlapping: bool = False,
    ) -> None:
        system = tables.get("system")
        self.one = one = system is None
        super().__init__(
            ONE if one else GOLD,
            tables["gold"],
            ItemNames(_of(ONE if one else GOLD, names.columns), names.by, names.unit),
            engine,
            policy.units,
        )
        self.policy = policy
        self.system_file = isinstance(system, str | os.PathLike)
        self.other = self.frame if one else self.opened(system, "system")
        columns_of_system = {
            k: v for k, v in _of(SYSTEM, names.columns).items() if k != "item_id" or v in list(self.other.columns)
        }
        shared = tuple(b for b in names.by if b in list(self.other.columns)) if names.unit else names.by
        self.system_columns = (
            self.user_columns if one else found_in(SYSTEM, self.other, ItemNames(columns_of_system, shared, names.unit))
        )
        self.tasks = tasks_of(
            self.user_columns,
            self.system_columns,
            names.columns,
            () if one else found_in(GOLD, self.other, ItemNames({})),
            two=not one,
        )
        lists = any(
            is_list(self.frame, self.user_columns.get("label"))
            or is_list(self.other, self.system_columns.get("cluster_id"))
            for _ in SIDES
        )
        self.overlapping = "relatedness" in self.tasks and (overlapping or lists)
        self.items: Frame
        self.members: dict[str, Frame] = {}
        if one and self.overlapping and "item_id" not in self.user_columns:
            self.frame = self.other = self.numbered(self.frame)
        self._explicit_rank = "rank" in names.columns
        if one:
            self._one_table()
        else:
            self._two_tables(shared)
        self.rows = self.items
        if self.overlapping:
            self.items = with_sets(engine, self.items, self.members, self.keys)

    # ---- one or two tables

    def _one_table(self) -> None:
        rows = self.frame.lazy()
        item = {"item_id": col(self.user_columns["item_id"])} if "item_id" in self.user_columns else {}
        flags = {"in_gold": lit(1.0), "in_system": lit(1.0)}
        sides = {} if self.overlapping else self._sides(self.user_columns, self.frame, SIDES)
        self.items = rows.select(**self.keyed, **item, **flags, **self._grade(), **self._position(), **sides)
        if self.overlapping:
            self._long(rows, rows, self.keyed, self.keyed)
            self.items = self.distinct(self.items)
        self.unit_rows = self.items.select(*self.keys) if self.keys else self.items.select("in_gold")

    def _two_tables(self, shared: Sequence[str]) -> None:
        for what, columns, frame in (
            ("gold", self.user_columns, self.frame),
            ("system", self.system_columns, self.other),
        ):
            if "item_id" not in columns:
                raise MissingColumn(
                    f"The {what} table has no column 'item_id' (it has: {listed(frame.columns, 20)}).",
                    Hint("Name it: ", Argument("item", "their_name")),
                )
            self.know_items(frame, columns["item_id"], what)
        joined = {n: n for a, n in self.names.items() if n in shared or a in self.unit}
        joined[self.user_columns["item_id"]] = self.system_columns["item_id"]
        self.frame, self.other = same_kinds({"gold": self.frame, "system": self.other}, joined)
        gold, system = self.frame.lazy(), self.other.lazy()
        units = self.distinct(gold.select(**self.keyed)) if self.keyed else None
        run_id = {"run_id": col(self.system_columns["run_id"])} if "run_id" in self.system_columns else {}
        keys_of_system = {
            a: n for a, n in {**self.by_names, **self.unit_names}.items() if n in shared or a in self.unit
        }
        system_keys = {**run_id, **aliased(self.other, keys_of_system)}
        gold_item, system_item = ({"item_id": col(f["item_id"])} for f in (self.user_columns, self.system_columns))
        gold_sides, system_sides = (
            ({}, {}) if self.overlapping else ({s: self._side(s, f, t) for s, f, t in one} for one in self._present())
        )
        parts = [
            gold.select(
                **self.keyed,
                **gold_item,
                in_gold=lit(1.0),
                in_system=lit(0.0),
                **self._grade(),
                position=lit(NOT_RETRIEVED),
                **gold_sides,
            ),
            self._of_units(
                system.select(**system_keys, **system_item, **self._position(), **system_sides),
                units,
                tuple(keys_of_system),
            ),
        ]
        runs = self.distinct(parts[1].select("run_id")) if run_id else None
        if runs is not None:
            # Every run is compared with the same gold, on all of its topics.
            parts[0] = self.engine.join(runs, parts[0], (), "inner")
            units = runs if units is None else self.engine.join(runs, units, (), "inner")
            self.keys = ("run_id", *self.keys)
        self.unit_rows = parts[0] if units is None else units
        if self.overlapping:
            self._long(
                gold,
                system,
                self.keyed,
                system_keys,
                runs,
                self.unit_rows if self.keys else None,
                tuple(keys_of_system),
            )
            parts = [self.distinct(p) for p in parts]
        sides = [self.distinct(part.select(*self.keys, "item_id")) for part in parts]
        names_of_items = self.user_columns["item_id"], self.system_columns["item_id"]
        self.sides = dict(zip(("gold", "system"), zip(sides, names_of_items, strict=True), strict=True))
        self.items = self._united(parts)

    def _united(self, parts: list[Frame]) -> Frame:
        """A row per document of either table."""
        columns: dict[str, Any] = {"in_gold": 0.0, "in_system": 1.0, "grade": 0.0}
        parts[1] = parts[1].with_columns(**{k: lit(v) for k, v in columns.items()})
        sums = [Aggregate(c, "sum", col(c)) for c in ("in_gold", "in_system")]
        aggregates = [Aggregate("grade", "max", col("grade")), Aggregate("position", "min", col("position"))]
        if not self.overlapping and "relatedness" in self.tasks:
            schemas = [p.collect_schema() for p in parts]
            for i, side in enumerate(SIDES):
                parts[1 - i] = parts[1 - i].with_columns(**{side: lit(None).cast(schemas[i][side])})
                aggregates.append(Aggregate(side, "max", col(side)))
        order = parts[0].collect_schema().names()
        rows = concat([p.select(*order) for p in parts])
        return self.engine.shared(
            self.engine.compute_once(self.engine.group(rows, (*self.keys, "item_id"), [*sums, *aggregates]))
        )

    def _long(
        self,
        gold: Frame,
        system: Frame,
        gold_keys: Mapping[str, Expr],
        system_keys: Mapping[str, Expr],
        runs: Frame | None = None,
        units: Frame | None = None,
        shared: tuple[str, ...] = (),
    ) -> None:
        """Set the members of classes and clusters, with a row per document."""
        for side, rows, columns, frame, keyed in (
            ("class_id", gold, self.user_columns, self.frame, gold_keys),
            ("cluster_id", system, self.system_columns, self.other, system_keys),
        ):
            name = columns["label" if side == "class_id" else "cluster_id"]
            is_of_lists, dtype = is_list(frame, name), side_type(type_of_values(frame, name), name)
            members = rows.select(**keyed, item_id=col(columns["item_id"]), **{side: col(name)})
            members = members.explode(side) if is_of_lists else members
            members = self.distinct(
                members.with_columns(**{side: named_by(col(side), dtype)}).filter(~col(side).is_null())
            )
            if side == "class_id" and runs is not None:
                members = self.engine.join(runs, members, (), "inner")
            elif side == "cluster_id":
                on = (*(["run_id"] if runs is not None else []), *shared)
                members = self._of_units(members, units, on)
            self.members[side] = members

    # ---- columns

    def _of_units(self, system: Frame, units: Frame | None, on: tuple[str, ...]) -> Frame:
        """The rows of the gold's topics, with all of their keys."""
        return system if units is None else self.engine.join(system, units, on, "inner")

    def _present(self) -> list[list[tuple[str, Mapping[str, str], Frame]]]:
        if "relatedness" not in self.tasks:
            return [[], []]
        return [[("class_id", self.user_columns, self.frame)], [("cluster_id", self.system_columns, self.other)]]

    def _sides(self, columns: Mapping[str, str], frame: Frame, sides: Sequence[str]) -> dict[str, Expr]:
        return {s: self._side(s, columns, frame) for s in sides} if "relatedness" in self.tasks else {}

    def _side(self, side: str, columns: Mapping[str, str], frame: Frame) -> Expr:
        name = columns["label" if side == "class_id" else "cluster_id"]
        return named_by(col(name), side_type(frame.collect_schema()[name], name))

    def _grade(self) -> dict[str, Expr]:
        """The grade; below 0 a document is pooled and not judged, so has grade 0."""
        if "priority" not in self.tasks:
            return {"grade": lit(0.0)}
        grade = self._number("relevance", self.user_columns, self.frame).fill_null(0.0)
        return {"grade": when(grade > 0.0).then(grade).otherwise(0.0)}

    @property
    def orders(self) -> str | None:
        """The column that orders the system's documents, if there is one."""
        if "rank" in self.system_columns and (self._explicit_rank or "score" not in self.system_columns):
            return "rank"
        return "score" if "score" in self.system_columns else None

    def _position(self) -> dict[str, Expr]:
        if "priority" not in self.tasks:
            return {"position": lit(NOT_RETRIEVED)}
        name = self.orders
        if name is None:
            return {"position": lit(0.0)}
        value = self._number(name, self.system_columns, self.other)
        if self.other.collect_schema()[self.system_columns[name]] == pl.Boolean:
            return {"position": when(value > 0.0).then(0.0).otherwise(NOT_RETRIEVED)}
        position = value + 0.0 if name == "rank" else 0.0 - value
        return {"position": when(value.is_null()).then(NOT_RETRIEVED).otherwise(position.clip(-LOWEST, LOWEST))}

    def _number(self, ours: str, columns: Mapping[str, str], frame: Frame) -> Expr:
        name = columns[ours]
        dtype = frame.collect_schema()[name]
        if dtype == pl.Boolean:
            return indicator(col(name))
        table, text = ("gold", self.from_file) if frame is self.frame else ("system", self.system_file)
        return number(table, name, dtype, text=text, allowed="numbers or booleans")

    def incomplete(self) -> Expr:
        """Whether one side of an item of `items` is missing."""
        is_missing = (col("in_gold") < 1.0) | (col("in_system") < 1.0)
        if self.overlapping:
            return is_missing | (col("n_classes") < 1.0) | (col("n_clusters") < 1.0)
        if "relatedness" in self.tasks:
            return is_missing | col("class_id").is_null() | col("cluster_id").is_null()
        return is_missing


def _of(schema: Schema, columns: Mapping[str, str]) -> dict[str, str]:
    """The named columns of such a table."""
    known = {c.name for c in schema.columns}
    return {k: v for k, v in columns.items() if k in known}


def check_named(columns: Mapping[str, str]) -> None:
    """Refuse both a score and a rank, and columns that neither table has.

    Raises:
        InvalidParameter: both are named.
        UnknownName: there is no such column.
    """
    known = dict.fromkeys(c.name for schema in (GOLD, SYSTEM, ONE) for c in schema.columns)
    if unknown := [name for name in columns if name not in known]:
        raise UnknownName(f"columns= names {unknown[0]!r}, which these tables do not have.", nearest(unknown[0], known))
    if "score" in columns and "rank" in columns:
        raise InvalidParameter("score= and rank= are both named.", "Name the one that orders the documents.")


def with_sets(engine: Engine, items: Frame, members: Mapping[str, Frame], keys: Sequence[str]) -> Frame:
    """The items with `clusters`, `classes` (names of sets; the empty one has none), `n_clusters` and `n_classes`."""
    item = (*keys, "item_id")
    for side, name in SETS.items():
        for part in (
            engine.set_ids(members[side], item, side, name),
            engine.group(members[side], item, [Aggregate(f"n_{name}", "count", lit(1.0))]),
        ):
            items = engine.join(items, part, item, "left")
        items = items.with_columns(col(f"n_{name}").fill_null(0.0))
    return engine.compute_once(items)
