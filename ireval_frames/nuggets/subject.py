"""Nuggets of queries and their labels for answers, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.conventions.nuggets import NuggetPolicy
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, MissingColumn
from ireval_frames.expr import Expr, col
from ireval_frames.lazy import hook
from ireval_frames.nuggets.context import FAILED, NOT_SUPPORT, PARTIAL, SUPPORT, NuggetContext
from ireval_frames.nuggets.recall import LEVEL, STRICT
from ireval_frames.nuggets.request import NuggetRequest
from ireval_frames.nuggets.tables import NuggetTables
from ireval_frames.plan import Table
from ireval_frames.results import Result, TableQuery
from ireval_frames.subject import RESULT_COLUMNS


class Nuggets(DocumentSubject[NuggetPolicy]):
    """Nuggets, the facts that good answers to queries state, and which of them the answers of systems support.

    Args:
        nuggets: a row per query and nugget, with its importance (vital or okay) and a weight, if they are known.
        assignments: a row per nugget and answer, with its label: support, partial_support or not_support.  With a
            run_id column, many systems at once; with a judge column, several judges, whose mean counts.
        answers: a row per answer, with its length, or its text in a column answer; optional.  An answer that has no
            labels is known from it, and `NuggetF` reads lengths.
        query, nugget, importance, run, label, judge, weight: the names of the columns where they differ from query_id,
            nugget_id, importance, run_id, label, judge, weight (and the names other tools use).  Assignments to
            passages have `run="doc_id"`.
        documents: the queries: a list of ids, or a table of them, which may have a `weight` and the columns of `by`;
            by default the queries of the nuggets table.
        by: columns of the nuggets table that group queries.
        policy: the conventions (see `NuggetPolicy`), such as `policy="nuggetizer"`, or `policy="missing=skip"` for
            queries that a run has no answer to.
        engine: "polars", "duckdb" or "spark"; by default where the nuggets table is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> nuggets, assignments, answers = ir.examples.nuggets()
        >>> ir.Nuggets(nuggets, assignments).evaluate("A V V_strict W").summary()["value"].round(4).to_list()
        [0.5625, 0.375, 0.25, 0.5]
    """

    family = "nuggets"
    _document = "query_id"
    _conventions = NuggetPolicy
    _requests = NuggetRequest
    _result_columns = (
        *RESULT_COLUMNS,
        *("n_nuggets", "nugget_id", "importance", "weight", "credit", "doc_id", "subtopic_id", "relevance"),
    )

    def __init__(
        self,
        nuggets: Any,
        assignments: Any,
        answers: Any = None,
        *,
        query: str | None = None,
        nugget: str | None = None,
        importance: str | None = None,
        run: str | None = None,
        label: str | None = None,
        judge: str | None = None,
        weight: str | None = None,
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: NuggetPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            nuggets,
            assignments,
            named={
                "query_id": query,
                "nugget_id": nugget,
                "importance": importance,
                "run_id": run,
                "label": label,
                "judge": judge,
                "nugget_weight": weight,
            },
            documents=documents,
            more={"answers": answers},
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )

    @results.table_method
    def credits(
        self,
        *,
        level: str = "all",
        strict: bool = False,
        by: str | Sequence[str] | None = None,
        policy: NuggetPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Each nugget beside what the answer earns for it.

        Args:
            level: how much nuggets count, as in `NuggetRecall`.
            strict: partial support earns nothing.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] query_id nugget_id [importance] weight credit: a row per nugget and run; credit is 0 to 1,
            the mean over judges, and null for a nugget that the policy leaves out.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Nuggets(*ir.examples.nuggets()).credits()["credit"].to_list()
            [1.0, 0.5, 0.0, 1.0, 0.0, 1.0]
        """
        LEVEL.check("level", level)
        STRICT.check("strict", strict)
        request: NuggetRequest = self._request(by=by, policy=policy, columns=("weight", "credit"))

        def select(tables: NuggetTables) -> tuple[Table, dict[str, Expr]]:
            gold = tables.gold
            importance = {"importance": col("importance")} if gold.has("importance") else {}
            q = NuggetContext(tables, "credits")
            weight, credit = gold.column(q.weight(level)), q.credit(strict=strict)
            return gold, {**{k: col(k) for k in gold.keys}, **importance, "weight": weight, "credit": credit}

        return request.table(select, "credits")

    @results.table_method
    def qrels(
        self,
        *,
        level: str = "all",
        strict: bool = False,
        policy: NuggetPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Assignments to passages as judgments with a subtopic per nugget, for the diversity measures of rankings.

        The passages are the "runs" of the assignments: `ir.Nuggets(nuggets, assignments, run="doc_id")`.

        Args:
            level: the nuggets that become subtopics: "all", or "vital" ones only.
            strict: partial support does not count; of several judges more than half must say support.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            query_id doc_id subtopic_id relevance: a row per label, and relevance is 1 or 0.  A passage earns 1 for a
            nugget if its credit, the mean over judges, is at least ½ (more than ½ if `strict`).  Nuggets that no
            passage supports are subtopics without a relevant document, which diversity measures leave out.

        Raises:
            MissingColumn: the assignments have no column of passages.
            UnknownName: there is no such level.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> nuggets, assignments, _ = ir.examples.nuggets()
            >>> passages = assignments.with_columns(doc_id=pl.lit("d1"))
            >>> qrels = ir.Nuggets(nuggets, passages, run="doc_id").qrels()
            >>> qrels.rows()[:3]
            [('q1', 'd1', 1, 1), ('q1', 'd1', 2, 1), ('q1', 'd1', 3, 0)]
            >>> run = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["d2", "d1"], "score": [2.0, 1.0]})
            >>> ir.Rankings(qrels, run).evaluate("alpha_nDCG@5").per_unit()["value"].round(4)[0]
            0.6309
        """
        LEVEL.check("level", level)
        STRICT.check("strict", strict)
        request: NuggetRequest = self._request(by=(), policy=policy)

        def query(engine: Engine) -> TableQuery:
            tables = request.tables_on(engine)
            if "run_id" not in tables.inputs.columns["predicted"]:
                raise MissingColumn(
                    "The assignments have no column of passages.",
                    Hint("Name it: ", Argument("run", "doc_id"), "."),
                )
            table = NuggetContext(tables, "qrels").judgments(level, strict=strict)
            staged = engine.stage(table.frame(), "qrels")
            return TableQuery(tables.plan, staged, table.keys, (*table.keys, "relevance"), request.row_errors(tables))

        return request.result("qrels", query)

    def ratings(self, *, by: str | Sequence[str] = (), policy: Any = None, **options: Any) -> Any:
        """The labels of several judges as ratings, for their agreement.

        `nuggets.ratings().evaluate("KrippendorffAlpha")` says how far they agree, `raters()` how good each is.

        Args:
            by: columns that group items: "run" (the run_id, which results of ratings do not take), "query_id".
            policy: the conventions of ratings.
            options: of `ir.Ratings`.

        Returns:
            `ir.Ratings` of ordinal labels, from not_support to support; an item is a nugget of a query and run.

        Raises:
            MissingColumn: the assignments have no column of judges.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> nuggets, assignments, _ = ir.examples.nuggets()
            >>> judges = pl.concat(assignments.with_columns(judge=pl.lit(j)) for j in ("person", "model"))
            >>> ir.Nuggets(nuggets, judges).ratings().evaluate("KrippendorffAlpha").summary()["value"].item()
            1.0
        """
        frame = self._labels().rename({"run_id": "run"}, strict=False)
        levels = [NOT_SUPPORT, PARTIAL, SUPPORT]
        options = {"level": "ordinal", "categories": levels} | options
        return hook("ratings")(frame, item="item_id", rater="judge", rating="label", by=by, policy=policy, **options)

    def consensus(self, method: str = "majority", **options: Any) -> pl.DataFrame:
        """The assignments of several judges as one panel's, by the methods of `ir.Ratings(…).aggregate`.

        Args:
            method: "majority", "weighted", "dawid-skene" …
            options: of `aggregate`: `weights`, `max_iter` …

        Returns:
            [run_id] query_id nugget_id label: assignments for `ir.Nuggets`.

        Raises:
            MissingColumn: the assignments have no column of judges.
            UnknownName: there is no such method.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> nuggets, assignments, _ = ir.examples.nuggets()
            >>> judges = pl.concat(assignments.with_columns(judge=pl.lit(j)) for j in ("a", "b"))
            >>> panel = ir.Nuggets(nuggets, judges).consensus("majority")
            >>> ir.Nuggets(nuggets, panel).evaluate("A").summary()["value"].item()
            0.5625
        """
        items = self._labels()
        labels = self.ratings(level="nominal", categories=None).aggregate(method, **options).consensus()
        keys = [c for c in items.columns if c in ("run_id", "query_id", "nugget_id")]
        known = items.select("item_id", *keys).unique("item_id")
        return known.join(labels.select("item_id", "label"), on="item_id").select(*keys, "label").sort(keys)

    def _labels(self) -> pl.DataFrame:
        """The labels with their judges, and the number of each nugget and answer as item_id.

        Raises:
            MissingColumn: there is no column of judges.
        """
        request: NuggetRequest = self._request(by=())
        tables = request.checked()
        if not tables.several_judges:
            raise MissingColumn(
                "The assignments have no column of judges, and agreement is between several.",
                Hint("Name it: ", Argument("judge", "judge"), "."),
            )
        frame = tables.inputs.engine.collect(tables.inputs.predicted)
        failed = pl.col("label") == FAILED
        if tables.policy.failed == "skip":
            frame = frame.filter(~failed)
        frame = frame.with_columns(pl.when(failed).then(pl.lit(NOT_SUPPORT)).otherwise("label").alias("label"))
        keys = [k for k in tables.nugget_keys if not k.startswith("by_")]
        frame = frame.with_columns(number=pl.struct(keys).rank("dense")).rename({"item_id": "query_id"})
        return frame.rename({"number": "item_id"})
