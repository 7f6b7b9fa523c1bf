"""The losses of probabilities given the outcomes, of one class against the rest or of several classes."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import polars as pl

from ireval_frames.errors import InvalidValue, IrevalWarning, warn
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.thresholds import Scores
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator

# How far sums of probabilities that are written with two decimals are from 1 at most.
ROUNDED = 0.01 + 1e-9


class Outcomes(Protocol):
    """Sums of a unit; `base_…` are those of the base rates, the shares of the classes, as probabilities."""

    @property
    def total(self) -> Expr:
        """The weight of the items."""

    @property
    def mixed(self) -> Expr:
        """Whether more than one class occurs."""

    def log_losses(self, eps: float) -> Expr:
        """Σ −w·ln of the probability of the outcome."""

    @property
    def squares(self) -> Expr:
        """Σ w·(p − y)², summed over several classes."""

    @property
    def base_log_loss(self) -> Expr:
        """The mean log loss of the base rates."""

    @property
    def base_square(self) -> Expr:
        """The mean square of the base rates."""


def outcomes(u: LabelContext) -> Outcomes:
    """The outcomes of probabilities of classes, if there are any, else of scores."""
    return OfSeveral(u) if u.tables.inputs.probabilities is not None else OfOne(u)


def _clipped(probability: Expr, eps: float) -> Expr:
    return when(probability < eps).then(eps).when(probability > 1.0 - eps).then(1.0 - eps).otherwise(probability)


class OfOne(Scores):
    """One probability per item, of the positive class."""

    def __init__(self, u: LabelContext) -> None:
        super().__init__(u, probabilities=True)

    @property
    def mixed(self) -> Expr:
        """Whether there are items with and without the positive class."""
        return (self.positives > 0) & (self.positives < self.total)

    def log_losses(self, eps: float) -> Expr:
        """Σ −w·ln of p or 1 − p."""
        of_outcome = when(self.has_class).then(self.score).otherwise(1.0 - self.score)
        clipped = self.items.column(_clipped(of_outcome, eps), "of_outcome")
        return self.items.sum(-clipped.log() * self.weight)

    @property
    def squares(self) -> Expr:
        """Σ w·(p − y)²."""
        difference = self.items.column(self.score - self.positive, "apart")
        return self.items.sum(difference * difference * self.weight)

    @cached_property
    def _rate(self) -> Expr:
        share = when(self.mixed).then(self.positives / self.total).otherwise(0.5)
        return self.tables.units.column(share, "base_rate")

    @property
    def base_log_loss(self) -> Expr:
        """The entropy of the base rate."""
        return -(self._rate * self._rate.log() + (1.0 - self._rate) * (1.0 - self._rate).log())

    @property
    def base_square(self) -> Expr:
        """ȳ(1−ȳ)."""
        return self._rate * (1.0 - self._rate)


class OfSeveral:
    """Probabilities of several classes; items whose label has none are left out."""

    def __init__(self, u: LabelContext) -> None:
        u.single_only()
        self.tables, self.rows = u.tables, u.tables.scored
        self.probability, self.gold = col("probability"), u.tables.gold_at_scored()
        require_probabilities(u)
        _warn_of_sums(u)
        self.outcome = self.rows.column(self.gold * self.tables.weight_at(self.rows), "came_true")

    @cached_property
    def total(self) -> Expr:
        """The weight of the items whose label has a probability."""
        return self.rows.sum(self.outcome)

    def log_losses(self, eps: float) -> Expr:
        """Σ −w·ln of the label's probability."""
        clipped = self.rows.column(_clipped(self.probability, eps), "clipped")
        return self.rows.sum(-clipped.log() * self.outcome)

    @cached_property
    def squares(self) -> Expr:
        """Σ w·Σ_k (p_k − y_k)²; of two classes half of it."""
        items, difference = self.tables.item_scores, self.rows.column(self.probability - self.gold, "apart")
        each = self.rows.sum(difference * difference, into=items) / self._doubled(self.rows.count(into=items))
        known = self.rows.sum(self.gold, into=items) > 0
        return items.sum(when(known).then(each * self.tables.weight_at(items)).otherwise(0.0))

    @staticmethod
    def _doubled(classes: Expr) -> Expr:
        """2 for two classes, whose differences are equal, else 1."""
        return when(classes < 3).then(2.0).otherwise(1.0)

    @cached_property
    def _share(self) -> Expr:
        """The share of each class among the items."""
        n = self.rows.sum(self.outcome, into=self.classes, name="came_true")
        total = self.classes.over(n.sum(), self.tables.keys, name="all")
        return self.classes.column(when(n > 0).then(n / total).otherwise(0.0), "share")

    @cached_property
    def classes(self) -> Table:
        """A row per class that has probabilities."""
        return self.tables.plan.grouped("outcomes", self.rows, *self.tables.keys, "class_id")

    @property
    def mixed(self) -> Expr:
        """Whether more than one class occurs."""
        return self.classes.sum(indicator(self._share > 0)) > 1

    @property
    def base_log_loss(self) -> Expr:
        """The entropy of the base rates."""
        share = self.classes.column(when(self._share > 0).then(self._share).otherwise(1.0), "share_or_one")
        return self.classes.sum(-share * share.log())

    @property
    def base_square(self) -> Expr:
        """Σ_k share·(1 − share); of two classes half of it."""
        return self.classes.sum(self._share * (1.0 - self._share)) / self._doubled(self.classes.count())


def require_probabilities(u: LabelContext) -> None:
    """Refuse probabilities of classes outside of 0 to 1."""
    measure, value = u.measure, col("probability")

    def error(rows: pl.DataFrame, count: int) -> InvalidValue:
        return InvalidValue(
            f"{measure} takes probabilities; {count} are outside of 0 to 1; the first is {rows['probability'][0]}.",
            "Give each a number from 0 to 1, or drop the items.",
        )

    u.tables.plan.require(u.tables.scored, (value < 0) | (value > 1), error)


def _warn_of_sums(u: LabelContext) -> None:
    """Warn of items whose probabilities do not sum to 1; statements cannot warn."""
    measure, items = u.measure, u.tables.item_scores
    if u.tables.plan.engine.writes_sql:
        return
    total = u.tables.scored.sum(col("probability"), into=items, name="probability_sum")
    (name,) = total.columns

    def warned(rows: pl.DataFrame, count: int) -> None:
        of = "1 item" if count == 1 else f"{count:,} items"
        warn(
            f"Probabilities of {of} do not sum to 1; those of the first sum to {rows[name][0]:.4g}.  {measure} takes "
            "them as they are: name every class in probabilities=, or divide them by their sum.",
            IrevalWarning,
        )

    u.tables.plan.require(items, (total - 1.0).abs() > ROUNDED, warned)
