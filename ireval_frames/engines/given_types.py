"""Columns that come back from an engine which lacks their types, as they were handed in, so that results join them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.engines.polars_expressions import dtype


def as_given(rows: pl.DataFrame, types: Mapping[str, Any]) -> pl.DataFrame:
    """The rows, with enums, categories and times in the types that are known of their columns.

    Args:
        rows: what an engine gave: text for the first two, times in a zone of its own.
        types: Narwhals' types of columns.
    """
    for column, of in rows.schema.items():
        known = types.get(column)
        text = of == pl.String and isinstance(known, nw.Enum | nw.Categorical)
        time = isinstance(of, pl.Datetime) and isinstance(known, nw.Datetime)
        if (text or time) and (wanted := dtype(known)) != of:
            rows = rows.with_columns(pl.col(column).cast(wanted))
    return rows
