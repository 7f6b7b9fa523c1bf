"""Bins of probabilities, with the mean probability and the observed share of each."""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.confidences import of_classes
from ireval_frames.labels.scores.thresholds import ROUNDING, Scores, Thresholds
from ireval_frames.parameters import choice, whole
from ireval_frames.plan import Table

# The number of bins of measures, curves and plots.
BINS = 15
NUMBER = whole(BINS, "the number of bins")
KIND = choice("width", "mass", what="bins of equal width between 0 and 1, or of equal numbers of items")
CLOSED = choice(
    "left",
    "right",
    what="the closed side of bins of equal width: a probability between two belongs to the upper or the lower one",
)


def by_width(score: Expr, bins: int, closed: str) -> Expr:
    """The number of the bin, from 0; the outer bins include 0 and 1.

    The product is rounded, so the bin is corrected by its edges, which are i/bins.
    """
    estimate = (score * float(bins)).floor() if closed == "left" else -((-score * float(bins)).floor()) - 1.0
    # Polars multiplies by the inverse of a constant, which may differ from the quotient; by a column it divides.
    parts = score * 0.0 + float(bins)
    low, high = estimate / parts, (estimate + 1.0) / parts
    if closed == "left":
        number = when(score < low).then(estimate - 1.0).when(score >= high).then(estimate + 1.0).otherwise(estimate)
    else:
        number = when(score <= low).then(estimate - 1.0).when(score > high).then(estimate + 1.0).otherwise(estimate)
    return when(number < 0).then(0.0).when(number > bins - 1).then(float(bins - 1)).otherwise(number)


class Bins:
    """The table of bins that hold items.

    Args:
        u: the context of the measure.
        bins: the number of bins.
        kind: of equal `width`, or `mass`: ties stay together, in the bin of their middle item.
        closed: the closed side of bins of equal width.

    Attributes:
        table: keys and `bin`.
        place: the number of the bin, from 0.
        n, confidence, correct: per bin, the weight of its items, the sum of their probabilities, and the weight of the
            positives.
        total: the weight of a unit's items.
    """

    table: Table
    place: Expr
    n: Expr
    confidence: Expr
    correct: Expr
    total: Expr

    def __init__(self, u: LabelContext, bins: int, kind: str, closed: str) -> None:
        if u.tables.inputs.probabilities is not None:
            self._of_classes(u, bins, kind, closed)
        elif kind == "width":
            s = Scores(u, probabilities=True)
            self.total = s.total
            self._by_width(s.items, s.score, s.positive, s.weight, bins, closed)
        else:
            self._by_mass(Thresholds(u, probabilities=True), bins)

    def _by_width(self, rows: Table, score: Expr, correct: Expr, weight: Expr, bins: int, closed: str) -> None:
        place = rows.column(by_width(score, bins, closed), "bin").name
        unit = rows.plan.unit
        self.place, self.table = col(place), rows.plan.grouped(f"bins_{bins}_{closed}", rows, *unit.keys, place)
        self.n, self.confidence, self.correct = (
            rows.sum(e, into=self.table) for e in (weight, score * weight, correct * weight)
        )

    def _by_mass(self, c: Thresholds, bins: int) -> None:
        self.total = c.table.sum(c.yes + c.no)
        total = c.positives_here + c.negatives_here
        self._into_mass(c.table, col("score"), c.yes + c.no, c.yes, c.cum_positives + c.cum_negatives, total, bins)

    def _into_mass(
        self, levels: Table, score: Expr, here: Expr, correct: Expr, so_far: Expr, total: Expr, bins: int
    ) -> None:
        """Distinct scores, each in the bin of its middle item; `so_far` is the weight at or above the score."""
        below = (total - so_far + here / 2.0) * float(bins)
        share = levels.column(when(here > 0).then(below / total).otherwise(0.0), "place")
        # Sums of fractional weights may miss an edge by rounding.
        number = (share + ROUNDING).floor()
        place = levels.column(when(number >= bins).then(float(bins - 1)).otherwise(number), "bin").name
        unit = levels.plan.unit
        self.place, self.table = col(place), levels.plan.grouped(f"bins_{bins}_mass", levels, *unit.keys, place)
        self.n, self.confidence, self.correct = (levels.sum(e, into=self.table) for e in (here, score * here, correct))

    def _of_classes(self, u: LabelContext, bins: int, kind: str, closed: str) -> None:
        """The highest probability of each item, and whether it is that of its label."""
        c = of_classes(u)
        tables, items = u.tables, c.items
        self.total, confidence, correct, weight = c.total, c.confidence, c.correct, c.weight
        if kind == "width":
            self._by_width(items, confidence, correct, weight, bins, closed)
            return
        levels = tables.plan.grouped("confidences", items, *tables.keys, confidence.name)
        here = items.sum(weight, into=levels, name="here")
        correct_here = items.sum(correct * weight, into=levels, name="correct_here")
        above = levels.over(here.cum_sum(), tables.keys, [levels.column(-confidence, "falling").name], "so_far")
        total = levels.over(here.sum(), tables.keys, name="all")
        self._into_mass(levels, confidence, here, correct_here, above, total, bins)

    @property
    def gap(self) -> Expr:
        """The sum of the probabilities minus the weight of the positives."""
        return self.table.column(self.confidence - self.correct, "apart")
