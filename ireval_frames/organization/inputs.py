"""Documents with the gold's side and the system's side, as canonical frames of one engine.

Inside, a document's `position` grows from the top of the system's list down, and is `NOT_RETRIEVED` for documents that
were not retrieved; its `grade` is that of the gold, 0 where there is none.
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
from ireval_frames.items.inputs import ItemInputs, Names, aliased, found_in, same_kinds
from ireval_frames.organization.named_sets import with_sets
from ireval_frames.organization.tasks import GOLD, ONE, SYSTEM, tasks_of
from ireval_frames.ratios import indicator

# Where unretrieved documents stand, and where retrieved ones may: SQL text has no sign for infinity.
NOT_RETRIEVED, LOWEST = 1.7e308, 1e308
SIDES = ("class_id", "cluster_id")


class OrganizationInputs(ItemInputs):
    """The canonical frames of one evaluation.

    Attributes:
        one: whether one table has both sides.
        other: the system's table, which may be the first one, and `theirs` the user's names of its columns.
        tasks: "priority" and "relatedness", those that both sides have.
        spine: what units there are: a row or more for each.
        rows: a row per document: keys, `in_gold`, `in_system` (0 or 1), `grade`, `position`; not overlapping:
            `class_id` and `cluster_id`.
        items: the same; overlapping: with the names of its sets, and how many are in them.
        members: overlapping only: by `class_id` and `cluster_id`, the rows of keys, `item_id` and class or cluster.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        names: Names,
        engine: Engine,
        policy: OrganizationPolicy,
        *,
        overlapping: bool = False,
    ) -> None:
        second = given.get("system")
        self.one = one = second is None
        super().__init__(
            ONE if one else GOLD,
            given["gold"],
            Names(_of(ONE if one else GOLD, names.columns), names.by, names.unit),
            engine,
            policy.units,
        )
        self.policy = policy
        self.system_file = isinstance(second, str | os.PathLike)
        self.other = self.frame if one else self.opened(second, "system")
        mine = {k: v for k, v in _of(SYSTEM, names.columns).items() if k != "item_id" or v in self.other.columns}
        shared = tuple(b for b in names.by if b in self.other.columns) if names.unit else names.by
        self.theirs = self.found if one else found_in(SYSTEM, self.other, Names(mine, shared, names.unit))
        self.tasks = tasks_of(
            self.found, self.theirs, names.columns, () if one else found_in(GOLD, self.other, Names({})), two=not one
        )
        lists = any(
            is_list(self.frame, self.found.get("label")) or is_list(self.other, self.theirs.get("cluster_id"))
            for _ in SIDES
        )
        self.overlapping = "relatedness" in self.tasks and (overlapping or lists)
        self.items: Frame
        self.members: dict[str, Frame] = {}
        if one and self.overlapping and "item_id" not in self.found:
            self.frame = self.other = self.numbered(self.frame)
        self._explicit_rank = "rank" in names.columns
        if one:
            self._one_table()
        else:
            self._two_tables(shared)
        self.rows = self.items
        if self.overlapping:
            self.items = with_sets(engine, self.items, self.members, self.keys)

    # ---- the two shapes

    def _one_table(self) -> None:
        rows = self.frame.lazy()
        item = {"item_id": col(self.found["item_id"])} if "item_id" in self.found else {}
        flags = {"in_gold": lit(1.0), "in_system": lit(1.0)}
        sides = {} if self.overlapping else self._sides(self.found, self.frame, SIDES)
        self.items = rows.select(**self.keyed, **item, **flags, **self._grade(), **self._position(), **sides)
        if self.overlapping:
            self._long(rows, rows, self.keyed, self.keyed)
            self.items = self.distinct(self.items)
        self.spine = self.items.select(*self.keys) if self.keys else self.items.select("in_gold")

    def _two_tables(self, shared: Sequence[str]) -> None:
        for what, found, frame in (("gold", self.found, self.frame), ("system", self.theirs, self.other)):
            if "item_id" not in found:
                raise MissingColumn(
                    f"The {what} table has no column 'item_id' (it has: {listed(frame.columns, 20)}).",
                    Hint("Name it: ", Argument("item", "their_name")),
                )
            self.know_items(frame, found["item_id"], what)
        joined = {n: n for a, n in self.names.items() if n in shared or a in self.unit}
        joined[self.found["item_id"]] = self.theirs["item_id"]
        self.frame, self.other = same_kinds({"gold": self.frame, "system": self.other}, joined)
        gold, system = self.frame.lazy(), self.other.lazy()
        units = self.distinct(gold.select(**self.keyed)) if self.keyed else None
        several = {"run_id": col(self.theirs["run_id"])} if "run_id" in self.theirs else {}
        mine = {a: n for a, n in {**self.by_names, **self.unit_names}.items() if n in shared or a in self.unit}
        theirs = {**several, **aliased(self.other, mine)}
        gold_item, system_item = ({"item_id": col(f["item_id"])} for f in (self.found, self.theirs))
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
                system.select(**theirs, **system_item, **self._position(), **system_sides), units, tuple(mine)
            ),
        ]
        runs = self.distinct(parts[1].select("run_id")) if several else None
        if runs is not None:
            # Every run is held against the same gold, on all of its topics.
            parts[0] = self.engine.join(runs, parts[0], (), "inner")
            units = runs if units is None else self.engine.join(runs, units, (), "inner")
            self.keys = ("run_id", *self.keys)
        self.spine = parts[0] if units is None else units
        if self.overlapping:
            self._long(gold, system, self.keyed, theirs, runs, self.spine if self.keys else None, tuple(mine))
            parts = [self.distinct(p) for p in parts]
        sides = [self.distinct(part.select(*self.keys, "item_id")) for part in parts]
        named = self.found["item_id"], self.theirs["item_id"]
        self.sides = dict(zip(("gold", "system"), zip(sides, named, strict=True), strict=True))
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
        """The classes and the clusters, each with a row per document in it."""
        for side, rows, found, frame, keyed in (
            ("class_id", gold, self.found, self.frame, gold_keys),
            ("cluster_id", system, self.theirs, self.other, system_keys),
        ):
            theirs = found["label" if side == "class_id" else "cluster_id"]
            several, kind = is_list(frame, theirs), side_type(type_of_values(frame, theirs), theirs)
            long = rows.select(**keyed, item_id=col(found["item_id"]), **{side: col(theirs)})
            long = long.explode(side) if several else long
            long = self.distinct(long.with_columns(**{side: named_by(col(side), kind)}).filter(~col(side).is_null()))
            if side == "class_id" and runs is not None:
                long = self.engine.join(runs, long, (), "inner")
            elif side == "cluster_id":
                on = (*(["run_id"] if runs is not None else []), *shared)
                long = self._of_units(long, units, on)
            self.members[side] = long

    # ---- columns

    def _of_units(self, system: Frame, units: Frame | None, on: tuple[str, ...]) -> Frame:
        """The rows of the gold's topics, with all of their keys."""
        return system if units is None else self.engine.join(system, units, on, "inner")

    def _present(self) -> list[list[tuple[str, Mapping[str, str], Frame]]]:
        if "relatedness" not in self.tasks:
            return [[], []]
        return [[("class_id", self.found, self.frame)], [("cluster_id", self.theirs, self.other)]]

    def _sides(self, found: Mapping[str, str], frame: Frame, sides: Sequence[str]) -> dict[str, Expr]:
        return {s: self._side(s, found, frame) for s in sides} if "relatedness" in self.tasks else {}

    def _side(self, side: str, found: Mapping[str, str], frame: Frame) -> Expr:
        theirs = found["label" if side == "class_id" else "cluster_id"]
        return named_by(col(theirs), side_type(frame.collect_schema()[theirs], theirs))

    def _grade(self) -> dict[str, Expr]:
        """Grades below 0 are of documents that were pooled and not judged."""
        if "priority" not in self.tasks:
            return {"grade": lit(0.0)}
        grade = self._number("relevance", self.found, self.frame).fill_null(0.0)
        return {"grade": when(grade > 0.0).then(grade).otherwise(0.0)}

    @property
    def orders(self) -> str | None:
        """The column that orders the system's documents, if there is one."""
        if "rank" in self.theirs and (self._explicit_rank or "score" not in self.theirs):
            return "rank"
        return "score" if "score" in self.theirs else None

    def _position(self) -> dict[str, Expr]:
        if "priority" not in self.tasks:
            return {"position": lit(NOT_RETRIEVED)}
        name = self.orders
        if name is None:
            return {"position": lit(0.0)}
        value = self._number(name, self.theirs, self.other)
        if self.other.collect_schema()[self.theirs[name]] == pl.Boolean:
            return {"position": when(value > 0.0).then(0.0).otherwise(NOT_RETRIEVED)}
        down = value + 0.0 if name == "rank" else 0.0 - value
        return {"position": when(value.is_null()).then(NOT_RETRIEVED).otherwise(down.clip(-LOWEST, LOWEST))}

    def _number(self, ours: str, found: Mapping[str, str], frame: Frame) -> Expr:
        theirs = found[ours]
        dtype = frame.collect_schema()[theirs]
        if dtype == pl.Boolean:
            return indicator(col(theirs))
        table, text = ("gold", self.from_file) if frame is self.frame else ("system", self.system_file)
        return number(table, theirs, dtype, text=text, allowed="numbers or booleans")

    def lacking(self) -> Expr:
        """Whether an item of `items` lacks one side."""
        out = (col("in_gold") < 1.0) | (col("in_system") < 1.0)
        if self.overlapping:
            return out | (col("n_classes") < 1.0) | (col("n_clusters") < 1.0)
        if "relatedness" in self.tasks:
            return out | col("class_id").is_null() | col("cluster_id").is_null()
        return out


def _of(schema: Schema, columns: Mapping[str, str]) -> dict[str, str]:
    """Those of the named columns that such a table has."""
    known = {c.name for c in schema.columns}
    return {k: v for k, v in columns.items() if k in known}


def check_named(columns: Mapping[str, str]) -> None:
    """Refuse a score and a rank at once, and columns that neither table has.

    Raises:
        InvalidParameter: both are named.
        UnknownName: there is no such column.
    """
    known = dict.fromkeys(c.name for schema in (GOLD, SYSTEM, ONE) for c in schema.columns)
    if wrong := [name for name in columns if name not in known]:
        raise UnknownName(f"columns= names {wrong[0]!r}, which these tables do not have.", nearest(wrong[0], known))
    if "score" in columns and "rank" in columns:
        raise InvalidParameter("score= and rank= are both named.", "Name the one that orders the documents.")
