"""The lists of runs in memory, evaluated by other judgments than those they came with.

The engine ranks the runs once, and only what the measures read of them leaves it.  Each further set of judgments is
then an evaluation in memory, with the same conventions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.evaluation.planned import PlannedEvaluation, with_finite_values
from ireval_frames.evaluation.request import finals
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.ranked_lists import RankedLists
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.ranking.subject import Rankings
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.subject import request_of

# The document that stands for those of a query from which all judgments were removed.
NO_DOCUMENT = -1


class AllLists(RankingTables):
    """The tables of lists that are all there: those of missing queries have no rows."""

    def all_units(self, name: str, keys: Sequence[str], queries: Table) -> Table:
        """Every list with every row of `queries` of its query."""
        return self.plan.joined(name, keys, self.lists, queries, on=("query_id",))


@dataclass(frozen=True, eq=False)
class CollectedLists:
    """Runs with their ranks, and their judgments.

    Attributes:
        judgments: query, [further columns of judgments], doc_id, relevance.
        ranked: run_id, query, doc_id, rank, of judged documents, or of all if the measures read all.
        lists: run_id, query, n: the number of documents, 0 for a missing query that counts.
        runs: run_id, also of runs without a list that counts.
        queries: query (a number from 0), query_id.
        documents: document (a number from 0), doc_id.
        measures: what is evaluated.
        policy: the conventions in force.

    `query_id` and `doc_id` of the first three are the numbers of `queries` and `documents`.
    """

    judgments: pl.DataFrame
    ranked: pl.DataFrame
    lists: pl.DataFrame
    runs: pl.DataFrame
    queries: pl.DataFrame
    documents: pl.DataFrame
    measures: tuple[Measure, ...]
    policy: RankingPolicy

    def values(self, judgments: pl.DataFrame, variants: pl.DataFrame | None = None) -> pl.DataFrame:
        """The value of every run by other judgments of the same queries: measure, run_id, value.

        A run of which no list counts by these judgments has no value (null).

        Args:
            judgments: as `judgments`.  With `variants` also `variant`, a number from 0: several sets of judgments.
            variants: run_id, variant: by which of them a run is evaluated; runs that are not here are left out.
        """
        ranked, lists, judgments = self.ranked, self.lists, self._with_all_queries(judgments)
        runs = self.runs
        if variants is not None:
            runs = runs.join(variants, on="run_id", how="semi")
            topic = pl.col("variant") * self.queries.height + pl.col("query_id")
            ranked, lists = (f.join(variants, on="run_id") for f in (ranked, lists))
            ranked, lists, judgments = (
                f.with_columns(query_id=topic).drop("variant") for f in (ranked, lists, judgments)
            )
        engine = PolarsEngine()
        plan = Plan(engine)
        of_judgments, rows, of_lists = (engine.from_polars(f) for f in (judgments, ranked, lists))
        tables = AllLists(RankedLists(plan, of_judgments, rows, of_lists, self.policy))
        values = finals(plan, self.measures, lambda measure: final(measure, tables))
        planned = with_finite_values(PlannedEvaluation(plan, tables.units, self.measures, values))
        with engine.errors():
            summary = planned.summary_results().collect().select("measure", "run_id", "value")
        every = pl.DataFrame({"measure": [str(m) for m in self.measures]}).join(runs.sort("run_id"), how="cross")
        return every.join(summary, on=["measure", "run_id"], how="left", maintain_order="left")

    def _with_all_queries(self, judgments: pl.DataFrame) -> pl.DataFrame:
        """The judgments, with a row without a grade for a query that has none left, so that it counts in means."""
        keys = ["variant", "query_id"] if "variant" in judgments.columns else ["query_id"]
        first = self.judgments.unique("query_id", keep="first").with_columns(
            doc_id=pl.lit(NO_DOCUMENT, pl.Int64), relevance=pl.lit(-1, self.judgments.schema["relevance"])
        )
        if "variant" in keys:
            first = first.join(judgments.select("variant").unique(), how="cross")
        empty = first.join(judgments.select(keys).unique(), on=keys, how="anti")
        return pl.concat([judgments, empty.select(judgments.columns)]) if empty.height else judgments


def collected(
    rankings: Rankings, measures: Sequence[Measure], *, every_row: bool = False, name: str | None = None
) -> CollectedLists:
    """What measures read of rankings, their data checked.

    Args:
        rankings: judgments and runs.
        measures: what is evaluated.
        every_row: also the documents that are not judged, whether or not the measures read them.
        name: of a run without a column run_id; None refuses it.

    Raises:
        NotDefined: there is one run; or tied documents share their ranks.
        DataError: the tables are at fault.
    """
    request: RankingRequest = request_of(rankings, measures)
    if request.policy.ties == "expectation":
        raise NotDefined(
            "Under tie expectation a tied document has no rank of its own.",
            Hint("Use another tie policy: ", Argument("policy", "ties=trec_eval"), "."),
        )
    engine = rankings.engine
    with engine.errors():
        tables, checks = request.checked_tables(engine)
        if not tables.several_runs and name is None:
            raise NotDefined(
                "The run has no column run_id, so there is one run.", "Pass several: a table with a column run_id."
            )
        finals(tables.plan, measures, lambda measure: final(measure, tables))
        if every_row:
            tables.ranked_run.require_all_rows()
        for check in checks:
            check()
        judgments = as_text(engine.collect(tables.qrels_frame))
        keys = tables.list_keys
        ranked = engine.collect(tables.ranked.frame().select(*keys, "doc_id", "rank"))
        lists = engine.collect(tables.lists.frame().select(*keys, "n"))
    if "run_id" not in keys:
        ranked, lists = (f.insert_column(0, pl.lit(name).alias("run_id")) for f in (ranked, lists))
    return _numbered(judgments, as_text(ranked), as_text(lists), tuple(measures), request.policy)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with texts for categories, which differ from one table to the next."""
    return frame.with_columns((pl.selectors.categorical() | pl.selectors.enum()).cast(pl.String))


def _numbered(
    judgments: pl.DataFrame,
    ranked: pl.DataFrame,
    lists: pl.DataFrame,
    measures: tuple[Measure, ...],
    policy: RankingPolicy,
) -> CollectedLists:
    """The collected tables, with numbers for ids."""
    queries = judgments.select("query_id").unique().sort("query_id").with_row_index("query")
    queries = queries.with_columns(pl.col("query").cast(pl.Int64))
    ids = pl.concat([judgments["doc_id"].unique(), ranked["doc_id"].unique()]).unique()
    documents = ids.to_frame().with_row_index("document").with_columns(pl.col("document").cast(pl.Int64))

    def with_numbers(frame: pl.DataFrame) -> pl.DataFrame:
        columns = frame.columns
        frame = frame.join(queries, on="query_id").with_columns(query_id="query").drop("query")
        if "doc_id" in columns:
            frame = frame.join(documents, on="doc_id").with_columns(doc_id="document")
        return frame.select(columns)

    runs = lists.select("run_id").unique()
    lists = with_numbers(lists).with_columns(pl.col("n").cast(pl.Int64))
    if policy.missing == "zero":
        every = runs.join(queries.select(query_id="query"), how="cross")
        lists = every.join(lists, on=["run_id", "query_id"], how="left").with_columns(pl.col("n").fill_null(0))
    ranked = with_numbers(ranked).with_columns(pl.col("rank").cast(pl.Int64))
    return CollectedLists(with_numbers(judgments), ranked, lists, runs, queries, documents, measures, policy)
