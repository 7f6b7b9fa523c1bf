"""Clicks drawn from a model on given lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.models.counts import compaction
from ireval_frames.clicks.models.counts.keys import Keys
from ireval_frames.clicks.models.counts.pages import pages_of
from ireval_frames.clicks.models.declared import Array, ClickModel, Estimates
from ireval_frames.clicks.models.options import Options
from ireval_frames.clicks.models.page_blocks import blocks
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame

HASH = "ireval_hash"


def simulated(
    model: ClickModel[Any],
    keys: Keys,
    estimates: Estimates,
    unseen: float,
    engine: Engine,
    log: Frame,
    by: Sequence[str],
    seed: int,
) -> pl.DataFrame:
    """[by …] serp_id query_id doc_id position click, in the order of pages and positions.

    A draw depends on the seed, the id of the page and the position alone: it is the same on every engine, in any order
    of rows, and beside any other pages.  Unknown documents attract with the mean of the prior; without a prior they are
    not clicked.
    """
    rows, longest = compaction.pages(engine, log, by, Options(), separate=True)
    rows, pages = pages_of(rows, longest, by, keys)
    hashes = engine.collect(engine.hashed(engine.from_polars(rows.select("serp_id").unique()), "serp_id", seed, HASH))
    codes = rows.select("serp_id").join(hashes, on="serp_id", how="left", nulls_equal=True, maintain_order="left")
    bits = codes[HASH].to_numpy().astype(np.uint64)
    clicks = np.zeros(pages.docs.shape, dtype=np.bool_)
    for of, block in blocks(model, estimates, pages, unseen):
        here = bits[of]

        def draw(stage: int, position: int, here: np.ndarray[tuple[int, ...], np.dtype[np.uint64]] = here) -> Array:
            return uniform(here, stage, position)

        with np.errstate(invalid="ignore"):
            clicks[:, of] = model.simulate(block, draw)
    page = [*by, "serp_id", "query_id"]
    parts = [
        rows.select(*page, pl.col(f"doc_{j + 1}").alias("doc_id"), pl.lit(j + 1, dtype=pl.Int64).alias("position"))
        .with_columns(click=pl.Series(clicks[j].astype(np.int64)))
        .filter(pl.Series(pages.n > j))
        for j in range(longest)
    ]
    return pl.concat(parts).sort(*page, "position")


Bits = NDArray[np.uint64]


def mixed(bits: Bits) -> Bits:
    """The output function of SplitMix64, modulo 2^64.

    Source: Steele, Lea & Flood, OOPSLA 2014.
    """
    out = bits + np.uint64(0x9E3779B97F4A7C15)
    out = (out ^ (out >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    out = (out ^ (out >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(out ^ (out >> np.uint64(31)))


def uniform(of: Bits, stage: int, position: int) -> Array:
    """Numbers from 0 to below 1, one for each hash of a page, in multiples of 2^−53."""
    salted = mixed(of + np.uint64((position * 4 + stage) * 0xD1342543DE82EF95 % 2**64))
    return (salted >> np.uint64(11)).astype(np.float64) * 2.0**-53
