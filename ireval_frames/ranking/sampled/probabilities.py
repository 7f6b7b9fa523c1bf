"""How many documents each judged one stands for, by its inclusion probability."""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Code, Hint, InvalidValue, MissingColumn
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.sampled.strata import STRATUM, Strata, require_unjudged
from ireval_frames.ranking.tables import relevant

IPROB, METHOD = "iprob", "method"
# Of the prels of the Million Query track: chosen by another method than the draw, and chosen as well as drawn.
CHOSEN_ONLY, CHOSEN = ("0",), ("0", "2")


class Probabilities:
    """The judged documents of a query, each with the inverse of the probability that it is judged.

    Args:
        q: the context.
        rel: the lowest grade that counts as relevant.
        rates: "iprob", "strata", or None for iprob where there is such a column.
        chosen: what counts for documents that were chosen and not drawn.

    Raises:
        MissingColumn: the judgments have neither inclusion probabilities nor strata.
        NotDefined: unjudged documents were taken out of the lists.
    """

    def __init__(self, q: Query, rel: float, rates: str | None, chosen: str) -> None:
        require_unjudged(q)
        self.q, self.plan, self._rel = q, q.tables.plan, rel
        columns = q.tables.ranked_run.sample
        if rates is None and IPROB not in columns and STRATUM not in columns:
            raise _neither(q.measure)
        if rates == IPROB and IPROB not in columns:
            raise _without_probabilities(q.measure, strata=STRATUM in columns)
        self.drawn = IPROB in columns if rates is None else rates == IPROB
        """Whether the probabilities are those of the column, rather than the rates of strata."""
        self.strata = None if self.drawn else Strata(q, rel)
        self._chosen = chosen if METHOD in columns else "drawn"
        if self.drawn:
            self.plan.require(self.judgments, self._is_judged & self._no_probability, _no_probability)

    @property
    def judgments(self) -> Table:
        """A row per judged document."""
        return self.q.tables.qrels

    @property
    def _is_judged(self) -> Expr:
        judged = col("relevance") >= 0
        return judged & ~self._of_methods(CHOSEN_ONLY) if self._chosen == "drop" else judged

    def _of_methods(self, methods: tuple[str, ...]) -> Expr:
        return col(METHOD).cast(pl.String).is_in(methods).fill_null(value=False)

    @property
    def _no_probability(self) -> Expr:
        value = col(IPROB)
        bad = value.is_null() | value.is_nan() | (value <= 0.0) | (value > 1.0)
        return bad & ~self._of_methods(CHOSEN) if self._chosen == "certain" else bad

    @cached_property
    def weight(self) -> Expr:
        """The inverse of a judged document's inclusion probability; 0 for those that are not judged."""
        if self.strata is not None:
            weight = self.judgments.lookup(self.strata.weight, of=self.strata.table)
        else:
            weight = 1.0 / col(IPROB)
            if self._chosen == "certain":
                weight = when(self._of_methods(CHOSEN)).then(1.0).otherwise(weight)
        return self.judgments.column(when(self._is_judged).then(weight).otherwise(0.0), "inverse_probability")

    @property
    def not_drawn(self) -> Expr:
        """The probability that a judged document would not have been judged."""
        weight = self.weight
        return self.judgments.column(when(weight > 1.0).then(1.0 - 1.0 / weight).otherwise(0.0), "not_drawn")

    @property
    def weight_of_relevant(self) -> Expr:
        """The weight of relevant documents, of others 0."""
        return self.judgments.column(self.weight * relevant(self._rel), "weight_of_relevant")

    def at_rows(self, of_judgment: Expr) -> Expr:
        """A value of the judgment, at every retrieved judged document."""
        return self.q.rows.lookup(of_judgment, of=self.judgments)

    @property
    def relevant_at(self) -> Expr:
        """How many relevant documents a retrieved one stands for."""
        return self.at_rows(self.weight_of_relevant)

    @property
    def judged_at(self) -> Expr:
        """How many documents a retrieved judged one stands for."""
        return self.at_rows(self.weight)

    @property
    def estimated_relevant(self) -> Expr:
        """The estimated number of relevant documents, in the units."""
        return self.q.of_unit(self.q.tables.sum_by_query(self.weight_of_relevant, name="estimated_relevant"))

    @property
    def precision(self) -> Expr:
        """The estimated precision at the rank of a relevant document, which itself is known to be relevant."""
        above = self.q.so_far(self.relevant_at) - self.relevant_at
        return self.q.rows.column((1.0 + above) / self.q.rank, "estimated_precision")


def _neither(measure: str) -> MissingColumn:
    return MissingColumn(
        f"{measure} needs inclusion probabilities or strata, but the qrels table has no column {IPROB!r} and none "
        f"{STRATUM!r}.",
        Hint(
            "Name one: ",
            Argument("columns", {IPROB: "your_name"}),
            ". If all pooled documents were judged: ",
            Code("qrels.with_columns(iprob=pl.lit(1.0))", "give all rows the probability 1"),
        ),
    )


def _without_probabilities(measure: str, *, strata: bool) -> MissingColumn:
    return MissingColumn(
        f"{measure} needs inclusion probabilities, but the qrels table has no column {IPROB!r}.",
        Hint(
            "Name it: ",
            Argument("columns", {IPROB: "your_name"}),
            "; or take the rates of strata: rates='strata'." if strata else ".",
        ),
    )


def _no_probability(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"Column {IPROB!r} of the qrels table must be a probability above 0 and up to 1 for every judged document; "
        f"{count} have none. The first: query_id {rows['query_id'][0]!r}, doc_id {rows['doc_id'][0]!r}, {IPROB} "
        f"{rows[IPROB][0]}.",
        "A document that could not be drawn is in no sample: give it 1.0 if it was chosen, or the grade -1.",
    )
