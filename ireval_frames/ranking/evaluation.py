"""The results of an evaluation of rankings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.parameters import CONFIDENCE, Parameter, whole
from ireval_frames.ranking.coverage import FIRST_PAGE
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.results import Result, TableQuery, table_method

if TYPE_CHECKING:
    from ireval_frames.ranking.diagnosis.result import RankingDiagnosis


def _cutoffs(value: Any) -> tuple[int, ...]:
    """Cutoffs, ascending, each once.

    Raises:
        ValueError: they are none.
    """
    numbers = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else []
    with suppress(ValueError):
        if numbers:
            return tuple(sorted({whole().convert(k) for k in numbers}))
    raise ValueError("whole numbers of at least 1")


CUTOFFS = Parameter((FIRST_PAGE,), "of how many first documents the judged share is a column", _cutoffs, example=[10])


class RankingEvaluation(Evaluation):
    """The results of an evaluation of rankings; it prints as its summary."""

    _request: RankingRequest

    @table_method
    def bounds(
        self,
        *,
        summary: bool = False,
        k: int | None = None,
        grades: Sequence[float] | None = None,
        unretrieved: int = 0,
        assignments: int = 256,
    ) -> Result:
        """The least and the largest value that a list can have once its documents without a judgment are judged.

        low = min over gradings of M(list, gradings);  high = max.  A grading gives each retrieved document without a
        judgment (or with a negative grade) a grade; other judgments stay.  So the number of relevant documents and the
        ideal change, too: "none relevant" and "all relevant" are not the bounds of AP, R-precision and nDCG.

        Args:
            summary: a row per run and group instead: the value, the bounds and the numbers over all queries.
            k: only the first k documents of a list get a grade; by default all.
            grades: the grades that a document may get; by default 0, 1, … and the largest judged (at least 1).
            unretrieved: how many documents that are neither judged nor in the list may get a grade, too.
            assignments: of measures whose bounds are not known otherwise, the largest number of assignments of grades
                that are tried per list; each costs an evaluation.

        Returns:
            [run_id, by …] query_id measure value low high exact n_unjudged: a row per list and measure, or
            [run_id, by …] measure value low high exact n_unjudged n_units n_undefined.  `exact`: both bounds are
            attained.  Otherwise no value is outside of them, but they may not be attained: for example the range of the
            measure, null where that has no end.  Gradings that leave a measure undefined do not count; without any
            other, all three are null.  `n_unjudged` counts the documents of the list that get a grade.  A measure that
            leaves documents without a judgment out, such as Bpref, may have a value outside of its bounds.  A summary
            is exact if all its rows are.

        Raises:
            InvalidParameter: a number is not a whole number, a grade not a number of at least 0, or there are over 4096
                assignments.
            NotDefined: the policy is ties=expectation.

        Source: Moffat and Zobel, ACM TOIS 27(1), 2008, for the residual of a discounted sum; the others by the
        arguments in the documentation ("Bounds").

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.evaluate(*ir.examples.ranking(), "R@4")
            >>> ev.bounds().select("value", "low", "high", "exact").row(0)
            (0.6666666666666666, 0.6666666666666666, 0.75, True)
        """
        from ireval_frames.ranking.bounds.tables import Options, bounds_of_lists

        options, request, measures = Options(k, grades, assignments, unretrieved), self._request, self.measures

        def of_lists(engine: Engine) -> TableQuery:
            tables, checks = request.checked_tables(engine)
            table = bounds_of_lists(tables, measures, request.by, options, summary=summary)
            return replace(table, checks=(*checks, tables.plan.check, *table.checks))

        return request.result("bounds", of_lists)

    @table_method
    def coverage(self, *, cutoffs: Sequence[int] = (FIRST_PAGE,)) -> Result:
        """How much judgments and runs have in common, by run and group; it reads the data once more.

        Args:
            cutoffs: of how many first documents the judged share is a column.

        Returns:
            [run_id, by …] queries_judged, queries_retrieved, queries_both, documents_judged, documents_retrieved (for
            judged queries), documents_both, and for each k of `cutoffs` judged_at_k: the share of the first k documents
            of judged queries that are judged, from 0 to 1; a list shorter than k has fewer, and it is null where there
            are none.  A document with a negative grade, pooled but not judged, does not count as judged.  With `by=` of
            judgments or of queries, `queries_retrieved` counts queries of the groups.

        Raises:
            InvalidParameter: a cutoff is not a whole number of at least 1, or there is none.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.evaluate(*ir.examples.ranking(), "AP")
            >>> ev.coverage(cutoffs=[3, 10]).select("documents_both", "judged_at_3", "judged_at_10").row(0)
            (4, 1.0, 0.8)
        """
        checked = CUTOFFS.check("cutoffs", cutoffs)

        def query(engine: Engine) -> TableQuery:
            return self._request.coverage(engine, checked)

        return Result(self.engine, query, self._request.file, {"table": "coverage"})

    @table_method
    def ranks(self, depth: int | None = None, *, wide: bool = False) -> Result:
        """The values of the measures at every rank of every list, as textbooks tabulate them.

        The value at rank r is that of the measure with the cutoff r: of `nDCG` it is nDCG@r, whose best order is cut at
        r, too.  Cutoffs of the evaluated measures are replaced.

        Args:
            depth: the number of ranks, at most 1,000; by default the largest cutoff of the measures, 10 without one.
            wide: a row per list and rank instead, with a column per measure, named without its cutoff.

        Returns:
            [run_id, by …] query_id rank doc_id relevance measure gain discount discounted_gain value.  `relevance` is
            null without a judgment.  `gain` is what the measure takes for the document, `discount` the factor of its
            rank, and `discounted_gain` their product; `value` is their sum down to the rank, for CG and DCG, or a
            multiple of it (P, R, nDCG, RBP).  They are null for measures that are no such sum, as AP and ERR.  A list
            has no rows after its end.

        Raises:
            NotDefined: a measure has no cutoff; the policy is ties=expectation, where tied documents have no rank; with
                `wide`, only some of the measures are `judged_only`.
            InvalidParameter: depth is not a whole number from 1 to 1,000, or `by` names a column of the result.

        Example:
            >>> import ireval_frames as ir
            >>> ranks = ir.evaluate(*ir.examples.ranking(), "DCG(dcg='jk')@3").ranks()
            >>> ranks.select("rank", "relevance", "discount", "discounted_gain", "value").row(2)
            (3, 3.0, 0.6309297535714574, 1.8927892607143724, 2.8927892607143724)
            >>> ir.evaluate(*ir.examples.ranking(), "P@2 R@2").ranks(wide=True).columns
            ['query_id', 'rank', 'doc_id', 'relevance', 'P', 'R']
        """
        from ireval_frames.ranking.values_at_ranks import OF_DOCUMENT, TERMS, at_ranks, depth_of

        request, measures, shown = self._request, self.measures, depth_of(self.measures, depth)
        refuse_reserved(request.by, (*OF_DOCUMENT, *TERMS), "by")
        return request.result("ranks", lambda engine: at_ranks(request, measures, shown, engine, wide=wide))

    @table_method
    def sampling_intervals(self, *, confidence: float = 0.95, per_unit: bool = False) -> Result:
        """Intervals of measures that estimate from samples of judgments, by the variance of the draw.

        They are value ± z · √variance, cut to the measure's range, with the variance of `SamplingVariance`.  Queries
        are sampled apart from each other, so the variance of a mean over n queries is the mean variance over n, and
        that of a sum n times the mean variance; queries whose variance is undefined are taken to vary like the others.
        Queries are fixed: `ir.resampling.bootstrap` resamples those.

        Args:
            confidence: of the intervals.
            per_unit: intervals of every query instead of their mean or sum.

        Returns:
            [run_id, by …] [query_id] measure value variance low high, a row for each of the measures that estimates
            from samples; without `per_unit` also n_units, and n_undefined, the number of these without a variance.

        Raises:
            NotDefined: no measure estimates from samples; or one of them has no variance in closed form.
            InvalidParameter: the confidence is not between 0 and 1; or a measure averages over subtopics or assessors.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.evaluate(*ir.examples.sampled(), "xinfAP statNumRel")
            >>> ev.sampling_intervals(confidence=0.8).select("measure", "value", "low", "high").row(1)
            ('statNumRel', 4.0, 2.18761..., 5.81238...)
        """
        from ireval_frames.ranking.sampled.intervals import estimates, intervals

        request, measures, level = self._request, estimates(self.measures), CONFIDENCE.check("confidence", confidence)
        refuse_reserved(request.by, ("value", "variance", "low", "high"), "by")
        return request.result(
            "sampling intervals", lambda engine: intervals(request, measures, level, engine, per_unit=per_unit)
        )

    def diagnose(self, system: Any, baseline: Any, measure: str | Measure | None = None) -> RankingDiagnosis:
        """Where and why a run differs from a baseline: by query, segment and document; lazy.

        Args:
            system: the run_id of the run.
            baseline: the run_id of the baseline.
            measure: one of the evaluated measures; optional if there is one.

        Raises:
            NotDefined: the evaluation is of one run.
            UnknownName, InvalidParameter: the measure was not evaluated, or several were and none is named.
        """
        from ireval_frames.comparison.diagnosis import find_measure
        from ireval_frames.ranking.diagnosis.result import RankingDiagnosis

        return RankingDiagnosis(self._valued(), self._request, system, baseline, find_measure(self.measures, measure))
