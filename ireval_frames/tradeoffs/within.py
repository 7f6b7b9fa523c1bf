"""The quality of what is answered in time: queries that take longer have none."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, MismatchedTables, MissingColumn
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.subject import Subject, request_of
from ireval_frames.tradeoffs.sides import evaluated, systems_of_both

RUN = "run_id"


def quality_within(
    quality: Evaluation, timings: Subject[Any, Any], limit: float, *, measure: str | Measure | None = None
) -> pl.DataFrame:
    """The mean quality of systems whose answers are worth nothing after a limit.

    A query has its value times the share of its requests that were answered in at most `limit` seconds; a query
    without requests has none, and is counted.

    Args:
        quality: an evaluation with values per query.
        timings: the timings of the same systems and queries (`ir.Timings`).
        limit: in seconds.
        measure: the measure of quality, where the evaluation has several.

    Returns:
        run_id measure limit value value_within n n_untimed: a row per system; `value` is the mean without the limit
        over the same queries, and `n_untimed` counts those without requests, which are left out of both.

    Raises:
        MissingColumn: the timings have no queries.
        MismatchedTables: no query of a system has both.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> qrels = pl.DataFrame({"query_id": [1, 2], "doc_id": ["d", "d"], "relevance": [1, 1]})
        >>> run = qrels.select(pl.lit("a").alias("run_id"), "query_id", "doc_id", score=1.0)
        >>> times = pl.DataFrame({"run_id": ["a", "a"], "query_id": [1, 2], "seconds": [0.1, 0.9]})
        >>> rows = ir.tradeoffs.quality_within(ir.evaluate(qrels, run, "RR"), ir.Timings(times), 0.5)
        >>> rows.select("value", "value_within", "n").row(0)
        (1.0, 0.5, 2)
    """
    evaluation, chosen = evaluated(quality, measure, "measure")
    share = catalog.parse_all([f"WithinLimit(limit={limit!r})"], timings.family)
    request = request_of(timings, share)
    name = request.inputs(request.engine).user_columns.get("query_id")
    if name is None:
        raise MissingColumn(
            "The timings have no column of queries, so that none has a quality and a time.",
            'Name it: ir.Timings(frame, query="their_name")',
        )
    within = type(timings.evaluate(share))(request_of(timings, share, unit=(name,), by=())).per_unit()
    values = evaluation.per_unit().filter(pl.col("measure") == str(chosen))
    keys = [c for c in values.columns if c not in ("measure", "value")]
    if len(keys) != 2 or RUN not in keys or RUN not in within.columns:
        raise InvalidParameter(
            f"Values are per {', '.join(keys)}; they must be per system and query.",
            "Name the systems in a column run_id of both tables, and evaluate without by=.",
        )
    (query,) = (k for k in keys if k != RUN)
    if values.schema[query] != within.schema[name]:
        raise MismatchedTables(
            f"Queries of the evaluation are {values.schema[query]}, those of the timings {within.schema[name]}.",
            f'Give both one type: frame.with_columns(pl.col("{name}").cast(pl.String))',
        )
    systems = systems_of_both(values[RUN].unique().sort().to_list(), within[RUN].unique().sort().to_list())
    shares = within.select(RUN, pl.col(name).alias(query), share="value")
    joined = values.filter(pl.col(RUN).is_in(systems)).join(shares, on=keys, how="left", maintain_order="left")
    timed = pl.col("share").is_not_null() & pl.col("value").is_not_null()
    table = joined.group_by(RUN, maintain_order=True).agg(
        value=pl.col("value").filter(timed).mean(),
        value_within=(pl.col("value") * pl.col("share")).filter(timed).mean(),
        n=timed.sum().cast(pl.Int64),
        n_untimed=pl.col("share").is_null().sum().cast(pl.Int64),
    )
    if not table["n"].sum():
        raise MismatchedTables(
            "No query has a quality and a time.", "Name the queries alike in both tables: the same ids, of one type."
        )
    named = table.with_columns(measure=pl.lit(str(chosen)), limit=pl.lit(float(limit)))
    return named.select(RUN, "measure", "limit", "value", "value_within", "n", "n_untimed")
