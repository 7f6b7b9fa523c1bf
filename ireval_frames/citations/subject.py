"""Sentences of generated answers, what they cite, and whether that supports them, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import results
from ireval_frames.citations.context import CitationContext
from ireval_frames.citations.inputs import refuse_unknown
from ireval_frames.citations.parameters import OF_CITATIONS
from ireval_frames.citations.request import CitationRequest
from ireval_frames.citations.support import supported
from ireval_frames.citations.tables import CitationTables
from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.citations import CitationPolicy
from ireval_frames.documents.subject import ids_as_table
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, MissingColumn, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.expr import Expr, col
from ireval_frames.lazy import hook
from ireval_frames.plan import Table
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Citations(Subject[CitationPolicy, Evaluation]):
    """Generated answers by their sentences, the passages that these cite, and labels of whether a passage supports one.

    Args:
        sentences: a row per sentence of an answer: run_id if there are runs, query_id, sentence_id.
        citations: a row per citation of a sentence: the same, doc_id (null for a citation of nothing), and rank, its
            number in the sentence from 1, if measures read the first ones.
        support: a row per label: the same, doc_id, and label: 0, 1, 2 for no, partial and full support, booleans, or
            words such as full_support.  A column passages says that a label is not about the passage `alone`, but about
            all passages of the sentence (`together`), or all but this one (`without`).  A column judge names who
            judged.
        query, sentence, doc, label, rank, passages, judge: the names of the columns where they differ from query_id,
            sentence_id, doc_id, label, rank, passages, judge (and the names other tools use).
        queries: the queries that runs are to answer: a list of ids, or a table of them with the columns of `by`; by
            default those that any run answers.
        by: columns of the sentences table, or of the queries table, that group answers.
        policy: the conventions (see `CitationPolicy`), such as `policy="alce"`, or `policy="unjudged=skip"` for
            citations without a label.
        engine: "polars", "duckdb" or "spark"; by default where the sentences table is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> ev = ir.Citations(*ir.examples.citations()).evaluate("CitationPrecision CitationRecall")
        >>> ev.summary()["value"].round(4).to_list()
        [0.25, 0.1875]
    """

    family = "citations"
    _conventions = CitationPolicy
    _requests = CitationRequest
    _evaluations = Evaluation
    _result_columns = (*RESULT_COLUMNS, "n_sentences", "n_citations", "sentence_id", "support")

    def __init__(
        self,
        sentences: Any,
        citations: Any,
        support: Any,
        *,
        query: str | None = None,
        sentence: str | None = None,
        doc: str | None = None,
        label: str | None = None,
        rank: str | None = None,
        passages: str | None = None,
        judge: str | None = None,
        queries: Any = None,
        by: str | Sequence[str] = (),
        policy: CitationPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        named = {"query_id": query, "sentence_id": sentence, "doc_id": doc, "label": label, "rank": rank,
                 "passages": passages, "judge": judge}  # fmt: skip
        self.columns = named_columns(columns, named)
        refuse_unknown(self.columns)
        queries = ids_as_table(queries, self.columns.get("query_id", "query_id"), "queries")
        super().__init__(
            {"sentences": sentences, "citations": citations, "support": support, "queries": queries},
            first="sentences",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )

    @results.table_method
    def supported(
        self,
        *,
        convention: str = "trec-rag",
        first: int | None = None,
        partial: float = 0.5,
        by: str | Sequence[str] | None = None,
        policy: CitationPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Each sentence with its number of citations, and how much these support it.

        Args:
            convention: "trec-rag" or "alce", as in the measures.
            first: only the first so many citations of a sentence count.
            partial: the weight of partial support.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] query_id sentence_id n_citations support: a row per sentence; support is null where the
            policy leaves the sentence out.

        Raises:
            InvalidParameter: a parameter has a value that measures do not allow.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Citations(*ir.examples.citations()).supported().rows()[:3]
            [('q1', 1, 2, 1.0), ('q1', 2, 1, 0.5), ('q1', 3, 1, 0.0)]
        """
        arguments = {"convention": convention, "first": first, "partial": partial}
        values = {name: OF_CITATIONS[name].check(name, value) for name, value in arguments.items()}
        request: CitationRequest = self._request(by=by, policy=policy, columns=self._result_columns)

        def select(tables: CitationTables) -> tuple[Table, dict[str, Expr]]:
            sentences, c = tables.sentences, CitationContext(tables, "supported()")
            cited = c.cited(values["first"])
            number = cited.sum(cited.column(c.times(values["first"])), into=sentences)
            support = sentences.column(supported(c, **values).of_sentences)
            keys = {k: col(k) for k in (*tables.keys, "item_id")}
            return sentences, {**keys, "n_citations": number.cast(pl.Int64), "support": support}

        return request.table(select, "supported", lambda tables: [pl.col(tables.inputs.names["item_id"])])

    # ---- several judges

    def ratings(self, *, by: str | Sequence[str] = (), policy: Any = None, **options: Any) -> Any:
        """The labels of several judges as ratings, for their agreement.

        `citations.ratings().evaluate("KrippendorffAlpha")` says how far they agree, `raters()` how good each is.

        Args:
            by: columns that group items: "run" (the run_id, which results of ratings do not take), "query_id".
            policy: the conventions of ratings.
            options: of `ir.Ratings`.

        Returns:
            `ir.Ratings` of ordinal labels 0, 1, 2 for no, partial and full support; an item is what a label is about:
            a sentence and a passage.

        Raises:
            MissingColumn: labels have no judges.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> sentences, citations, support = ir.examples.citations()
            >>> judged = pl.concat(support.with_columns(judge=pl.lit(j)) for j in ("person", "model"))
            >>> of_both = ir.Citations(sentences, citations, judged)
            >>> of_both.ratings().evaluate("KrippendorffAlpha").summary()["value"].item()
            1.0
        """
        options = {"level": "ordinal", "categories": [0, 1, 2]} | options
        rated = self._labels().rename({"run_id": "run"}, strict=False)
        return hook("ratings")(rated, item="item_id", rater="judge", rating="label", by=by, policy=policy, **options)

    def consensus(self, method: str = "majority", **options: Any) -> pl.DataFrame:
        """The labels of several judges as one panel's, by the methods of `ir.Ratings(…).aggregate`.

        Args:
            method: "majority", "weighted", "dawid-skene" …
            options: of `aggregate`: `weights`, `max_iter` …

        Returns:
            [run_id] query_id sentence_id doc_id passages label (0, 1, 2): labels for `ir.Citations`.

        Raises:
            MissingColumn: labels have no judges.
            NotDefined: the method makes numbers, which are no labels.
            UnknownName: there is no such method.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> sentences, citations, support = ir.examples.citations()
            >>> judged = pl.concat(support.with_columns(judge=pl.lit(j)) for j in "abc")
            >>> panel = ir.Citations(sentences, citations, judged).consensus("majority")
            >>> ir.Citations(sentences, citations, panel).evaluate("CitationPrecision").summary()["value"].item()
            0.25
        """
        rated = self._labels()
        labels = self.ratings(level="nominal", categories=None).aggregate(method, **options).consensus()
        if "label" not in labels.columns:
            raise NotDefined(
                f"{method} makes numbers between labels, and a panel's labels are 0, 1 or 2.",
                Hint("Take the mean of judges in measures: ", Argument("policy", "judges=mean"), "."),
            )
        keys = [c for c in rated.columns if c not in ("item_id", "judge", "label")]
        known = rated.select("item_id", *keys).unique("item_id")
        return known.join(labels.select("item_id", "label"), on="item_id").select(*keys, "label").sort(keys)

    def _labels(self) -> pl.DataFrame:
        """The labels with their judges, and the number of what each is about as item_id.

        Raises:
            MissingColumn: there is no column of judges.
        """
        request: CitationRequest = self._request(by=(), policy=self.policy.with_fields({"judges": "mean"}))
        inputs = request.checked().inputs
        if not inputs.judged:
            raise MissingColumn(
                "The support table has no column of judges, and agreement is between several.",
                Hint("Name it: ", Argument("judge", "judge"), "."),
            )
        frame = inputs.engine.collect(inputs.support.filter(~col("level").is_null()))
        keys = [*(["run_id"] if "run_id" in inputs.keys else []), "query_id", "sentence_id", "doc_id", "passages"]
        frame = frame.rename({"unit_0": "query_id", "item_id": "sentence_id"})
        frame = frame.select(*keys, "judge", pl.col("level").cast(pl.Int64).alias("label"))
        return frame.with_columns(pl.struct(keys).rank("dense").alias("item_id"))
