"""What the tables of an evaluation of clusterings must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Callable

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.errors import MismatchedTables
from ireval_frames.inputs import weights_checked
from ireval_frames.policy import ClusterPolicy

LINES = {
    "label": 'Leave them out: policy="unlabelled=skip"',
    "cluster_id": 'Count each as a cluster of its own: policy="missing=singleton"',
}
WORDS = {"label": "class", "cluster_id": "cluster"}


def checks(tables: ClusterTables, policy: ClusterPolicy) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    wanted = [
        side for side, value in (("label", policy.unlabelled), ("cluster_id", policy.missing)) if value == "error"
    ]

    def in_all() -> None:
        for side in wanted:
            if n := absent(tables, side):
                raise MismatchedTables(f"{n} items are in no {WORDS[side]}.", LINES[side])

    out = [*tables.inputs.checks, in_all, tables.plan.check]
    return (
        [lambda: weights_checked(tables.plan.engine, tables.inputs.items, "clusters"), *out] if tables.weighted else out
    )


def absent(tables: ClusterTables, side: str) -> int:
    """How many items are in no class, or in no cluster."""
    engine, inputs = tables.plan.engine, tables.inputs
    if not inputs.overlapping:
        lacking = inputs.items.filter(nw.col(side).is_null())
    else:
        frame, item = inputs.gold if side == "label" else inputs.system, (*tables.keys, "item_id")
        found = inputs.distinct((frame if frame is not None else inputs.items).select(*item)).with_columns(
            there=nw.lit(1.0)
        )
        lacking = engine.join(inputs.items, found, item, "left").filter(nw.col("there").is_null())
    counted: pl.DataFrame = engine.collect(lacking.select(n=nw.len()))
    return int(counted.item())
