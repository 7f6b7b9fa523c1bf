"""Why two runs of an evaluation differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.comparison.diagnosis import Diagnosis
from ireval_frames.comparison.diagnosis_tables import PerUnitQuery
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import wide_values_of
from ireval_frames.expr import col
from ireval_frames.ranking.bounds.tables import Options, require_whole
from ireval_frames.ranking.diagnosis import contributions
from ireval_frames.ranking.diagnosis.judging import bounds_of_difference
from ireval_frames.ranking.diagnosis.lists import BASELINE, SYSTEM, TwoLists, is_query, narrowed
from ireval_frames.ranking.diagnosis.to_judge import to_judge
from ireval_frames.ranking.ranked_lists import last_rank_of
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.results import Result, TableQuery, table_method


class RankingDiagnosis(Diagnosis):
    """Where and why a run differs from another by one measure; it prints as its largest gains and losses."""

    def __init__(
        self, valued: PerUnitQuery, request: RankingRequest, system: Any, baseline: Any, measure: Measure
    ) -> None:
        super().__init__(valued, system, baseline, measure)
        self._request = request

    @table_method
    def documents(self, query_id: Any, depth: int | None = None) -> Result:
        """The two lists of a query side by side, with the contribution of each document to either value.

        contribution at rank r = M(top r) − M(top r − 1), for any measure M;  difference = contribution −
        contribution_baseline.  The contributions of a list sum to M(list) − M(empty list), so the differences sum to
        that of the values.  For DCG, nDCG, P, AP, RBP and ERR it is the document's term of the sum.

        Args:
            query_id: the query.
            depth: how deep to look in either list; by default the measure's cutoff, else 1,000.

        Returns:
            doc_id relevance rank_baseline rank contribution_baseline contribution difference found_by, in the order of
            the better rank.  `relevance` is null without a judgment, a rank where the list does not have the document;
            `found_by` is "both", "baseline" or "system".  A document that is not in a list, or after the cutoff,
            contributes 0.  After rank 1,000 of a measure without a cutoff contributions are not computed, and null.

        Raises:
            UnknownName: there is no such query or run.
            NotDefined: the policy is ties=expectation, where tied documents have no rank.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> turned = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), turned.with_columns(run_id=pl.lit("b"))])
            >>> d = ir.evaluate(qrels, runs, "P@2").diagnose("b", "a")
            >>> d.documents("q").select("doc_id", "rank_baseline", "rank", "difference").rows()
            [('d5', 5, 1, 0.0), ('d1', 1, 5, -0.5), ('d4', 4, 2, 0.0), ('d2', 2, 4, 0.0)]
        """
        require_whole("depth", depth)

        def table(both: TwoLists) -> TableQuery:
            return contributions.documents(both, self.measure, depth)

        return self._of_lists("documents", table, query_id)

    @table_method
    def unjudged(self, k: int | None = None, grades: Sequence[float] | None = None, assignments: int = 256) -> Result:
        """How many of the top k documents are not judged, and the possible differences if they were.

        Every document without a judgment (or with a negative grade) among the top k of either list gets a grade; a
        document of both lists gets one.  The interval is exact for measures that are sums over documents, also over an
        ideal or the number of relevant documents (P, R, F, CG, DCG, nDCG, RBP), R-precision, RR and Success.  For
        others all assignments of grades are evaluated, if there are few; else the interval is from the bounds of both
        lists, as `ev.bounds()` has them, or the range: the difference is never outside, but may not reach it.
        Assignments under which either list has no value are left out.

        Args:
            k: the number of documents of each list; by default the measure's cutoff.
            grades: the grades that a document may get; by default 0, 1, … and the largest judged (at least 1).
            assignments: the largest number of assignments of grades that are tried per query; each costs an evaluation.

        Returns:
            query_id n_unjudged_baseline n_unjudged n_unjudged_either difference lowest highest exact: a row per query.
            The counts are of the top k of the baseline, of the run, and of either.  The bounds are null for
            other measures without a finite range; where either list has no value, `exact` is null, too.

        Raises:
            UnknownName: there is no such run.
            InvalidParameter: there is no k, a grade is not a number of at least 0, or there are over 4096 assignments.
            NotDefined: the measure reads judgments by subtopic or assessor; or the policy is ties=expectation.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> turned = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), turned.with_columns(run_id=pl.lit("b"))])
            >>> d = ir.evaluate(qrels, runs, "P@2").diagnose("b", "a")
            >>> d.unjudged().select("n_unjudged", "difference", "lowest", "highest", "exact").row(0)
            (1, -0.5, -0.5, 0.0, True)
        """
        options = Options(self._cutoff(k), grades, assignments)
        return self._of_lists("unjudged", lambda both: bounds_of_difference(both, self.measure, options))

    def to_judge(self, k: int | None = None, grades: Sequence[float] | None = None) -> pl.DataFrame:
        """The documents that are not judged, those first whose judgment says most about which run is better.

        The width of the bounds of the difference (`unjudged`) is what judgments can still decide in a query:

            shrinks = width − max(width if not relevant, width if it has the highest grade)

        is what a judgment takes off it at least.  A document that both lists have at one rank takes off nothing of a
        sum such as P@10, however high it stands.  A query's difference is certain when its width is 0; the bounds of
        the mean difference are the means of those of the queries, and the runs are told apart when both have one sign.
        Judge the first documents, evaluate again, and ask again.

        Args:
            k: the number of documents of each list that may be judged; by default the measure's cutoff.
            grades: the grades that a document may get; by default 0, 1, … and the largest judged (at least 1).

        Returns:
            query_id doc_id rank_baseline rank width width_if_not width_if_relevant shrinks: by `shrinks`, then by what
            the better of both outcomes takes off, then by the better rank.  Widths are in units of the measure, per
            query; they are from bounds, which may be wider than what any grades can give, so that `shrinks` may be
            below 0.  Queries in which a list has no value, or no bounds, are left out.

        Raises:
            UnknownName: there is no such run.
            InvalidParameter: there is no k, or a grade is not a number of at least 0.
            NotDefined: the measure reads judgments by subtopic or assessor; or the policy is ties=expectation.

        Source: the idea of Carterette, Allan and Sitaraman, SIGIR 2006, and of Moffat, Webber and Zobel, SIGIR 2007:
        judge where it tells systems apart; by bounds instead of their weights.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> turned = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), turned.with_columns(run_id=pl.lit("b"))])
            >>> d = ir.evaluate(qrels, runs, "P@2").diagnose("b", "a")
            >>> d.to_judge().select("doc_id", "rank_baseline", "rank", "width", "width_if_not", "shrinks").rows()
            [('d4', 4, 2, 0.5, 0.0, 0.5)]
        """
        rows, judgments = (self._of_lists(name, of).collect() for name, of in (("rows", _rows), ("judgments", _graded)))
        if grades is None:
            largest = max([1.0, *judgments["relevance"]])
            grades = sorted({*map(float, range(math.ceil(largest))), largest})
        now = self.unjudged(k, grades, 1).select("query_id", "lowest", "highest")
        cutoff, policy = self._cutoff(k), self._request.policy
        last = last_rank_of(self.measure, policy)
        best = pl.min_horizontal("rank_baseline", "rank")
        shown = rows if last is None else rows.filter(best <= max(last, cutoff))
        # The lists are as they were ranked.
        ranked = {"ties": "trec_eval", "depth": None, "own_document": "keep", "precision": 64}
        ranked |= {"overlap": "allow", "unknown": "skip"}

        def bounds(qrels: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
            subject = type(self._request.subject)(qrels, runs, policy=policy.with_fields(ranked))
            return subject.evaluate(self.measure).diagnose(1, 0, self.measure).unjudged(cutoff, grades, 1)

        return to_judge(shown, judgments, now, cutoff, grades, bounds)

    @table_method
    def only(self, which: str = "system", depth: int | None = None) -> Result:
        """The documents that only one of the two retrieved.

        Args:
            which: "system", or "baseline".
            depth: how deep to look in its list; by default all of it.

        Returns:
            query_id doc_id relevance rank, by query and rank; `relevance` is null without a judgment.  The other list
            does not have the document at any rank.

        Raises:
            UnknownName: `which` is neither, or there is no such run.
            NotDefined: the policy is ties=expectation.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), run.head(3).with_columns(run_id=pl.lit("b"))])
            >>> ir.evaluate(qrels, runs, "AP").diagnose("b", "a").only("baseline").rows()
            [('q', 'd4', None, 4), ('q', 'd5', 0.0, 5)]
        """
        if which not in (SYSTEM, BASELINE):
            raise UnknownName(f"There is no list {which!r}.", nearest(which, (SYSTEM, BASELINE)))
        require_whole("depth", depth)
        return self._of_lists("only", lambda both: documents_of_one(both, which, depth))

    def _cutoff(self, k: int | None) -> Any:
        """How many documents of each list may be judged.

        Raises:
            InvalidParameter: neither the call nor the measure says it.
        """
        cutoff = self.measure.arguments().get("cutoff") if k is None else k
        if cutoff is None:
            raise InvalidParameter(f"{self.measure} has no cutoff, so k is required.", "Write k=10.")
        return cutoff

    def _of_lists(self, text: str, make: Callable[[TwoLists], TableQuery], query: Any = None) -> Result:
        """A table of the two lists, of one query if it is named."""

        def of_lists(engine: Engine) -> TableQuery:
            tables, checks = self._request.checked_tables(engine)
            table = make(TwoLists(narrowed(tables, self._pair, query), self._pair))
            checks_of_names: list[Callable[[], None]] = [lambda: self._known(engine)]
            if query is not None:
                checks_of_names.append(lambda: require_query(tables, query))
            return replace(table, checks=(*checks, *checks_of_names, *table.checks))

        per_unit = self._valued.result
        return Result(per_unit.engine, of_lists, per_unit.files, self._provenance(text))

    def _regrouped(self, by: Sequence[str]) -> PerUnitQuery:
        return wide_values_of(Evaluation(self._request.of([self.measure]).grouped(by)))


def _rows(both: TwoLists) -> TableQuery:
    """The documents of either list, with their ranks and grades."""
    ranks = {"rank_baseline": both.rank_baseline.cast(pl.Int64), "rank": both.rank.cast(pl.Int64)}
    ids = {"query_id": col("query_id"), "doc_id": col("doc_id")}
    frame = both.table.frame().select(**ids, **ranks, relevance=both.relevance)
    return TableQuery(both.plan, frame, ("query_id", "doc_id"), tuple(frame.columns))


def _graded(both: TwoLists) -> TableQuery:
    """The judged documents with their grades."""
    frame = both.tables.qrels.frame().select("query_id", "doc_id", "relevance")
    return TableQuery(both.plan, frame, ("query_id", "doc_id"), tuple(frame.columns))


def documents_of_one(both: TwoLists, which: str, depth: int | None) -> TableQuery:
    """The documents of only one list."""
    table, rank = both.table, both.rank if which == SYSTEM else both.rank_baseline
    is_only = both.found_by == which
    where = table.column(is_only if depth is None else is_only & (rank <= depth), "only")
    columns = {
        "query_id": col("query_id"),
        "doc_id": col("doc_id"),
        "relevance": both.relevance,
        "rank": rank.cast(pl.Int64),
    }
    frame = table.frame().filter(where).select(**columns)
    return TableQuery(both.plan, frame, ("query_id", "rank", "doc_id"), tuple(columns))


def require_query(tables: RankingTables, query: Any) -> None:
    """Refuse a query that is not judged.

    Raises:
        UnknownName: it is not.
    """
    ids = tables.qrels_frame.select("query_id").unique()
    engine = tables.plan.engine
    if not engine.collect(ids.filter(is_query(query))).height:
        names = [str(name) for name in engine.collect(ids).sort("query_id")["query_id"]]
        raise UnknownName(f"There are no judgments of a query {query!r}.", nearest(str(query), names))
