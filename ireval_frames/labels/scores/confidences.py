"""The confidence of predictions, and whether they are correct: from probabilities, or from a column of its own."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames import catalog
from ireval_frames.errors import Argument, Hint, InvalidValue
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.proper_scores import require_probabilities
from ireval_frames.labels.scores.thresholds import Scores, finite
from ireval_frames.parameters import choice
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, share

MEANING = choice(
    "probability",
    "confidence",
    what="the score is the probability of the positive class, and the more likely of two is predicted; or it is the "
    "confidence of the prediction",
)
# Decimals of up to this number of digits are exact in floats.
DIGITS = 15


@dataclass(frozen=True)
class Confidences:
    """Items with the confidence of their prediction, and whether it is correct.

    Attributes:
        items: a row per item.
        confidence: of the prediction.
        correct: 1 or 0; for ties of classes the share that is correct.
        weight: of the item.
        total: the weight of all items of a unit.
    """

    items: Table
    confidence: Expr
    correct: Expr
    weight: Expr
    total: Expr


def confidences(u: LabelContext, meaning: str) -> Confidences:
    """The items with their confidences.

    Raises:
        NotDefined: items have sets of labels, or the positive class is not known.
        MissingColumn: a column does not exist.
    """
    if meaning == "confidence":
        return _from_column(u)
    return of_classes(u) if u.tables.inputs.probabilities is not None else _of_probability(u)


def of_classes(u: LabelContext) -> Confidences:
    """The highest probability of each item, and whether it is that of its label; ties are shared."""
    u.single_only()
    require_probabilities(u)
    tables, rows, items = u.tables, u.tables.scored, u.tables.item_scores
    p, gold = col("probability"), tables.gold_at_scored()
    highest = rows.over(p.max(), (*tables.keys, "item_id"), name="highest")
    top = rows.sum(indicator(p == highest), into=items)
    hits = rows.sum(when(p == highest).then(gold).otherwise(0.0), into=items)
    known = rows.sum(gold, into=items) > 0
    weight = items.column(when(known).then(tables.weight_at(items)).otherwise(0.0), "known_weight")
    confidence, correct = rows.max(p, into=items), items.column(hits / top, "correct_share")
    return Confidences(items, confidence, correct, weight, items.sum(weight))


def _of_probability(u: LabelContext) -> Confidences:
    """The probability of the more likely of two classes; ties are half correct."""
    s = Scores(u, probabilities=True)
    p, negative = s.score, 1.0 - s.positive
    _check_predictions(u, s)
    correct = when(p > 0.5).then(s.positive).when(p < 0.5).then(negative).otherwise(0.5)
    # 1 − 0.07 is not exactly 0.93 in floats; equal decimals are equal confidences.
    digits = ((1.0 - p) * 10.0**DIGITS + 0.5).floor()
    # Polars multiplies by the inverse of a constant, which may differ from the quotient.
    decimal = digits / when(p < 0.5).then(10.0**DIGITS)
    confidence = s.items.column(when(p < 0.5).then(decimal).otherwise(p), "sure")
    return Confidences(s.items, confidence, s.items.column(correct, "half_correct"), s.weight, s.total)


def _check_predictions(u: LabelContext, s: Scores) -> None:
    """Refuse predictions that are not the more likely class: their score is no probability of the positive one."""
    tables, value = u.tables, u.positive.value
    if "prediction" not in tables.inputs.columns:
        return
    predicted = tables.items.column(col("prediction").cast(tables.inputs.class_type), "prediction_class")
    yes = s.score > 0.5
    other = (yes & (predicted != value)) | (~yes & (s.score < 0.5) & (predicted == value))

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        row = rows.row(0, named=True)
        of_curve = not u.measure[0].isupper()
        curve = Argument("score", "confidence", 'labels.curve("risk-coverage", {})') if of_curve else None
        line = curve or str(catalog.parse(u.measure, "labels")(score="confidence"))
        return InvalidValue(
            f"{u.measure} takes the score as the probability of the class {value!r}, but {count} predictions are not "
            f"the more likely class; the first is {row['prediction']!r} with {row['score']}.",
            Hint("If the score is the confidence of the prediction: ", line, ".  Else leave the predictions out."),
        )

    tables.plan.require(tables.items, other, error)


def _from_column(u: LabelContext) -> Confidences:
    """The score of each item, and whether its prediction is its label."""
    u.single_only()
    tables, items, class_type = u.tables, u.tables.items, u.tables.inputs.class_type
    tables.needs("label", "prediction", "score")
    finite(tables)
    label, prediction = (items.column(col(c).cast(class_type), f"{c}_class") for c in ("label", "prediction"))
    right = (label == prediction) | (label.is_null() & prediction.is_null())
    total = items.sum(tables.weight) if tables.weighted else items.count()
    return Confidences(items, col("score"), items.column(indicator(right), "right"), tables.weight, total)


class Accepted:
    """A row per distinct confidence, the highest first, with the items that it accepts as a threshold.

    Attributes:
        table: keys and the confidence.
        place: the confidence.
        here, wrong_here: the weight of the items of this confidence, and of the wrong ones.
        accepted, wrong: the same for all items at or above it.
        total, wrong_of_all, right_of_all: the same for a unit, and of its correct items.
    """

    def __init__(self, u: LabelContext, meaning: str) -> None:
        c, keys = confidences(u, meaning), u.tables.keys
        self.unit, self.total = u.tables.units, c.total
        name = c.confidence.name
        self.place = col(name)
        self.table = c.items.plan.grouped(f"confidences_{meaning}", c.items, *keys, name)
        self.here = c.items.sum(c.weight, into=self.table, name="here")
        self.wrong_here = c.items.sum((1.0 - c.correct) * c.weight, into=self.table, name="wrong_here")
        self.wrong_of_all = c.items.sum((1.0 - c.correct) * c.weight)
        self.right_of_all = c.items.sum(c.correct * c.weight)
        order = [self.table.column(-self.place, "falling").name]
        self.accepted = self.table.over(self.here.cum_sum(), keys, order, "accepted")
        self.wrong = self.table.over(self.wrong_here.cum_sum(), keys, order, "wrong_so_far")

    @property
    def risk(self) -> Expr:
        """The error rate of the accepted items; null where none are."""
        return share(self.wrong, self.accepted)

    @property
    def total_here(self) -> Expr:
        """The weight of a unit's items, at the rows of the table."""
        return self.table.lookup(self.unit.column(self.total, "all_items"), of=self.unit)
