"""Spans of documents, gold and predicted, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ireval_frames import io, results
from ireval_frames.columns.user_names import columns_named
from ireval_frames.conventions.spans import SpanPolicy
from ireval_frames.declaration import Measure
from ireval_frames.documents.subject import DocumentSubject, is_of_ids
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.results import Result
from ireval_frames.spans.raters import RATERS, SpansOfPairs
from ireval_frames.spans.report import COUNTS, SIDES, VALUES, confusion, counts, errors, order_of_errors, report
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
        rater: a column of annotators, instead of `predicted`: each pair is compared, the one whose name is first as the
            gold; results have the columns `rater_a` and `rater_b`.  Every annotator counts as one of all documents;
            else `documents` is a table with a row for each document and annotator.  A document in which neither of two
            has marked a span is none of theirs.
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
        >>> marked = [frame.with_columns(rater_id=pl.lit(r)) for frame, r in ((gold, "ann"), (predicted, "bob"))]
        >>> ir.Spans(pl.concat(marked), rater="rater_id").evaluate("F1").summary().row(0)
        ('ann', 'bob', 'F1', 0.4, 2, 0)
    """

    family = "spans"
    _conventions = SpanPolicy
    _requests = SpanRequest
    _result_columns = (*RESULT_COLUMNS, "doc_id", "n_gold", "n_predicted")

    def __init__(
        self,
        gold: Any,
        predicted: Any = None,
        *,
        doc: str | None = None,
        start: str | None = None,
        end: str | None = None,
        type: str | None = None,
        fragment: str | None = None,
        rater: str | None = None,
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
                Hint(
                    "Write ",
                    Argument("offsets", "inclusive", option=("inclusive", True)),
                    " where ends are the last positions.",
                ),
            )
        self._rater, groups = rater, columns_named(by)
        if rater is not None:
            if predicted is not None:
                raise InvalidParameter(
                    "rater= compares the annotators of one table, and there is a second one.", "Leave predicted out."
                )
            if documents is not None and is_of_ids(documents):
                raise InvalidParameter(
                    "With rater= documents= is a table that says who has annotated which document.",
                    f"Make it: pl.DataFrame({{{doc or 'doc_id'!r}: documents}}).join("
                    f'pl.DataFrame({{{rater!r}: ["ann", "bob"]}}), how="cross")',
                )
            engine = open_engine(gold, engine, con)
            names = {**(columns or {}), **({"doc_id": doc} if doc else {})}
            tables = [io.located(table, storage_options) for table in (gold, documents)]
            gold, predicted = (SpansOfPairs(tables[0], rater, tables[1], names, side) for side in RATERS)
            documents, groups = None, (*RATERS, *(g for g in groups if g not in RATERS))
        elif predicted is None:
            raise InvalidParameter(
                "There are no predicted spans.",
                Hint("Write ir.Spans(gold, predicted); of several annotators ", Argument("rater", "rater_id"), "."),
            )
        self._offsets, self._fragments = offsets, fragment is not None or "span_id" in (columns or {})
        super().__init__(
            gold,
            predicted,
            named={"doc_id": doc, "start": start, "end": end, "type": type, "span_id": fragment},
            documents=documents,
            by=groups,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )

    @results.table_method
    def counts(
        self,
        modes: str | Sequence[str] | None = None,
        *,
        view: Literal["gold", "filtered"] = "gold",
        by: str | Sequence[str] | None = None,
        policy: SpanPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """The counts of MUC: a row per document, type of spans and mode.

        Args:
            modes: when a matched pair is correct: by place and type ("strict"), place ("exact"; "partial": else half),
                or type ("type"); by default all four.
            view: a matched pair of two types counts for the type of the gold span ("gold"); or spans of each type are
                matched by themselves, so that it is a missing and a spurious one ("filtered").
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a row per document, type and mode; else one per type and mode, of all documents.

        Returns:
            [run_id, by …] [doc_id] type mode cor inc par mis spu pos act: correct, incorrect, partial, missing and
            spurious, pos = cor + inc + par + mis, act = cor + inc + par + spu; sums of the documents' weights.

        Raises:
            UnknownName: there is no such mode or view.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Spans(*ir.examples.spans()).counts("partial", per_unit=False).row(0)
            ('LOC', 'partial', 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0)
        """
        names = (modes,) if isinstance(modes, str) else modes
        return counts(self._table(by, policy, ("type", "mode", *COUNTS)), names, view, per_unit=per_unit)

    @results.table_method
    def report(
        self,
        *,
        match: str = "strict",
        threshold: float = 0.5,
        typed: bool = True,
        types: Sequence[Any] | str | None = None,
        by: str | Sequence[str] | None = None,
        policy: SpanPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Precision, recall and F1 of every type, and their averages.

        Args:
            match: what a span must have in common with another, as in `Precision`.
            threshold: with match="iou": the least intersection over union.
            typed: with match="overlap" and "iou": only spans of one type match.
            types: only these types, or those that "gold" spans have; by default all that occur.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] type precision recall f1 support: the support is the number of gold spans; the last rows are
            `micro average`, `macro average` and `weighted average`.

        Raises:
            UnknownName, InvalidParameter, NotDefined: there is no such option, it does not go with another, or no span
                has one of the types.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Spans(*ir.examples.spans()).report().row(2)
            ('PER', 1.0, 0.6666666666666666, 0.8, 3.0)
        """
        request = self._table(by, policy, ("type", *VALUES, "support"))
        return report(request, {"match": match, "threshold": threshold, "typed": typed, "types": types})

    @results.table_method
    def errors(
        self,
        *,
        by: str | Sequence[str] | None = None,
        policy: SpanPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """What is right and wrong: a row per matched pair of spans, and per span without a match.

        Args:
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] doc_id gold_start gold_end gold_type predicted_start predicted_end predicted_type error
            ends, by position.  `error` of a pair: "correct", "type", "boundary" (place), or "both"; of a gold span
            "missed", or "merged" where a predicted span overlaps it; of a predicted span "spurious", "duplicate" where
            it overlaps a gold span and its match, or "split" where it overlaps a gold span alone.  `ends` says how the
            place of a pair is wrong: too "long" or "short" at both ends, wrong at the "left" or "right" one, "shifted",
            or of other "fragments".

        Example:
            >>> import ireval_frames as ir
            >>> errors = ir.Spans(*ir.examples.spans()).errors()
            >>> errors.select("doc_id", "gold_start", "predicted_start", "error", "ends").rows()[1:]
            [('a', 5, 5, 'boundary', 'right'), ('a', 9, 9, 'type', None), ('a', 12, None, 'missed', None), \
('a', None, 20, 'spurious', None), ('b', 3, 3, 'correct', None)]
        """
        return self._table(by, policy, ("doc_id", *SIDES, "error", "ends")).table(errors, "errors", order_of_errors)

    @results.table_method
    def confusion(
        self,
        *,
        normalize: Literal["gold_type", "predicted_type", "all"] | None = None,
        by: str | Sequence[str] | None = None,
        policy: SpanPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The types of matched spans, and of spans without a match: a row per two types that occur together.

        Args:
            normalize: add the `share` of each cell within its "gold_type", its "predicted_type", or "all" cells.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] gold_type predicted_type count [share]; null is no span, and counts are sums of the
            documents' weights.

        Raises:
            InvalidParameter: the spans have no types.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Spans(*ir.examples.spans()).confusion().rows()[:2]
            [(None, 'ORG', 1.0), ('LOC', 'LOC', 1.0)]
        """
        request = self._table(by, policy, ("gold_type", "predicted_type", "count", "share"))
        return request.table(lambda tables: confusion(tables, normalize), "confusion")

    def _request(self, measures: Sequence[Measure] = (), **options: Any) -> Any:
        """The request of a call; the pairs of annotators are always groups."""
        by = options.get("by")
        if self._rater is not None and by is not None:
            options["by"] = (*RATERS, *(name for name in columns_named(by) if name not in RATERS))
        return super()._request(measures, **options)

    def _table(
        self,
        by: str | Sequence[str] | None,
        policy: SpanPolicy | str | Mapping[str, Any] | None,
        columns: Sequence[str],
    ) -> SpanRequest:
        """The request of a table with these columns."""
        request: SpanRequest = self._request(by=by, policy=policy, columns=columns)
        return request
