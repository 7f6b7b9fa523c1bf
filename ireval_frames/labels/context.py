"""The context of label measures: what they may ask for, under the field's names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import catalog
from ireval_frames.engines import expressions
from ireval_frames.errors import InvalidParameter, MismatchedTables, NotDefined
from ireval_frames.inputs import literal_class
from ireval_frames.labels.counts import Counts
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.ratios import constant_of, ratio_of

MACRO = "average='macro'"
AVERAGES = ("binary", "micro", "macro", "weighted", "item")
# Shares below this that are left of 1 are rounding.
ABSENT = 1e-14
ClassValue = Callable[[Counts], nw.Expr]


class Items:
    """What a label measure may ask for.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        positive: the class that binary measures look at, if the user named it.
    """

    def __init__(self, tables: LabelTables, measure: str, positive: Any) -> None:
        self.tables, self.measure, self._positive = tables, measure, positive
        self.policy = tables.policy
        self.ratio = ratio_of(tables.policy.undefined)

    # ---- counts at the three levels

    @property
    def total(self) -> nw.Expr:
        """The number of items, or their weight."""
        return self.tables.total(self.tables.units)

    @property
    def num_classes(self) -> nw.Expr:
        """The number of classes that occur."""
        return self.tables.num_classes(self.tables.units)

    def of_classes(self) -> Counts:
        """The counts of each class, in the table of classes."""
        tables = self.tables
        tp, support, predicted = tables.class_counts()
        return Counts(tp, support, predicted, tables.total(tables.classes), self.ratio)

    def pooled(self, where: nw.Expr | None = None, *, classes: float | None = None) -> Counts:
        """The counts summed over the classes (over those of a condition, `classes` in number), in the unit."""
        tables, counts = self.tables, self.of_classes()

        def total(of: nw.Expr) -> nw.Expr:
            return tables.classes.sum(of if where is None else nw.when(where).then(of).otherwise(0.0))

        n = self.num_classes if classes is None else nw.lit(classes)
        return Counts(total(counts.tp), total(counts.support), total(counts.predicted), self.total * n, self.ratio)

    def of_positive(self) -> Counts:
        """The counts of the positive class, in the unit."""
        return self.pooled(nw.col("class_id") == self.positive, classes=1.0)

    def of_items(self, classes: list[Any] | None = None) -> tuple[Table, Counts, nw.Expr]:
        """The counts of each item's set of classes, the table they stand in, and how much a row of it counts.

        Args:
            classes: only these are looked at; None means all that occur.
        """
        tables = self.tables

        def counted(flag: nw.Expr, of: nw.Expr) -> nw.Expr:
            return nw.when(flag if classes is None else flag & of.is_in(classes)).then(1.0).otherwise(0.0)

        if not tables.multi:
            cells = tables.decisions
            label, guess = tables.of_class("label"), tables.of_class("prediction")
            has, got = (cells.column(counted(~e.is_null(), e), "some") for e in (label, guess))
            both = cells.column(counted(label == guess, label), "right_item")
            return cells, Counts(both, has, got, self._number(classes, cells), self.ratio), tables.cell_weight
        items, (has, got) = tables.item_sets, tables.pair_flags()
        of = nw.col("class_id")
        sums = (tables.pairs.sum(counted(e > 0, of), into=items) for e in (has * got, has, got))
        tp, support, predicted = sums
        return items, Counts(tp, support, predicted, self._number(classes, items), self.ratio), tables.weight

    def _number(self, classes: list[Any] | None, at: Table) -> nw.Expr:
        return self.tables.num_classes(at) if classes is None else nw.lit(float(len(classes)))

    # ---- the whole confusion matrix

    @property
    def classes(self) -> Table:
        """The table of classes."""
        return self.tables.classes

    @property
    def undefined(self) -> nw.Expr:
        """What the policy says of a value that is not defined."""
        return constant_of(self.policy.undefined)

    @property
    def right(self) -> nw.Expr:
        """The number of items whose prediction is their label; of those with sets of labels, whose sets are equal."""
        table, counts, weight = self.of_items()
        equal = (counts.tp == counts.support) & (counts.tp == counts.predicted)
        return table.sum(nw.when(equal).then(weight).otherwise(0.0))

    def summed(self, term: ClassValue) -> nw.Expr:
        """The sum of a term over the classes, items without a label or a prediction as a class of their own."""
        tables, n = self.tables, self.tables.cell_weight
        no_label, no_guess = (tables.of_class(side).is_null() for side in ("label", "prediction"))
        tp, support, predicted = (tables.cells.sum(nw.when(e).then(n).otherwise(0.0)) for e in (no_label & no_guess, no_label, no_guess))
        return tables.classes.sum(term(self.of_classes())) + term(Counts(tp, support, predicted, self.total, self.ratio))

    def _cell_shares(self) -> tuple[nw.Expr, nw.Expr]:
        """Of each cell: its share of the items, and the share that chance would give it."""
        self.single_only()
        tables, cells = self.tables, self.tables.decisions
        total = tables.total(cells)
        share = cells.column(nw.when(total > 0).then(tables.cell_weight / total), "share")
        label, guess = (expressions.name(tables.of_class(s)) for s in ("label", "prediction"))
        label_share, guess_share = (cells.over(share.sum(), (*tables.keys, side), name="margin") for side in (label, guess))
        return share, cells.column(label_share * guess_share, "chance")

    def mutual_information(self, base: float) -> nw.Expr:
        """Σ p_ij·log(p_ij / (p_i·p_j))."""
        share, chance = self._cell_shares()
        cells = self.tables.decisions
        odds = cells.column(nw.when(share > 0).then(share / chance).otherwise(1.0), "odds")
        value = cells.sum(share * odds.log()) / math.log(base)
        return nw.when(self.total > 0).then(nw.when(value > 0).then(value).otherwise(0.0)).otherwise(self.undefined)

    def chi_square(self) -> nw.Expr:
        """n·Σ (p_ij − p_i·p_j)² / (p_i·p_j), where cells that do not occur add what chance would give them."""
        share, chance = self._cell_shares()
        cells, apart = self.tables.decisions, share - chance
        there = cells.sum(nw.when(chance > 0).then(apart * apart / chance).otherwise(0.0))
        absent = 1.0 - cells.sum(nw.when(chance > 0).then(chance).otherwise(0.0))
        value = there + nw.when(absent > ABSENT).then(absent).otherwise(0.0)
        return nw.when(self.total > 0).then(self.total * value).otherwise(self.undefined)

    def disagreement(self, power: int) -> tuple[nw.Expr, nw.Expr]:
        """The observed and the expected mean of |i−j| to a power, where i and j are the places of the classes.

        Only items with a label and a prediction count; the expected mean is null where all of these are of one class.
        """
        tables = self.tables
        place = tables.classes.over(nw.col("class_id").cum_count().cast(nw.Float64), tables.keys, ["class_id"], "place")
        sides = []
        for side in ("label", "prediction"):
            of = tables.of_class(side)
            name = expressions.name(of)
            found = tables.plan.picked(f"place_of_{side}", (*tables.keys, name), tables.classes, **{name: nw.col("class_id"), f"{side}_place": place})
            sides.append(tables.decisions.take(nw.col(f"{side}_place"), of=found))
        n = tables.cell_weight
        apart = tables.decisions.column(sides[0] - sides[1], "apart")
        complete = tables.decisions.sum(nw.when(~apart.is_null()).then(n).otherwise(0.0))
        observed = tables.decisions.sum(nw.when(~apart.is_null()).then(n * (apart.abs() if power == 1 else apart * apart)).otherwise(0.0))
        return nw.when(complete > 0).then(observed / complete), self._expected_disagreement(place, power)

    def _expected_disagreement(self, place: nw.Expr, power: int) -> nw.Expr:
        """From the margins alone: moments for squares, running sums for absolute differences; no table of all pairs."""
        tables = self.tables
        classes = tables.classes
        labels, guesses = tables.complete_counts()
        complete = classes.over(labels.sum(), tables.keys, name="complete")
        t, p = (classes.column(nw.when(complete > 0).then(e / complete).otherwise(0.0), "share") for e in (labels, guesses))
        some = classes.sum(nw.when((t > 0) | (p > 0)).then(1.0).otherwise(0.0))
        if power == 2:
            sums = [classes.sum(e) for e in (t * place * place, p * place * place, t * place, p * place)]
            value = sums[0] + sums[1] - 2.0 * sums[2] * sums[3]
        else:
            order = expressions.name(place)
            below_t, below_p = (classes.over(e.cum_sum(), tables.keys, [order], "below") for e in (t, p))
            # E|i−j| is the sum over thresholds of the chance that one is above and the other is not.
            value = classes.sum(below_t * (1.0 - below_p) + below_p * (1.0 - below_t))
        return nw.when(some > 1).then(value)

    # ---- averages

    def averaged(self, value: ClassValue, average: str | None, classes: tuple[Any, ...] | None) -> nw.Expr:
        """The value of a class measure under an average.

        Args:
            value: the measure of one class, from its counts.
            average: one of `AVERAGES`; None means binary, and needs at most two classes.
            classes: only these classes count; None means all that occur.
        """
        named = None if classes is None else [self.named_class(c, "classes") for c in classes]
        where = None if named is None else nw.col("class_id").is_in(named)
        match average:
            case None:
                self._needs_two_classes()
                return value(self.of_positive())
            case "binary":
                return value(self.of_positive())
            case "micro":
                return value(self.pooled(where, classes=None if named is None else float(len(named))))
            case "item":
                return self._item_average(value, named)
            case _:
                return self._class_average(value, where, weighted=average == "weighted", declared=len(named or ()))

    def _class_average(self, value: ClassValue, where: nw.Expr | None, *, weighted: bool, declared: int) -> nw.Expr:
        table, counts = self.tables.classes, self.of_classes()
        each = table.column(value(counts), "of_class")
        weight = counts.support if weighted else nw.lit(1.0)
        counted = ~each.is_null() if where is None else where & ~each.is_null()
        top = table.sum(nw.when(counted).then(each * weight).otherwise(0.0))
        below = table.sum(nw.when(counted).then(weight).otherwise(0.0))
        if where is not None and not weighted:
            # Declared classes that do not occur have no row: nothing has or got them.
            nothing = nw.lit(0.0)
            absent_value = self.tables.units.column(value(Counts(nothing, nothing, nothing, self.total, self.ratio)), "of_absent")
            absent = float(declared) - table.sum(nw.when(where).then(1.0).otherwise(0.0))
            defined = ~absent_value.is_null()
            top = top + nw.when(defined).then(absent * absent_value).otherwise(0.0)
            below = below + nw.when(defined).then(absent).otherwise(0.0)
        return self.ratio(top, below)

    def _item_average(self, value: ClassValue, classes: list[Any] | None) -> nw.Expr:
        table, counts, weight = self.of_items(classes)
        each = table.column(value(counts), "of_item")
        defined = ~each.is_null()
        return self.ratio(table.sum(nw.when(defined).then(each * weight).otherwise(0.0)), table.sum(nw.when(defined).then(weight).otherwise(0.0)))

    # ---- classes

    @property
    def positive_named(self) -> bool:
        """Whether the user said which class is the positive one."""
        return self._positive is not None

    @property
    def positive(self) -> Any:
        """The positive class: the one the user named, True, or 1."""
        if self._positive is not None:
            return self.named_class(self._positive, "positive")
        if self.tables.inputs.class_type == nw.String:
            averaged = "average" in catalog.parse(self.measure, "labels").definition.parameters
            other = f", or average over all: {self._with(MACRO)}" if averaged else "."
            raise NotDefined(
                f"{self.measure} looks at one class, and labels that are text do not tell which.", f'Name it: ir.Labels(…, positive="yes"){other}'
            )
        return self.named_class(1, "positive")

    def named_class(self, value: Any, where: str) -> Any:
        """A class that the user named, in the type of the classes."""
        return literal_class(value, self.tables.inputs.class_type, where)

    def single_only(self) -> None:
        """Refuse items with several labels.

        Raises:
            NotDefined: the items have sets of labels.
        """
        if self.tables.multi:
            raise NotDefined(
                f"{self.measure} is for items with one label each; these have sets of labels.", "Ask for SubsetAccuracy, HammingLoss or an average."
            )

    def _needs_two_classes(self) -> None:
        if self.tables.multi:
            raise InvalidParameter(f"{self.measure} of items with several labels needs an average.", f"Write {self._with(MACRO)}")
        tables, name, line = self.tables, self.measure, self._with(MACRO)
        n = tables.classes.count(into=tables.class_numbers)
        column = expressions.name(n)

        def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
            more = f" in {count} units" if count > 1 else ""
            return MismatchedTables(f"{name} looks at one class of two, but there are {rows[column][0]:.0f} classes{more}.", f"Write {line}")

        tables.plan.require(tables.class_numbers, n > 2, error)

    def _with(self, parameter: str) -> str:
        name, bracket, rest = self.measure.partition("(")
        return f"{name}({rest[:-1]}, {parameter})" if bracket else f"{name}({parameter})"
