"""Checks of the tables of a ranking evaluation, and how many rows or queries each policy affected."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.engines.row_checks import Check, run_checks, unique_key
from ireval_frames.errors import Argument, Hint, MismatchedTables, NothingInCommon, listed
from ireval_frames.expr import col, lit
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common
from ireval_frames.ranking.inputs.frames import Inputs
from ireval_frames.ranking.inputs.rules import duplicate_judgments, qrels_rules
from ireval_frames.ranking.tables import RankingTables


class PolicyReport:
    """The checks of one evaluation, and how many rows or queries each policy affected."""

    def __init__(self, tables: RankingTables, policy: RankingPolicy, inputs: Inputs) -> None:
        self.tables, self.policy, self.inputs = tables, policy, inputs
        self.engine = tables.plan.engine
        self.systems = [k for k in tables.list_keys if k != "query_id"]

    def checks(self) -> list[Callable[[], None]]:
        """The checks in the order in which they run, with the first result."""
        return [
            lambda: run_checks(self.engine, self._of_judgments()),
            self.tables.ranked_run.check,
            self.tables.plan.check,
            lambda: run_checks(self.engine, self._of_both()),
        ]

    def _of_judgments(self) -> Iterator[Check]:
        """Checks of the judgments and of the columns that group queries."""
        frame, by = self.tables.qrels_frame, self.tables.by
        keys = ("query_id", *self.tables.facets, "doc_id")
        yield from self.inputs.checks
        yield from (Check(frame, rule.bad, rule.error) for rule in qrels_rules(self.tables.facets, self.inputs.called))
        yield unique_key(
            frame, keys, lambda rows, count: duplicate_judgments(rows, count, self.inputs.unread), ordered=True
        )
        grouped = frame if self.tables.by_in == "qrels" else self.tables.queries_frame
        if grouped is not None and by:
            yield unique_key(grouped.select("query_id", *by).unique(), ("query_id",), _several_groups, ordered=True)

    def _of_both(self) -> Iterator[Check]:
        """Checks of judgments and run together, by the policy."""
        if self.policy.overlap == "error":
            if self.tables.by_in == "queries" and self.tables.queries_frame is not None:
                yield self._overlaps(
                    "queries", self.tables.queries_frame, self.judged_queries, "No judged query", "qrels"
                )
            model = self.inputs.click_model
            if model is not None and "query_id" in model.frame.columns:
                yield self._overlaps(
                    "click_model", model.frame, self._queries(self.lists), "No query of the run", "run"
                )
        if self.policy.unknown == "error":
            yield Check(self._queries(self.lists_of_unknown), lit(value=True), _unknown, ("query_id",))
        if self.policy.missing == "error":
            yield Check(self._queries(self.missing), lit(value=True), _missing, ("query_id",))
        if self.policy.unjudged == "error":
            yield self._all_judged()

    def counts(self) -> dict[str, str]:
        """By policy field: the rows or queries it affected, in words; one query counts all."""
        tables, list_and_score = self.tables, [*self.tables.list_keys, self.tables.order_column]
        relevant = tables.qrels_frame.filter(col("relevance") >= 1)
        parts = [
            self._number("rows", tables.run_frame),
            self._sum("tied", tables.run_frame.count_by(*list_and_score).filter(col("n") > 1)),
            self._sum("n", self.lists),
            self._number("judged", tables.judged.frame()),
            self._number("missing", self.missing),
            self._number("unknown", self._queries(self.lists_of_unknown)),
            self._number("judged_queries", self.judged_queries),
            self._number("relevant", self._queries(relevant)),
            self._number("between", self._between()),
        ]
        for field, (before, after) in self.inputs.left_out.items():
            parts += [self._number(f"{field}_before", before), self._number(f"{field}_after", after)]
        totals = {name: int(value or 0) for name, value in self.engine.numbers(self._together(parts)).items()}
        left_out = {
            by: f"{totals[f'{by}_before'] - totals[f'{by}_after']} rows left out" for by in self.inputs.left_out
        }
        return {
            "ties": f"{totals['tied']} rows share their {tables.order_column}",
            "depth": f"{totals['rows'] - totals['n']} rows cut",
            "interpolation": f"{totals['between']} queries",
            "missing": f"{totals['missing']} queries",
            "unknown": f"{totals['unknown']} queries",
            "no_relevant": f"{totals['judged_queries'] - totals['relevant']} queries",
            "unjudged": f"{totals['n'] - totals['judged']} of {totals['n']} rows",
            "duplicates": "checked" if self.policy.duplicates == "error" else "not checked",
            **left_out,
        }

    def _number(self, name: str, rows: Frame) -> Frame:
        """The number of rows."""
        return self.engine.group(rows, (), [Aggregate(name, "count", lit(1.0))])

    def _sum(self, name: str, rows: Frame) -> Frame:
        """The sum of `n`."""
        return self.engine.group(rows, (), [Aggregate(name, "sum", col("n").cast(pl.Float64))])

    def _together(self, parts: Sequence[Frame]) -> Frame:
        return functools.reduce(lambda one, other: self.engine.join(one, other, (), "inner"), parts)

    def _between(self) -> Frame:
        """The queries with a recall level between two relevant documents, where the rule of interpolation matters."""
        frames = [self.judged_queries.filter(lit(value=False))]
        for rel, recall in sorted(self.tables.recall_levels):
            relevant = self.tables.qrels_frame.filter(col("relevance") >= max(rel, 0.0))
            position = col("n").cast(pl.Float64) * recall
            n = relevant.select("query_id", "doc_id").unique().count_by("query_id")
            frames.append(self._queries(n.filter((position - (position + 0.5).floor()).abs() > 1e-9)))
        return concat(frames).unique()

    # ---- judgments and run together

    @property
    def lists(self) -> Frame:
        """A row per list of the run, with its number of documents `n`."""
        return self.tables.lists.frame().select(*self.tables.list_keys, "n")

    @property
    def judged_queries(self) -> Frame:
        """The judged queries."""
        return self.tables.qrels_frame.select("query_id").unique()

    @property
    def known(self) -> Frame:
        """The lists, and whether their query is judged: `is_judged`, else null."""
        return self.engine.join(self.lists, self.judged_queries.with_columns(is_judged=lit(1.0)), ("query_id",), "left")

    @property
    def lists_of_unknown(self) -> Frame:
        """The lists whose query is not judged."""
        return self.known.filter(col("is_judged").is_null())

    @property
    def missing(self) -> Frame:
        """The judged queries that the run, or one of its systems, has no list for."""
        queries = self.judged_queries
        if self.systems:
            queries = self.engine.join(self.lists.select(*self.systems).unique(), queries, (), "inner")
        lists = self.lists.with_columns(is_retrieved=lit(1.0))
        rows = self.engine.join(queries, lists, (*self.systems, "query_id"), "left")
        return rows.filter(col("is_retrieved").is_null())

    def _queries(self, rows: Frame) -> Frame:
        return rows.select("query_id").unique()

    def _overlaps(self, name: str, table: Frame, queries: Frame, what: str, of: str) -> Check:
        """A further table that is not empty has some of the queries."""
        in_table = self._queries(table.filter(~col("query_id").is_null())).with_columns(in_table=lit(1.0))
        sums = [Aggregate("n_shared", "sum", col("in_table")), Aggregate("n_queries", "count", lit(1.0))]
        numbers = self.engine.group(self.engine.join(queries, in_table, ("query_id",), "left"), (), sums)
        numbers = self.engine.join(numbers, self._number("n_in_table", in_table), (), "inner")

        def error(rows: pl.DataFrame, count: int) -> NothingInCommon:
            del rows, count
            one, other = (
                Side(t, self.inputs.called(t, "query_id"), self.first(frame, "query_id")[0])
                for t, frame in ((of, queries), (name, in_table))
            )
            instead = Argument("policy", "overlap=allow")
            return nothing_in_common(f"{what} is in the table {name}", one, other, instead)

        not_empty = (col("n_queries") > 0) & (col("n_in_table") > 0)
        return Check(numbers, not_empty & (col("n_shared").fill_null(0.0) == 0.0), error)

    def first(self, frame: Frame, column: str) -> tuple[list[object], int]:
        """The first ids of a column, and their number."""
        ids = frame.select(column).unique()
        n = self.engine.numbers(self._number("n", ids))["n"]
        return self.engine.collect(ids.sort(column).head(COMPARED_IDS))[column].sort().to_list(), int(n)

    def _all_judged(self) -> Check:
        """All retrieved documents of judged queries are judged."""
        known = self.known.filter(~col("is_judged").is_null())
        retrieved = self.engine.group(known, (), [Aggregate("n", "sum", col("n").cast(pl.Float64))])
        judged = self.engine.group(self.tables.judged.frame(), (), [Aggregate("judged", "count", lit(1.0))])
        return Check(self.engine.join(retrieved, judged, (), "inner"), col("n") > col("judged"), _unjudged)


def _several_groups(rows: pl.DataFrame, count: int) -> MismatchedTables:
    return MismatchedTables(
        f"The by columns differ within {count} queries, such as {rows['query_id'][0]!r}.",
        "Group by columns that are constant within a query.",
    )


def _unknown(rows: pl.DataFrame, count: int) -> MismatchedTables:
    return MismatchedTables(
        f"{count} queries of the run have no judgments: {listed(rows['query_id'], 5, count)}.",
        Hint("Leave them out: ", Argument("policy", "unknown=skip"), "."),
    )


def _missing(rows: pl.DataFrame, count: int) -> MismatchedTables:
    return MismatchedTables(
        f"{count} judged queries are missing from the run: {listed(rows['query_id'], 5, count)}.",
        Hint(
            "Count them zero (",
            Argument("policy", "missing=zero"),
            ") or leave them out (",
            Argument("policy", "missing=skip"),
            ").",
        ),
    )


def _unjudged(rows: pl.DataFrame, count: int) -> MismatchedTables:
    del count
    return MismatchedTables(
        f"{int(rows['n'][0] - rows['judged'][0])} retrieved documents have no judgment.",
        Hint(
            "Count them as not relevant (",
            Argument("policy", "unjudged=nonrelevant"),
            ") or take them out (",
            Argument("policy", "unjudged=skip"),
            ").",
        ),
    )
