"""Prediction-powered means of systems: of random samples of queries, samples of strata, and active ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import (
    Argument,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    SampleWarning,
    WrongType,
    listed,
    warn,
)
from ireval_frames.judging.systems import paired
from ireval_frames.stats.means.prediction_powered import Powered, actively_sampled, prediction_powered, stratified

METHODS = {"ppi++": None, "ppi": 1.0, "human": 0.0}
FEW = 30
NAMES = ("value", "se", "ci_low", "ci_high", "weight", "correlation", "width")


def of_queries(source: Any, column: str, tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """What a query belongs to: query_id and the column, a row per query.

    Args:
        source: a column of judgments, or a frame of query_id and one more column.
        column: what it becomes.
        tables: the judgments, with all their columns.

    Raises:
        MissingColumn: no table has it.
        InvalidValue: a query has several values, or none.
    """
    if isinstance(source, str):
        having = [t.rename({_query(t): "query_id"}).select("query_id", source) for t in tables if source in t.columns]
        if not having:
            raise MissingColumn(
                f"No table of judgments has the column {source!r} (one has: {listed(tables[0].columns, 20)}).",
                f"Add it, or pass a frame of query_id and {column}.",
            )
        frame = pl.concat(having, how="vertical_relaxed")
    else:
        frame = source.lazy().collect() if isinstance(source, pl.DataFrame | pl.LazyFrame) else pl.DataFrame()
        others = [c for c in frame.columns if c != "query_id"]
        if "query_id" not in frame.columns or not others:
            raise MissingColumn(
                f"The table of {column} has no column 'query_id' and another one.",
                f"Pass a frame of query_id and {column}, or the name of a column of the judgments.",
            )
        source = column if column in others else others[0]
        frame = frame.select("query_id", source)
    frame = frame.rename({source: column}).unique()
    if missing := frame[column].null_count():
        raise InvalidValue(f"{missing:,} queries have no {column}: it is null.", "Fill it in.")
    if frame["query_id"].is_duplicated().any():
        query = frame.filter(frame["query_id"].is_duplicated())["query_id"][0]
        raise InvalidValue(f"The query {query!r} has several values of {column}.", "Keep one of them.")
    return frame


def _query(table: pl.DataFrame) -> str:
    from ireval_frames.columns.schema import QRELS, resolve

    return resolve(QRELS, table.columns)["query_id"]


def probabilities(frame: pl.DataFrame) -> pl.DataFrame:
    """Probabilities of queries, checked.

    Raises:
        WrongType, InvalidValue: they are no numbers above 0 and at most 1.
    """
    if not frame.schema["probability"].is_numeric():
        raise WrongType(
            f"Probabilities are {frame.schema['probability']}; they must be numbers above 0 and at most 1.",
            'Convert them: frame.with_columns(pl.col("probability").cast(pl.Float64))',
        )
    wrong = frame.filter(~((pl.col("probability") > 0) & (pl.col("probability") <= 1)))
    if wrong.height:
        raise InvalidValue(
            f"The query {wrong['query_id'][0]!r} has the probability {wrong['probability'][0]!r}; it must be above 0 "
            "and at most 1.",
            "Write the probability with which the query was chosen to be judged by people.",
        )
    return frame


def powered_table(
    known: pl.DataFrame,
    predicted: pl.DataFrame,
    *,
    method: str,
    confidence: float,
    differences: bool,
    strata: pl.DataFrame | None,
    probability: pl.DataFrame | None,
) -> pl.DataFrame:
    """A row per system, or pair of systems (`Judges.powered`).

    Args:
        known: run_id, query_id, value by people.
        predicted: the same by the model.
        method: the name of λ.
        confidence: of intervals.
        differences: whether rows are pairs of systems.
        strata: query_id and stratum.
        probability: query_id and probability.

    Raises:
        InvalidValue: a query has no stratum, or one that people judged no probability.
    """
    keys, column = ["run_id"], "value"
    if differences:
        known, predicted = (paired(f, f["run_id"].unique().to_list()) for f in (known, predicted))
        keys, column = ["run_a", "run_b"], "difference"
    both = predicted.join(known, on=[*keys, "query_id"], how="left", suffix="_known").sort(*keys, "query_id")
    for name, more in (("stratum", strata), ("probability", probability)):
        if more is not None:
            both = both.join(more.cast({"query_id": both.schema["query_id"]}), on="query_id", how="left")
            lacking = both.filter(
                pl.col(name).is_null() & (pl.col(f"{column}_known").is_not_null() | (name == "stratum"))
            )
            if lacking.height:
                raise InvalidValue(
                    f"{lacking['query_id'].n_unique():,} queries have no {name}, such as {lacking['query_id'][0]!r}.",
                    "Name one of each query.",
                )
    rows, single = [], set()
    for key, part in both.partition_by(keys, as_dict=True, maintain_order=True).items():
        judged = part[f"{column}_known"].is_not_null() & part[column].is_not_null()
        if strata is None:
            estimate = _estimate(part, judged, column, confidence, METHODS[method])
        else:
            groups = part.with_columns(judged=judged).partition_by("stratum", maintain_order=True)
            parts = [_values(p, p["judged"], column) for p in groups]
            single |= {str(p["stratum"][0]) for p, v in zip(groups, parts, strict=True) if len(v[0]) < 2}
            estimate = stratified(parts, confidence, METHODS[method])
        n, rest = int(judged.sum()), part.filter(~judged)[column].drop_nulls().len()
        status = "undefined" if np.isnan(estimate.value) else "few" if n < FEW else "ok"
        numbers = (
            estimate.value, estimate.se, estimate.low, estimate.high, estimate.weight, estimate.correlation,
            estimate.width,
        )  # fmt: skip
        rows.append((*key, *numbers, n, rest, status))
    if single:
        warn(
            f"{len(single)} strata have fewer than two queries judged by people, so that there is no estimate: "
            f"{listed(sorted(single), 3)}.",
            SampleWarning,
        )
    schema: dict[str, Any] = {k: both.schema[k] for k in keys} | dict.fromkeys(NAMES, pl.Float64)
    schema |= {"n_human": pl.Int64, "n_llm": pl.Int64, "status": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(pl.selectors.float().fill_nan(None))


def _values(part: pl.DataFrame, judged: pl.Series, column: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    known = part.filter(judged)
    return (
        known[f"{column}_known"].to_numpy(),
        known[column].to_numpy(),
        part.filter(~judged)[column].drop_nulls().to_numpy(),
    )


def _estimate(part: pl.DataFrame, judged: pl.Series, column: str, confidence: float, weight: float | None) -> Powered:
    y, f, rest = _values(part, judged, column)
    if "probability" not in part.columns:
        return prediction_powered(y, f, rest, confidence, weight)
    return actively_sampled(y, f, part.filter(judged)["probability"].to_numpy(), rest, confidence, weight)


def at_most_one(strata: Any, probability: Any) -> None:
    """Refuse strata and probabilities at once.

    Raises:
        InvalidParameter: both are there.
    """
    if strata is not None and probability is not None:
        raise InvalidParameter(
            "Queries were sampled by strata, or each with a probability of its own.",
            Hint("Leave out ", Argument("strata", None)),
        )
