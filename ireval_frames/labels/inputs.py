"""The user's tables of labels under our names, on one engine.

Single labels: a row per item with its `label` and `prediction`.  Sets of labels: a row per item, and two long frames of
its labels and its predictions.  Keys are `run_id` if there is one, then the `by` columns, then those of the unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import LABELS
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, MismatchedTables, MissingColumn, WrongType, listed
from ireval_frames.expr import col, lit
from ireval_frames.items.checks import exact
from ireval_frames.items.class_types import is_list, order_of_type, scale
from ireval_frames.items.inputs import ItemInputs, ItemNames, aliased, found_in, same_kinds
from ireval_frames.labels import presence
from ireval_frames.labels.classes import Classes, declared, in_order
from ireval_frames.labels.indicators import indicators, type_of_names
from ireval_frames.labels.probabilities import (
    SOFT,
    Long,
    Wide,
    is_table,
    one_table,
    type_of_columns,
    unique_probabilities,
)

COLUMNS = ("label", "prediction", "item_id", "score", "weight")


class LabelInputs(ItemInputs):
    """The items of one evaluation, with their labels, predictions and probabilities.

    Attributes:
        keys: what one unit is.
        by, unit: the aliases of the user's columns.
        items: a row per item: keys, `weight` and `score` if there are any; single labels: `label` and `prediction`.
        gold, system: sets of labels only: keys, `item_id`, `class_id`.
        probabilities: keys, `item_id`, `class_id`, `probability`, if there are any.
        soft_labels: the same of labels, if these are shares of classes.
        probability_classes: the classes of columns of probabilities.
        class_type: the type in which labels and predictions are compared.
        declared: the classes of this type, whether they occur or not.
        unlabelled: a row per item without a label.
        indicators: the sides whose classes are columns of 0 and 1.
        tables: 2 if labels and predictions are separate tables.
        scale: the classes from low to high, if the user named them, or their type is an enum.
    """

    gold: Frame | None = None
    system: Frame | None = None
    probabilities: Frame | None = None
    soft_labels: Frame | None = None
    long = ("gold", "system", "probabilities", "soft_labels")
    optional = ("score",)

    def __init__(self, sources: Mapping[str, Any], names: ItemNames, engine: Engine, policy: LabelPolicy) -> None:
        second = sources.get("predictions")
        # Of two tables the second has the predictions.
        first = {k: v for k, v in names.columns.items() if second is None or k != "prediction"}
        super().__init__(LABELS, sources["labels"], replace(names, columns=first), engine, policy.units)
        self.policy, frame = policy, self.frame
        self.declared: set[Any] = set()
        self.scale: tuple[Any, ...] | None = None
        self._categories = sources.get("categories")
        # The tables of the labels and of the predictions.
        self._tables = (sources["labels"], sources["labels"] if second is None else second)
        other = None if second is None else self.opened(second, "predictions")
        self.indicators = indicators(sources.get("indicators") or {}, frame, second, text=self.from_file)
        for side, flags in self.indicators.items():
            self.user_columns.pop(side, None)
            self.checks += flags.checks
        self._soft, self._class_names = sources.get(SOFT), sources.get("probability_classes")
        self.tables = 1 if other is None else 2
        if self._soft is not None:
            one_table(self.tables)
        elif not {"label"} & {*self.user_columns, *self.indicators}:
            raise presence.no_labels(list(frame.columns))
        lists = any(is_list(frame, self.user_columns.get(c)) for c in ("label", "prediction"))
        self.multi = other is not None or lists or bool(self.indicators)
        self.probability_classes: tuple[Any, ...] = ()
        probabilities = sources.get("probabilities")
        if is_table(probabilities):
            frame = self._beside_probabilities(probabilities, names)
        if other is None:
            frame = self._labelled(frame)
        shares = probabilities is not None or self._soft is not None
        frame = self.numbered(frame) if shares else frame
        if other is not None:
            self._two_tables(frame, other, names)
        elif self.multi:
            self._lists(frame)
        else:
            ids = shares or sources.get("ids")
            columns = [c for c in COLUMNS if c in self.user_columns and (ids or c != "item_id")]
            self.items = self._columns(frame, columns)
        if self._categories is not None:
            self.scale = scale(self._categories, self.class_type, text=self.from_file)
            self.checks += presence.within_scale(self.scale, self.items, (self.gold, self.system), self.class_type)
        self._read_shares(probabilities, frame, names)
        self.columns = set(self.items.collect_schema().names())
        if "score" in self.columns:
            self.checks += exact(self.frame, self.user_columns["score"], text=True)

    def reweighted(self, items: Frame, first: str, left_out: Sequence[str] = ()) -> Self:
        """The same tables with other items."""
        out = super().reweighted(items, first, left_out)
        out.columns = set(out.items.columns)
        return out

    @property
    def predicted(self) -> bool:
        """Whether there are predictions."""
        return self.system is not None or "prediction" in self.columns

    @property
    def scored(self) -> bool:
        """Whether there are scores, or probabilities of classes."""
        return self.probabilities is not None or "score" in self.columns

    def gold_once(self) -> Frame | None:
        """The distinct labels of the items; a list may hold one twice."""
        return self.gold if self.gold is None or self.tables == 2 else self.distinct(self.gold)

    def order(self, column: str) -> list[pl.Expr]:
        """The sort keys of the classes of a result's column: numbers of text files as numbers."""
        scale_ = self.scale if self._categories is not None else None
        return in_order(column, scale_, numbers=self.from_file and self.class_type == pl.String)

    def labels(self) -> Frame:
        """The labels of the items, single ones and soft ones in the form of sets."""
        if self.gold is not None:
            return self.gold
        if self.soft_labels is not None and "label" not in self.items.columns:
            return self.soft_labels.filter(col("probability") > 0)
        return self.items.with_columns(class_id=col("label").cast(self.class_type))

    # ---- the three shapes

    def _read_shares(self, probabilities: Any, frame: Frame, names: ItemNames) -> None:
        """The probabilities of classes, and soft labels."""
        if is_table(probabilities):
            self.probabilities = self._long_probabilities(probabilities, names)
        elif probabilities is not None:
            self.probabilities, self.probability_classes = self._by_class(probabilities, frame, "probabilities")
        if self._soft is not None:
            self.soft_labels, _ = self._by_class(self._soft, frame, SOFT)
        if self.probabilities is not None and self.policy.missing == "error":
            item = (*self.keys, "item_id")
            self.checks.append(presence.all_have_probabilities(self.engine, item, self.labels(), self.probabilities))

    def _by_class(self, columns: Any, frame: Frame, argument: str) -> tuple[Frame, tuple[Any, ...]]:
        """Values of each class in columns of the labels table, as a long table, and their classes."""
        wide = Wide(columns, self._class_names, frame, self.class_type, text=self.from_file, argument=argument)
        self.checks += wide.checks
        return wide.long({**self.keyed, "item_id": col(self.user_columns["item_id"])}), tuple(wide.columns)

    def _labelled(self, frame: Frame) -> Frame:
        """The rows with a label, if the policy leaves out others."""
        if "label" not in self.user_columns:
            self.unlabelled = frame.lazy().filter(lit(value=False))
            return frame
        unlabelled = presence.has_no_label(frame, self.user_columns["label"])
        self.unlabelled = frame.lazy().filter(unlabelled)
        return frame.filter(~unlabelled) if self.policy.unlabelled == "skip" else frame

    def _classes(self, columns: Mapping[str, tuple[Frame, str]]) -> Classes:
        """The classes of some columns, and their common type."""
        classes = Classes(columns)
        self.class_type = classes.common
        for table, (frame, column) in zip(self._tables, columns.values(), strict=False):
            self.declared |= declared(table, frame, column)
        orders = {order_of_type(t, f, c) for t, (f, c) in zip(self._tables, columns.values(), strict=False)}
        if len(orders) == 1:
            self.scale = next(iter(orders)) or None
        self.checks += classes.checks
        return classes

    def _columns(self, frame: Frame, columns: Sequence[str]) -> Frame:
        sides = {ours: (frame, self.user_columns[ours]) for ours in columns if ours in ("label", "prediction")}
        classes = self._classes(sides) if sides else None
        if classes is None:
            self.class_type = type_of_columns(self._soft, self._class_names, frame)
        out = dict(self.keyed)
        for ours in columns:
            numeric = ours in ("score", "weight")
            out[ours] = (
                self.number(ours)
                if numeric
                else classes.column(ours)
                if classes is not None and ours in sides
                else col(self.user_columns[ours])
            )
        return frame.lazy().select(**out)

    def _lists(self, frame: Frame) -> None:
        """A row per item; its classes in list columns, or in indicator columns."""
        schema = frame.collect_schema()
        for side in ("label", "prediction"):
            column = self.user_columns.get(side)
            if column is not None and not is_list(frame, column):
                raise WrongType(
                    f"Column {column!r} is {schema[column]}, but the other side holds lists.",
                    f'Make it a list, too: frame.with_columns(pl.concat_list("{column}"))',
                )
        rows = self.numbered(frame).lazy()
        weight = {"weight": self.number("weight")} if "weight" in self.user_columns else {}
        item = {"item_id": col(self.user_columns["item_id"])}
        self.items = rows.select(**self.keyed, **item, **weight)
        present = [s for s in ("label", "prediction") if s in self.user_columns]
        if present:
            classes = self._classes({side: (frame, self.user_columns[side]) for side in present})
        else:
            self.class_type = type_of_names([c for flags in self.indicators.values() for c in flags.columns])
        sides = {s: flags.long(rows, {**self.keyed, **item}, self.class_type) for s, flags in self.indicators.items()}
        for side in present:
            side_rows = rows.select(**self.keyed, **item, class_id=classes.column(side))
            exploded = side_rows.explode("class_id") if is_list(side_rows, "class_id") else side_rows
            sides[side] = exploded.with_columns(class_id=classes.in_common(col("class_id"))).filter(
                ~col("class_id").is_null()
            )
        self.gold, self.system = sides.get("label"), sides.get("prediction")

    def _two_tables(self, labels: Frame, predictions: Frame, names: ItemNames) -> None:
        """Two long tables of item and class; the items are those of either."""
        found = found_in(
            LABELS, predictions, ItemNames({k: v for k, v in names.columns.items() if v in predictions.columns}, (), ())
        )
        for name, table, columns, side in (
            ("labels", labels, self.user_columns, "label"),
            ("predictions", predictions, found, "prediction"),
        ):
            if "item_id" not in columns:
                raise presence.no_column(name, "item_id", "item")
            self.know_items(table, columns["item_id"], name)
            if side not in columns and not (side == "prediction" and "label" in columns):
                raise presence.no_column(name, side, side)
        predicted = found.get("prediction", found.get("label", ""))
        classes = self._classes({"label": (labels, self.user_columns["label"]), "prediction": (predictions, predicted)})
        if ("run_id" in found) != ("run_id" in self.user_columns) and "run_id" in self.user_columns:
            raise MismatchedTables(
                "The labels table has a run_id, the predictions table has none.", "Drop it from the labels."
            )
        joined = {self.user_columns["item_id"]: found["item_id"]} | {
            n: n for n in (*names.by, *names.unit) if n in predictions.columns
        }
        labels, predictions = same_kinds({"labels": labels, "predictions": predictions}, joined)
        groups = aliased(predictions, self.by_names | self.unit_names)
        several = {"run_id": col(found["run_id"])} if "run_id" in found else {}
        gold_keys = {k: e for k, e in self.keyed.items() if k != "run_id"}
        gold = labels.lazy().select(
            **gold_keys,
            item_id=col(self.user_columns["item_id"]),
            class_id=classes.in_common(classes.column("label")),
        )
        system = predictions.lazy().select(
            **several,
            **groups,
            item_id=col(found["item_id"]),
            class_id=classes.in_common(classes.column("prediction")),
        )
        self.unlabelled = presence.without_labels(self.engine, gold, (*gold_keys, "item_id"))
        if self.policy.unlabelled == "skip":
            gold, system = presence.others(self.engine, (gold, system), self.unlabelled, (*gold_keys, "item_id"))
        if several:
            # Every run has the same labels.
            gold = self.engine.join(self.distinct(system.select("run_id")), gold, (), "inner")
            self.keys = ("run_id", *(k for k in self.keys if k != "run_id"))
        item = (*self.keys, "item_id")
        sides = [self.distinct(f.select(*item)) for f in (gold, system)]
        ids = self.user_columns["item_id"], found["item_id"]
        self.sides = dict(zip(("labels", "predictions"), zip(sides, ids, strict=True), strict=True))
        if self.policy.missing == "error":
            self.checks.append(presence.same_items(self.engine, sides[0], sides[1], item))
        if self.policy.missing == "skip":
            self.items = self.engine.join(sides[0], sides[1], item, "inner")
            gold, system = (self.engine.join(f, self.items, item, "inner") for f in (gold, system))
        else:
            self.items = self.distinct(concat(sides))
        self.gold, self.system = (
            self.distinct(f.select(*item, "class_id").filter(~col("class_id").is_null())) for f in (gold, system)
        )
        if "weight" in self.user_columns:
            weights = labels.lazy().select(
                **gold_keys, item_id=col(self.user_columns["item_id"]), weight=self.number("weight")
            )
            # Items of several weights are duplicates then, which are refused; items missing in the labels have none.
            self.items = self.engine.join(
                self.items, self.distinct(weights), [k for k in item if k != "run_id" or not several], "left"
            )

    def _beside_probabilities(self, source: Any, names: ItemNames) -> Frame:
        """The labels; the ids of both tables get one type.  The long table of probabilities is opened here."""
        table = self.opened(source, "probabilities")
        present = list(table.columns)
        self._found = found_in(LABELS, table, ItemNames({k: v for k, v in names.columns.items() if v in present}))
        for name, frame, found in (("labels", self.frame, self.user_columns), ("probabilities", table, self._found)):
            if "item_id" not in found:
                raise MissingColumn(
                    f"The {name} table has no column 'item_id' (it has: {listed(frame.columns, 20)}).",
                    Hint("Name it: ", Argument("item", "their_name")),
                )
            self.know_items(frame, found["item_id"], name)
        both = [c for c in ("item_id", "run_id") if c in self.user_columns and c in self._found]
        joined = {self.user_columns[c]: self._found[c] for c in both} | {
            n: n for n in self.names.values() if n in present
        }
        self.frame, self._probabilities_table = same_kinds({"labels": self.frame, "probabilities": table}, joined)
        return self.frame

    def _long_probabilities(self, source: Any, names: ItemNames) -> Frame:
        """The long table of item, class and probability, for the items of the labels; it may lack key columns."""
        table, found = self._probabilities_table, self._found
        present = list(table.columns)
        shared = {alias: col(name) for alias, name in self.names.items() if name in present and alias in self.keys}
        shared |= {"run_id": col(found["run_id"])} if "run_id" in found else {}
        text = io.is_text_table(source) and not self.engine.names_table(source)
        long = Long(table, names.columns.get("label"), self.class_type, text=text)
        self.checks += long.checks
        rows = table.lazy().select(**shared, item_id=col(found["item_id"]), **long.columns)
        if "run_id" in shared and "run_id" not in self.keys:
            # Every run has the same labels.
            runs, self.keys = self.distinct(rows.select("run_id")), ("run_id", *self.keys)
            self.items = self.engine.join(runs, self.items, (), "inner")
            self.gold, self.system = (
                None if f is None else self.engine.join(runs, f, (), "inner") for f in (self.gold, self.system)
            )
        self.checks.append(unique_probabilities(rows, (*shared, "item_id")))
        items = self.items.select(*self.keys, "item_id")
        if not self.sides and {*shared} == {*self.keys}:
            sides = self.distinct(items), self.distinct(rows.select(*self.keys, "item_id"))
            ids = self.user_columns["item_id"], found["item_id"]
            self.sides = dict(zip(("labels", "probabilities"), zip(sides, ids, strict=True), strict=True))
        return self.engine.join(items, rows, (*shared, "item_id"), "inner").select(
            *self.keys, "item_id", "class_id", "probability"
        )
