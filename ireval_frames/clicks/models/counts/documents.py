"""Documents as whole numbers in their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from ireval_frames.clicks.models.declared import Codes

# Numbers of pairs stay below it.
LARGEST = 2**62


@dataclass(frozen=True)
class Documents:
    """What documents are called.

    Attributes:
        low: of integers that are their own numbers, the number of the first.
        size: how many numbers there are.
        values: the documents in ascending order, if they are numbered by their places.
        dtype: of the documents.
    """

    low: int
    size: int
    values: pl.Series | None
    dtype: pl.DataType

    def numbers(self, of: pl.Series) -> Codes:
        """The number of each document; −1 for null and for those that are not there."""
        if self.values is None:
            inside = of.is_between(self.low, self.low + self.size - 1).fill_null(value=False)
            return np.where(inside, of.fill_null(self.low).cast(pl.Int64).to_numpy() - self.low, -1)
        if self.dtype == pl.String:
            found = of.cast(pl.String).cast(pl.Enum(self.values), strict=False).to_physical()
            return found.cast(pl.Int64).fill_null(-1).to_numpy()
        values, sought = self.values.to_numpy(), of.fill_null(self.values[0]).to_numpy()
        place = np.searchsorted(values, sought).clip(0, len(values) - 1)
        return np.where((values[place] == sought) & of.is_not_null().to_numpy(), place, -1).astype(np.int64)

    def named(self, numbers: Codes) -> pl.Series:
        """The documents of numbers."""
        if self.values is None:
            return pl.Series("doc_id", numbers + self.low, dtype=self.dtype)
        return self.values.gather(numbers).alias("doc_id")


def documents_of(columns: list[pl.Series], queries: int) -> Documents:
    """The documents that stand in columns; small integers are their own numbers."""
    dtype = columns[0].dtype
    if dtype == pl.Int64:
        ends = [end for c in columns for end in (c.min(), c.max()) if isinstance(end, int)]
        low, high = min(ends, default=0), max(ends, default=0)
        if (high - low + 1) * max(1, queries) < LARGEST:
            return Documents(low, high - low + 1, None, dtype)
    values = pl.concat([c.drop_nulls().unique().rename("doc_id") for c in columns]).unique().sort()
    return Documents(0, max(1, len(values)), values, dtype)
