"""The user's tables about recommended items under our names, on one engine.

The unit is a user: `item_id` in these frames, as in all families of items, and a recommended item is a `doc_id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.recommendations import RECOMMENDATIONS, TABLES
from ireval_frames.columns.schema import Schema, grouping_column, missing, number
from ireval_frames.columns.user_names import TableNames
from ireval_frames.conventions.recommendations import RecommendationPolicy
from ireval_frames.documents.units import UnitInputs
from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.opening import is_missing_id
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import DuplicateRows, InvalidValue, listed, rows_to_fix
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.class_types import is_list, named_by, side_type, type_of_values
from ireval_frames.items.inputs import ItemNames, aliased, found_in, same_kinds

# Our columns that identify something, and those of the frames that hold them.
IDS = {"user_id": "item_id", "item_id": "doc_id", "other_item": "other_id"}


class RecommendationInputs(UnitInputs):
    """The tables of one evaluation.

    Args:
        tables: the user's, by the names of the arguments; those that were not handed in are None.
        names: the user's names of columns.
        by: columns of `users` that group them, or of the lists.
        engine: where the plan runs.
        policy: the conventions.
        ranked: whether lists are ordered by their column of ranks; by default where they have no scores.

    Attributes:
        items: a row per user: keys, `item_id`, and `weight` if users have weights.
        recs: a row per recommended item: keys, `item_id`, `doc_id`, `value`, larger for better ones.
        train: a row per user and item: `item_id`, `doc_id`, `n`, the number of its rows.
        relevant: `item_id`, `doc_id`, `relevance`.
        catalogue: `doc_id`, all items that can be recommended.
        features: `doc_id`, `feature`, `share`: of an item's features these add up to 1.
        distances: `doc_id`, `other_id`, `distance`, in both directions.
        baseline: `item_id` unless it is one list for all users, `doc_id`, `value`.
        type_of_features: the type of the names of features.
        listed: whether the catalogue was handed in; else it is the items of train and of all lists.
        notes: what the reader should know.
    """

    recs: Frame
    train: Frame | None = None
    relevant: Frame | None = None
    catalogue: Frame
    features: Frame | None = None
    distances: Frame | None = None
    baseline: Frame | None = None
    type_of_features: Any = None
    long = ("recs", "train", "relevant", "catalogue", "features", "distances", "baseline")
    ids, item_word = "users", "user"
    sums_once = True

    def __init__(
        self,
        tables: Mapping[str, Any],
        names: TableNames,
        by: tuple[str, ...],
        engine: Engine,
        policy: RecommendationPolicy,
        *,
        ranked: bool,
    ) -> None:
        self.policy, self._names = policy, names
        self.notes: list[str] = []
        named = tables["users"] is not None
        super().__init__(RECOMMENDATIONS, tables["recs"], ItemNames(names.of("recs"), () if named else by), engine)
        self.frames, self.columns = {"recs": self.frame}, {"recs": self.user_columns}
        self._text = {"recs": self.from_file}
        for name, (schema,) in TABLES.items():
            if name != "recs" and tables[name] is not None:
                self._open(schema, tables[name], by if name == "users" else ())
        names.check_used()
        for ours in IDS:
            self._in_one_type(ours)
        self.unit_names = {"item_id": self.user_columns["user_id"]}
        if named:
            self.by = tuple(f"by_{i}" for i in range(len(by)))
            self.by_names = dict(zip(self.by, by, strict=True))
            self.keys = (*self.keys, *self.by)
        self._lists(ranked=ranked)
        for name in ("train", "relevant", "features", "distances", "baseline"):
            if name in self.frames:
                setattr(self, name, getattr(self, f"_{name}")())
        self.listed = "catalogue" in self.frames
        self.catalogue = self._catalogue()
        self._users(named=named)

    # ---- tables and columns

    def _open(self, schema: Schema, table: Any, by: tuple[str, ...]) -> None:
        frame = self.opened(table, schema.name)
        self.frames[schema.name] = frame
        self.columns[schema.name] = found_in(schema, frame, ItemNames(self._names.of(schema.name), by))
        self._text[schema.name] = io.is_text_table(table) and not self.engine.names_table(table)

    def _in_one_type(self, ours: str) -> None:
        """The ids of all tables in one type."""
        places = [(t, c[o]) for t, c in self.columns.items() for o in self._alike(ours) if o in c]
        for _ in range(2):
            # The second round has what the first one has changed.
            for table, column in places[1:]:
                first, name = places[0]
                if table == first:
                    continue
                pair = {first: self.frames[first], table: self.frames[table]}
                self.frames[first], self.frames[table] = same_kinds(pair, {name: column})
        self.frame = self.frames["recs"]

    @staticmethod
    def _alike(ours: str) -> tuple[str, ...]:
        return ("item_id", "other_item") if ours == "item_id" else (ours,)

    def _id(self, table: str, ours: str) -> Expr:
        """A column of ids; nulls are an error with the first result."""
        frame, name = self.frames[table], self.columns[table][ours]
        word = "user" if ours == "user_id" else "item"

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            have = f"row of the {table} table has" if count == 1 else f"rows of the {table} table have"
            null, test = ("null", ".is_null()") if rows[name][0] is None else ("NaN", ".is_nan()")
            return InvalidValue(
                f"{count:,} {have} no {word}: column {name!r} is {null}.", rows_to_fix(table, name, test)
            )

        if table not in self.valid:
            self.checks.append(Check(frame, is_missing_id(frame, name), error))
        return grouping_column(table, frame, name)

    def _ids(self, table: str) -> dict[str, Expr]:
        return {IDS[c]: self._id(table, c) for c in IDS if c in self.columns[table]}

    def _number(self, table: str, ours: str, *, low: float | None = None) -> Expr:
        """A column of finite numbers, not below `low`; others are an error with the first result."""
        frame, name = self.frames[table], self.columns[table][ours]
        value = number(table, name, frame.dtype(name), text=self._text[table])
        bad = value.is_null() | ~value.is_finite()
        allowed = "finite numbers" if low is None else f"finite numbers of at least {low:g}"

        def error(rows: pl.DataFrame, count: int) -> InvalidValue:
            more = f", and {count - 1:,} other rows hold such" if count > 1 else ""
            tests = [".is_null()", ".is_nan()", ".is_infinite()", *([] if low is None else [f" < {low:g}"])]
            return InvalidValue(
                f"Column {name!r} of the {table} table holds {rows[name][0]}{more}; it must hold {allowed}.",
                rows_to_fix(table, name, *tests),
            )

        self.checks.append(Check(frame, bad if low is None else bad | (value < low), error))
        return value

    # ---- the tables under our names

    def _order(self, table: str, *, ranked: bool) -> Expr:
        """What orders lists, larger for better items.

        Raises:
            MissingColumn: there are neither scores nor ranks.
        """
        columns = self.columns[table]
        order = "rank" if "rank" in columns and (ranked or "score" not in columns) else "score"
        if order not in columns or (ranked and order == "score"):
            needed = "rank" if ranked else "score"
            raise missing(
                TABLES[table][0], needed, self.frames[table].columns, columns.values(), or_else="; a rank does, too."
            )
        if order == "score" and "rank" in columns:
            self.notes.append(
                f"Lists are ordered by {columns['score']!r}, and {columns['rank']!r} is not read; "
                "rank= names the column to order them by."
            )
        value = self._number(table, order)
        return value if order == "score" else -value

    def _lists(self, *, ranked: bool) -> None:
        groups = {**({"run_id": col(self.user_columns["run_id"])} if "run_id" in self.user_columns else {})}
        if "users" not in self.frames:
            groups |= aliased(self.frame, self.by_names)
        value = self._order("recs", ranked=ranked)
        self.recs = self.frame.lazy().select(**groups, **self._ids("recs"), value=value)

    def _train(self) -> Frame:
        rows = self.frames["train"].lazy().select(**self._ids("train"))
        return self.engine.group(rows, ("item_id", "doc_id"), [Aggregate("n", "count", lit(1.0))])

    def _relevant(self) -> Frame:
        has_grades = "relevance" in self.columns["relevant"]
        grade = self._number("relevant", "relevance") if has_grades else lit(1.0)
        rows = self.frames["relevant"].lazy().select(**self._ids("relevant"), relevance=grade)
        names = self.columns["relevant"]

        def error(found: pl.DataFrame, count: int) -> DuplicateRows:
            return DuplicateRows(
                f"The relevant table has the item {found['doc_id'][0]!r} of the user {found['item_id'][0]!r} "
                f"{found['n'][0]} times ({count:,} such pairs).",
                f'Keep one: relevant.unique(["{names["user_id"]}", "{names["item_id"]}"])',
            )

        self.checks.append(unique_key(rows, ("item_id", "doc_id"), error))
        return rows

    def _features(self) -> Frame:
        frame, columns = self.frames["features"], self.columns["features"]
        weight = self._number("features", "weight", low=0.0) if "weight" in columns else lit(1.0)
        name = columns["feature"]
        rows = frame.lazy().select(**self._ids("features"), feature=col(name), weight=weight)
        if is_list(frame, name):
            rows = rows.explode("feature")
        self.type_of_features = side_type(type_of_values(frame, name), name)
        rows = rows.with_columns(feature=named_by(col("feature"), self.type_of_features))
        rows = rows.filter(~col("feature").is_null() & (col("weight") > 0.0))
        return self.engine.group(rows, ("doc_id", "feature"), [Aggregate("weight", "max", col("weight"))])

    def _distances(self) -> Frame:
        rows = (
            self.frames["distances"]
            .lazy()
            .select(**self._ids("distances"), distance=self._number("distances", "distance", low=0.0))
        )
        turned = rows.select(doc_id=col("other_id"), other_id=col("doc_id"), distance=col("distance"))
        ends = [Aggregate(name, name, col("distance")) for name in ("min", "max")]
        both = self.engine.group(concat([rows, turned]), ("doc_id", "other_id"), ends)

        def error(found: pl.DataFrame, count: int) -> InvalidValue:
            one, other, low, high = found.select("doc_id", "other_id", "min", "max").row(0)
            more = f", and {count // 2 - 1:,} other pairs have several" if count > 2 else ""
            return InvalidValue(
                f"The distances table has {low:g} and {high:g} for the items {one!r} and {other!r}{more}; the distance "
                "of two items is one, in both directions.",
                "Keep one of each pair.",
            )

        self.checks.append(Check(both, col("min") < col("max"), error, ("doc_id", "other_id")))
        return both.select("doc_id", "other_id", distance=col("min"))

    def _baseline(self) -> Frame:
        value = self._order("baseline", ranked=False)
        rows = self.frames["baseline"].lazy().select(**self._ids("baseline"), value=value)
        keys = [c for c in ("item_id", "doc_id") if c in rows.columns]

        def error(found: pl.DataFrame, count: int) -> DuplicateRows:
            return DuplicateRows(
                f"A list of the baseline table has the item {found['doc_id'][0]!r} {found['n'][0]} times ({count:,} "
                "such items).",
                "Keep each item of a list once; with a column of users each has a list.",
            )

        self.checks.append(unique_key(rows, keys, error))
        return rows

    def _catalogue(self) -> Frame:
        if self.listed:
            return self.distinct(self.frames["catalogue"].lazy().select(**self._ids("catalogue")))
        parts = [self.recs.select("doc_id"), *([self.train.select("doc_id")] if self.train is not None else [])]
        return self.distinct(concat(parts))

    # ---- users

    def _users(self, *, named: bool) -> None:
        """Set the users: those named, else those of the lists and of the relevant items."""
        runs = self.distinct(self.recs.select("run_id")) if "run_id" in self.keys else None
        if named:
            users = self._named_users()
            groups = users.drop("weight")
            self.checks.append(Check(self._beside(self.recs, groups), col("known").is_null(), self._unknown))
            if self.by:
                self.recs = self.engine.join(self.recs, groups, ("item_id",), "inner")
            self.items = users if runs is None else self.engine.join(runs, users, (), "inner")
            return
        users = self.distinct(self.recs.select(*self.keys, "item_id"))
        if self.relevant is not None and not self.by and self.policy.missing == "zero":
            more = self.distinct(self.relevant.select("item_id"))
            more = more if runs is None else self.engine.join(runs, more, (), "inner")
            users = self.distinct(concat([users, more.select(*users.columns)]))
        self.items = users

    def _named_users(self) -> Frame:
        columns = self.columns["users"]
        weight = {"weight": self._number("users", "weight", low=0.0)} if "weight" in columns else {}
        if weight:
            self.user_columns["weight"] = columns["weight"]
        frame = self.frames["users"]
        users = frame.lazy().select(**aliased(frame, self.by_names), **self._ids("users"), **weight)

        def twice(rows: pl.DataFrame, count: int) -> DuplicateRows:
            more = f" ({count:,} users are in several)" if count > 1 else ""
            return DuplicateRows(
                f"The user {rows['item_id'][0]!r} is in {rows['n'][0]} rows of the users table{more}.",
                f'Keep one: users.unique("{columns["user_id"]}")',
            )

        self.checks.append(unique_key(users, ("item_id",), twice))
        return users

    def _beside(self, rows: Frame, users: Frame) -> Frame:
        return self.engine.join(rows, users.select("item_id").with_columns(known=lit(1.0)), ("item_id",), "left")

    def _unknown(self, rows: pl.DataFrame, count: int) -> InvalidValue:
        ids = listed(map(repr, dict.fromkeys(rows["item_id"])), 3)
        column, known = self.user_columns["user_id"], self.columns["users"]["user_id"]
        return InvalidValue(
            f"{count:,} row{'s' * (count > 1)} of the recs table {'are' if count > 1 else 'is'} of users that users= "
            f"does not name: {ids}.",
            f'Name all users, or leave these rows out: recs.filter(pl.col("{column}").is_in(users["{known}"]))',
        )
