"""Relations between entities, and events, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames import results
from ireval_frames.conventions.relations import RelationPolicy
from ireval_frames.documents.compared_results import COLUMNS
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.relations import tables_of_results
from ireval_frames.relations.request import RelationRequest
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS


class Relations(DocumentSubject[RelationPolicy]):
    """Relations between entities in documents, or events with their arguments: gold and predictions.

    Args:
        gold: a row per relation: its document (`doc_id`), `label`, and of both arguments `head_start`, `head_end`,
            `head_type`, `tail_start`, `tail_end`, `tail_type`; for documents as sets of relations between entities
            `head_id` and `tail_id`; for comparisons of head words, if they are not the last tokens, `head_token` and
            `tail_token`.  Columns that no measure compares may be missing.
        predicted: a table like it.  With a run_id column, many systems at once.
        doc, label: the names of the columns where they differ from doc_id and label (and the names other tools use).
        undirected: labels of relations whose arguments have no order, or True for all.
        documents: the ids of all documents, or a table of them, with their `weight` and the columns of `by=`.
            Without it the documents are those of both tables: one without relations on either side does not count.
        by: columns that group documents.
        policy: the conventions (see `RelationPolicy`), such as `policy="duplicates=spurious"`.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: the names of the columns by ours; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    An event has a row per argument: `head_start`, `head_end` and `head_type` are its trigger and its type (also called
    `trigger_start`, `trigger_end`, `event_type`), `tail_start` and `tail_end` its argument (`argument_start`,
    `argument_end`), and `label` the argument's `role`; one without arguments has a row whose argument and role are
    null.

    Ends may be positions behind the span or in it, if both tables have the same.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> relations = ir.Relations(*ir.examples.relations())
        >>> relations.evaluate("F1 F1(match='boundary') F1(match='head')").summary()["value"].to_list()
        [0.4, 0.6, 0.8]
    """

    family = "relations"
    _conventions = RelationPolicy
    _requests = RelationRequest
    _result_columns = (*RESULT_COLUMNS, "label", *COLUMNS)

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        doc: str | None = None,
        label: str | None = None,
        undirected: Iterable[Any] | bool = (),
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: RelationPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            gold,
            predicted,
            named={"doc_id": doc, "label": label},
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
        self._undirected = _labels(undirected)

    @results.table_method
    def counts(
        self,
        *,
        match: str = "strict",
        attached: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RelationPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """How many relations of each label the gold and the predictions have, and both.

        Args:
            match: what is compared, as in the measures.
            attached: arguments of an event are compared with their trigger.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a row per document and label; else per label.

        Returns:
            [run_id, by …] [doc_id] [label] gold predicted correct missed spurious; weights of documents do not count.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Relations(*ir.examples.relations()).counts(match="boundary", per_unit=False).rows()
            [('born_in', 2, 2, 1, 1, 1), ('spouse', 2, 1, 1, 1, 0), ('works_for', 1, 2, 1, 0, 1)]
        """
        request: RelationRequest = self._request(by=by, policy=policy)
        return tables_of_results.counts(request, match, attached=attached, per_unit=per_unit)

    @results.table_method
    def report(
        self,
        *,
        match: str = "strict",
        attached: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RelationPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Precision, recall and F1 of each label, pooled over documents, and their averages.

        Args:
            match: what is compared, as in the measures.
            attached: arguments of an event are compared with their trigger.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] label precision recall f1 support: a row per label, then the averages.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Relations(*ir.examples.relations()).report(match="boundary").select("label", "support").rows()[-1]
            ('weighted average', 5.0)
        """
        request: RelationRequest = self._request(by=by, policy=policy)
        return tables_of_results.report(request, match, attached=attached)

    @results.table_method
    def errors(
        self,
        *,
        match: str = "strict",
        attached: bool = False,
        by: str | Sequence[str] | None = None,
        policy: RelationPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """Each relation of the gold or of the predictions, and whether it is correct, missed or spurious.

        Args:
            match: what is compared, as in the measures.
            attached: arguments of an event are compared with their trigger.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] doc_id, the columns that are compared, error; equal ones have one row.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Relations(*ir.examples.relations()).errors(match="entities").rows()[0]
            ('d1', 'born_in', 'e1', 'e2', 'correct')
        """
        request: RelationRequest = self._request(by=by, policy=policy)
        return tables_of_results.errors(request, match, attached=attached)


def _labels(undirected: Any) -> tuple[Any, ...] | bool:
    """The labels without a direction.

    Raises:
        InvalidParameter: these are no labels.
    """
    if isinstance(undirected, bool):
        return undirected
    if isinstance(undirected, str) or not isinstance(undirected, Iterable):
        raise InvalidParameter(
            f"undirected is {undirected!r}; it is True, or a list of labels.",
            Hint("Write ", Argument("undirected", [undirected] if isinstance(undirected, str) else ["spouse"]), "."),
        )
    return tuple(undirected)
