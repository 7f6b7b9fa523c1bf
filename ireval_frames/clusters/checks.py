"""What the tables of an evaluation of clusterings must not hold, and the errors that say so."""

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
    """What is looked at before the plan is."""
    if tables.weighted:
        yield weights(tables.inputs.items, "clusters")
    yield from tables.inputs.checks
    for side, value in (("label", policy.unlabelled), ("cluster_id", policy.missing)):
        if value == "error":
            yield _in_all(tables, side)


def _in_all(tables: ClusterTables, side: str) -> Check:
    """Items are in a class, or in a cluster."""
    rows, lacking = _looked_up(tables, side)
    told = f"items are in no {WORDS[side]}."
    return Check(rows, lacking, lambda _, count: MismatchedTables(f"{count} {told}", LINES[side]))


def _looked_up(tables: ClusterTables, side: str) -> tuple[Frame, Expr]:
    """Items, and whether one is in no class, or in no cluster."""
    inputs = tables.inputs
    if not inputs.overlapping:
        return inputs.items, col(side).is_null()
    item = (*tables.keys, "item_id")
    return tables.plan.engine.join(inputs.items, _in_some(tables, side), item, "left"), col("there").is_null()


def absent(tables: ClusterTables, side: str) -> int:
    """How many items are in no class, or in no cluster."""
    rows, lacking = _looked_up(tables, side)
    return _number(tables, rows.filter(lacking))


def noisy(tables: ClusterTables) -> int:
    """How many items are in the cluster of noise, and in no other one."""
    inputs = tables.inputs
    if inputs.noise_cluster is None:
        return 0
    if not inputs.overlapping:
        return _number(tables, inputs.items.filter(tables.is_noise))
    item = (*tables.keys, "item_id")
    every, elsewhere = (_in_some(tables, "cluster_id", where) for where in (tables.is_noise, ~tables.is_noise))
    joined = tables.plan.engine.join(every.drop("there"), elsewhere, item, "left")
    return _number(tables, joined.filter(col("there").is_null()))


def _in_some(tables: ClusterTables, side: str, where: Expr | None = None) -> Frame:
    """The items that are in some class or cluster."""
    inputs = tables.inputs
    frame = (inputs.gold if side == "label" else inputs.system) or inputs.items
    frame = frame if where is None else frame.filter(where)
    return inputs.distinct(frame.select(*tables.keys, "item_id")).with_columns(there=lit(1.0))


def _number(tables: ClusterTables, rows: Frame) -> int:
    count_bad: pl.DataFrame = tables.plan.engine.collect(rows.select(n=expr.len()))
    return int(count_bad.item())
