"""Result pages as arrays of (positions, pages): documents as numbers, clicks, and how often each page was seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import summed, together
from ireval_frames.clicks.models.counts.compaction import BITS
from ireval_frames.clicks.models.counts.keys import Keys, by_query, keys_of, row_index
from ireval_frames.clicks.models.declared import Array, Codes
from ireval_frames.errors import MismatchedTables


@dataclass(frozen=True)
class Pages:
    """The distinct pages, each with its frequency.

    Attributes:
        keys: what the numbers of groups and pairs mean.
        docs: the pair at each position; `keys.n_pairs` where there is no result, one more where the pair is unknown.
        clicks: whether it was clicked.
        n: the number of results.
        last: the position of the last click, 0 without one.
        weight: its number of pages.
        group: the number of the group.
    """

    keys: Keys
    docs: NDArray[np.int32]
    clicks: NDArray[np.bool_]
    n: Codes
    last: Codes
    weight: Array
    group: Codes

    @property
    def longest(self) -> int:
        """The largest position."""
        return len(self.docs)

    def sums(self, position: int, of: Array) -> Array:
        """The sums by pair of a number per page, over the documents at a position, from 0."""
        return summed(self.docs[position], of, self.keys.n_pairs + 2)[: self.keys.n_pairs]

    @cached_property
    def by_last_click(self) -> tuple[Codes, Array, Array]:
        """How often a pair was shown and clicked at a position below a last click, and above it the codes of these.

        A code is ((pair × groups + group) × longest + position − 1) × longest + last click, ascending.
        """
        size, parts = self.longest * self.longest, []
        for j, last in enumerate(last_clicks(self.clicks)):
            shown = np.flatnonzero(self.docs[j] < self.keys.n_pairs)
            pair = self.docs[j][shown].astype(np.int64) * self.keys.n_groups + self.group[shown]
            weight = self.weight[shown]
            rows = pl.LazyFrame(
                {
                    "code": pair * size + j * self.longest + last[shown],
                    "n": weight,
                    "clicks": np.where(self.clicks[j][shown], weight, 0.0),
                }
            )
            parts.append(
                rows.group_by("code", maintain_order=True).agg(pl.col("n").sum(), pl.col("clicks").sum()).collect()
            )
        code, n, clicks = (c.to_numpy() for c in pl.concat(parts).sort("code"))
        return code, n, clicks


def last_clicks(clicks: NDArray[np.bool_]) -> Iterator[NDArray[np.int64]]:
    """For each position the position of the last click above it, by page; 0 without one."""
    last = np.zeros(clicks.shape[1], dtype=np.int64)
    for j, clicked in enumerate(clicks):
        yield last
        last = np.where(clicked, j + 1, last)


def pages_of(
    rows: pl.DataFrame, longest: int, by: Sequence[str], keys: Keys | None = None
) -> tuple[pl.DataFrame, Pages]:
    """The pages of compacted rows, and these rows in the order of the pages: that of groups and queries.

    Args:
        rows: what `compaction.pages` gives.
        longest: the largest position.
        by: the columns of groups.
        keys: those of a model; by default those of the pages.
    """
    columns = [f"doc_{j}" for j in range(1, longest + 1)]
    ordered = by_query(rows, by)
    rows, query = ordered.rows, ordered.query
    if keys is None:
        keys = keys_of(ordered, by, columns, longest)
    else:
        _same_types(keys, rows)
        query = (
            row_index(ordered.queries, keys.queries, (*by, "query_id"))[query] if keys.queries.width else query * 0 - 1
        )
    n = rows["n"].to_numpy().astype(np.int64)
    docs = np.full((longest, rows.height), keys.n_pairs, dtype=np.int32)
    clicks = np.zeros((longest, rows.height), dtype=np.bool_)
    last = np.zeros(rows.height, dtype=np.int64)

    def place(j: int) -> None:
        codes = keys.pair_codes(query, rows[columns[j]])
        docs[j] = np.where(codes >= 0, codes, np.where(n > j, keys.n_pairs + 1, keys.n_pairs))

    together(place, range(longest))
    for j in range(longest):
        if j % BITS == 0:
            mask = rows[f"clicks_{j // BITS}"].to_numpy().astype(np.int64)
        clicks[j] = (mask >> (j % BITS)) & 1
        last[clicks[j]] = j + 1
    weight = rows["weight"].to_numpy().astype(np.float64)
    return rows, Pages(keys, docs, clicks, n, last, weight, keys.group_codes(rows))


def _same_types(keys: Keys, rows: pl.DataFrame) -> None:
    """Refuse ids that are text in a model and numbers in the pages, or the other way.

    Raises:
        MismatchedTables: with the column and both types.
    """
    if keys.documents is None:
        return
    ours = {"query_id": keys.queries.schema["query_id"], "doc_id": keys.documents.dtype}
    for column, mine in ours.items():
        # A log without results has no positions.
        other = rows.schema.get("doc_1" if column == "doc_id" else column, mine)
        if (mine == pl.String) != (other == pl.String):
            raise MismatchedTables(
                f"Column {column!r} is {mine} in the click model and {other} in the pages, so none can be equal.",
                f'Give both one type: frame.with_columns(pl.col("{column}").cast(pl.{mine}))',
            )
