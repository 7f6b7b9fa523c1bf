"""What the values of a model's parameters are for: groups, pairs of query and document, and positions, as numbers.

A pair is numbered by its place among all pairs, in the order of groups, queries and documents.  It is found by its
place in an array of numbers, query × documents + document; rows in the order of queries find it in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.blocks import together
from ireval_frames.clicks.models.declared import Codes

# Numbers of pairs stay below it.
MAX_KEY = 2**62


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
            codes = of.cast(pl.String).cast(pl.Enum(self.values), strict=False).to_physical()
            return codes.cast(pl.Int64).fill_null(-1).to_numpy()
        values, documents = self.values.to_numpy(), of.fill_null(self.values[0]).to_numpy()
        place = np.searchsorted(values, documents).clip(0, len(values) - 1)
        return np.where((values[place] == documents) & of.is_not_null().to_numpy(), place, -1).astype(np.int64)

    def named(self, numbers: Codes) -> pl.Series:
        """The documents of numbers."""
        if self.values is None:
            return pl.Series("doc_id", numbers + self.low, dtype=self.dtype)
        return self.values.gather(numbers).alias("doc_id")


def documents_of(columns: list[pl.Series], queries: int) -> Documents:
    """The documents in columns; small integers are their own numbers."""
    dtype = columns[0].dtype
    if dtype == pl.Int64:
        ends = [end for c in columns for end in (c.min(), c.max()) if isinstance(end, int)]
        low, high = min(ends, default=0), max(ends, default=0)
        if (high - low + 1) * max(1, queries) < MAX_KEY:
            return Documents(low, high - low + 1, None, dtype)
    values = pl.concat([c.drop_nulls().unique().rename("doc_id") for c in columns]).unique().sort()
    return Documents(0, max(1, len(values)), values, dtype)


# The number of rows up to which they are sorted whatever their order.
MAX_SORTED_ROWS = 200_000


def _none() -> Codes:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class Keys:
    """The keys of a model's parameters.

    Attributes:
        by: the columns of groups.
        groups: a row per group, in their order.
        queries: a row per group and query, in their order.
        documents: the documents as numbers.
        codes: the number of each pair, ascending: query × documents + document.
        longest: the largest position.
        places: of parameters by query, document and position: pair × longest + position − 1, ascending.
    """

    by: tuple[str, ...]
    groups: pl.DataFrame
    queries: pl.DataFrame
    documents: Documents | None
    codes: Codes
    longest: int
    places: Codes = field(default_factory=_none)

    @property
    def n_groups(self) -> int:
        """How many groups there are; 1 without columns of groups."""
        return self.groups.height if self.by else 1

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return len(self.codes)

    @cached_property
    def of_pair(self) -> Codes:
        """The number of the group of each pair."""
        if not self.by or self.documents is None:
            return np.zeros(self.n_pairs, dtype=np.int64)
        return row_index(self.queries, self.groups, self.by)[self.query_of_pair]

    @property
    def query_of_pair(self) -> Codes:
        """The number of the group and query of each pair, ascending."""
        return self.codes // (1 if self.documents is None else self.documents.size)

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """A row per pair, [by …] query_id doc_id."""
        if self.documents is None:
            return self.queries
        rows = self.queries[self.query_of_pair]
        return rows.with_columns(self.documents.named(self.codes % self.documents.size))

    def pair_codes(self, queries: Codes, docs: pl.Series) -> Codes:
        """The pair of each row, by the number of its query; −1 for pairs that are not there."""
        if self.documents is None or not self.n_pairs:
            return np.full(len(docs), -1, dtype=np.int64)
        number = self.documents.numbers(docs)
        code = queries * self.documents.size + number
        place = np.searchsorted(self.codes, code).clip(0, self.n_pairs - 1)
        return np.where((self.codes[place] == code) & (queries >= 0) & (number >= 0), place, -1)

    def group_codes(self, rows: pl.DataFrame) -> Codes:
        """The group of each row; −1 for those that are not there."""
        return row_index(rows, self.groups, self.by) if self.by else np.zeros(rows.height, dtype=np.int64)

    def rows_codes(self, rows: pl.DataFrame) -> Codes:
        """The pair of each row of [by …] query_id doc_id; −1 for pairs that are not there."""
        return self.pair_codes(row_index(rows, self.queries, (*self.by, "query_id")), rows["doc_id"])


def row_index(rows: pl.DataFrame, among: pl.DataFrame, on: Sequence[str]) -> Codes:
    """The place of each row in another frame, by some columns; −1 where it is not there."""
    if among.is_empty():
        return np.full(rows.height, -1, dtype=np.int64)
    one = rows.lazy().select(pl.col(c).cast(among.schema[c]) for c in on)
    other = among.lazy().select(*on).with_row_index("_code")
    joined = one.join(other, on=list(on), how="left", nulls_equal=True, maintain_order="left")
    return joined.select(pl.col("_code").cast(pl.Int64).fill_null(-1)).collect()["_code"].to_numpy()


@dataclass(frozen=True)
class Sorted:
    """Rows in the order of groups and queries.

    Attributes:
        rows: the rows.
        query: the number of the query of each, from 0.
        queries: a row per group and query.
    """

    rows: pl.DataFrame
    query: Codes
    queries: pl.DataFrame


def longest_of(rows: pl.DataFrame) -> int:
    """The last position in rows; 0 without positions."""
    last = rows["position"].max() if "position" in rows.columns else None
    return int(last) if isinstance(last, int | float) else 0


def by_query(rows: pl.DataFrame, by: Sequence[str], then: Sequence[str] = ()) -> Sorted:
    """Rows sorted by groups and queries, and then by other columns."""
    columns = [*by, *(c for c in ("query_id",) if c in rows.columns)]
    if not columns:
        return Sorted(rows, np.zeros(rows.height, dtype=np.int64), pl.DataFrame())
    # The order of what is alike in these changes the last bits of sums; many rows are not worth the time.
    rest = [c for c in rows.columns if c not in (*columns, *then)] if rows.height <= MAX_SORTED_ROWS else []
    ordered = rows.sort([*columns, *then, *rest])
    changed = ordered.select(pl.any_horizontal(pl.col(c).ne_missing(pl.col(c).shift()) for c in columns)).to_series()
    first = changed.to_numpy().copy()
    first[:1] = True
    return Sorted(ordered, np.cumsum(first) - 1, ordered.select(columns).filter(pl.Series(first)))


def keys_of(rows: Sorted, by: Sequence[str], docs: Sequence[str], longest: int) -> Keys:
    """The keys in rows, whose columns `docs` hold documents."""
    groups = rows.queries.select(by).unique().sort(list(by)) if by else pl.DataFrame()
    if not docs:
        return Keys(tuple(by), groups, rows.queries.head(0), None, _none(), longest)
    columns = [rows.rows[c] for c in docs]
    documents = documents_of(columns, rows.queries.height)

    def codes(column: pl.Series) -> Codes:
        number = documents.numbers(column)
        return _distinct((rows.query * documents.size + number)[number >= 0])

    parts = together(codes, columns)
    return Keys(tuple(by), groups, rows.queries, documents, _distinct(np.concatenate(parts)), longest)


def _distinct(codes: Codes) -> Codes:
    """The distinct numbers, ascending; NumPy's own way takes ten times as long where they are many."""
    ordered = np.sort(codes)
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered
