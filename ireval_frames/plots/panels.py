"""Several small pictures of one kind beside each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

Make = Callable[[pl.DataFrame], Any]


def panels(alt: Any, frame: pl.DataFrame, by: list[str], make: Make, *, columns: int = 2) -> Any:
    """One picture for each value of some columns, in the order they come in, with the value above it.

    Args:
        alt: Altair.
        frame: the rows.
        by: the columns; one that has one value everywhere says nothing and is left out above the pictures.
        make: draws the rows of one.
        columns: how many stand beside each other.
    """
    parts = frame.partition_by(by, maintain_order=True, as_dict=True)
    if len(parts) == 1:
        return make(frame)
    telling = [i for i, name in enumerate(by) if frame[name].n_unique() > 1]
    charts = []
    for key, part in parts.items():
        title = alt.TitleParams(", ".join(str(key[i]) for i in telling), fontSize=12, anchor="start")
        charts.append(make(part).properties(title=title))
    return alt.concat(*charts, columns=columns)
