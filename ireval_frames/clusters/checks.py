"""The checks of the tables of clusterings, and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from ireval_frames import expr
from ireval_frames.clusters.tables import ClusterTables
from ireval_frames.conventions.items import ClusterPolicy
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.row_checks import Check, run_checks
from ireval_frames.errors import Argument, Hint, MismatchedTables
from ireval_frames.expr import Expr, col, lit
from ireval_frames.items.checks import weights

LINES = {
    "label": Hint("Leave them out: ", Argument("policy", "unlabelled=skip")),
    "cluster_id": Hint("Count each as a cluster of its own: ", Argument("policy", "missing=singleton")),
}
WORDS = {"label": "class", "cluster_id": "cluster"}


def checks(tables: ClusterTables, policy: ClusterPolicy) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    return [lambda: run_checks(tables.plan.engine, declared(tables, policy)), tables.plan.check]


def declared(tables: ClusterTables, policy: ClusterPolicy) -> Iterator[Check]:
    """The checks of the inputs."""
    if tables.weighted:
        yield weights(tables.inputs.items, "clusters", tables.inputs.user_columns["weight"])
    yield from tables.inputs.checks
    for side, value in (("label", policy.unlabelled), ("cluster_id", policy.missing)):
        if value == "error":
            yield _complete(tables, side)


def _complete(tables: ClusterTables, side: str) -> Check:
    """All items have a class, or a cluster."""
    rows, missing = _items_without(tables, side)
    message = f"items are in no {WORDS[side]}."
    return Check(rows, missing, lambda _, count: MismatchedTables(f"{count} {message}", LINES[side]))


def _items_without(tables: ClusterTables, side: str) -> tuple[Frame, Expr]:
    """The items, and the condition that one is in no class, or in no cluster."""
    inputs = tables.inputs
    if not inputs.overlapping:
        return inputs.items, col(side).is_null()
    item = (*tables.keys, "item_id")
    return tables.plan.engine.join(inputs.items, _items_with(tables, side), item, "left"), col("known").is_null()


def absent(tables: ClusterTables, side: str) -> int:
    """The number of items in no class, or in no cluster."""
    rows, missing = _items_without(tables, side)
    return _number(tables, rows.filter(missing))


def noisy(tables: ClusterTables) -> int:
    """The number of items in the cluster of noise only."""
    inputs = tables.inputs
    if inputs.noise_cluster is None:
        return 0
    if not inputs.overlapping:
        return _number(tables, inputs.items.filter(tables.is_noise))
    item = (*tables.keys, "item_id")
    noise, elsewhere = (_items_with(tables, "cluster_id", where) for where in (tables.is_noise, ~tables.is_noise))
    joined = tables.plan.engine.join(noise.drop("known"), elsewhere, item, "left")
    return _number(tables, joined.filter(col("known").is_null()))


def _items_with(tables: ClusterTables, side: str, where: Expr | None = None) -> Frame:
    """The items that are in a class or cluster."""
    inputs = tables.inputs
    frame = (inputs.gold if side == "label" else inputs.system) or inputs.items
    frame = frame if where is None else frame.filter(where)
    return inputs.distinct(frame.select(*tables.keys, "item_id")).with_columns(known=lit(1.0))


def _number(tables: ClusterTables, rows: Frame) -> int:
    counted: pl.DataFrame = tables.plan.engine.collect(rows.select(n=expr.len()))
    return int(counted.item())
