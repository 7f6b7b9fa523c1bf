"""The information contrast of soft labels, in Python: no query has the normal distribution."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.labels.decisions.hierarchy import paths
from ireval_frames.stats.sample import Array

# What a step adds to each unit: the sums over items.
SUMS = {"contrast": pl.Float64, "best": pl.Float64}
# The largest probability that is lost when it is taken from 1 as a float.
LOST = 2.0**-54
SIDES = ("share", "predicted")


@functools.cache
def contrast(
    keys: tuple[str, ...], parents: tuple[tuple[Any, Any], ...], *, bounded: bool
) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A function from the shares and probabilities of each item and class to the sums of each unit.

    Args:
        keys: the columns that identify a unit.
        parents: the classes and their parents; without any, classes have no ancestors.
        bounded: whether no share is rarer than one item.
    """
    above = paths(dict(parents)) if parents else None

    def _beside(at: pl.DataFrame, statistics: pl.DataFrame, node: str) -> pl.DataFrame:
        """The rows with the statistics of a node; the root has no parent, and no node is null."""
        of = statistics.rename({"node_id": node})
        return at.join(of, on=["_unit", *keys, node], how="left", nulls_equal=True, maintain_order="left")

    def contrasted(rows: pl.DataFrame) -> pl.DataFrame:
        """The information that labels and predictions share, minus what only one has."""
        # A unit without keys is one group.
        rows, unit = rows.with_columns(_unit=pl.lit(0)), ("_unit", *keys)
        at = rows.rename({"class_id": "node_id"}) if above is None else _with_ancestors(rows, above, unit)
        statistics = _of_classes(rows, at, unit)
        own = _beside(at, statistics, "node_id")
        added = [_information(own, side, bounded=bounded) for side in SIDES]
        if above is not None:
            parent_of = above.select("node_id", parent_id="parent_id").unique()
            upper = _beside(
                at.join(parent_of, on="node_id", how="left", maintain_order="left"), statistics, "parent_id"
            )
            added = [a - _information(upper, side, bounded=bounded) for a, side in zip(added, SIDES, strict=True)]
        gold, predicted = added
        of_union = np.where(at["share"].to_numpy() >= at["predicted"].to_numpy(), gold, predicted)
        weight = at["w"].to_numpy()
        terms = {"contrast": weight * (2.0 * predicted + 2.0 * gold - 3.0 * of_union), "best": weight * gold}
        sums = at.select(unit).with_columns(**{name: pl.Series(values) for name, values in terms.items()})
        return sums.group_by(unit, maintain_order=True).agg(in_order(pl.sum(*terms))).drop("_unit")

    return contrasted


def _with_ancestors(rows: pl.DataFrame, above: pl.DataFrame, unit: tuple[str, ...]) -> pl.DataFrame:
    """A row per item and class or ancestor of one, with the largest shares at or below it."""
    nodes = rows.join(above.select("class_id", "node_id"), on="class_id")
    return nodes.group_by(*unit, "item_id", "node_id", maintain_order=True).agg(pl.max(*SIDES), pl.first("w"))


def _of_classes(rows: pl.DataFrame, at: pl.DataFrame, unit: tuple[str, ...]) -> pl.DataFrame:
    """The mean share of each class, the mean absolute deviation from it, and the probability of one item."""
    items = rows.group_by(*unit, "item_id", maintain_order=True).agg(pl.first("w"))
    lightest = pl.col("w").filter(pl.col("w") > 0).min().clip(upper_bound=1.0)
    totals = items.group_by(unit, maintain_order=True).agg(total=pl.sum("w"), lightest=lightest)
    both = at.join(totals, on=list(unit), how="left", nulls_equal=True, maintain_order="left")
    node = [*unit, "node_id"]
    mean = ((pl.col("w") * pl.col("share")).sum() / pl.col("total").first()).over(node)
    both = both.with_columns(mean=mean)
    # Items without a row of the class have a share of 0.
    absent = (pl.first("total") - pl.sum("w")).clip(lower_bound=0.0) * pl.first("mean")
    spread = (pl.col("w") * (pl.col("share") - pl.col("mean")).abs()).sum() + absent
    one_item = pl.first("lightest") / pl.first("total")
    return both.group_by(node, maintain_order=True).agg(
        mean=pl.first("mean"), spread=spread / pl.first("total"), one_item=one_item
    )


def _information(rows: pl.DataFrame, side: str, *, bounded: bool) -> Array:
    """−log₂ of the probability of a share as large; 0 for a share of 0, and where there is no class."""
    from scipy import special

    share = rows[side].to_numpy()
    mean, spread, one_item = (rows[c].to_numpy() for c in ("mean", "spread", "one_item"))
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = special.ndtr(-(share - mean) / spread)
    tail = np.where(spread > 0, tail, np.where(share > mean, 0.0, 1.0))
    tail = np.maximum(tail, one_item) if bounded else np.where(tail < LOST, one_item, tail)
    return np.where((share > 0) & ~np.isnan(mean), -np.log2(tail), 0.0)
