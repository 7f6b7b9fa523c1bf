"""Mentions and the entities they refer to, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ireval_frames import results
from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.coreference.inputs import CLUSTERS, Offsets
from ireval_frames.coreference.mentions import SPANS, mentions, order
from ireval_frames.coreference.request import CoreferenceRequest
from ireval_frames.coreference.tables import GOLD, PREDICTED, CoreferenceTables
from ireval_frames.documents.subject import DocumentSubject
from ireval_frames.engines.base import Engine
from ireval_frames.expr import Expr, col
from ireval_frames.kernels.contingency import cross_table
from ireval_frames.plan import Table
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS


class Coreference(DocumentSubject[CoreferencePolicy]):
    """Mentions in documents, and the entities that they refer to in the gold and in predictions.

    Args:
        gold: a table with a row per mention: its document (`doc_id`), its span (`start`, `end`) or its `mention_id`,
            and its entity (`cluster_id`).
        predicted: the same of one or several systems (`run_id`); entities may have other names.
        doc, start, end, mention, cluster, head: the names of the columns, in both tables, where they differ from
            doc_id, start, end, mention_id, cluster_id, head (and the names other tools use).
        offsets: whether the end of a span is behind its last position ("exclusive") or is that ("inclusive").
        documents: the ids of all documents, or a table of them, which may have weights and columns of `by=`; without it
            the documents are those that have mentions in either table.
        by: columns that group documents.
        policy: the conventions (see `CoreferencePolicy`), such as `policy="match=head,singletons=drop"`.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    A mention is in one entity of each side, and its document is its scope: equal names of entities in two documents are
    two entities.  Mentions that only one side has count: `ir.Clusters` is for the same items on both sides.  Values are
    pooled over documents, as the CoNLL scorer does; `CoNLL(aggregation='mean')` is a mean over documents.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> gold, predicted = ir.examples.coreference()
        >>> ev = ir.Coreference(gold, predicted).evaluate("MUC B3 CEAFe CoNLL")
        >>> ev.summary()["value"].round(4).to_list()
        [0.3333, 0.5135, 0.5619, 0.4696]
    """

    family = "coreference"
    _conventions = CoreferencePolicy
    _requests = CoreferenceRequest
    _result_columns = (*RESULT_COLUMNS, *CLUSTERS.values(), *SPANS, "mention_id", "count", "share")

    def __init__(
        self,
        gold: Any,
        predicted: Any,
        *,
        doc: str | None = None,
        start: str | None = None,
        end: str | None = None,
        mention: str | None = None,
        cluster: str | None = None,
        head: str | None = None,
        offsets: Offsets = "exclusive",
        documents: Any = None,
        by: str | Sequence[str] = (),
        policy: CoreferencePolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            gold,
            predicted,
            named={
                "doc_id": doc,
                "start": start,
                "end": end,
                "mention_id": mention,
                "cluster_id": cluster,
                "head": head,
            },
            documents=documents,
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            columns=columns,
            storage_options=storage_options,
        )
        self._offsets = offsets

    @results.table_method
    def contingency(
        self,
        *,
        normalize: Literal["gold_cluster", "predicted_cluster", "all"] | None = None,
        by: str | Sequence[str] | None = None,
        policy: CoreferencePolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The contingency table: a row per document, gold and predicted entity, with the mentions that they share.

        Mentions that the other side lacks are in rows whose other entity is null.

        Args:
            normalize: add the `share` of each cell within its "gold_cluster", its "predicted_cluster", or "all" cells
                of the document.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] doc_id gold_cluster predicted_cluster count [share]

        Example:
            >>> import ireval_frames as ir
            >>> for row in ir.Coreference(*ir.examples.coreference()).contingency().rows():
            ...     print(row)
            ('d1', None, 3, 1.0)
            ('d1', None, 4, 1.0)
            ('d1', 'ada', 1, 2.0)
            ('d1', 'ada', 2, 1.0)
            ('d1', 'notes', None, 1.0)
            ('d1', 'notes', 2, 1.0)
            ('d1', 'paper', 3, 1.0)
        """
        request: CoreferenceRequest = self._request(by=by, policy=policy)

        def select(tables: CoreferenceTables) -> tuple[Table, dict[str, Expr]]:
            sides = {GOLD: col(GOLD), PREDICTED: col(PREDICTED)}
            return cross_table(tables.with_twinless, tables.keys, sides, col("count"), normalize)

        return request.table(select, "contingency")

    @results.table_method
    def mentions(
        self,
        *,
        by: str | Sequence[str] | None = None,
        policy: CoreferencePolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The mentions of both sides with their entities: a row per mention, with null where a side has it not.

        Args:
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's; `match` says which mentions are the same.

        Returns:
            [run_id, by …] doc_id gold_start gold_end predicted_start predicted_end (or mention_id) gold_cluster
            predicted_cluster

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> mentions = ir.Coreference(*ir.examples.coreference()).mentions()
            >>> mentions.filter(pl.col("predicted_cluster").is_null()).rows()
            [('d1', 11, 13, None, None, 'notes', None)]
        """
        request: CoreferenceRequest = self._request(by=by, policy=policy)
        return request.table(mentions, "mentions", order)
