"""Judgments from the consensus of raters."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, MissingColumn, WrongType, listed
from ireval_frames.io.any_table import scan_table
from ireval_frames.ratings.crowd.aggregation import Aggregation
from ireval_frames.ratings.crowd.aggregation_options import SCORES, AggregationOptions
from ireval_frames.ratings.inputs import RatingInputs


def judgments_of(
    rows: pl.DataFrame,
    options: AggregationOptions,
    query: str,
    grades: Mapping[Any, float] | None,
    inputs: RatingInputs,
) -> pl.DataFrame:
    """Judgments of queries and documents, aggregated over all queries together.

    Args:
        rows: a row per rating, with the query in a column.
        options: how ratings are aggregated.
        query: the column of queries.
        grades: the grade of each label.
        inputs: the scale and the type of the ratings.

    Raises:
        WrongType: labels are text and have no grades.
        InvalidValue: the grade of a label is missing.
        InvalidParameter: grades is no mapping.
    """
    if grades is not None and not isinstance(grades, Mapping):
        raise InvalidParameter(
            f"grades is {grades!r}, which is no mapping.", Hint("Write ", Argument("grades", {"good": 1}))
        )
    if not inputs.numeric and grades is None:
        raise WrongType(
            "Labels that are text are no grades.",
            Hint("Name these: ", Argument("grades", {"bad": 0, "fair": 1, "good": 2})),
        )
    if options.gold is not None:
        options = replace(options, gold=_gold_of_pairs(options.gold, rows.select(query_id=query, doc_id="item_id")))
    pairs = rows.with_columns(item_id=pl.struct(pl.col(query).alias("query_id"), pl.col("item_id").alias("doc_id")))
    consensus = Aggregation.of(pairs, options, {}, inputs, item="doc_id").consensus()
    if not consensus.height:
        return pl.DataFrame(
            schema={"query_id": rows.schema[query], "doc_id": rows.schema["item_id"], "relevance": pl.Float64}
        )
    label = pl.col("value" if options.method in SCORES else "label")
    if grades is not None:
        missing = set(consensus.select(label).to_series().to_list()) - set(grades)
        if missing:
            raise InvalidValue(f"The label {min(missing, key=str)!r} has no grade.", "Name it in grades=.")
        label = label.replace_strict(dict(grades), return_dtype=pl.Float64)
    grade = label.cast(pl.Float64)
    return consensus.select(pl.col("item_id").struct.unnest(), relevance=grade).sort("query_id", "doc_id")


def _gold_of_pairs(gold: Any, rows: pl.DataFrame) -> pl.DataFrame:
    """Known labels of queries and documents, both as one struct.

    Raises:
        MissingColumn, InvalidParameter: they are not of queries and documents.
    """
    if isinstance(gold, str | os.PathLike):
        gold = scan_table(gold)
    ids = pl.Schema({c: rows.schema[c] for c in ("query_id", "doc_id")})
    if isinstance(gold, Mapping) and all(isinstance(k, tuple) and len(k) == 2 for k in gold):
        gold = pl.DataFrame([(*k, v) for k, v in gold.items()], schema=["query_id", "doc_id", "label"], orient="row")
    if not isinstance(gold, pl.DataFrame | pl.LazyFrame):
        raise InvalidParameter(
            "gold of judgments needs queries and documents.",
            'Pass a frame of query_id, doc_id and label, or a mapping such as {("q1", "d1"): 2}.',
        )
    frame = gold.lazy().collect()
    if isinstance(frame.schema.get("item_id"), pl.Struct):
        frame = frame.unnest("item_id")
    if missing := [c for c in ids if c not in frame.columns]:
        raise MissingColumn(
            f"The gold table has no column {missing[0]!r} (it has: {listed(frame.columns, 20)}).",
            "Rename its columns to query_id, doc_id and label.",
        )
    try:
        return frame.cast(ids).select(pl.struct(*ids).alias("item_id"), pl.exclude(*ids, "item_id"))
    except pl.exceptions.PolarsError:
        raise InvalidParameter(
            f"The ids of gold are not of the types of the ratings ({', '.join(map(str, ids.values()))}).",
            'Cast them: gold.with_columns(pl.col("query_id").cast(…))',
        ) from None
