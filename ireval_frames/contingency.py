"""Shares in a table of counts of two columns."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.errors import InvalidParameter


def shares(cells: pl.DataFrame, keys: Sequence[str], normalize: str | None, sides: tuple[str, str]) -> pl.DataFrame:
    """The cells with the `share` of each `count` among those of its side, or of "all", within `keys`; None gives none.

    Raises:
        InvalidParameter: `normalize` names none of these.
    """
    if normalize not in (None, *sides, "all"):
        allowed = ", ".join(repr(s) for s in (*sides, "all"))
        raise InvalidParameter(
            f"normalize is {normalize!r}; allowed: None, {allowed}.", f'Write normalize="{sides[0]}".'
        )
    if normalize is None:
        return cells
    over = [*keys] + ([] if normalize == "all" else [normalize])
    total = pl.col("count").sum().over(over) if over else pl.col("count").sum()
    return cells.with_columns(share=pl.col("count") / total)
