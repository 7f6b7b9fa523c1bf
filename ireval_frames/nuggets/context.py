"""The context of measures of nuggets: what their functions compute with."""

from __future__ import annotations

import polars as pl

from ireval_frames import per
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import Argument, Hint, MissingColumn
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.nuggets.tables import NuggetTables
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio

SUPPORT, PARTIAL, NOT_SUPPORT, FAILED = "support", "partial_support", "not_support", "failed"
VITAL, OKAY = "vital", "okay"


class NuggetContext(DocumentContext[NuggetTables]):
    """What a measure of nuggets computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    tables: NuggetTables

    # ---- nuggets

    def weight(self, level: str) -> per.Nugget:
        """How much a nugget counts.

        Args:
            level: "all": each 1; "vital": vital ones 1, others 0; "weighted": vital ones 1, others ½; "pyramid": the
                user's weight.

        Raises:
            MissingColumn: the nuggets have no importance, or no weight.
        """
        if level == "all":
            return lit(1.0)
        column = "nugget_weight" if level == "pyramid" else "importance"
        self.tables.inputs.require("gold", column, self.measure)
        if level == "pyramid":
            return col("nugget_weight")
        return when(col("importance") == VITAL).then(1.0).otherwise(0.5 if level == "weighted" else 0.0)

    def credit(self, *, strict: bool) -> per.Nugget:
        """What the answer earns for a nugget: 1 for support, ½ for partial support unless `strict`, else 0.

        Of several judges it is the mean.  Null for a nugget that the policy leaves out.
        """
        instead = lit(None, dtype=pl.Float64) if self.tables.policy.unassigned == "skip" else lit(0.0)
        credit = self.tables.of_judges(self._credit_of_label(strict=strict))
        return self.tables.gold.column(when(self.tables.is_assigned).then(credit).otherwise(instead))

    def _credit_of_label(self, *, strict: bool) -> Expr:
        label = col("label")
        credit = when(label == SUPPORT).then(1.0).otherwise(0.0)
        if not strict:
            credit = when(label == PARTIAL).then(0.5).otherwise(credit)
        if self.tables.policy.failed == "skip":
            credit = when(label == FAILED).then(lit(None, dtype=pl.Float64)).otherwise(credit)
        return credit

    def judgments(self, level: str, *, strict: bool) -> Table:
        """A row per passage and nugget with a label: query_id, doc_id, subtopic_id and relevance, 1 or 0.

        Each passage is beside the nuggets that it has labels for, not beside those of all queries.
        """
        rows, credit = self._labelled(strict=strict)
        weight = self._weight_at(rows, level)
        enough = credit > 0.5 if strict else credit >= 0.5
        columns = {
            "query_id": col("item_id"),
            "doc_id": col("run_id"),
            "subtopic_id": col("nugget_id"),
            "relevance": indicator(enough).cast(pl.Int64),
        }
        where = rows.column((weight > 0) & ~credit.is_null())
        return self.tables.plan.selected("judgments", tuple(columns)[:3], rows, where, **columns)

    def _labelled(self, *, strict: bool) -> tuple[Table, Expr]:
        """A row per nugget and answer that has a label, and what the answer earns for it."""
        tables, credit = self.tables, self.tables.predicted.column(self._credit_of_label(strict=strict))
        labelled = tables.labelled
        return labelled, tables.predicted.mean(credit, into=labelled) if tables.several_judges else credit

    def _weight_at(self, labelled: Table, level: str) -> Expr:
        """The weight of the nugget of a label; null for a nugget that the policy leaves out."""
        nuggets = self.tables.nuggets_alone
        return labelled.lookup(nuggets.column(self.weight(level)), of=nuggets)

    def _sum_of_weights(self, level: str) -> Expr:
        """At the queries, each once for all runs: the sum of the weights of their nuggets."""
        nuggets = self.tables.nuggets_alone
        return nuggets.sum(nuggets.column(self.weight(level)), into=self.tables.queries)

    # ---- queries

    def supported(self, level: str, *, strict: bool) -> per.Unit:
        """The sum over nuggets of what the answer earns, by weight."""
        labelled, credit = self._labelled(strict=strict)
        earned = labelled.column((credit * self._weight_at(labelled, level)).fill_null(0.0))
        return labelled.sum(earned, into=self.tables.documents)

    def total(self, level: str, *, strict: bool) -> per.Unit:
        """The sum of the weights of the nuggets that count for the answer."""
        tables, documents = self.tables, self.tables.documents
        every = documents.lookup(self._sum_of_weights(level), of=tables.queries).fill_null(0.0)
        if "skip" not in (tables.policy.unassigned, tables.policy.failed):
            return every
        labelled, credit = self._labelled(strict=strict)
        weight = self._weight_at(labelled, level)
        if tables.policy.unassigned == "skip":
            counts = when(~credit.is_null()).then(weight).otherwise(0.0)
            return labelled.sum(labelled.column(counts.fill_null(0.0)), into=documents)
        # Nuggets whose labels all failed are left out, those without a label are not.
        left_out = labelled.column(when(credit.is_null()).then(weight).otherwise(0.0).fill_null(0.0))
        some = self.num_nuggets(level) > labelled.sum(indicator(left_out > 0), into=documents)
        return when(some).then(every - labelled.sum(left_out, into=documents)).otherwise(0.0)

    def recall(self, level: str, *, strict: bool) -> per.Unit:
        """What the answer earns of what it could."""
        return self.ratio(self.supported(level, strict=strict), self.total(level, strict=strict))

    @property
    def length(self) -> per.Unit:
        """The length of the answer.

        Raises:
            MissingColumn: there is no table of answers, or it has no lengths.
        """
        answers = self.tables.answers
        if answers is None:
            raise MissingColumn(
                f"{self.measure} needs the lengths of answers, and there is no table of answers.",
                Hint("Pass a table of query_id and length, or answer: ", Argument("answers", "answers.csv"), "."),
            )
        if not answers.has("length"):
            raise MissingColumn(
                f"{self.measure} needs the lengths of answers, and the answers table has no column 'length'.",
                "Name it length, or name the column of texts answer, whose characters other than spaces are counted.",
            )
        return self.tables.documents.lookup(col("length"), of=answers)

    def precision(self, allowance: float, *, strict: bool) -> per.Unit:
        """1 for an answer within the allowance of the nuggets that it supports, else the share that is within."""
        documents, length = self.tables.documents, self.length
        allowed = documents.column(self.supported("all", strict=strict) * allowance)
        return when(length <= allowed).then(1.0).otherwise(ratio(allowed, length))

    def value(self, value: per.Unit) -> per.Unit:
        """The value of a query: what the policy says where there is no answer, else `value`."""
        if self.tables.policy.missing == "error":
            return value
        instead = lit(0.0) if self.tables.policy.missing == "zero" else lit(None, dtype=pl.Float64)
        return when(self.tables.is_answered).then(value).otherwise(instead)

    def num_nuggets(self, level: str) -> per.Unit:
        """The number of nuggets, or of vital ones."""
        nuggets, queries = self.tables.nuggets_alone, self.tables.queries
        number = nuggets.sum(nuggets.column(indicator(self.weight(level) > 0)), into=queries)
        return self.tables.documents.lookup(number, of=queries).fill_null(0.0)
