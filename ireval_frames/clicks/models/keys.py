"""What the values of a model's parameters are for: groups, pairs of query and document, and positions, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from ireval_frames.clicks.models.declared import PAIR, Codes


@dataclass(frozen=True)
class Keys:
    """The keys of a model's parameters.

    Attributes:
        by: the columns of groups.
        groups: a row per group, numbered by its place.
        pairs: a row per group, query and document, numbered by its place.
        of_pair: the number of the group of each pair.
        longest: the largest position.
        places: of parameters by query, document and position: pair × longest + position − 1, ascending.
    """

    by: tuple[str, ...]
    groups: pl.DataFrame
    pairs: pl.DataFrame
    of_pair: Codes
    longest: int
    places: Codes = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def n_groups(self) -> int:
        """How many groups there are; 1 without groups."""
        return self.groups.height if self.by else 1

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return self.pairs.height

    def group_codes(self, frame: pl.DataFrame) -> Codes:
        """The number of the group of each row; −1 for groups that are not there."""
        if not self.by:
            return np.zeros(frame.height, dtype=np.int64)
        return found(frame, self.groups, self.by)

    def pair_codes(self, frame: pl.DataFrame, doc: str = "doc_id") -> Codes:
        """The number of the pair of each row; −1 for pairs that are not there."""
        rows = frame.select(*self.by, "query_id", pl.col(doc).alias("doc_id"))
        return found(rows, self.pairs, (*self.by, *PAIR))


def found(rows: pl.DataFrame, among: pl.DataFrame, on: Sequence[str]) -> Codes:
    """The place of each row in another frame, by some columns; −1 where it is not there."""
    if among.is_empty():
        return np.full(rows.height, -1, dtype=np.int64)
    one = rows.lazy().select(*on).with_columns(pl.col(c).cast(among.schema[c]) for c in on)
    other = among.lazy().select(*on).with_row_index("_code")
    joined = one.join(other, on=list(on), how="left", nulls_equal=True, maintain_order="left")
    return joined.select(pl.col("_code").cast(pl.Int64).fill_null(-1)).collect()["_code"].to_numpy()


def keys_of(by: Sequence[str], frames: Sequence[pl.DataFrame], longest: int) -> Keys:
    """The keys that stand in frames [by … query_id doc_id]; groups and pairs in ascending order."""
    columns = [c for c in (*by, *PAIR) if c in frames[0].columns]
    rows = pl.concat([f.lazy().select(columns) for f in frames]).unique().sort(columns, nulls_last=False).collect()
    groups = rows.select(by).unique().sort(list(by)) if by else pl.DataFrame()
    pairs = rows if "doc_id" in columns else rows.select(*columns).head(0)
    of_pair = found(pairs, groups, by) if by and pairs.height else np.zeros(pairs.height, dtype=np.int64)
    return Keys(tuple(by), groups, pairs, of_pair, longest)
