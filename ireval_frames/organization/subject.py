"""Organization: documents with the gold's and the system's order and clusters, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.organization.inputs import check_named
from ireval_frames.organization.request import OrganizationRequest
from ireval_frames.subject import Subject

COLUMNS = ("item_id", "relevance", "label", "score", "rank", "cluster_id")


class Organization(Subject[OrganizationPolicy, Evaluation]):
    """Documents that a system ranks, filters, clusters, or all of it, and the gold standard of the same.

    The gold says a document's grade (`relevance`) and its classes (`label`); the system says its `score` (or `rank`;
    null is not retrieved) and its clusters (`cluster_id`).  The tasks that both sides have are evaluated: grades and
    scores are the task of priority, which covers retrieval and filtering; classes and clusters that of relatedness.

    Args:
        gold: a row per document, with both sides' columns; or, with `system`, the gold's side: item and relevance,
            label or both.
        system: the system's side: item and score, rank, cluster_id or some of them.  A table with none of them has the
            documents that a filter returned.  With a run_id column, many systems at once.
        item, relevance, label, score, rank, cluster: the names of the columns where they differ from item_id (or
            doc_id and similar ones), relevance, label, score, rank, cluster_id.  Booleans are grades 1 and 0; as
            scores, False is not retrieved.
        unit: the columns that name a topic; by default query_id, if the gold has it.  Topics are those of the gold.
        by: columns that group topics.
        overlapping: documents may be in several clusters or classes: a row for each.
            It is implied by columns of lists.
        policy: the conventions (see `OrganizationPolicy`), such as `policy="missing=skip"` for items that are
            missing in one table, or have no class or no cluster.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: the names of the columns by ours; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Grades that are null, or negative (pooled, not judged), are 0.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> ir.Organization(qrels, run).evaluate("RS Reliability Sensitivity").summary()["value"].round(4).to_list()
        [0.4092, 0.3365, 0.522]
    """

    family = "organization"
    _conventions = OrganizationPolicy
    _requests = OrganizationRequest
    _evaluations = Evaluation

    def __init__(
        self,
        gold: Any,
        system: Any = None,
        *,
        item: str | None = None,
        relevance: str | None = None,
        label: str | None = None,
        score: str | None = None,
        rank: str | None = None,
        cluster: str | None = None,
        unit: str | Sequence[str] | None = None,
        by: str | Sequence[str] = (),
        overlapping: bool = False,
        policy: OrganizationPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"gold": gold, "system": system},
            first="gold",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        named = dict(zip(COLUMNS, (item, relevance, label, score, rank, cluster), strict=True))
        self.columns = named_columns(columns, named)
        check_named(self.columns)
        self.unit = None if unit is None else self._columns_of("unit", unit)
        self.overlapping = overlapping
