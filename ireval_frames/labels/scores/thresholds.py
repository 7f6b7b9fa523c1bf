"""Scores and their thresholds: the distinct scores; items at or above a threshold are predicted positive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import (
    Argument,
    Code,
    Hint,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    literal,
    rows_to_fix,
)
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.tables import LabelTables
from ireval_frames.parameters import Parameter
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, power_of_two, ratio, share

# Rounding of sums of weights: a recall of 0.3 is reached by 0.3 minus this.
ROUNDING = 1e-12

# Measures with values per class, by name: functions of the context, the thresholds, and their own parameters.
CLASS_AREAS: dict[str, Callable[..., Expr]] = {}


def one_of_averages(value: Any) -> str | None:
    """The name of an average; binary is that of one score per item."""
    averages = {
        None: None,
        "binary": None,
        "macro": "macro",
        "weighted": "weighted",
        "micro": "micro",
        "item": "item",
        "samples": "item",
    }
    if not isinstance(value, str | None) or value not in averages:
        raise ValueError("None or one of 'binary', 'micro', 'macro', 'weighted', 'item'")
    return averages[value]


# The average over classes.
AVERAGE = Parameter(
    None,
    "with probabilities of classes: macro, weighted, micro or item; None means one score per item",
    one_of_averages,
)


class Scores:
    """The items with their scores.

    Args:
        u: the context of the measure.
        probabilities: scores must be between 0 and 1.

    Raises:
        NotDefined: items have sets of labels, or the positive class is not known.
        MissingColumn: the table has no label or no score.
    """

    def __init__(self, u: LabelContext, *, probabilities: bool = False) -> None:
        if u.tables.inputs.probabilities is not None and "score" not in u.tables.inputs.columns:
            raise MissingColumn(
                f"{u.measure} needs a score, and there are probabilities of classes.", u.instead_of_score()
            )
        u.single_only()
        u.tables.needs("label", "score")
        self.u, self.tables, self.items = u, u.tables, u.tables.items
        self.score = col("score")
        label = self.items.column(col("label").cast(self.tables.inputs.class_type), "label_class")
        self.has_class = label == u.positive.value
        u.positive.check_occurs(self.items, label)
        self.positive = self.items.column(indicator(self.has_class), "positive")
        self._require(label, probabilities=probabilities)

    @property
    def weight(self) -> Expr:
        """The weight of an item."""
        return self.tables.weight

    @property
    def total(self) -> Expr:
        """The weight of a unit's items."""
        return self.items.sum(self.weight) if self.weighted else self.items.count()

    @property
    def positives(self) -> Expr:
        """The weight of a unit's items that have the positive class."""
        return self.items.sum(self.positive * self.weight)

    @property
    def weighted(self) -> bool:
        """Whether items have weights of their own."""
        return self.tables.weighted

    def _require(self, label: Expr, *, probabilities: bool) -> None:
        plan, measure = self.tables.plan, self.u.measure
        name = literal(self.tables.inputs.user_columns["score"])
        column = f"pl.col({name})"

        def outside(rows: pl.DataFrame, count: int) -> InvalidValue:
            return InvalidValue(
                f"{measure} takes scores as probabilities; {count} are outside of 0 to 1, such as {rows['score'][0]}.",
                Hint(
                    "Divide percentages by 100, and convert logits: ",
                    Code(
                        f"frame.with_columns((1 / (1 + (-{column}).exp())).alias({name}))",
                        "they become 1/(1 + exp(−x))",
                    ),
                ),
            )

        def other_class(rows: pl.DataFrame, _: int) -> MismatchedTables:
            label = rows["label"][0]
            return MismatchedTables(
                f"{measure} takes 1 for the positive class, but labels are {label!r}, too.",
                Hint("Name it: ", Argument("positive", label, "ir.Labels(…, {})")),
            )

        finite(self.tables)
        if probabilities:
            plan.require(self.items, (self.score < 0) | (self.score > 1), outside)
        if not self.u.positive.named and self.tables.inputs.class_type != pl.String:
            plan.require(self.items, (label != 0) & (label != 1) & (label != -1), other_class)


def finite(tables: LabelTables) -> None:
    """Refuse scores that are no numbers, or infinite."""
    score, name = col("score"), tables.inputs.user_columns["score"]

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"The scores of {count} items are null or not finite; the first is {rows['score'][0]}.",
            rows_to_fix("frame", name, ".is_null()", ".is_nan()", ".is_infinite()"),
        )

    tables.plan.require(tables.items, score.is_null() | ~score.is_finite(), error)


class ThresholdTable:
    """A row per group of items and distinct score, the highest first; a group is a row of `into`.

    Attributes:
        table: keys and `score`.
        yes, no: the weight of the items with this score that have the positive class, and of the others.
        cum_positives, cum_negatives: the same for all items at or above the score: true and false positives.
    """

    yes, no, cum_positives, cum_negatives = (
        col(c) for c in ("positives", "negatives", "cum_positives", "cum_negatives")
    )
    yes_before, no_before = cum_positives - yes, cum_negatives - no

    def __init__(self, table: Table, keys: Sequence[str], into: Table, *, weighted: bool) -> None:
        self.table, self.keys, self.into, self._weighted = table, tuple(keys), into, weighted

    # ---- of the group

    def sum(self, term: Expr) -> Expr:
        """The sum of a term over the thresholds."""
        return self.table.sum(term, into=self.into)

    def max(self, term: Expr) -> Expr:
        """The largest value of a term."""
        return self.table.max(term, into=self.into)

    def min(self, term: Expr) -> Expr:
        """The smallest value of a term."""
        return self.table.min(term, into=self.into)

    @cached_property
    def positives(self) -> Expr:
        """The weight of the items that have the positive class."""
        return self.max(self.cum_positives)

    @cached_property
    def negatives(self) -> Expr:
        """The weight of the items that do not have it."""
        return self.max(self.cum_negatives)

    @property
    def mixed(self) -> Expr:
        """Whether there are items with and without the positive class."""
        return (self.positives > 0) & (self.negatives > 0)

    @cached_property
    def pairs(self) -> Expr:
        """The number of pairs of an item with and one without the positive class; of weights it is scaled."""
        if not self._weighted:
            return self.positives * self.negatives
        scale = self.into.column(power_of_two(self.positives + self.negatives), "scale")
        return (self.positives * scale) * (self.negatives * scale)

    @cached_property
    def pairs_in_order(self) -> Expr:
        """The number of pairs in which the item with the class has the higher score; equal scores count half."""
        yes, cum_positives, no = self.yes, self.cum_positives, self.no
        if self._weighted:
            scale = self.table.column(power_of_two(self.positives_here + self.negatives_here), "scale")
            yes, cum_positives, no = yes * scale, cum_positives * scale, no * scale
        return self.sum(no * (cum_positives - yes / 2.0))

    # ---- of each threshold

    @cached_property
    def positives_here(self) -> Expr:
        """`positives`, in every row of the table."""
        return self.table.over(self.cum_positives.max(), self.keys, name="positives")

    @cached_property
    def negatives_here(self) -> Expr:
        """`negatives`, in every row of the table."""
        return self.table.over(self.cum_negatives.max(), self.keys, name="negatives")

    @property
    def recall(self) -> Expr:
        """True positives over positives; null without positives."""
        return share(self.cum_positives, self.positives_here)

    @property
    def fall_out(self) -> Expr:
        """False positives over negatives; null without negatives."""
        return share(self.cum_negatives, self.negatives_here)

    @property
    def recall_before(self) -> Expr:
        """The recall of the threshold above."""
        return share(self.yes_before, self.positives_here)

    @property
    def fall_out_before(self) -> Expr:
        """The fall-out of the threshold above."""
        return share(self.no_before, self.negatives_here)

    @property
    def precision(self) -> Expr:
        """True positives over items at or above the threshold; null where their weight is 0."""
        return share(self.cum_positives, self.cum_positives + self.cum_negatives)

    def positives_within(self, depth: Expr) -> Expr:
        """The positives among the first `depth` items, with equal scores in random order."""
        n = self.yes + self.no
        share = self.table.column(
            when(n > 0).then(ratio(depth - self.yes_before - self.no_before, n)).otherwise(0.0), "within"
        )
        within = when(share > 1).then(1.0).when(share < 0).then(0.0).otherwise(share)
        return self.sum(self.yes * within)


class Thresholds(Scores, ThresholdTable):
    """The thresholds of a unit's scores."""

    def __init__(self, u: LabelContext, *, probabilities: bool = False) -> None:
        Scores.__init__(self, u, probabilities=probabilities)
        weight = self.weight if self.weighted else None
        plan, keys = self.tables.plan, self.tables.keys
        table = plan.cumulative_counts("thresholds", keys, self.items, "score", self.has_class, weight)
        ThresholdTable.__init__(self, table, keys, plan.unit, weighted=self.weighted)

    @cached_property
    def positives(self) -> Expr:
        """The weight of the items that have the positive class, from the thresholds."""
        return self.max(self.cum_positives)


def of_parts(u: LabelContext, average: str, value: Callable[[ThresholdTable], Expr]) -> Expr:
    """The average of a value over the classes of probabilities, each against all others, or over the items.

    Args:
        u: the context of the measure.
        average: `micro` treats all pairs of item and class as items of one class; `macro` is the mean over the classes,
            `weighted` is weighted by their numbers of items; `item` is the mean over the items, each with its order of
            classes.
        value: a function of the thresholds.
    """
    tables = u.tables
    plan, scored, flag = tables.plan, tables.scored, tables.gold_at_scored() > 0
    if average == "micro":
        weight = tables.weight_at(scored) if tables.weighted else None
        table = plan.cumulative_counts("thresholds_of_all", tables.keys, scored, "probability", flag, weight)
        return value(ThresholdTable(table, tables.keys, plan.unit, weighted=tables.weighted))
    if average == "item":
        keys = (*tables.keys, "item_id")
        table = plan.cumulative_counts("thresholds_of_items", keys, scored, "probability", flag)
        c = ThresholdTable(table, keys, plan.grouped("parts_of_items", table, *keys), weighted=False)
    else:
        c = parts_of_classes(u)
    each = c.into.column(value(c), "of_part")
    weight = None
    if average == "weighted":
        weight = c.positives
    elif average == "item":
        weight = tables.weight_at(c.into)
    return u.mean(c.into, each, weight)


def parts_of_classes(u: LabelContext) -> ThresholdTable:
    """The thresholds of each class's probabilities, with a table of the classes."""
    table, keys = class_thresholds(u), (*u.tables.keys, "class_id")
    into = u.tables.plan.grouped("parts_of_classes", table, *keys)
    return ThresholdTable(table, keys, into, weighted=u.tables.weighted)


def of_each_class(u: LabelContext, measure: Measure) -> Expr:
    """The measure per class, in the table of `parts_of_classes`."""
    own = {k: v for k, v in measure.arguments().items() if k != "average"}
    return CLASS_AREAS[measure.name](u, parts_of_classes(u), **own)


def class_thresholds(u: LabelContext) -> Table:
    """The thresholds of each class's probabilities, the class against all others."""
    tables, keys = u.tables, (*u.tables.keys, "class_id")
    scored, flag = tables.scored, tables.gold_at_scored() > 0
    weight = tables.weight_at(scored) if tables.weighted else None
    return tables.plan.cumulative_counts("thresholds_of_classes", keys, scored, "probability", flag, weight)
