"""Spans of documents, gold and predicted, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.spans.request import SpanRequest
from ireval_frames.spans.tags_subject import FromTags
from ireval_frames.subject import RESULT_COLUMNS

OFFSETS = ("exclusive", "inclusive")


class Spans(FromTags, DocumentSubject[SpanPolicy]):
    """Gold and predicted spans of documents: named entities and whatever else is marked in a text.

    Args:
        gold: a table with a row per gold span: `doc_id`, `start`, `end`, and `type` if spans have types.
        predicted: the same of the predicted spans; a column `run_id` means several systems at once.
        doc, start, end, type: the names of the columns where they differ from doc_id, start, end, type (and the names
            other tools use).
        fragment: a column that discontinuous spans need: rows of one document with equal values are the fragments of
            one span.
        offsets: whether `end` is the position after the last one ("exclusive"), or the last one ("inclusive").
        documents: the ids of all documents, or a table of them with the columns of `by` and a `weight`; by default the
            documents are those of the two tables, and one without a span on either side is none.
        by: columns that group documents.
        policy: the conventions (see `SpanPolicy`), such as `policy="seqeval"` or `policy="duplicates=merge"`.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Positions are whole numbers from 0: characters or tokens.  Types are text or numbers.  Spans may be nested and
    overlap.  A value over several documents is pooled: numerators and denominators are summed over the documents;
    `F1(aggregation="mean")` is the mean over documents.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or option that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> columns = ["doc_id", "start", "end", "type"]
        >>> gold = pl.DataFrame([("a", 0, 2, "PER"), ("a", 5, 7, "LOC"), ("b", 2, 3, "PER")], columns, orient="row")
        >>> predicted = pl.DataFrame([("a", 0, 2, "PER"), ("a", 5, 6, "LOC")], columns, orient="row")
        >>> ev = ir.Spans(gold, predicted).evaluate("Precision Recall F1 F1(match='partial')")
        >>> ev.summary()["value"].round(4).to_list()
        [0.5, 0.3333, 0.4, 0.6]
    """

    family = "spans"
    _conventions = SpanPolicy
    _requests = SpanRequest
    _result_columns = (*RESULT_COLUMNS, "doc_id", "n_gold", "n_predicted")

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        doc: str | None = None,
        start: str | None = None,
        end: str | None = None,
        type: str | None = None,
        fragment: str | None = None,
        offsets: Literal["exclusive", "inclusive"] = "exclusive",
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: SpanPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        if offsets not in OFFSETS:
            raise InvalidParameter(
                f"offsets is {offsets!r}; allowed: {', '.join(map(repr, OFFSETS))}.",
                Hint("Write ", Argument("offsets", "inclusive"), " where ends are the last positions."),
            )
        self._offsets, self._fragments = offsets, fragment is not None or "span_id" in (columns or {})
        super().__init__(
            gold,
            predicted,
            named={"doc_id": doc, "start": start, "end": end, "type": type, "span_id": fragment},
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
