"""The context of ranking measures: the columns of one query's list under the field's names.

Row-level attributes (`rank`, `relevant(rel)`) are columns of the rows, unit-level ones (`num_relevant(rel)`) are
columns of the units; `sum` leads from the first to the second.
"""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from ireval_frames import per
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.kernels.means import sums_of_defined
from ireval_frames.plan import Table
from ireval_frames.ranking.facet_tables import FacetTables
from ireval_frames.ranking.tables import RankingTables, nonrelevant, relevant
from ireval_frames.ratios import indicator, ratio


class Query:
    """What a ranking measure can use; `measure` is its name in errors."""

    def __init__(self, tables: RankingTables, measure: str, *, judged_only: bool) -> None:
        self.tables, self.measure, self.judged_only = tables, measure, judged_only
        self.expectation = tables.policy.ties == "expectation"
        self._rows: Table | None = None

    # ---- rows

    @property
    def rows(self) -> Table:
        """The rows of the measure: the judged ones, unless `use_all_rows` was called."""
        if self._rows is None:
            if self.judged_only:
                self._rows = self.tables.condensed
            else:
                self._rows = self.tables.retrieved if self.expectation else self.tables.judged
        return self._rows

    def use_all_rows(self) -> None:
        """Include unjudged rows; in condensed lists, rows without a judgment for this subtopic."""
        self._rows = self.tables.condensed_lists if self.judged_only else self.tables.retrieved

    def use_rows(self, rows: Table) -> None:
        """Use these rows, which are the same with further columns."""
        self._rows = rows

    @property
    def rank(self) -> per.Row:
        """The rank, from 1; in condensed lists among the judged documents."""
        if self.expectation:
            raise NotDefined(
                f"{self.measure} has no closed form under tie expectation; P, R, F, Success, Rprec, RR, AP, RBP, "
                "FallOut, CG, DCG, nDCG, nCG and AUC have.",
                Hint("Take another tie policy: ", Argument("policy", "ties=trec_eval"), "."),
            )
        return self.any_rank

    @property
    def any_rank(self) -> per.Row:
        """The rank; tied documents are in some order."""
        if self.judged_only:
            return self.tables.condensed_rank(self.rows)
        return self.rows.column(col("rank").cast(pl.Float64), "at_rank")

    @property
    def relevance(self) -> per.Row:
        """The grade; null where there is no judgment."""
        return col("relevance")

    @property
    def grade(self) -> per.Row:
        """The grade, 0 where it is negative or missing."""
        return when(col("relevance") > 0).then(col("relevance")).otherwise(0.0)

    def relevant(self, rel: float) -> per.Row:
        """1 for documents of grade `rel` or more."""
        return self.rows.column(relevant(rel), "relevant")

    def nonrelevant(self, rel: float) -> per.Row:
        """1 for documents judged below `rel`."""
        return self.rows.column(nonrelevant(rel), "nonrelevant")

    @property
    def judged(self) -> per.Row:
        """1 for documents with a judgment."""
        return self.rows.column(indicator(col("relevance") >= 0), "has_judgment")

    def so_far(self, row: per.Row, *, tied: bool = False) -> per.Row:
        """The running sum of a row column down to this rank; with `tied` tied documents may be in any order."""
        _ = self.any_rank if tied else self.rank
        return self._running(self.rows.column(row, "counted").cum_sum(), "so_far")

    def survival(self, stop: per.Row, *, tied: bool = False) -> per.Row:
        """The probability of reaching this rank when `stop` is the probability of stopping at a document.

        With `tied` tied documents may be in any order.
        """
        _ = self.any_rank if tied else self.rank
        product = self._running(self.rows.column(1.0 - stop, "continuation").cum_prod(), "product")
        return self._running(product.shift(1), "survival").fill_null(1.0)

    def _running(self, aggregate: Expr, name: str) -> Expr:
        """A running aggregate down the list."""
        return self.rows.over(aggregate, self.tables.units.keys, ["rank"], name)

    def of_query(self, query: per.Query) -> per.Row:
        """A value of the judged query, at every row of its lists."""
        queries = self.tables.judged_queries
        return self.rows.lookup(queries.column(query), of=queries)

    # ---- from rows to the query

    def sum(self, row: per.Row, cutoff: int | None = None) -> per.Unit:
        """The sum of a row column, down to the cutoff."""
        return self._sum(row if cutoff is None else when(self.rank <= cutoff).then(row).otherwise(0.0))

    def _sum(self, row: per.Row) -> Expr:
        return self.rows.sum(row, into=self.tables.units)

    def max(self, row: per.Row) -> per.Unit:
        """The largest value; null where there are no rows."""
        return self.rows.max(row, into=self.tables.units)

    def min(self, row: per.Row) -> per.Unit:
        """The smallest value; null where there are no rows."""
        return self.rows.min(row, into=self.tables.units)

    def discounted_sum(
        self, gain: per.Row, discount: Callable[[Expr], Expr] | None = None, cutoff: int | None = None
    ) -> per.Unit:
        """The sum of gain / discount(rank) down to the cutoff.

        Such sums are linear in the gains, so under tie expectation each tied document gets the mean weight of its ties.
        """
        rank = self.any_rank
        divisor = None if discount is None else self.rows.column(discount(rank), "discount")
        if not self.expectation:
            return self.sum(gain if divisor is None else gain / divisor, cutoff)
        return self.weighted_sum(gain, lit(1.0) if divisor is None else 1.0 / divisor, cutoff)

    def weighted_sum(self, gain: per.Row, weight: per.Row, cutoff: int | None = None) -> per.Unit:
        """The sum of gain · weight down to the cutoff, where the weight is one of the rank alone (`any_rank`)."""
        if not self.expectation:
            return self.sum(gain * weight, cutoff)
        weight = weight if cutoff is None else when(self.any_rank <= cutoff).then(weight).otherwise(0.0)
        ties = (*self.tables.units.keys, "score")
        return self._sum(gain * self.rows.over(self.rows.column(weight, "weight").mean(), ties, name="mean_weight"))

    def sum_of_ranks(self, row: per.Row, cutoff: int | None) -> per.Unit:
        """The sum, down to the cutoff, of a value of the rank that holds for any order of tied documents."""
        return self._sum(row if cutoff is None else when(self.any_rank <= cutoff).then(row).otherwise(0.0))

    # ---- the query

    @property
    def num_retrieved(self) -> per.Unit:
        """The number of retrieved documents; of the judged ones in condensed lists."""
        return self.tables.num_retrieved(judged_only=self.judged_only)

    def num_relevant(self, rel: float) -> per.Unit:
        """The number of judged documents of grade `rel` or more."""
        return self._of_judgments(relevant(rel), name="num_relevant")

    def num_nonrelevant(self, rel: float) -> per.Unit:
        """The number of documents judged below `rel`."""
        return self._of_judgments(nonrelevant(rel), name="num_nonrelevant")

    def num_gaining(self, gain: per.Judgment) -> per.Unit:
        """The number of the query's judgments with a positive gain."""
        return self._of_judgments(indicator(gain > 0), name="num_gaining")

    @property
    def largest_grade(self) -> per.Unit:
        """The largest grade of the query's judgments."""
        tables = self.tables
        column = tables.qrels.max(col("relevance"), into=tables.judged_queries)
        return tables.units.lookup(column, of=tables.queries)

    def ideal_sum(
        self, gain: per.Judgment, discount: Callable[[Expr], Expr] | None = None, cutoff: int | None = None
    ) -> per.Unit:
        """The discounted sum of the query's positive gains in the best order."""
        gain, rank = self.ideal_order(gain)
        term = gain if discount is None else gain / self.tables.qrels.column(discount(rank), "ideal_discount")
        counts = gain > 0 if cutoff is None else (gain > 0) & (rank <= cutoff)
        return self._of_judgments(when(counts).then(term).otherwise(0.0), order=rank.name, name="ideal")

    def ideal_cascade(self, stop: per.Judgment, value: Callable[[Expr], Expr], cutoff: int | None = None) -> per.Unit:
        """The sum of survival · stop · value(rank) in the best order."""
        stop, rank = self.ideal_order(stop)
        order, qrels, keys = [rank.name], self.tables.qrels, self.tables.judged_queries.keys
        product = qrels.over(qrels.column(1.0 - stop, "ideal_continuation").cum_prod(), keys, order, "ideal_product")
        survival = qrels.over(product.shift(1), keys, order, "ideal_survival").fill_null(1.0)
        term = survival * stop * value(rank)
        return self._of_judgments(
            term if cutoff is None else when(rank <= cutoff).then(term).otherwise(0.0), order=order[0], name="ideal"
        )

    def ideal_order(self, gain: per.Judgment) -> tuple[per.Judgment, per.Judgment]:
        """The gain of every judgment, and its rank in the best order: columns of the judgments."""
        qrels = self.tables.qrels
        gain = qrels.column(gain, "ideal_gain")
        order = [gain.name, "doc_id"]
        return gain, qrels.over(
            gain.cum_count(reverse=True).cast(pl.Float64), self.tables.judged_queries.keys, order, "ideal_rank"
        )

    def _of_judgments(self, judgment: Expr, order: str | None = None, name: str = "") -> Expr:
        return self.of_unit(self.tables.sum_by_query(judgment, order, name))

    def of_unit(self, query: per.Query) -> per.Unit:
        """A column of the judged queries, in the units."""
        return self.tables.units.lookup(query, of=self.tables.queries)

    # ---- one subtopic or assessor at a time

    def each(self, facet: str) -> Query:
        """The context of the same lists judged for one subtopic, or by one assessor, at a time."""
        return Query(FacetTables(self.tables, facet, self.measure), self.measure, judged_only=self.judged_only)

    def mean(self, each: Query, value: per.Unit, *, weighted: bool = True) -> per.Unit:
        """The mean of the values per subtopic or assessor, nulls left out; weighted by the subtopics' probabilities."""
        units, order = each.tables.units, each.tables.facet_keys[-1]
        weight = each.weight(units) if weighted else None
        return ratio(*sums_of_defined(units, units.column(value), weight, into=self.tables.units, order=order))

    def weighted(self, value: Expr, table: Table) -> per.Same:
        """A column of a table times the weight of each row's subtopic, where subtopics have weights."""
        weight = self.weight(table)
        return value if weight is None else value * weight

    def weight(self, table: Table) -> per.Same | None:
        """The weight of the subtopic of a table's rows, where subtopics have weights."""
        weight = self.tables.weight
        return None if weight is None else table.lookup(weight, of=self.tables.judged_queries)

    # ---- ratios

    def ratio(self, numerator: Expr, denominator: Expr | float) -> per.Same:
        """The ratio; null, so undefined, where the denominator is 0."""
        return ratio(numerator, denominator)
