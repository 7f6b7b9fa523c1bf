"""Bins of probabilities: how sure the predictions in each are, and how often they are right."""

from __future__ import annotations

from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.confidences import of_classes
from ireval_frames.labels.scores.thresholds import ROUNDING, Scores, Thresholds
from ireval_frames.parameters import choice, whole
from ireval_frames.plan import Table

# As many as the measures have, the curve and its picture have too.
BINS = 15
NUMBER = whole(BINS, "the number of bins")
KIND = choice("width", "mass", what="bins of equal width between 0 and 1, or of equally many items")
CLOSED = choice(
    "left",
    "right",
    what="a probability between two bins of equal width belongs to the one that begins, or that ends with it",
)


def by_width(score: Expr, bins: int, closed: str) -> Expr:
    """The number of the bin, from 0; the outer bins hold 0 and 1.

    The product is rounded, so the edges, which are i/bins, have the last word.
    """
    near = (score * float(bins)).floor() if closed == "left" else -((-score * float(bins)).floor()) - 1.0
    # Polars divides by a constant by multiplying with its inverse, which is another number now and then; by a column it
    # divides.
    parts = score * 0.0 + float(bins)
    low, high = near / parts, (near + 1.0) / parts
    if closed == "left":
        moved = when(score < low).then(near - 1.0).when(score >= high).then(near + 1.0).otherwise(near)
    else:
        moved = when(score <= low).then(near - 1.0).when(score > high).then(near + 1.0).otherwise(near)
    return when(moved < 0).then(0.0).when(moved > bins - 1).then(float(bins - 1)).otherwise(moved)


class Bins:
    """The table of bins that hold items.

    Args:
        u: the context of the measure that asks.
        bins: how many.
        kind: of equal `width`, or `mass`: equal scores stay together, in the bin of the middle one of them.
        closed: on which side bins of equal width are closed.

    Attributes:
        table: keys and `bin`.
        place: the number of the bin, from 0.
        n, confidence, correct: of each bin the weight of its items, the sum of their
            probabilities, the weight of the positives.
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
        """Levels of equal scores, each into the bin of its middle item.

        `so_far` is the weight at or above the level.
        """
        below = (total - so_far + here / 2.0) * float(bins)
        share = levels.column(when(here > 0).then(below / total).otherwise(0.0), "place")
        # Sums of weights that are fractions may fall short of an edge by their last bits.
        whole_part = (share + ROUNDING).floor()
        place = levels.column(when(whole_part >= bins).then(float(bins - 1)).otherwise(whole_part), "bin").name
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
    def apart(self) -> Expr:
        """The difference of the probabilities' sum and the positives' weight."""
        return self.table.column(self.confidence - self.correct, "apart")
