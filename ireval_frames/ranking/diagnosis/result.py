"""Why two runs of an evaluation differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.comparison.diagnosis import Diagnosis
from ireval_frames.comparison.diagnosis_tables import Valued
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import wide_values_of
from ireval_frames.expr import col
from ireval_frames.ranking.diagnosis import contributions, judging
from ireval_frames.ranking.diagnosis.lists import BASELINE, RUN, TwoLists, is_query, narrowed
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.results import Result, TableQuery, table_method

# In how many ways grades are given to a topic's documents at most.
MOST = 4096


class RankingDiagnosis(Diagnosis):
    """Where and why a run differs from another by one measure; it prints as its largest gains and losses."""

    def __init__(self, valued: Valued, request: RankingRequest, run: Any, baseline: Any, measure: Measure) -> None:
        super().__init__(valued, run, baseline, measure)
        self._request = request

    @table_method
    def documents(self, query_id: Any, depth: int | None = None) -> Result:
        """The two lists of a topic side by side, with what each document adds to either value.

        contribution at rank r = M(the first r documents) − M(the first r − 1), for any measure M;  difference =
        contribution − contribution_baseline.  Over a list the contributions sum to M(list) − M(nothing), so the
        differences sum to that of the values.  Of DCG, nDCG, P, AP, RBP and ERR it is the document's term of the sum.

        Args:
            query_id: the topic.
            depth: documents that stand among the first so many of either list; by default the measure's cutoff, else
                1,000.

        Returns:
            doc_id relevance rank_baseline rank contribution_baseline contribution difference found_by, in the order of
            the better rank.  `relevance` is null without a judgment, a rank where the list lacks the document;
            `found_by` is "both", "baseline" or "run".  A document that is not in a list, or behind the cutoff, adds 0.
            Behind rank 1,000 of a measure without a cutoff contributions are not computed, and null.

        Raises:
            UnknownName: there is no such topic or run.
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
        whole("depth", depth)

        def made(both: TwoLists) -> TableQuery:
            return contributions.documents(both, self.measure, depth)

        return self._of_lists("documents", made, query_id)

    @table_method
    def unjudged(self, k: int | None = None, grades: Sequence[float] | None = None, assignments: int = 256) -> Result:
        """How many of the first k documents are not judged, and what the difference could be if they were.

        Every document without a judgment (or with a negative grade) among the first k of either list is given a grade;
        one that both lists hold has one grade.  Where that can be done in few ways, all are evaluated, and the interval
        is exact.  Else it is a bound: the difference is never outside, but may not reach it.  Bounds use what is known
        of P, CG, DCG, RBP, R, nDCG (sums over documents, whose extremes are found at once), of RR, Success, ERR and AP
        (which do not fall when a grade of the list rises), and of other measures their range alone.  What is divided by
        (the ideal of nDCG, the number of relevant documents of R and AP) changes with the grades, too.  Grades under
        which either list has no value are left out.

        Args:
            k: how many documents of each list; by default the measure's cutoff.
            grades: the grades that a document may get; by default 0, 1, … and the largest judged (at least 1).
            assignments: in how many ways grades are given to a topic's documents at most; each costs an evaluation.

        Returns:
            query_id n_unjudged_baseline n_unjudged n_unjudged_either difference lowest highest exact: a row per topic.
            The counts are of the first k of the baseline, of the run, and of either.  The bounds are null for
            measures without a finite range of which nothing is known; where either list has no value, `exact` is too.

        Raises:
            UnknownName: there is no such run.
            InvalidParameter: there is no k, grades are no numbers of at least 0, or the assignments are more than 4096.
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
        cutoff = self.measure.arguments().get("cutoff") if k is None else k
        if cutoff is None:
            raise InvalidParameter(f"{self.measure} has no cutoff, so k must say how many documents.", "Write k=10.")
        for what, number in (("k", cutoff), ("assignments", assignments)):
            whole(what, number)
        if assignments > MOST:
            raise InvalidParameter(
                f"assignments is {assignments}; each is an evaluation, and {MOST} are the most.",
                f"Write assignments={MOST}.",
            )
        given = None if grades is None else some_grades(grades)

        def made(both: TwoLists) -> TableQuery:
            return judging.unjudged(both, self.measure, cutoff, given, assignments)

        return self._of_lists("unjudged", made)

    @table_method
    def only(self, which: str = "run", depth: int | None = None) -> Result:
        """The documents that only one of the two found.

        Args:
            which: "run", or "baseline".
            depth: those among the first so many of its list; by default all.

        Returns:
            query_id doc_id relevance rank, by topic and rank; `relevance` is null without a judgment.  The other list
            does not hold the document at any rank.

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
        if which not in (RUN, BASELINE):
            raise UnknownName(f"There is no list {which!r}.", nearest(which, (RUN, BASELINE)))
        whole("depth", depth)
        return self._of_lists("only", lambda both: alone(both, which, depth))

    # ---- within

    def _of_lists(self, says: str, make: Callable[[TwoLists], TableQuery], query: Any = None) -> Result:
        """A table of the two lists, of one topic where it is named."""

        def of_lists(engine: Engine) -> TableQuery:
            tables, checks = self._request.checked_tables(engine)
            found = make(TwoLists(narrowed(tables, self._pair, query), self._pair))
            known: list[Callable[[], None]] = [lambda: self._known(engine)]
            if query is not None:
                known.append(lambda: known_topic(tables, query))
            return replace(found, checks=(*checks, *known, *found.checks))

        valued = self._valued.result
        return Result(valued.engine, of_lists, valued.files, self._says(says))

    def _regrouped(self, by: Sequence[str]) -> Valued:
        return wide_values_of(Evaluation(self._request.of([self.measure]).grouped(by)))


def alone(both: TwoLists, which: str, depth: int | None) -> TableQuery:
    """The documents that only one list holds."""
    table, rank = both.table, both.rank if which == RUN else both.rank_baseline
    found = both.found_by == which
    where = table.column(found if depth is None else found & (rank <= depth), "alone")
    columns = {
        "query_id": col("query_id"),
        "doc_id": col("doc_id"),
        "relevance": both.relevance,
        "rank": rank.cast(pl.Int64),
    }
    frame = table.frame().filter(where).select(**columns)
    return TableQuery(both.plan, frame, ("query_id", "rank", "doc_id"), tuple(columns))


def some_grades(grades: Sequence[float]) -> list[float]:
    """Grades as numbers, ascending.

    Raises:
        InvalidParameter: they are fewer than two, negative, or no numbers.
    """
    try:
        out = sorted({float(grade) for grade in grades})
    except (TypeError, ValueError):
        out = []
    if len(out) < 2 or out[0] < 0 or not math.isfinite(out[-1]):
        raise InvalidParameter(
            f"grades is {grades!r}; it must hold at least two numbers of 0 or more.", "Write grades=[0, 1, 2]."
        )
    return out


def known_topic(tables: RankingTables, query: Any) -> None:
    """Refuse a topic that is not judged.

    Raises:
        UnknownName: it is not.
    """
    ids = tables.qrels_frame.select("query_id").unique()
    engine = tables.plan.engine
    if not engine.collect(ids.filter(is_query(query))).height:
        names = [str(name) for name in engine.collect(ids).sort("query_id")["query_id"]]
        raise UnknownName(f"There are no judgments of a topic {query!r}.", nearest(str(query), names))


def whole(what: str, number: int | None) -> None:
    """Refuse what is no number of documents.

    Raises:
        InvalidParameter: it is less than 1, or no whole number.
    """
    if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
        raise InvalidParameter(f"{what} is {number!r}; it must be a whole number of at least 1.", f"Write {what}=10.")
