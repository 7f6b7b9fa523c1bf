"""Estimates that are ratios of counts, with their exact posteriors."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.clicks.models.counts.keys import row_index
from ireval_frames.clicks.models.declared import Array, Estimate
from ireval_frames.clicks.models.options import Options


def share(hits: Array, n: Array, prior: tuple[float, float]) -> Array:
    """(hits + a) / (n + a + b); NaN where that is 0 / 0."""
    a, b = prior
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((hits + a) / (n + a + b))


def estimate(hits: Array, n: Array, options: Options) -> Estimate:
    """The share of hits under the prior."""
    # Sums of weights may end up a bit above their whole.
    return Estimate(np.minimum(hits, n), n, share(np.minimum(hits, n), n, options.prior))


def with_interval(of: Estimate, prior: tuple[float, float], confidence: float) -> Estimate:
    """The estimate with the central interval of its posterior Beta(a + hits, b + n − hits).

    Without a prior the bounds are those of Jeffreys' prior (½, ½), and 0 and 1 are their own ends.  Undefined where
    nothing was counted and no prior speaks.
    """
    from scipy import special

    # Most pairs are counted seldom, and few counts differ: each is looked up once.
    counts = pl.DataFrame({"hits": of.hits.ravel(), "n": of.n.ravel()})
    several = counts.unique()
    place = row_index(counts, several, counts.columns).reshape(of.value.shape)
    hits, n = (several[c].to_numpy() for c in counts.columns)
    plain = prior == (0.0, 0.0)
    a, b = (0.5, 0.5) if plain else prior
    misses = n - hits
    tail = (1.0 - confidence) / 2.0
    with np.errstate(invalid="ignore", divide="ignore"):
        low = special.betaincinv(hits + a, misses + b, tail)
        high = special.betaincinv(hits + a, misses + b, 1.0 - tail)
    low = np.where(hits + a == 0, 0.0, low)
    high = np.where(misses + b == 0, 1.0, high)
    if plain:
        low, high = np.where(hits == 0, 0.0, low), np.where(misses == 0, 1.0, high)
    known = ~np.isnan(of.value)
    bounds = (np.where(known, end[place], np.nan) for end in (low, high))
    return Estimate(of.hits, of.n, of.value, *bounds)
