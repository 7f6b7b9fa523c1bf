"""The context of label measures: what their functions compute with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ireval_frames import per
from ireval_frames.errors import Argument, Hint, InvalidParameter, MismatchedTables, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.labels.counts import Counts
from ireval_frames.labels.positive import Positive, check_some_occur, parameters
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.ratios import PROPAGATE, constant_of, indicator, ratio_of

MACRO = "average='macro'"
AVERAGES = ("binary", "micro", "macro", "weighted", "item")
ClassValue = Callable[[Counts], Expr]


class LabelContext:
    """What a label measure computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        positive: the positive class of binary measures, if the user named it.
    """

    def __init__(self, tables: LabelTables, measure: str, positive: Any) -> None:
        self.tables, self.measure = tables, measure
        self.positive = Positive(tables, measure, positive, self._with(MACRO))
        self.policy = tables.policy
        self._ratio = ratio_of(tables.policy.undefined)
        self._propagates = tables.policy.undefined == PROPAGATE

    def ratio(self, numerator: Expr, denominator: Expr) -> per.Same:
        """The ratio; where the denominator is 0, what the policy says of undefined values."""
        return self._ratio(numerator, denominator)

    # ---- counts at the three levels

    @property
    def total(self) -> per.Unit:
        """The number of items, or their weight."""
        return self.tables.total(self.tables.units)

    @property
    def num_classes(self) -> per.Unit:
        """The number of classes that occur."""
        return self.tables.num_classes(self.tables.units)

    def of_classes(self) -> Counts:
        """The counts of each class, in the table of classes."""
        tables = self.tables
        tp, fp, fn = tables.class_counts()
        return self._counts(tp, fp, fn, tables.total(tables.classes), tables.classes)

    def _counts(self, tp: Expr, fp: Expr, fn: Expr, total: Expr, at: Table) -> Counts:
        """Counts of weights, at the rows of a table."""
        lightest, scale = self.tables.lightest(at), self.tables.scale(at)
        return Counts(tp, fp, fn, total, self.ratio, lightest, scale, self._propagates)

    def pooled(self, where: Expr | None = None, *, classes: Expr | None = None) -> Counts:
        """The counts of a unit, summed over its classes, or over the `classes` in number that meet a condition."""
        tables, counts = self.tables, self.of_classes()

        def total(of: Expr) -> Expr:
            return tables.classes.sum(of if where is None else when(where).then(of).otherwise(0.0))

        n = self.num_classes if classes is None else classes
        return self._counts(total(counts.tp), total(counts.fp), total(counts.fn), self.total * n, tables.units)

    def of_positive(self) -> Counts:
        """The counts of the positive class, in the unit."""
        one, classes, of_class = self.positive, self.tables.classes, col("class_id")
        if not one.named:
            known = not one.of_text or (self.tables.inputs.from_file and not self.tables.multi)
            if not known and one.averages:
                # Values per class need no positive class: the error is raised with values that do.
                error = one.unknown()
                self.tables.plan.require(classes, ~of_class.is_null(), lambda *_: error)
                return self.pooled(of_class.is_null(), classes=lit(1.0))
            if not one.of_text:
                one.check_binary()
        one.check_occurs(classes, of_class)
        return self.pooled(of_class == one.value, classes=lit(1.0))

    def of_items(self, classes: list[Any] | None = None) -> tuple[Table, Counts, per.Counted]:
        """The counts of each item's set of classes, their table, and the weight of its rows.

        Args:
            classes: only these classes count; None means all that occur.
        """
        table, (tp, fp, fn), weight = self._of_items(classes)
        number = self.tables.num_classes(table) if classes is None else lit(float(len(classes)))
        return table, Counts(tp, fp, fn, number, self.ratio, propagates=self._propagates), weight

    def _of_items(self, classes: list[Any] | None = None) -> tuple[Table, tuple[Expr, Expr, Expr], per.Counted]:
        """The table, its true positives, false positives and false negatives, and the weight of its rows."""
        tables = self.tables

        def counted(flag: Expr, of: Expr) -> Expr:
            return indicator(flag if classes is None else flag & of.is_in(classes))

        if not tables.multi:
            cells = tables.cells
            label, prediction = tables.of_class("label"), tables.of_class("prediction")
            in_gold, in_system = (cells.column(counted(~e.is_null(), e), "some") for e in (label, prediction))
            both = cells.column(counted(label == prediction, label), "correct_item")
            return cells, (both, in_system - both, in_gold - both), tables.cell_weight
        items, (in_gold, in_system) = tables.items, tables.pair_flags()
        of = col("class_id")
        flags = (in_gold * in_system, in_system * (1.0 - in_gold), in_gold * (1.0 - in_system))
        tp, fp, fn = (tables.pairs.sum(counted(e > 0, of), into=items) for e in flags)
        return items, (tp, fp, fn), tables.weight

    # ---- the confusion matrix

    @property
    def classes(self) -> Table:
        """The table of classes."""
        return self.tables.classes

    @property
    def undefined(self) -> per.Same:
        """What the policy says of a value that is not defined."""
        return constant_of(self.policy.undefined)

    @property
    def correct(self) -> per.Unit:
        """The number of items whose prediction equals their label, or whose sets are equal."""
        # `of_items` would also count the classes.
        table, (_, fp, fn), weight = self._of_items()
        equal = (fp == 0) & (fn == 0)
        return table.sum(when(equal).then(weight).otherwise(0.0))

    def summed(self, term: ClassValue) -> per.Unit:
        """The sum of a term over the classes; items without a label or a prediction are a class of their own.

        The term gets scaled counts, which it may multiply.
        """
        tables, n = self.tables, self.tables.cell_weight
        no_label, no_prediction = (tables.of_class(side).is_null() for side in ("label", "prediction"))
        tp, fp, fn = (
            tables.cells.sum(when(e).then(n).otherwise(0.0))
            for e in (no_label & no_prediction, no_prediction & ~no_label, no_label & ~no_prediction)
        )
        of_none = self._counts(tp, fp, fn, self.total, tables.units)
        return tables.classes.sum(term(self.of_classes().scaled)) + term(of_none.scaled)

    # ---- averages

    def averaged(self, value: ClassValue, average: str | None, classes: tuple[Any, ...] | str | None) -> per.Unit:
        """The value of a class measure under an average.

        Args:
            value: the measure of a class, from its counts.
            average: one of `AVERAGES`; None means binary, and needs at most two classes.
            classes: only these classes count, or only the "labels"; None means all that occur.
        """
        if average is None:
            self._needs_two_classes()
        if average in (None, "binary"):
            return value(self.of_positive())
        if isinstance(classes, str):
            return self._of_labels(value, str(average))
        named = None if classes is None else [self.named_class(c, "classes") for c in classes]
        if named is not None:
            check_some_occur(self.tables, self.measure, named)
        where = None if named is None else col("class_id").is_in(named)
        if average == "micro":
            return value(self.pooled(where, classes=None if named is None else lit(float(len(named)))))
        if average == "item":
            return self._item_average(value, named)
        # Named classes that do not occur have no row.
        return self._class_average(value, where, weighted=average == "weighted", declared=len(named or ()))

    def _of_labels(self, value: ClassValue, average: str) -> Expr:
        """The average over the classes that occur as a label."""
        if average == "item":
            raise InvalidParameter(
                f"{self.measure}: an average over items takes a list of classes.", "Write classes=['cat', 'dog']."
            )
        occurs = self.of_classes().support > 0
        if average == "micro":
            return value(self.pooled(occurs, classes=self.classes.sum(indicator(occurs))))
        return self._class_average(value, occurs, weighted=average == "weighted", declared=0)

    def _class_average(self, value: ClassValue, where: Expr | None, *, weighted: bool, declared: int) -> Expr:
        table, counts = self.tables.classes, self.of_classes()
        each = table.column(value(counts), "of_class")
        weight = counts.support if weighted else None
        top, below = sums_of_defined(table, each, weight, where=where)
        mean = self.ratio(top, below)
        if where is not None and declared and not weighted:
            zero = lit(0.0)
            absent_value = self.tables.units.column(
                value(self._counts(zero, zero, zero, self.total, self.tables.units)), "of_absent"
            )
            absent = float(declared) - table.sum(indicator(where))
            defined = ~absent_value.is_null()
            top = top + when(defined).then(absent * absent_value).otherwise(0.0)
            below = below + when(defined).then(absent).otherwise(0.0)
            mean = self.ratio(top, below)
            if self._propagates:
                mean = when(defined | (absent == 0)).then(mean)
        return self._propagated(mean, table, each, weight, where)

    def _item_average(self, value: ClassValue, classes: list[Any] | None) -> Expr:
        table, counts, weight = self.of_items(classes)
        each = table.column(value(counts), "of_item")
        return self.mean(table, each, weight)

    def mean(self, table: Table, value: Expr, weight: Expr | None = None) -> per.Unit:
        """The mean of the values of a table's rows; undefined ones are left out, or propagate, under the policy."""
        return self._propagated(self.ratio(*sums_of_defined(table, value, weight)), table, value, weight)

    def _propagated(
        self, mean: Expr, table: Table, value: Expr, weight: Expr | None, where: Expr | None = None
    ) -> Expr:
        """The mean; undefined where a value with weight is undefined, if the policy propagates."""
        if not self._propagates:
            return mean
        without = value.is_null() if weight is None else value.is_null() & (weight > 0)
        return when(table.sum(indicator(without if where is None else without & where)) == 0).then(mean)

    # ---- classes

    def named_class(self, value: Any, where: str) -> Any:
        """A class that the user named, in the type of the classes."""
        return literal_class(value, self.tables.inputs.class_type, where)

    def single_only(self) -> None:
        """Refuse items with several labels.

        Raises:
            NotDefined: the items have sets of labels.
        """
        if self.tables.inputs.tables == 2:
            raise NotDefined(
                f"{self.measure} is for items with one label each; two tables of item and label allow several.",
                'If every item has one, join them: ir.Labels(labels.join(predictions, on="item_id"))',
            )
        if self.tables.multi:
            raise NotDefined(
                f"{self.measure} is for items with one label each; these have sets of labels.",
                "Evaluate SubsetAccuracy, HammingLoss or an average.",
            )

    def _needs_two_classes(self) -> None:
        if self.tables.multi:
            # Values per class need no average: the error is raised with values that do.
            several = InvalidParameter(
                f"{self.measure} of items with several labels needs an average.", f"Write {self._with(MACRO)}."
            )
            self.tables.plan.require(self.tables.classes, ~col("class_id").is_null(), lambda *_: several)
            return
        tables, name, line = self.tables, self.measure, self._with(MACRO)
        binary = self._with("average='binary'")
        one = f"{binary} for the class {self.positive.value!r} against all others, or " if self.positive.named else ""
        n = tables.classes.count(into=tables.units)
        column = n.name

        def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
            more = f" in {count} units" if count > 1 else ""
            return MismatchedTables(
                f"{name} is of one class of two, but there are {rows[column][0]:.0f} classes{more}.",
                Hint(
                    f"Write {one}{line}; the values of every class are ",
                    Argument("per_class", written="per_class()"),
                    ".",
                ),
            )

        tables.plan.require(tables.units, n > 2, error)

    def instead_of_score(self) -> str:
        """The hint where classes have probabilities, and items have no scores."""
        if "average" in parameters(self.measure):
            return f"Average over the classes: {self._with(MACRO)}"
        return Hint(
            "Take the probability of one class as the score: ",
            Argument("score", "p_yes"), ", ", Argument("positive", "yes"),
        )  # fmt: skip

    def _with(self, parameter: str) -> str:
        name, bracket, rest = self.measure.partition("(")
        return f"{name}({rest[:-1]}, {parameter})" if bracket else f"{name}({parameter})"
