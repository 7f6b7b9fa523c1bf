"""Tallies by pair: how often it was examined and clicked, where users look until a click of the page.

They are all that the models need which take the results down to a click as examined and the others as not: CM (the
first click), DCM and SDBN (the last one).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import summed
from ireval_frames.clicks.models.counts.keys import Keys, by_query, keys_of
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.counts.tally_queries import Counted
from ireval_frames.clicks.models.declared import Array, Until


@dataclass(frozen=True)
class Tallies:
    """How often what happened.

    Attributes:
        keys: what the numbers of groups and pairs mean.
        n: by pair, how often it was examined.
        hits: of these, how often it was clicked.
        ends: how often it was the last click of its page; 0 where not requested.
        clicks: by group and position, the clicks; 0 where not requested.
        more: of these, those that were not the last of their page.
        pages: counts the pages themselves, which takes longer.
    """

    keys: Keys
    n: Array
    hits: Array
    ends: Array
    clicks: Array
    more: Array
    pages: Callable[[], Pages]

    def __reduce__(self) -> tuple[Callable[[Pages], Pages], tuple[Pages]]:
        """Pickled, the pages themselves: the log may be out of reach there."""
        return _itself, (self.pages(),)


def _itself(pages: Pages) -> Pages:
    return pages


def tallies_of(counted: Counted, by: Sequence[str], pages: Callable[[], Pages]) -> Tallies:
    """The tallies that were counted on an engine."""
    ordered = by_query(counted.rows, by, ["doc_id"])
    keys = keys_of(ordered, by, ["doc_id"], counted.longest)
    # There is a row per pair, and now they are in the order of the pairs.
    none = np.zeros(1)
    n, hits, ends = (_floats(ordered.rows[c]) if c in ordered.rows.columns else none for c in ("n", "hits", "ends"))
    shape = (keys.n_groups, counted.longest)
    clicks, more = np.zeros(shape), np.zeros(shape)
    if (places := counted.places) is not None:
        at = (keys.group_codes(places), places["position"].to_numpy().astype(np.int64) - 1)
        clicks[at], more[at] = _floats(places["clicks"]), _floats(places["more"])
    return Tallies(keys, n, hits, ends, clicks, more, pages)


def _floats(of: pl.Series) -> Array:
    return of.to_numpy().astype(np.float64, copy=False)


def tallied(pages: Pages, until: Until) -> Tallies:
    """The tallies of pages that are here.

    Args:
        pages: the pages.
        until: users look down to the first or the last click, and where there is none to the end.
    """
    size, shape = pages.keys.n_pairs, (pages.keys.n_groups, pages.longest)
    n, hits, ends = np.zeros(size), np.zeros(size), np.zeros(size)
    clicks, more = np.zeros(shape), np.zeros(shape)
    stop = _stop(pages, until)
    for j, clicked in enumerate(pages.clicks):
        looked_at = np.where(stop > j, pages.weight, 0.0)
        hit, end = np.where(clicked, looked_at, 0.0), np.where(pages.last == j + 1, pages.weight, 0.0)
        n += pages.sums(j, looked_at)
        hits += pages.sums(j, hit)
        ends += pages.sums(j, end)
        clicks[:, j] = summed(pages.group, hit, shape[0])
        more[:, j] = summed(pages.group, np.where(pages.last == j + 1, 0.0, hit), shape[0])
    return Tallies(pages.keys, n, hits, ends, clicks, more, lambda: pages)


def _stop(pages: Pages, until: Until) -> NDArray[np.int64]:
    click = pages.last if until == "last" else np.argmax(pages.clicks, axis=0) + 1
    return np.where(pages.last > 0, click, pages.n)
