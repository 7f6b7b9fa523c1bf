"""Organization: documents with the gold's and the system's order and clusters, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ireval_frames import catalog
from ireval_frames.conventions.items import OrganizationPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import Source, names_of, opened
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.expr import Expr, col
from ireval_frames.io.reading import TABLE
from ireval_frames.items.build import ItemBuild
from ireval_frames.items.inputs import Names, named_columns
from ireval_frames.organization.checks import checks
from ireval_frames.organization.context import OrganizationContext
from ireval_frames.organization.inputs import OrganizationInputs, check_named
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.plan import Plan
from ireval_frames.subject import Subject

GIVEN = ("item_id", "relevance", "label", "score", "rank", "cluster_id")


class Organization(Subject[OrganizationPolicy, Evaluation]):
    """Documents that a system ranks, filters, clusters, or all of it, and the gold standard of the same.

    The gold says a document's grade (`relevance`) and its classes (`label`); the system says its `score` (or `rank`;
    null is not retrieved) and its clusters (`cluster_id`).  What both sides have is evaluated: grades and scores are
    the task of priority, which covers retrieval and filtering; classes and clusters are the task of relatedness.

    Args:
        gold: a row per document, with both sides' columns; or, with `system`, the gold's side: item and relevance,
            label or both.
        system: the system's side: item and score, rank, cluster_id or some of them.  A table with none holds the
            documents that a filter returned.  With a run_id column, many systems at once.
        item, relevance, label, score, rank, cluster: the names of the columns where they differ from item_id (also
            found as doc_id and the like), relevance, label, score, rank, cluster_id.  Booleans are grades 1 and 0; as
            scores, False is not retrieved.
        unit: the columns that name a topic; by default query_id, if the gold has it.  Topics are those of the gold.
        by: columns that group topics.
        overlapping: documents may be in several clusters or classes: a row for each.
            Columns of lists say so themselves.
        policy: the conventions (see `OrganizationPolicy`), such as `policy="missing=skip"` for items that one table
            lacks, or that have no class or no cluster.
        engine: "polars", "duckdb" or "spark"; by default where the gold is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

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
    conventions = OrganizationPolicy
    result = Evaluation

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
        named = dict(zip(GIVEN, (item, relevance, label, score, rank, cluster), strict=True))
        self.columns = named_columns(columns, named)
        check_named(self.columns)
        self.unit = None if unit is None else self.grouping("unit", unit)
        self.overlapping = overlapping

    def build(
        self, policy: OrganizationPolicy | None = None, by: tuple[str, ...] | None = None, asked: Sequence[Measure] = ()
    ) -> OrganizationBuild:
        """What makes the plans of this subject."""
        del asked
        return OrganizationBuild(self, policy or self.policy, self.by if by is None else by)


class OrganizationBuild(ItemBuild[Organization, OrganizationPolicy, OrganizationTables]):
    """Makes the plan of one evaluation on any engine."""

    def made(
        self, engine: Engine, measures: Sequence[Measure], given: Mapping[str, Any] | None, *, ordered: bool = False
    ) -> OrganizationTables:
        """The tables for the measures; `given` replaces the tables that were handed in."""
        del measures
        tables = {**self.subject.given, **(given or {})}
        names = Names(self.subject.columns, self.by, self._unit(tables["gold"], engine))
        inputs = OrganizationInputs(tables, names, engine, self.policy, overlapping=self.subject.overlapping)
        return OrganizationTables(Plan(engine, ordered=ordered), inputs, self.policy)

    def _unit(self, gold: Any, engine: Engine) -> tuple[str, ...]:
        if self.subject.unit is not None:
            return self.subject.unit
        names = names_of(opened(Source(gold, "gold", TABLE), engine))
        taken = (*self.by, *self.subject.columns.values())
        return ("query_id",) if "query_id" in names and "query_id" not in taken else ()

    def in_both(self, tables: OrganizationTables) -> Expr:
        """How many items of each unit both tables have."""
        return tables.items.sum(col("in_gold") * col("in_system"), into=tables.units)

    def context(self, tables: OrganizationTables, measure: str) -> OrganizationContext:
        """What the functions of measures are handed."""
        return OrganizationContext(tables, measure)

    def checks(self, tables: OrganizationTables) -> list[Callable[[], None]]:
        """What the data must not hold."""
        return checks(tables, self.policy)

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        return {"n_items": catalog.parse("NumItems", "organization")}
