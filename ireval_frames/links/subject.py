"""Links of mentions to entities, and slots with their fillers, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ireval_frames import results
from ireval_frames.conventions.relations import LinkPolicy
from ireval_frames.documents.compared_results import COLUMNS
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.links import tables_of_results
from ireval_frames.links.matching import parsed_on, parsed_where
from ireval_frames.links.request import LinkRequest
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS


class Links(DocumentSubject[LinkPolicy]):
    """Mentions in documents that are linked to entities, or slots of entities with their fillers.

    Gold and predictions are compared by what must be equal: `on=["start", "end", "kb_id"]`.

    Args:
        gold: a row per link: its document (`doc_id`), and the columns that are compared, such as `start`, `end`,
            `type` and `kb_id`.  A null in `kb_id`, and an id that begins with NIL, is an entity in no knowledge base.
            Of answers that were judged also `judgment` (correct, redundant, inexact, wrong, or the TAC's codes), and
            the class of answers that say the same, `class_id`.
        predicted: a table like it, without judgments.  With a run_id column, many systems at once.
        on: the columns that must be equal, or a match by neleval's name, such as "strong_link_match"; by default those
            of start, end and kb_id that the tables have.  Equal rows of a document are one.
        where: the links that count: "linked" to an entity, "nil", or values by column: `{"type": ["PER", "ORG"]}`.
        doc: the column of documents, if it is not doc_id; of slots the entity that they describe.
        start, end, type, kb_id: the names of the columns where they differ (and from the names other tools use).
        offsets: whether an end is the position behind a span ("exclusive"), or its last one ("inclusive").
        nil: what ids of entities in no knowledge base begin with; None if no id says so.
        documents: the ids of all documents, or a table of them, with their `weight` and the columns of `by=`.
            Without it the documents are those of both tables: one without links on either side does not count.
        by: columns that group documents.
        policy: the conventions (see `LinkPolicy`), such as `policy="tac-kbp"` or `policy="neleval"`.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: the names of the columns by ours; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> links = ir.Links(*ir.examples.links())
        >>> measures = "F1 F1(on='strong_link_match') F1(on='kb_id', where='linked') F1(match='weak')"
        >>> links.evaluate(measures).summary()["value"].round(4).to_list()
        [0.4, 0.3333, 0.6667, 0.6]
        >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
        >>> slots.evaluate("Precision Recall F1").summary()["value"].round(4).to_list()
        [0.4, 0.6667, 0.5]
    """

    family = "links"
    _conventions = LinkPolicy
    _requests = LinkRequest
    _result_columns = (*RESULT_COLUMNS, *COLUMNS, "redundant", "inexact", "wrong")

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        on: str | Sequence[str] | None = None,
        where: str | Mapping[str, Any] | None = None,
        doc: str | None = None,
        start: str | None = None,
        end: str | None = None,
        type: str | None = None,
        kb_id: str | None = None,
        offsets: Literal["exclusive", "inclusive"] = "exclusive",
        nil: str | None = "NIL",
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: LinkPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            gold,
            predicted,
            named={"doc_id": doc, "start": start, "end": end, "type": type, "kb_id": kb_id},
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
        if offsets not in ("exclusive", "inclusive"):
            raise InvalidParameter(
                f"offsets is {offsets!r}; it must be 'exclusive' or 'inclusive'.",
                Hint("Write ", Argument("offsets", "exclusive"), "."),
            )
        if not isinstance(nil, str | None):
            raise InvalidParameter(
                f"nil is {nil!r}; it is what the ids of entities in no knowledge base begin with, or None.",
                Hint("Write ", Argument("nil", "NIL"), "."),
            )
        self._on, self._where = parsed_on(on), parsed_where(where)
        self._inclusive, self._nil = offsets == "inclusive", nil

    @results.table_method
    def counts(
        self,
        *,
        on: str | Sequence[str] | None = None,
        where: str | None = None,
        by: str | Sequence[str] | None = None,
        policy: LinkPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """How many links the gold and the predictions have, and both; and why predictions are not correct.

        Args:
            on: what must be equal, instead of the constructor's.
            where: "linked" or "nil", instead of the constructor's.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a row per document; else one of all.

        Returns:
            [run_id, by …] [doc_id] [type, if it is compared] gold predicted correct missed spurious redundant inexact
            wrong; spurious are the last three together.  Weights of documents do not count.

        Example:
            >>> import ireval_frames as ir
            >>> slots = ir.Links(*ir.examples.slots(), doc="query_id", on=["slot", "value"], policy="tac-kbp")
            >>> slots.counts(per_unit=False).select("type", "gold", "correct", "redundant", "inexact", "wrong").rows()
            [('children', 2, 1, 1, 0, 1), ('title', 1, 1, 0, 1, 0)]
        """
        request: LinkRequest = self._request(by=by, policy=policy)
        return tables_of_results.counts(request, on, where, per_unit=per_unit)

    @results.table_method
    def report(
        self,
        *,
        on: str | Sequence[str] | None = None,
        where: str | None = None,
        by: str | Sequence[str] | None = None,
        policy: LinkPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Precision, recall and F1 of each type, pooled over documents, and their averages.

        Args:
            on: what must be equal, instead of the constructor's; without the type there is the micro average alone.
            where: "linked" or "nil", instead of the constructor's.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] type precision recall f1 support: a row per type, then the averages.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Links(*ir.examples.links()).report(on="strong_typed_mention_match").select("type", "f1").rows()[-1]
            ('weighted average', 0.5733333333333334)
        """
        request: LinkRequest = self._request(by=by, policy=policy)
        return tables_of_results.report(request, on, where)

    @results.table_method
    def errors(
        self,
        *,
        on: str | Sequence[str] | None = None,
        where: str | None = None,
        by: str | Sequence[str] | None = None,
        policy: LinkPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Each link of the gold or of the predictions, and whether it is correct, missed or spurious.

        Args:
            on: what must be equal, instead of the constructor's.
            where: "linked" or "nil", instead of the constructor's.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] doc_id, the columns that are compared, error; equal ones have one row.

        Raises:
            NotDefined: answers are judged, or have classes.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Links(*ir.examples.links()).errors(on="entity_match").rows()
            [('d1', 'Q1', 'correct'), ('d1', 'Q2', 'missed'), ('d2', 'Q3', 'correct'), ('d2', 'Q4', 'spurious')]
        """
        request: LinkRequest = self._request(by=by, policy=policy)
        return tables_of_results.errors(request, on, where)
