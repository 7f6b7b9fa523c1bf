"""The lists whose documents get grades, in a plan: those of every run, or those of two runs side by side.

Both `OneList` and the diagnosis' `TwoLists` are `Documents`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.bounds.arrays import Array, Lists, lists_of
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ratios import indicator


class Documents(Protocol):
    """Documents of one list, or of two lists of one query.

    Attributes:
        plan, tables: the plan, and the tables of the evaluation.
        keys: the columns that name a list, or the query of two lists.
        units: a row per keys.
        table: a row per keys and document.
        ranks: of each list, the rank; null where it does not have the document.
        relevance: the grade; null without a judgment.
    """

    plan: Plan
    tables: RankingTables
    table: Table

    @property
    def keys(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def units(self) -> Table: ...  # noqa: D102

    @property
    def ranks(self) -> tuple[Expr, ...]: ...  # noqa: D102

    @property
    def relevance(self) -> Expr: ...  # noqa: D102

    def sided(self, last: int | None = None) -> Table: ...  # noqa: D102


class OneList:
    """A row per document of every list.

    Raises:
        NotDefined: tied documents share their ranks.
    """

    def __init__(self, tables: RankingTables) -> None:
        if tables.policy.ties == "expectation":
            raise NotDefined(
                "Under tie expectation a tied document has no rank of its own.",
                Hint("Use another tie policy: ", Argument("policy", "ties=trec_eval"), "."),
            )
        plan = self.plan = tables.plan
        self.tables, self.keys, self.units = tables, tuple(tables.units.keys), tables.units
        # Only evaluated queries.
        queries = plan.selected("evaluated_queries", ("query_id",), tables.queries, query_id=col("query_id"))
        self.table = plan.joined("rows_of_lists", tables.ranked.keys, tables.retrieved, queries, on=("query_id",))
        self.ranks = (col("rank").cast(pl.Float64),)
        self.relevance = col("relevance")

    def sided(self, last: int | None = None) -> Table:
        """A row per document with its rank, on side 1; down to the last rank if it is given."""
        columns = {"side": lit(1), **{k: col(k) for k in (*self.keys, "doc_id")}}
        name = "sided_rows" if last is None else "first_rows"
        where = None if last is None else col("rank") <= last
        table = self.plan.selected(
            name, tuple(columns), self.table, where=where, **columns, rank=col("rank").cast(pl.Int64)
        )
        return self.plan.compute_once(table)


class ToGrade:
    """Which documents of the lists get a grade, and which grades.

    Args:
        documents: the documents.
        k: only the first k documents of each list; None is all.
        grades: the grades, ascending; None is 0, 1, … and the largest judged, at least 1.
        unretrieved: how many documents outside of each list get a grade, too.
    """

    def __init__(
        self, documents: Documents, k: int | None, grades: Sequence[float] | None, unretrieved: int = 0
    ) -> None:
        self.documents, self.grades, self.unretrieved = documents, grades, unretrieved
        table = documents.table
        # A pooled but unjudged document (a negative grade) is graded, too.
        no_grade = documents.relevance.is_null() | (documents.relevance < 0)
        self.of_lists = [
            table.column(indicator(no_grade if k is None else no_grade & (rank <= k)))
            if len(documents.ranks) == 1 or k is not None
            else table.column(indicator(no_grade & ~rank.is_null()))
            for rank in documents.ranks
        ]
        either = self.of_lists[0] if len(self.of_lists) == 1 else self.of_lists[0] + self.of_lists[1]
        self.flag = table.column(indicator(either > 0), "to_grade")
        self.number = table.sum(self.flag, into=documents.units).fill_null(0.0)

    @property
    def top(self) -> Expr:
        """The largest grade that documents may get, at every list."""
        if self.grades is not None:
            return lit(float(self.grades[-1]))
        plan, qrels, units = self.documents.plan, self.documents.tables.qrels, self.documents.units
        all_judgments = plan.grouped("all_judgments", qrels)
        largest = qrels.max(col("relevance").cast(pl.Float64), into=all_judgments)
        return units.lookup(
            all_judgments.column(when(largest > 1.0).then(largest).otherwise(1.0), "largest_grade"), of=all_judgments
        )

    def levels(self, *, binary: bool) -> Expr:
        """The number of grades that documents may get; of a binary measure the lowest and the highest are enough."""
        if self.grades is not None:
            return lit(2.0 if binary else float(len(self.grades)))
        return lit(2.0) if binary else self.top.ceil() + 1.0

    def through_arrays(self, compute: Callable[[Lists], Mapping[str, Array]], names: Sequence[str]) -> Table:
        """A row per keys with these columns, computed in Python from arrays of lists; NaN becomes null."""
        documents, plan = self.documents, self.documents.plan
        keys, units, qrels = documents.keys, documents.units, documents.tables.qrels
        nothing = lit(None, dtype=pl.Float64)
        top = units.column(self.top.cast(pl.Float64), "top")
        ranks = {f"rank_{i}": rank.cast(pl.Float64) for i, rank in enumerate(documents.ranks)}
        of_documents = {
            **{k: col(k) for k in keys},
            **ranks,
            "relevance": documents.relevance.cast(pl.Float64),
            "to_grade": self.flag.cast(pl.Float64),
            "number": nothing,
            "top": nothing,
        }
        by_grade = plan.grouped("judgments_by_grade", qrels, "query_id", "relevance")
        counted = by_grade.column(qrels.count(into=by_grade).cast(pl.Float64), "number")
        counts = plan.selected(
            "numbers_of_judgments", ("query_id", "relevance"), by_grade,
            query_id=col("query_id"), relevance=col("relevance"), number=counted,
        )  # fmt: skip
        lists = plan.selected("lists_to_grade", keys, units, **{k: col(k) for k in keys}, top=top)
        repeated = plan.joined("judgments_of_lists", (*keys, "relevance"), lists, counts, on=("query_id",))
        of_judgments = {
            **{k: col(k) for k in keys},
            **dict.fromkeys(ranks, nothing),
            "relevance": col("relevance").cast(pl.Float64),
            "to_grade": nothing,
            "number": col("number"),
            "top": col("top"),
        }
        rows = plan.concat(
            "documents_and_judgments", (*keys, "place"), (documents.table, of_documents), (repeated, of_judgments)
        )
        grades, more = self.grades, self.unretrieved

        def bounds(rows: pl.DataFrame) -> pl.DataFrame:
            """The bounds of lists."""
            parts = [
                some.with_columns(pl.Series(name, values, pl.Float64) for name, values in compute(arrays).items())
                for some, arrays in lists_of(rows, keys, tuple(ranks), grades, more)
            ]
            empty = rows.head(0).select(*keys, *(pl.lit(None, pl.Float64).alias(name) for name in names))
            return pl.concat([empty, *parts]).with_columns(pl.col(names).fill_nan(None))

        return plan.applied("bounds_of_lists", keys, rows, bounds, dict.fromkeys(names, pl.Float64), by=keys)
