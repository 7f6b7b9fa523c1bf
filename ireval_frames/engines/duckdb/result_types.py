"""Columns that come back from an engine which lacks their types, as they were handed in, so that results join them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl


def as_given(rows: pl.DataFrame, types: Mapping[str, Any]) -> pl.DataFrame:
    """The rows, with enums, categories and times in the types that are known of their columns.

    Args:
        rows: what an engine gave: text for the first two, times in a zone of its own.
        types: the types of columns.
    """
    for column, of in rows.schema.items():
        known = types.get(column)
        text = of == pl.String and isinstance(known, pl.Enum | pl.Categorical)
        time = isinstance(of, pl.Datetime) and isinstance(known, pl.Datetime)
        if known is not None and (text or time) and known != of:
            rows = rows.with_columns(pl.col(column).cast(known))
    return rows
