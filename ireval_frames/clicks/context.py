"""The context of measures of click logs: what they may ask for, under the field's names."""

from __future__ import annotations

import narwhals.stable.v2 as nw

from ireval_frames import per
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio_of


class ClickContext:
    """What a measure of a click log may ask for.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: ClickTables, measure: str) -> None:
        self.tables, self.measure, self.policy = tables, measure, tables.policy
        self._ratio = ratio_of(self.policy.undefined)

    def ratio(self, numerator: nw.Expr, denominator: nw.Expr) -> per.Same:
        """The ratio; where the denominator is 0, what the policy says of undefined values."""
        return self._ratio(numerator, denominator)

    # ---- of pages

    @property
    def pages(self) -> Table:
        """The table of result pages."""
        return self.tables.pages

    @property
    def num_pages(self) -> per.Unit:
        """The number of pages that count."""
        return self.over_pages(nw.lit(1.0))

    @property
    def shown(self) -> per.Page:
        """How many results the page shows."""
        return self.tables.shown

    @property
    def clicks(self) -> per.Page:
        """How many results of the page were clicked."""
        return self.tables.log.sum(nw.col("click"), into=self.pages)

    @property
    def first_click(self) -> per.Page:
        """The position of the uppermost click; null without one."""
        return self.tables.log.min(nw.when(nw.col("click") > 0).then(nw.col("position")), into=self.pages)

    @property
    def last_click(self) -> per.Page:
        """The position of the lowest click; null without one."""
        return self.tables.log.max(nw.when(nw.col("click") > 0).then(nw.col("position")), into=self.pages)

    def over_pages(self, term: per.Page, where: per.Page | None = None) -> per.Unit:
        """The sum of a term over the pages that count, each by its weight; null terms are none."""
        counted = [c for c in (self.tables.counted, where) if c is not None]
        weighed = self.tables.page_weight * term.fill_null(0.0)
        if not counted:
            return self.pages.sum(weighed)
        condition = counted[0] if len(counted) == 1 else counted[0] & counted[1]
        return self.pages.sum(nw.when(condition).then(weighed).otherwise(0.0))

    def share_of_pages(self, which: per.Page, where: per.Page | None = None) -> per.Unit:
        """The share of the pages for which a condition holds, among those that count."""
        return self.ratio(self.over_pages(indicator(which), where), self.over_pages(nw.lit(1.0), where))

    def mean_reciprocal(self, position: per.Page) -> per.Unit:
        """The mean over the pages of the reciprocal of a position; of a page without one, what the policy says."""
        there = ~position.is_null()
        where = there if self.policy.no_click == "skip" else None
        total = self.over_pages(nw.when(there).then(1.0 / position))
        return self.ratio(total, self.over_pages(nw.lit(1.0), where))

    # ---- of positions

    def over_places(self, term: per.Place, cutoff: int | None = None) -> per.Unit:
        """The sum of a term over the positions of a unit, or over the first ones."""
        if cutoff is not None:
            term = nw.when(nw.col("position") <= cutoff).then(term).otherwise(0.0)
        return self.tables.places.sum(term.fill_null(0.0))

    @property
    def shown_there(self) -> per.Place:
        """How many results were shown at the position."""
        return self.tables.shown_there

    @property
    def clicked_there(self) -> per.Place:
        """How many results were clicked at the position."""
        return self.tables.clicked_there

    @property
    def rate_there(self) -> per.Place:
        """The click-through rate of the position over all units of the log."""
        return self.tables.rate_there
