"""Sets of clusters and of classes as one number each.

The fingerprint of a set is a sum of portable hashes of its members, of 62 bits: a million distinct sets hold two that are
taken for one with a probability of about 1e-7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals.stable.v2 as nw

from ireval_frames.engines.base import Aggregate, Engine

# What the fingerprint and the number of the members are called, by the members' column.
PRINTS = {"cluster_id": "clusters", "class_id": "classes"}
HALF = 2**31


def printed(engine: Engine, items: nw.LazyFrame, members: Mapping[str, nw.LazyFrame], keys: Sequence[str]) -> nw.LazyFrame:
    """The items with `clusters`, `classes` (fingerprints; 0 is the empty set), `n_clusters` and `n_classes`."""
    item = (*keys, "item_id")
    for side, name in PRINTS.items():
        long = members[side]
        hashed = engine.hashed(engine.group(long, (side,), ()), side, 0, "hash")
        # Sums of halves stay below 2^53, where floats are exact.
        parts = {"low": nw.col("hash") % HALF, "high": (nw.col("hash") - nw.col("hash") % 2**32) / float(2**32)}
        halves = hashed.with_columns(**{k: e.cast(nw.Float64) for k, e in parts.items()}).drop("hash")
        sums = [Aggregate(f"{k}_{name}", "sum", nw.col(k)) for k in ("low", "high")]
        counted = engine.group(engine.join(long, halves, (side,), "inner"), item, [*sums, Aggregate(f"n_{name}", "count", nw.lit(1.0))])
        items = engine.join(items, counted, item, "left")
        filled = {c: nw.col(c).fill_null(0.0) for c in (f"low_{name}", f"high_{name}", f"n_{name}")}
        whole = {k: nw.col(f"{k}_{name}").cast(nw.Int64) % HALF for k in ("low", "high")}
        items = items.with_columns(**filled).with_columns(**{name: whole["high"] * HALF + whole["low"]}).drop(f"low_{name}", f"high_{name}")
    return engine.once(items)
