"""The values of a model's parameters on result pages, in blocks of pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts.blocks import BLOCK_SIZE
from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import PAIR, Array, ClickModel, Estimates, PageBlock, Parameter

# Numbers of one array of a block.
NUMBERS_PER_BLOCK = 2 * BLOCK_SIZE


def blocks(
    model: ClickModel[Any], estimates: Estimates, pages: Pages, unseen: float
) -> Iterator[tuple[slice, PageBlock]]:
    """The pages in blocks, with the values that a model has for them.

    Args:
        model: whose parameters they are.
        estimates: their values; `pages.keys` are theirs.
        pages: the pages.
        unseen: the value for a pair, place or position of which the model was told nothing; NaN for none.
    """
    deepest = any(len(p.keys) == 2 and p.keys != PAIR for p in model.parameters)
    step = max(64, NUMBERS_PER_BLOCK // max(1, pages.longest ** (2 if deepest else 1)))
    for start in range(0, len(pages.n), step):
        of = slice(start, start + step)
        shown = pages.docs[:, of] != pages.keys.n_pairs
        values = {p.name: _spread(p, estimates[p.name].value, pages, of, unseen) for p in model.parameters}
        yield of, PageBlock(shown, pages.clicks[:, of], values)


def _spread(parameter: Parameter, value: Array, pages: Pages, of: slice, unseen: float) -> Array:
    """(positions, pages) of pairs and positions, (positions, last clicks, pages) of both, (…, pages) else.

    Where all pages are of one group, values of groups and positions alone have one column for all pages.
    """
    keys, docs = pages.keys, pages.docs[:, of]
    value = np.where(np.isnan(value), unseen, value)
    if parameter.keys == PAIR:
        # No result attracts nobody.
        return np.concatenate([value, [0.0, unseen]]).take(docs)
    if parameter.keys == (*PAIR, "position"):
        return _at_places(keys, value, docs, unseen)
    if "position" in parameter.keys:
        value = at_length(value, pages.longest, unseen)
    if keys.n_groups == 1 and keys.by == ():
        return np.asarray(value[0][..., None])
    group = np.where(pages.group[of] < 0, len(value), pages.group[of])
    return np.moveaxis(np.concatenate([value, np.full((1, *value.shape[1:]), unseen)])[group], 0, -1)


def _at_places(keys: Keys, value: Array, docs: NDArray[np.int32], unseen: float) -> Array:
    positions = np.arange(len(docs))[:, None]
    code = docs.astype(np.int64) * keys.longest + positions
    at = np.searchsorted(keys.places, code).clip(0, max(0, len(keys.places) - 1))
    known = (docs < keys.n_pairs) & (positions < keys.longest)
    if len(keys.places):
        known &= keys.places[at] == code
    out = np.where(known, value.take(at) if len(value) else unseen, unseen)
    return np.where(docs == keys.n_pairs, 0.0, out)


def at_length(value: Array, longest: int, unseen: float) -> Array:
    """Values by group and position (and last click) for pages of another length than those of the fit."""
    groups, *rest = value.shape
    out = np.full((groups, *(longest for _ in rest)), unseen)
    inner = tuple(slice(0, min(longest, n)) for n in rest)
    out[(slice(None), *inner)] = value[(slice(None), *inner)]
    return out
