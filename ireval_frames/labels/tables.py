"""The tables of an evaluation of labels.

```
items    a row per item                    pairs    sets of labels: a row per item and class of either side
cells    single labels: a row per label    classes  a row per class: its true and false positives and negatives
         and prediction that occur         units    a row per group of items
```

All counting measures read `cells` or `classes`, which are few; only `pairs` and `items` have the size of the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.columns.suggestions import or_header
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Code, Hint, InvalidValue, MissingColumn, listed, literal
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.classes import as_number
from ireval_frames.labels.inputs import LabelInputs
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import indicator, power_of_two


class LabelTables:
    """The tables, made from the canonical inputs."""

    def __init__(
        self,
        plan: Plan,
        inputs: LabelInputs,
        policy: LabelPolicy,
        hierarchy: Mapping[Any, Any] | None = None,
        measures: Sequence[Measure] = (),
        *,
        counting: bool = True,
    ) -> None:
        """Without `counting`, no measure counts labels and predictions, and units are groups of items, not of cells."""
        self.hierarchy, self.measures, self._counting = hierarchy, tuple(measures), counting
        self.plan, self.inputs, self.policy, self.keys = plan, inputs, policy, inputs.keys
        self.multi = inputs.multi
        self._either: Table
        plan.unit = self.units

    @cached_property
    def items(self) -> Table:
        """A row per item."""
        keys = (*self.keys, "item_id") if "item_id" in self.inputs.columns else self.keys
        return self.plan.input("items", keys, self.inputs.items)

    @cached_property
    def _base(self) -> Table:
        """The table that units group: the cells, which are few, if there are any."""
        has_cells = self._counting and not self.multi and {"label", "prediction"} <= self.inputs.columns
        return self.cells if has_cells else self.items

    @cached_property
    def units(self) -> Table:
        """A row per group of items."""
        return self.plan.grouped("units", self._base, *self.keys)

    @property
    def weight(self) -> Expr:
        """The weight of an item, 1 without weights."""
        return col("weight") if self.weighted else lit(1.0)

    def needs(self, *columns: str) -> None:
        """Require columns.

        Raises:
            MissingColumn: one does not exist.
        """
        for column in columns:
            if self.multi and column in ("label", "prediction"):
                continue
            if column not in self.inputs.columns:
                hint = Hint("Name it: ", Argument(column, "their_name"))
                if column == "prediction" and "score" in self.inputs.columns and self.inputs.class_type != pl.String:
                    hint = Hint(hint, ", or take a threshold of the score: ", self._predicted_by_score())
                raise MissingColumn(
                    f"{self.plan.requested_by} needs a {column}, and the labels table has none "
                    f"(it has: {listed(self.inputs.frame.columns, 20)}).",
                    or_header(hint, list(self.inputs.frame.columns)),
                )

    def _predicted_by_score(self) -> Code:
        """The line that makes predictions of scores."""
        score = literal(self.inputs.user_columns["score"])
        return Code(f"frame.with_columns(prediction=pl.col({score}) >= 0.5)", "a column prediction")

    @cached_property
    def cells(self) -> Table:
        """A row per label and prediction that occur together, with their weight `n`."""
        self.needs("label", "prediction")
        return self.plan.grouped("cells", self.items, *self.keys, "label", "prediction")

    @property
    def cell_weight(self) -> Expr:
        """The number of items of a cell, or their weight."""
        return (
            self.items.sum(self.weight, into=self.cells, name="n")
            if self.weighted
            else self.items.count(into=self.cells)
        )

    def of_class(self, side: str) -> Expr:
        """The label or the prediction of a cell, in the type of the classes."""
        return self.cells.column(col(side).cast(self.inputs.class_type), f"{side}_class")

    @cached_property
    def sides(self) -> Table:
        """Two rows per cell: for the class of its label, and for that of its prediction."""
        n, label, prediction = self.cell_weight, self.of_class("label"), self.of_class("prediction")
        correct = self.cells.column(when(label == prediction).then(n).otherwise(0.0), "correct")
        wrong = self.cells.column(when(label == prediction).then(0.0).otherwise(n), "wrong")
        complete = self.cells.column(
            when(~label.is_null() & ~prediction.is_null()).then(n).otherwise(0.0), "complete_items"
        )
        keys = {k: col(k) for k in self.keys}
        zero = lit(0.0)
        zeros = dict.fromkeys(("tp", "fp", "fn", "complete_labels", "complete_predictions"), zero)
        labelled = {"class_id": label, **zeros, "tp": correct, "fn": wrong, "complete_labels": complete}
        predicted = {"class_id": prediction, **zeros, "fp": wrong, "complete_predictions": complete}
        return self.plan.concat(
            "sides",
            (*self.keys, "class_id"),
            (self.cells, keys | labelled),
            (self.cells, keys | predicted),
            where=~col("class_id").is_null(),
        )

    @cached_property
    def scored(self) -> Table:
        """A row per item and class, with its probability."""
        if self.inputs.probabilities is None:
            raise MissingColumn(
                f"{self.plan.requested_by} needs the probabilities of the classes.",
                Hint("Name their columns: ", Argument("probabilities", ["cat", "dog"])),
            )
        table = self.plan.input("scored", (*self.keys, "item_id", "class_id"), self.inputs.probabilities)
        value = col("probability")
        self.plan.require(table, value.is_null() | ~value.is_finite(), _not_finite)
        return table

    @cached_property
    def soft(self) -> Table:
        """A row per item and class, with the share of the class in the item's label."""
        if self.inputs.soft_labels is None:
            raise MissingColumn(
                f"{self.plan.requested_by} needs soft labels: the shares of the classes in the label of each item.",
                Hint("Name their columns: ", Argument("soft_labels", ["cat", "dog"])),
            )
        table = self.plan.input("soft", (*self.keys, "item_id", "class_id"), self.inputs.soft_labels)
        share = col("probability")
        self.plan.require(table, share.is_null() | ~share.is_finite() | (share < 0) | (share > 1), _no_share)
        return table

    @cached_property
    def item_scores(self) -> Table:
        """A row per item that has probabilities."""
        return self.plan.grouped("item_scores", self.scored, *self.keys, "item_id")

    def gold_at_scored(self) -> Expr:
        """At `scored`: 1 if the item has the class, else 0."""
        gold = self.inputs.gold_once()
        if gold is None:
            self.needs("label")
            label = self.items.column(col("label").cast(self.inputs.class_type), "label_class")
            return self.scored.column(indicator(col("class_id") == self.scored.lookup(label, of=self.items)), "gold")
        flagged = self.plan.input(
            "gold_flags", (*self.keys, "item_id", "class_id"), gold.with_columns(in_gold=lit(1.0)), identity="gold"
        )
        return self.scored.column(self.scored.lookup(col("in_gold"), of=flagged).fill_null(0.0), "gold")

    def weight_at(self, table: Table) -> Expr:
        """The weight of the item, at the rows of a table."""
        return table.lookup(self.weight, of=self.items) if self.weighted else lit(1.0)

    @cached_property
    def pairs(self) -> Table:
        """Sets of labels: a row per item and class that is a label or a prediction."""
        if self.inputs.gold is None or self.inputs.system is None:
            raise MissingColumn(
                f"{self.plan.requested_by} needs labels and predictions.",
                Hint("Name them: ", Argument("label", "their_name"), ", ", Argument("prediction", "their_name")),
            )
        gold, system = (
            self.plan.input(name, (*self.keys, "item_id", "class_id"), frame)
            for name, frame in (("gold", self.inputs.gold), ("system", self.inputs.system))
        )
        keys = {k: col(k) for k in (*self.keys, "item_id", "class_id")}
        zero, one = lit(0.0), lit(1.0)
        both = self.plan.concat(
            "either",
            tuple(keys),
            (gold, keys | {"in_gold": one, "in_system": zero}),
            (system, keys | {"in_gold": zero, "in_system": one}),
        )
        self._either = both
        return self.plan.grouped("pairs", both, *self.keys, "item_id", "class_id")

    def pair_flags(self) -> tuple[Expr, Expr]:
        """Whether the class is a label, and whether it is a prediction of the item, as 1 and 0."""
        pairs = self.pairs
        return self._either.max(col("in_gold"), into=pairs), self._either.max(col("in_system"), into=pairs)

    @cached_property
    def classes(self) -> Table:
        """A row per class that occurs as label or prediction."""
        return self.plan.grouped("classes", self.pairs if self.multi else self.sides, *self.keys, "class_id")

    def class_order(self) -> list[str]:
        """The columns that sort the classes: text alphabetically, but numbers of text files as numbers.

        The classes of such a file are numbers if all of them, over all units, are.
        """
        may_be_text = self.inputs.from_file or self.plan.engine.classes_as_text
        if not (may_be_text and self.inputs.class_type == pl.String):
            return ["class_id"]
        number = self.classes.column(as_number(col("class_id")), "number")
        has_words = self.classes.over(indicator(number.is_null()).max(), (), name="words")
        return [self.classes.column(when(has_words == 0).then(number), "number_or_null").name, "class_id"]

    def class_counts(self) -> tuple[Expr, Expr, Expr]:
        """The true positives, false positives and false negatives of each class.

        Each is a sum of its own: the difference of two sums would lose precision.
        """
        if not self.multi:
            tp, fp, fn = (self.sides.sum(col(c), into=self.classes, name=c) for c in ("tp", "fp", "fn"))
            return tp, fp, fn
        (in_gold, in_system), w = self.pair_flags(), self.weight_at(self.pairs)
        flags = {
            "tp": in_gold * in_system, "fp": in_system * (1.0 - in_gold), "fn": in_gold * (1.0 - in_system)
        }  # fmt: skip
        tp, fp, fn = (self.pairs.sum(flag * w, into=self.classes, name=name) for name, flag in flags.items())
        return tp, fp, fn

    def complete_counts(self) -> tuple[Expr, Expr]:
        """Of single labels with a prediction: the weight of each class as label, and as prediction."""
        labels, predictions = (
            self.sides.sum(col(c), into=self.classes, name=c) for c in ("complete_labels", "complete_predictions")
        )
        return labels, predictions

    def total(self, at: Table) -> Expr:
        """The weight of a unit's items, at the rows of a table."""
        if self._base is self.items:
            n = (
                self.items.sum(self.weight, into=self.units, name="total")
                if self.weighted
                else self.items.count(into=self.units)
            )
        else:
            n = self.cells.sum(self.cell_weight, into=self.units, name="total")
        return at.lookup(n, of=self.units)

    @cached_property
    def weighted(self) -> bool:
        """Whether items have weights of their own."""
        return "weight" in self.inputs.columns

    def scale(self, at: Table) -> Expr | None:
        """The factor of a unit's weights before they are multiplied with each other; None without weights."""
        if not self.weighted:
            return None
        total = self.total(self.units)
        return at.lookup(self.units.column(power_of_two(total), "scale"), of=self.units)

    def lightest(self, at: Table) -> Expr | None:
        """The smallest weight of a unit's items that is not 0; None without weights."""
        if not self.weighted:
            return None
        weight = self.weight if self._base is self.items else self.cell_weight
        return at.lookup(self._base.min(when(weight > 0).then(weight), into=self.units), of=self.units)

    def num_classes(self, at: Table) -> Expr:
        """The number of a unit's classes, at the rows of a table."""
        return at.lookup(self.classes.count(into=self.units), of=self.units).fill_null(0.0)


def _not_finite(rows: pl.DataFrame, count: int) -> InvalidValue:
    row = rows.row(0, named=True)
    return InvalidValue(
        f"{count} probabilities are null or not finite; the first, of the class {row['class_id']!r}, is "
        f"{row['probability']}.",
        "Give each a number from 0 to 1, or drop the items.",
    )


def _no_share(rows: pl.DataFrame, count: int) -> InvalidValue:
    row = rows.row(0, named=True)
    return InvalidValue(
        f"{count} soft labels are no shares from 0 to 1; the first, of the class {row['class_id']!r}, is "
        f"{row['probability']}.",
        "Give a class that no rater chose 0: frame.with_columns(pl.col(…).fill_null(0)); of a column of structs: "
        'frame.with_columns(pl.struct(pl.col("label").struct.unnest().fill_null(0)).alias("label"))',
    )
