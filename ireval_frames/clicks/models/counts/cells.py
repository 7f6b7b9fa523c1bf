"""Counts of shown and clicked results by group, pair and position: what the models without pages are fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.keys import Keys, by_query, keys_of, longest_of
from ireval_frames.clicks.models.declared import Array, Codes
from ireval_frames.errors import InvalidValue

# A parameter by position is an array of them.
MAX_POSITION = 10_000_000


@dataclass(frozen=True)
class Cells:
    """Counts in the order of pairs, then of positions.

    Attributes:
        keys: what the numbers of groups and pairs mean.
        group, pair, position: what each count is of, as numbers; positions from 1.
        n: how often it was shown.
        clicks: how often it was clicked.
    """

    keys: Keys
    group: Codes
    pair: Codes
    position: Codes
    n: Array
    clicks: Array


def cells_of(rows: pl.DataFrame, by: Sequence[str]) -> Cells:
    """Counts [by … query_id doc_id position n clicks] as arrays; keys that are not there are 0.

    Raises:
        InvalidValue: a position is so far down that no array holds one for each.
    """
    longest = longest_of(rows)
    if longest > MAX_POSITION:
        raise InvalidValue(
            f"A result page has a position of {longest}; click models take positions up to {MAX_POSITION}.",
            f'Leave out what is below: log.filter(pl.col("position") <= {MAX_POSITION})',
        )
    ordered = by_query(rows, by)
    docs = [c for c in ("doc_id",) if c in rows.columns]
    keys = keys_of(ordered, by, docs, longest)
    rows, zero = ordered.rows, np.zeros(rows.height, dtype=np.int64)
    group = keys.group_codes(rows)
    pair = keys.pair_codes(ordered.query, rows["doc_id"]) if docs else zero
    position = rows["position"].to_numpy().astype(np.int64) if "position" in rows.columns else zero
    order = np.argsort((pair if docs else group) * (longest + 1) + position, kind="stable")
    n, clicks = rows["n"].to_numpy(), rows["clicks"].to_numpy()
    return Cells(keys, group[order], pair[order], position[order], n[order], clicks[order])
