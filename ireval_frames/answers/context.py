"""The context of measures of answers: what their functions compute with."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from ireval_frames import per
from ireval_frames.answers.subsequences import common_subsequences
from ireval_frames.answers.tables import AnswerTables, Words
from ireval_frames.documents.context import DocumentContext
from ireval_frames.expr import Expr, col, concat_str, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio


@dataclass(frozen=True)
class Overlap:
    """How many words texts have, and have in common; a row is a gold answer beside the predicted one of its query.

    Attributes:
        common: the number of words that both have.
        of_gold: the number of the gold answer's words.
        of_predicted: the number of the predicted answer's.
        empty: whether one of them has no words.
        both_empty: whether both have none.
        alone: the value of a predicted answer beside no gold answer, per query.
        zero: whether a text without words has the value 0 always.
    """

    common: per.Answer
    of_gold: per.Answer
    of_predicted: per.Answer
    empty: per.Answer
    both_empty: per.Answer
    alone: per.Unit
    zero: bool

    def _value(self, value: Expr) -> Expr:
        both = lit(0.0) if self.zero else indicator(self.both_empty)
        return when(self.empty).then(both).when(self.common > 0).then(value).otherwise(0.0)

    @property
    def precision(self) -> per.Answer:
        """The share of the predicted answer's words that the gold answer has."""
        return self._value(ratio(self.common, self.of_predicted))

    @property
    def recall(self) -> per.Answer:
        """The share of the gold answer's words that the predicted answer has."""
        return self._value(ratio(self.common, self.of_gold))

    def f(self, beta: float = 1.0) -> per.Answer:
        """The weighted harmonic mean of both; recall counts `beta` times as much as precision."""
        below = beta**2 * self.of_gold + self.of_predicted
        return self._value(ratio((1.0 + beta**2) * self.common, below))


class AnswerContext(DocumentContext[AnswerTables]):
    """What a measure of answers computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    tables: AnswerTables

    # ---- gold answers

    def gold_text(self, normalize: str) -> per.Answer:
        """The gold answer as it is compared."""
        return self.tables.text("gold", normalize)

    def predicted_text(self, normalize: str) -> per.Answer:
        """The predicted answer of its query as it is compared; null where there is none."""
        return self._known(self.tables.predicted_at(self.tables.gold, self.tables.text("predicted", normalize)))

    def _known(self, text: Expr) -> Expr:
        return text.fill_null("") if self.tables.policy.missing == "empty" else text

    def counts(self, normalize: str) -> per.Answer:
        """Whether the gold answer counts: whether normalisation leaves something of it, or the policy keeps it."""
        if self.tables.policy.golds == "keep":
            return lit(value=True)
        return self.gold_text(normalize) != ""

    def overlap(self, of: Words, *, in_order: bool = False) -> Overlap:
        """The words that gold answers and predicted answers have in common.

        Args:
            of: how words are made of texts.
            in_order: count the words of the longest common subsequence.
        """
        tables, gold = self.tables, self.tables.gold
        number = tables.number_of_words("predicted", of.normalize)
        n_gold = tables.number_of_words("gold", of.normalize)
        n_predicted = tables.predicted_at(gold, number).fill_null(0.0)
        common = self._in_order(of) if in_order else tables.in_common(of)
        empty, both = (n_gold == 0) | (n_predicted == 0), (n_gold == 0) & (n_predicted == 0)
        own = tables.predicted_at(tables.documents, number).fill_null(0.0)
        zero = tables.policy.empty == "zero"
        alone = lit(0.0) if zero else indicator(own == 0)
        grams = [(n - float(of.n - 1)).clip(lower_bound=0.0) for n in (n_gold, n_predicted)]
        return Overlap(gold.column(common), grams[0], grams[1], empty, both, alone, zero)

    def _in_order(self, of: Words) -> Expr:
        tables, gold, names = self.tables, self.tables.gold, ("gold_words", "predicted_words")
        texts = (
            tables.words("gold", of.normalize),
            tables.predicted_at(gold, tables.words("predicted", of.normalize)).fill_null(""),
        )
        pairs = tables.plan.selected(f"pairs_{of.name}", gold.keys, gold, **dict(zip(names, texts, strict=True)))
        step = common_subsequences(gold.keys, stemming=of.stemming != "none")
        adds = {"in_order": pl.Float64}
        common = tables.plan.applied(f"in_order_{of.name}", gold.keys, pairs, step, adds, by=tables.keys)
        return gold.lookup(col("in_order"), of=common)

    def texts_beside_all(self) -> Table:
        """A row per query and gold answer that counts, with `gold_text` and `predicted_text` as they are.

        A query without gold answers has a row with an empty one.  Queries without a predicted answer are left out if
        the policy says so, else they have an empty one.
        """
        tables, plan = self.tables, self.tables.plan
        keys = tables.gold.keys
        golds = plan.selected("counted_answers", keys, tables.gold, self.counts("none"), gold_text=col("answer"))
        rows = plan.joined("answers_of_queries", keys, tables.documents, golds, on=tables.keys, how="left")
        predicted = rows.lookup(col("predicted_answer"), of=tables.predicted)
        texts = {"gold_text": col("gold_text").fill_null(""), "predicted_text": predicted.fill_null("")}
        where = ~predicted.is_null() if tables.policy.missing == "skip" else None
        return plan.selected("texts", keys, rows, where, **texts)

    # ---- queries

    @property
    def answerable(self) -> per.Unit:
        """Whether the query has a gold answer that is not empty."""
        gold = self.tables.gold
        return gold.sum(indicator(col("answer") != ""), into=self.tables.documents) > 0

    def best(self, value: per.Answer, normalize: str, alone: per.Unit, *, by: per.Answer | None = None) -> per.Unit:
        """The value of the gold answer for which it is highest.

        Args:
            value: per gold answer.
            normalize: how gold answers are normalised, which decides which count.
            alone: the value where none counts.
            by: another value that is highest for the chosen answer; of several such answers the highest value counts.
        """
        documents, gold = self.tables.documents, self.tables.gold
        counts = self.counts(normalize)
        n = gold.sum(indicator(counts), into=documents)
        if by is not None:
            by = gold.column(by)
            counts &= by == gold.lookup(gold.max(gold.column(when(counts).then(by)), into=documents), of=documents)
        best = gold.max(gold.column(when(counts).then(value)), into=documents)
        return when(n > 0).then(best).otherwise(alone)

    def no_text(self, normalize: str) -> per.Unit:
        """Whether the predicted answer of a query is empty."""
        tables = self.tables
        text = tables.predicted_at(tables.documents, tables.text("predicted", normalize))
        return self._known(text) == ""

    def value(self, value: per.Unit, queries: str, *, missing: bool = True) -> per.Unit:
        """The value of a query: what the policy says where there is no predicted answer; else `value`.

        Args:
            value: of queries with a predicted answer.
            queries: which have a value: "all", those that are "answerable", or those that are "unanswerable".
            missing: whether queries without a predicted answer have another value.
        """
        tables = self.tables
        if missing and tables.policy.missing != "empty":
            present = tables.documents.lookup(tables.predicted.count(into=tables.documents), of=tables.documents) > 0
            instead = lit(0.0) if tables.policy.missing == "zero" else lit(None, dtype=pl.Float64)
            value = when(present).then(value).otherwise(instead)
        if queries == "all":
            return value
        return when(self.answerable if queries == "answerable" else ~self.answerable).then(value)

    def contained(self, normalize: str, *, whole_words: bool) -> per.Answer:
        """Whether the predicted answer contains the gold answer; an empty text only an empty one."""
        gold, predicted = self.gold_text(normalize), self.predicted_text(normalize)
        if whole_words:
            tables = self.tables
            gold = tables.words("gold", normalize)
            predicted = self._known(tables.predicted_at(tables.gold, tables.words("predicted", normalize)))
        space = lit(" ")
        sides = [concat_str(space, t, space) if whole_words else t for t in (predicted, gold)]
        contained = indicator(sides[0].str.contains(sides[1], literal=True))
        return when((gold == "") | (predicted == "")).then(indicator(gold == predicted)).otherwise(contained)
