"""The evaluation of runs in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.columns.user_names import Columns
from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.ranking.evaluation import RankingEvaluation
from ireval_frames.ranking.subject import Rankings


def evaluate(
    qrels: Any,
    run: Any,
    measures: str | Measure | Iterable[str | Measure],
    *,
    queries: Any = None,
    click_model: Any = None,
    by: str | Sequence[str] = (),
    policy: RankingPolicy | str | Mapping[str, Any] | None = None,
    engine: str | Engine | None = None,
    con: Any = None,
    columns: Columns | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> RankingEvaluation:
    """Evaluate one or more runs against judgments: `Rankings(qrels, run, …).evaluate(measures)`.

    Args:
        qrels: the judgments: query_id, doc_id, relevance; with subtopic_id or assessor_id, by subtopic or assessor.
        run: query_id, doc_id, score; with a run_id column, many runs at once.
        measures: "nDCG@10 AP P(rel=2)@5", a measure such as `ir.nDCG @ 10`, or several.
        queries: query_id and columns to group by; optional.
        click_model: for measures of click models: a fitted model (`log.fit`), or its parameters as a table.
        by: columns that group queries.
        policy: the conventions: a `RankingPolicy`, a preset's name, or "field=value,…".
        engine: "polars", "duckdb" or "spark"; by default where the run is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables, or paths.
        columns: names of the tables' columns where they differ from ours; for all tables, or by table.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Raises:
        DataError: the tables or files are at fault.
        UsageError: a measure, parameter or option does not exist or is not allowed.

    Example:
        >>> import ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> ir.evaluate(qrels, run, "AP RR").summary()["value"].round(3).to_list()
        [0.556, 1.0]
    """
    return Rankings(
        qrels,
        run,
        queries=queries,
        click_model=click_model,
        by=by,
        policy=policy,
        engine=engine,
        con=con,
        columns=columns,
        storage_options=storage_options,
    ).evaluate(measures)
