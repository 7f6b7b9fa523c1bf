"""Judgments of what raters say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, WrongType
from ireval_frames.ratings.aggregation import SCORES, Aggregation, Asked


def judged(
    asked: Asked,
    rows: pl.DataFrame,
    query: str,
    scale: Sequence[Any] | None,
    grades: Mapping[Any, float] | None,
    *,
    numeric: bool,
) -> pl.DataFrame:
    """Judgments of queries and documents, aggregated over all queries together.

    Args:
        asked: how.
        rows: a row per rating, with the query in a column.
        query: that column.
        scale: the categories, where they were said.
        grades: the grade of each label.
        numeric: whether ratings are numbers.

    Raises:
        WrongType: labels are text and have no grades.
        InvalidValue: a label has none.
        InvalidParameter: grades is no mapping.
    """
    if grades is not None and not isinstance(grades, Mapping):
        raise InvalidParameter(
            f"grades is {grades!r}, which is no mapping.", Hint("Write ", Argument("grades", {"good": 1}))
        )
    if not numeric and grades is None:
        raise WrongType(
            "Labels that are text are no grades.",
            Hint("Say them: ", Argument("grades", {"bad": 0, "fair": 1, "good": 2})),
        )
    pairs = rows.with_columns(item_id=pl.struct(pl.col(query).alias("query_id"), pl.col("item_id").alias("doc_id")))
    made = Aggregation.made(asked, pairs, (), (), scale, numeric=numeric).consensus()
    if not made.height:
        return pl.DataFrame(
            schema={"query_id": rows.schema[query], "doc_id": rows.schema["item_id"], "relevance": pl.Float64}
        )
    label = pl.col("value" if asked.method in SCORES else "label")
    if grades is not None:
        lacking = set(made.select(label).to_series().to_list()) - set(grades)
        if lacking:
            raise InvalidValue(f"The label {min(lacking, key=str)!r} has no grade.", "Name it in grades=.")
        label = label.replace_strict(dict(grades), return_dtype=pl.Float64)
    return made.select(pl.col("unit_id").struct.unnest(), relevance=label.cast(pl.Float64)).sort("query_id", "doc_id")
