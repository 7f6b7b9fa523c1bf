"""Rankings: judgments and a run, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.columns.user_names import Columns, TableNames
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.evaluation.request import plan_of
from ireval_frames.ranking import curves, strings
from ireval_frames.ranking.evaluation import RankingEvaluation
from ireval_frames.ranking.inputs.frames import KINDS
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.results import Result, TableQuery
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Rankings(Subject[RankingPolicy, RankingEvaluation]):
    """Judgments and one or more runs.

    Args:
        qrels: the judgments: query_id, doc_id, relevance.  A column subtopic_id separates judgments by subtopic
            (plain measures take a document's largest grade), assessor_id by assessor (plain measures need
            `assessors="mean"` or `"max"`), subgroup_id by group of an assessor's preferences.  A column iteration, the
            second one of a TREC file, is read as the subtopic or the assessor if a measure needs one of them.
        run: query_id, doc_id, score; with a run_id column, many runs at once.
        queries: query_id and columns to group by; optional.
        click_model: for measures of click models: a fitted model (`log.fit`), or its parameters as a table.
        by: columns that group queries: of `queries`, else of the judgments, else of the run (then with
            `missing="skip"`).
        policy: the conventions (see `RankingPolicy`): a policy, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the run is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: names of the tables' columns where they differ from ours: `{"score": "sim"}` for every table that has
            such a column, `{"run": {"score": "sim"}}` for one.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Tables may be frames of any kind Narwhals knows, paths (also globs and lists for the run), DuckDB relations, or
    names of DuckDB tables.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> qrels = pl.DataFrame({"query_id": ["q"] * 2, "doc_id": ["a", "b"], "relevance": [1, 0]})
        >>> run = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ["b", "a", "c"], "score": [3.0, 2.0, 1.0]})
        >>> ir.Rankings(qrels, run).evaluate("RR P@2").summary()["value"].to_list()
        [0.5, 0.5]
    """

    family = "ranking"
    _conventions = RankingPolicy
    _requests = RankingRequest
    _evaluations = RankingEvaluation
    _result_columns = (
        *RESULT_COLUMNS,
        "query_id",
        "n_retrieved",
        "n_judged",
        "n_relevant",
        "n_relevant_retrieved",
    )

    def __init__(
        self,
        qrels: Any,
        run: Any,
        *,
        queries: Any = None,
        click_model: Any = None,
        by: str | Sequence[str] = (),
        policy: RankingPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Columns | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"qrels": qrels, "run": run, "queries": queries, "click_model": click_model},
            first="run",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        self.names = TableNames(columns, KINDS)

    @results.table_method
    def curve(
        self,
        kind: str = "interpolated",
        *,
        recalls: Sequence[float] | None = None,
        rel: float = 1.0,
        judged_only: bool = False,
        per_unit: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RankingPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """A precision-recall curve.

        Args:
            kind: "interpolated": the mean interpolated precision at recall levels (or of each query with
                `per_unit=True`); "precision-recall": recall and precision at every rank of every list.
            recalls: the recall levels; 0, 0.1, … 1 by default.
            rel: the lowest grade that counts as relevant.
            judged_only: remove unjudged documents before ranks are assigned.
            per_unit: a curve per query instead of the mean.
            by: columns that group queries, instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] [query_id] recall precision, or [run_id] query_id rank recall precision.
        """
        if kind not in ("interpolated", "precision-recall"):
            raise UnknownName(f"There is no curve {kind!r}.", nearest(kind, ["interpolated", "precision-recall"]))
        reserved = ("recall", "precision", "rank")
        if kind == "interpolated":
            measures = curves.interpolated(recalls, rel, judged_only=judged_only)
            means: RankingRequest = self._request(measures, by=by, policy=policy, columns=reserved)
            return means.result(
                "interpolated curve", lambda engine: curves.points(plan_of(means, engine), recalls, each=per_unit)
            )
        self._request(by=by, columns=reserved)
        request: RankingRequest = self._request(by=(), policy=policy)

        def query(engine: Engine) -> TableQuery:
            tables, checks = request.checked_tables(engine)
            frame = curves.precision_recall(tables, rel, judged_only=judged_only or request.policy.unjudged == "skip")
            return TableQuery(
                tables.plan, engine.stage(frame, "curve"), (*tables.list_keys, "rank"), frame.columns, checks
            )

        return request.result("precision-recall curve", query)

    @results.table_method
    def relevance_strings(self, length: int = 10, *, judged_only: bool = False) -> Result:
        """The judgments of every query's first documents as text, a sign for each: trec_eval's relstring.

        A grade from 0 to 9 is its digit (the whole part of it), a larger one `>`, a negative one (pooled, not judged)
        `.`; a document without judgment is `-`.  A list shorter than `length` gives a shorter text.

        Args:
            length: the number of documents.
            judged_only: remove unjudged documents first.

        Returns:
            [run_id] query_id relevance_string.

        Raises:
            InvalidParameter: length is not a whole number of at least 1.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Rankings(*ir.examples.ranking()).relevance_strings().rows()
            [('q', '103-0')]
        """
        if isinstance(length, bool) or not isinstance(length, int) or length < 1:
            raise InvalidParameter(
                f"length is {length!r}; it must be a whole number of at least 1.", "Write relevance_strings(10)."
            )
        evaluate = partial(self.evaluate, by=())

        def query(engine: Engine) -> TableQuery:
            actual = strings.effective_length(length, evaluate)
            measures = strings.measures(actual, judged_only=judged_only)
            return strings.strings(plan_of(self._request(measures, by=()), engine), actual)

        request: RankingRequest = self._request(by=())
        return request.result("relevance strings", query)

    def click_intervals(
        self,
        measures: str | Measure | Iterable[str | Measure],
        *,
        n_resamples: int = 200,
        seed: int = 0,
        confidence: float = 0.95,
        prior: tuple[float, float] | None = None,
        per_unit: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RankingPolicy | str | Mapping[str, Any] | None = None,
    ) -> pl.DataFrame:
        """Intervals of measures that read a click model, from draws of its parameters.

        Each draw takes every parameter from its posterior Beta(value (n + a + b), (1 − value) (n + a + b)) and
        evaluates anew; the ends are quantiles of the draws.  Queries are fixed:
        `ir.resampling.bootstrap` resamples those.

        Args:
            measures: measures that read a click model, as in `evaluate`.
            n_resamples: the number of draws.
            seed: of the draws.
            confidence: of the intervals.
            prior: (a, b), by default that of the fitted model, and (1, 1) of a table; (0, 0) is Jeffreys' (½, ½).
            per_unit: intervals of every query instead of their mean.
            by: columns that group queries, instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] [query_id] measure value low high.

        Raises:
            NotDefined: a measure reads no click model; or the model is fitted by iteration, so that its posteriors have
                no closed form.
            MissingColumn: a table of parameters has no `n`.
            InvalidParameter: a number is out of range.

        Example:
            >>> import ireval_frames as ir
            >>> rankings = ir.Rankings(*ir.examples.ranking(), click_model=ir.examples.click_model())
            >>> rankings.click_intervals("uSDBN@3", n_resamples=20).columns
            ['measure', 'value', 'low', 'high']
        """
        from ireval_frames.ranking.click_models.drawn import intervals

        return intervals(self, measures, n_resamples, seed, confidence, prior, by, policy, per_unit=per_unit)


def evaluate(
    qrels: Any,
    run: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    queries: Any = None,
    click_model: Any = None,
    by: str | Sequence[str] = (),
    policy: RankingPolicy | str | Mapping[str, Any] | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    columns: Columns | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> RankingEvaluation:
    """Evaluate one or more runs against judgments: `Rankings(qrels, run, …).evaluate(measures)`.

    Args:
        qrels: the judgments: query_id, doc_id, relevance; with subtopic_id or assessor_id, by subtopic or assessor.
        run: query_id, doc_id, score; with a run_id column, many runs at once.
        measures: "nDCG@10 AP P(rel=2)@5", a measure such as `ir.nDCG @ 10`, or several.
        queries: query_id and columns to group by; optional.
        click_model: for measures of click models: a fitted model (`log.fit`), or its parameters as a table.
        by: columns that group queries.
        policy: the conventions: a `RankingPolicy`, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the run is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables, or paths.
        columns: names of the tables' columns where they differ from ours; for all tables, or by table.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        DataError: the tables or files are at fault.
        UsageError: a measure, parameter or option does not exist or is not allowed.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> ir.evaluate(qrels, run, "AP RR").summary()["value"].round(3).to_list()
        [0.556, 1.0]
    """
    return Rankings(
        qrels,
        run,
        queries=queries,
        click_model=click_model,
        by=by,
        policy=policy,
        engine=engine,
        con=con,
        columns=columns,
        storage_options=storage_options,
    ).evaluate(measures)
