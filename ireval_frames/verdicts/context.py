"""The context of measures of verdicts: what their functions compute with."""

from __future__ import annotations

import polars as pl

from ireval_frames import per
from ireval_frames.errors import InvalidParameter, MissingColumn, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio
from ireval_frames.verdicts.tables import VerdictTables

# The value of an answer without verdicts.
NOTHING = {"undefined": None, "zero": 0.0, "one": 1.0}


class VerdictContext:
    """What a measure of verdicts computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: VerdictTables, measure: str) -> None:
        self.tables, self.measure = tables, measure

    def verdicts(self, kind: str) -> Table:
        """The verdicts of a kind.

        Raises:
            InvalidParameter: rows do not say what they are about, and another measure reads another kind.
        """
        self.tables.read.add(kind)
        if not self.tables.inputs.has_kinds and len(self.tables.read) > 1:
            raise InvalidParameter(
                f"{self.measure} and others read verdicts of several kinds ({listed(sorted(self.tables.read))}), and "
                "the verdicts table has no column 'kind'.",
                "Say in such a column what each row is about, or evaluate measures of one kind.",
            )
        return self.tables.of(kind)

    def weight(self, unsure: float) -> per.Verdict:
        """A verdict from 0 to 1; an unsure one has this value."""
        return when(col("unsure") == 1).then(unsure).otherwise(col("verdict"))

    def mean(self, kind: str, unsure: float, empty: str) -> per.Unit:
        """The mean of the verdicts of a kind.

        Args:
            kind: what they are about.
            unsure: the value of unsure ones.
            empty: the value of an answer that has none.
        """
        table = self.verdicts(kind)
        number = table.count()
        value = ratio(table.sum(table.column(self.weight(unsure))), number)
        return when(number > 0).then(value).otherwise(lit(NOTHING[empty], dtype=pl.Float64))

    def disagreement(self, kind: str, unsure: float, empty: str) -> per.Unit:
        """1 less the mean of the verdicts of a kind, with the same arguments; `empty` is the value itself."""
        number = self.verdicts(kind).count()
        value = 1.0 - self.mean(kind, unsure, "undefined")
        return when(number > 0).then(value).otherwise(lit(NOTHING[empty], dtype=pl.Float64))

    def average_precision(self, kind: str, unsure: float, epsilon: float, empty: str) -> per.Unit:
        """The mean of the precision at the ranks of what is relevant, weighted by relevance.

        Raises:
            MissingColumn: verdicts have no ranks.
        """
        inputs = self.tables.inputs
        if not inputs.ranked:
            raise MissingColumn(
                f"{self.measure} reads ranks, and the verdicts table has no column 'rank' (it has: "
                f"{listed(inputs.frame.columns, 20)}).",
                "Number the retrieved passages of each query from 1 in a column rank.",
            )
        table = self.verdicts(kind)
        relevance = table.column(self.weight(unsure))
        so_far = table.over(relevance.cum_sum(), self.tables.keys, ["rank"])
        number = table.over(table.column(lit(1.0), "one").cum_sum(), self.tables.keys, ["rank"])
        total, n = table.sum(relevance), table.count()
        value = self._ratio(table.sum(table.column(relevance * so_far / number)), total, epsilon)
        return when(n > 0).then(value).otherwise(lit(NOTHING[empty], dtype=pl.Float64))

    def _ratio(self, numerator: Expr, denominator: Expr, epsilon: float) -> Expr:
        """The ratio, 0 where nothing is relevant."""
        return when(denominator > 0).then(ratio(numerator, denominator + epsilon)).otherwise(0.0)
