"""The context of measures of spans: what their functions compute with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames import per
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.plan import Table
from ireval_frames.ratios import Ratio, indicator
from ireval_frames.spans.tables import SpanTables


@dataclass(frozen=True)
class Credits:
    """What gold spans earn for recall, and predicted spans for precision: rows with a type, and a number of each.

    Attributes:
        gold, predicted: the rows, and the number of spans or positions that each stands for.
        of_gold, of_predicted: the rows that earn something, and how much.
    """

    gold: tuple[Table, Expr]
    predicted: tuple[Table, Expr]
    of_gold: tuple[Table, Expr]
    of_predicted: tuple[Table, Expr]


@dataclass(frozen=True)
class Shares:
    """Sums of credits as expressions of one table: of a unit, or of each of its types.

    Attributes:
        gold: the number of gold spans, or positions.
        predicted: the number of predicted ones.
        of_gold: what gold ones earn.
        of_predicted: what predicted ones earn.
        ratio: the ratio of two sums, under the policy for undefined values.
    """

    gold: per.Counted
    predicted: per.Counted
    of_gold: per.Counted
    of_predicted: per.Counted
    ratio: Ratio

    @property
    def precision(self) -> per.Counted:
        """What predicted spans earn, over their number."""
        return self.ratio(self.of_predicted, self.predicted)

    @property
    def recall(self) -> per.Counted:
        """What gold spans earn, over their number."""
        return self.ratio(self.of_gold, self.gold)

    def f(self, beta: float) -> per.Counted:
        """The weighted harmonic mean of precision and recall: 0 where one side has nothing, undefined where both."""
        square = beta * beta
        below = square * self.of_predicted * self.gold + self.of_gold * self.predicted
        earned = below > 0
        above = when(earned).then((1.0 + square) * self.of_predicted * self.of_gold).otherwise(0.0)
        return self.ratio(above, when(earned).then(below).otherwise(self.gold + self.predicted))


class SpanContext(DocumentContext[SpanTables]):
    """What a measure of spans computes with."""

    # ---- numbers

    @property
    def num_gold(self) -> per.Unit:
        """The number of gold spans."""
        return self.sum(self.tables.gold, lit(1.0))

    @property
    def num_predicted(self) -> per.Unit:
        """The number of predicted spans."""
        return self.sum(self.tables.predicted, lit(1.0))

    def over_pairs(self, term: Expr) -> per.Unit:
        """The sum of a term over the matched pairs, which have `same_place` and `same_type`, 1 or 0."""
        return self.sum(self.tables.aligned(), term)

    # ---- precision and recall

    def credits(self, match: str, threshold: float, *, typed: bool) -> Credits:
        """What spans earn under a way to match them."""
        tables = self.tables
        sides = ((tables.gold, lit(1.0)), (tables.predicted, lit(1.0)))
        if match == "strict":
            return Credits(*sides, (tables.exact, lit(1.0)), (tables.exact, lit(1.0)))
        if match == "overlap":
            pairs = tables.touching if typed else tables.overlaps
            of_gold = indicator(pairs.count(into=tables.gold) > 0)
            of_predicted = indicator(tables.by_prediction(pairs).count(into=tables.predicted) > 0)
            return Credits(*sides, (tables.gold, of_gold), (tables.predicted, of_predicted))
        pairs = tables.aligned(threshold, typed=typed) if match == "iou" else tables.aligned()
        worth = worth_of(match)
        return Credits(*sides, (pairs, worth), (tables.by_prediction(pairs), worth))

    def position_credits(self) -> Credits:
        """What positions earn that both sides have with one type."""
        gold, predicted, common = self.tables.positions
        return Credits(*((table, col("size")) for table in (gold, predicted, common, common)))

    def averaged(
        self, credits: Credits, value: Callable[[Shares], Expr], average: str, types: tuple[Any, ...] | str | None
    ) -> per.Unit:
        """The value of all spans together ("micro"), or the mean of the values of types.

        Args:
            credits: what spans earn.
            value: a measure of their sums.
            average: "micro", "macro", or "weighted" by the number of gold spans.
            types: only these types count, or those that "gold" has; None means all that occur.
        """
        if average == "micro" and types is None:
            return value(self.shares(credits, self.unit))
        by_type = self.per("types", self.tables.both, "type")
        each = self.shares(credits, by_type)
        counts, declared = self.counting(each, types), 0 if types is None or types == "gold" else len(types)
        if average == "micro":
            parts = (each.gold, each.predicted, each.of_gold, each.of_predicted)
            return value(self._sums([by_type.sum(when(counts).then(part).otherwise(0.0)) for part in parts]))
        values = by_type.column(value(each), "of_type")
        weight = each.gold if average == "weighted" else None
        total, below = sums_of_defined(by_type, values, weight, where=counts)
        if declared and average == "macro" and self.policy.undefined is not None:
            # Types that do not occur have no row.
            absent = float(declared) - by_type.sum(indicator(counts))
            total, below = total + absent * float(self.policy.undefined), below + absent
        return self.ratio(total, below)

    def counting(self, each: Shares, types: tuple[Any, ...] | str | None) -> per.Counted:
        """Which types count: those that occur, that gold spans have, or that are listed."""
        if types == "gold":
            return each.gold > 0
        occurs = each.gold + each.predicted > 0
        if types is None:
            return occurs
        of = self.tables.inputs.type
        if of is None:
            raise NotDefined(
                f"{self.measure} names types, and the spans have none.",
                Hint("Name the column: ", Argument("type", "their_name")),
            )
        known = [literal_class(t, of, "types") for t in types]
        self._some_occur(known)
        return occurs & col("type").is_in(known)

    def _some_occur(self, types: Sequence[Any]) -> None:
        """Refuse types of which no span is.

        Raises:
            InvalidParameter: with the first result.
        """
        spans, total = self.tables.both, self.tables.all_spans
        n, n_of_types = spans.count(into=total), spans.sum(indicator(col("type").is_in(types)), into=total)

        def error(rows: pl.DataFrame, count: int) -> InvalidParameter:
            del rows, count
            return InvalidParameter(
                f"{self.measure}: no span is of the types {listed(map(repr, types), 5)}.",
                Hint("Look at the types: ", Argument("report", written="report()"), "."),
            )

        self.tables.plan.require(total, (n > 0) & (n_of_types == 0), error)

    def shares(self, credits: Credits, into: Table) -> Shares:
        """The sums of credits in a table: the unit, or one with a row per type."""
        parts = (credits.gold, credits.predicted, credits.of_gold, credits.of_predicted)
        return self._sums([self.sum(table, term, into) for table, term in parts])

    def _sums(self, parts: Sequence[Expr]) -> Shares:
        gold, predicted, of_gold, of_predicted = parts
        return Shares(gold, predicted, of_gold, of_predicted, self.ratio)


def worth_of(match: str) -> Expr:
    """What a matched pair is worth."""
    same_place, same_type = col("same_place"), col("same_type")
    return {
        "exact": same_place,
        "type": same_type,
        "partial": 0.5 + 0.5 * same_place,
        "iou": lit(1.0),
    }[match]


def mode_flags(match: str) -> tuple[Expr, Expr]:
    """Of matched pairs, whether one is correct, and whether it is partially so, 1 or 0."""
    same_place, same_type = col("same_place"), col("same_type")
    correct = {"strict": same_place * same_type, "exact": same_place, "type": same_type, "partial": same_place}[match]
    return correct, 1.0 - same_place if match == "partial" else lit(0.0)


MODES: Sequence[str] = ("strict", "exact", "partial", "type")
