"""The association of labels and predictions over all cells of the confusion matrix."""

from __future__ import annotations

import math

from ireval_frames.expr import Expr, col, when
from ireval_frames.kernels.contingency import Contingency
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions.places import at_sides, place_of_classes
from ireval_frames.ratios import indicator, ratio


class Cells:
    """Observed and expected sums over the cells."""

    def __init__(self, u: LabelContext) -> None:
        u.single_only()
        self.u, self.tables, self.total, self.undefined = u, u.tables, u.total, u.undefined

    @property
    def _contingency(self) -> Contingency:
        """Of labels and predictions."""
        tables, cells = self.tables, self.tables.cells
        total = tables.total(cells)
        share = cells.column(when(total > 0).then(ratio(tables.cell_weight, total)), "share")
        label, prediction = (tables.of_class(s).name for s in ("label", "prediction"))
        margins = (cells.over(share.sum(), (*tables.keys, side), name="margin") for side in (label, prediction))
        return Contingency(cells, share, *margins)

    def mutual_information(self, base: float) -> Expr:
        """Σ p_ij·log(p_ij / (p_i·p_j))."""
        value = self._contingency.mutual_information() / math.log(base)
        return when(self.total > 0).then(value).otherwise(self.undefined)

    def chi_square(self) -> Expr:
        """n·Σ (p_ij − p_i·p_j)² / (p_i·p_j)."""
        value = self.total * self._contingency.mean_square()
        return when(self.total > 0).then(value).otherwise(self.undefined)

    def disagreement(self, power: int) -> tuple[Expr, Expr]:
        """The observed and the expected mean of |i−j| to a power, where i and j are the places of the classes.

        Only items with a label and a prediction count; the expected mean is null where all of these are of one class.
        """
        tables = self.tables
        place = place_of_classes(tables)
        one, other = (
            tables.cells.lookup(col("place_of_side"), of=side)
            for side in at_sides(tables, "place", place_of_side=place)
        )
        n = tables.cell_weight
        difference = tables.cells.column(one - other, "apart")
        complete = tables.cells.sum(when(~difference.is_null()).then(n).otherwise(0.0))
        observed = tables.cells.sum(
            when(~difference.is_null())
            .then(n * (difference.abs() if power == 1 else difference * difference))
            .otherwise(0.0)
        )
        return when(complete > 0).then(ratio(observed, complete)), self._expected_disagreement(place, power)

    def _expected_disagreement(self, place: Expr, power: int) -> Expr:
        """From the margins: moments for squares, running sums for absolute differences, without a table of all pairs.

        Nothing is subtracted from 1, so that tiny shares keep their precision.
        """
        tables = self.tables
        classes = tables.classes
        labels, predictions = tables.complete_counts()
        complete = classes.over(labels.sum(), tables.keys, name="complete")
        t, p = (
            classes.column(when(complete > 0).then(ratio(e, complete)).otherwise(0.0), "share")
            for e in (labels, predictions)
        )
        n_classes = classes.sum(indicator((t > 0) | (p > 0)))
        if power == 2:
            middle_t = classes.over((t * place).sum(), tables.keys, name="middle")
            middle_p = classes.over((p * place).sum(), tables.keys, name="middle")
            from_t, from_p, between = place - middle_t, place - middle_p, middle_t - middle_p
            spread = classes.sum(t * from_t * from_t + p * from_p * from_p)
            return when(n_classes > 1).then(spread + classes.max(between * between))
        # E|i−j| is the sum, over the steps from one class to the next, of the probability that one is below the step
        # and the other is not.
        rising, falling = place.name, classes.column(-place, "place_from_above").name
        up_to_t, up_to_p = (classes.over(e.cum_sum(), tables.keys, [rising], "here_or_below") for e in (t, p))
        below_t, below_p = (
            classes.over(e.shift(1), tables.keys, [rising], "below").fill_null(0.0) for e in (up_to_t, up_to_p)
        )
        above_t, above_p = (classes.over(e.cum_sum(), tables.keys, [falling], "here_or_above") for e in (t, p))
        step = place - classes.over(place.shift(1), tables.keys, [rising], "place_below")
        return when(n_classes > 1).then(classes.sum((below_t * above_p + below_p * above_t) * step.fill_null(0.0)))
