"""The sets of clusters and of classes that documents are in, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col, lit

# What the name of a set is called, by the column of its members.
SETS = {"cluster_id": "clusters", "class_id": "classes"}


def with_sets(engine: Engine, items: Frame, members: Mapping[str, Frame], keys: Sequence[str]) -> Frame:
    """The items with `clusters`, `classes` (names of sets; the empty one has none), `n_clusters` and `n_classes`."""
    item = (*keys, "item_id")
    for side, name in SETS.items():
        for part in (
            engine.set_ids(members[side], item, side, name),
            engine.group(members[side], item, [Aggregate(f"n_{name}", "count", lit(1.0))]),
        ):
            items = engine.join(items, part, item, "left")
        items = items.with_columns(col(f"n_{name}").fill_null(0.0))
    return engine.compute_once(items)
