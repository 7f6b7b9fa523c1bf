"""The best list that a sample lets one expect: the estimated number of documents of each gain, the largest first."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.ranking.sampled.strata import Strata

# Numbers that differ by less are equal, so that engines round them alike.
NEARLY = 1e-9


class IdealList:
    """The best list of a query: every gain as often as the sample lets one expect, the largest first.

    Args:
        strata: the sample.
        gain: the gain of a judgment.
        cutoff: the length of the list.
        variant: None, or the copy of sample_eval whose list it is.
    """

    def __init__(self, strata: Strata, gain: Expr, cutoff: int, variant: str | None) -> None:
        judgments, plan, keys = strata.judgments, strata.plan, strata.queries.keys
        gain = judgments.column(when(col("relevance") >= 0).then(gain).otherwise(0.0), "ideal_gain")
        weight = judgments.lookup(strata.weight, of=strata.table)
        self._strata, self._name, self._cutoff = strata, f"{strata.queries.name}_{gain.name}", cutoff
        self.gaining = gaining = plan.selected(
            f"{self._name}_documents", judgments.keys, judgments, where=gain > 0, gain=gain, n=weight
        )
        self.gains = plan.grouped(self._name, gaining, *keys, "gain")
        self.number = gaining.sum(col("n"), into=self.gains)
        number = self.number
        if variant != "2012-trecvid":
            number = self.gains.column((number + (0.5 + NEARLY)).floor(), "rounded_number")
        self.place = self.gains.over(number.cum_sum(), keys, ["gain"], "last_place", descending=True)
        self._before = self.gains.column(self.place - number, "place_before")
        # The number of documents of each gain that the list has room for.
        room = (cutoff - self._before).ceil()
        # A loop that ends behind the cutoff, as the copies have, counts one document of each gain whatever the place.
        least = 0.0 if variant is None else 1.0
        room = when(room > least).then(room).otherwise(least)
        whole = (number + NEARLY).floor()
        self._counted = when(whole < room).then(whole).otherwise(room)

    def sum(self, discount: Callable[[Expr], Expr]) -> Expr:
        """The sum of the gains of the list, each over the discount of its place; per judged query."""
        plan, counted = self._strata.plan, self.gains.column(self._counted, "counted")
        ranks = plan.expand_range(f"{self._name}_{counted.name}", "place", self.gains, low=lit(1.0), high=counted)
        rank = ranks.column(col("place").cast(pl.Float64) + self._before, "ideal_place")
        return ranks.sum(col("gain") / ranks.column(discount(rank), "ideal_discount"), into=self._strata.queries)

    def of_one_more(self, discount: Callable[[Expr], Expr]) -> Expr:
        """What the list gains by one more document of the gain of each judgment; 0 for those without a gain.

        It stands behind those of its gain, and moves all smaller ones down by one.
        """
        table, strata = self.gains, self._strata

        def at(place: Expr) -> Expr:
            rank = table.column(place + 1.0, "further_place")
            weight = table.column(1.0 / discount(rank), "further_weight")
            return when(rank <= self._cutoff).then(weight).otherwise(0.0)

        gain = col("gain")
        moved = table.column(gain * (at(self.place) - at(self._before)), "moved")
        smaller = table.over(moved.cum_sum(), strata.queries.keys, ["gain"], "smaller_moved") - moved
        further = table.column(gain * at(self.place) + smaller, "further")
        of_document = self.gaining.lookup(further, of=table)
        return strata.judgments.lookup(self.gaining.column(of_document), of=self.gaining).fill_null(0.0)
