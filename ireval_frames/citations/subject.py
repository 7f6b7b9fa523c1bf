"""Sentences of generated answers, what they cite, and whether that supports them, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.citations.inputs import refuse_unknown
from ireval_frames.citations.request import CitationRequest
from ireval_frames.conventions.citations import CitationPolicy
from ireval_frames.documents.subject import ids_as_table
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.items.inputs import named_columns
from ireval_frames.subject import Subject


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
