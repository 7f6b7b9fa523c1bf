"""The mentions of both sides beside each other: which are the same, and which only one side has."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.coreference.inputs import CLUSTERS, SPAN
from ireval_frames.coreference.tables import GOLD, OTHER, PREDICTED, CoreferenceTables
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table

Columns = dict[str, Expr]
# The spans of both sides.
SPANS = tuple(f"{side}_{position}" for side in OTHER for position in SPAN)


def mentions(tables: CoreferenceTables) -> tuple[Table, Columns]:
    """A row per mention of either side, and its columns."""
    parts = [(tables.common, {**_common(tables), GOLD: col(GOLD), PREDICTED: col(PREDICTED)})]
    for side, other in OTHER.items():
        alone = _alone(tables, side)
        none = lit(None, dtype=tables.inputs.types[other])
        clusters = {CLUSTERS[side]: col(CLUSTERS[side]), CLUSTERS[other]: none}
        parts.append((alone, {**_one(tables, side), GOLD: clusters[GOLD], PREDICTED: clusters[PREDICTED]}))
    keyed = [(table, {**{k: col(k) for k in tables.keys}, **columns}) for table, columns in parts]
    rows = tables.plan.concat("mentions", (*tables.keys, *parts[0][1]), *keyed)
    return rows, {c: col(c) for c in rows.keys}


def order(tables: CoreferenceTables) -> Sequence[pl.Expr]:
    """Documents, and their mentions in the order of the text, or of their ids."""
    document = pl.col(tables.inputs.names["item_id"])
    if tables.inputs.mention != SPAN:
        return [document, pl.col(tables.inputs.mention)]
    return [document, *(pl.coalesce(f"{side}_{p}" for side in OTHER) for p in SPAN), *map(pl.col, SPANS)]


def _common(tables: CoreferenceTables) -> Columns:
    if tables.inputs.mention != SPAN:
        return {c: col(c) for c in tables.inputs.mention}
    other = "" if tables.policy.match == "exact" else "other_"
    return {**_span(tables, "gold"), **_span(tables, "predicted", other)}


def _one(tables: CoreferenceTables, side: str) -> Columns:
    if tables.inputs.mention != SPAN:
        return {c: col(c) for c in tables.inputs.mention}
    none = {f"{OTHER[side]}_{p}": lit(None, dtype=pl.Int64) for p in SPAN}
    spans = {**_span(tables, side), **none}
    return {c: spans[c] for c in SPANS}


def _span(tables: CoreferenceTables, side: str, prefix: str = "") -> Columns:
    """The span of a side, its end as the user has it."""
    end = col(f"{prefix}end")
    return {f"{side}_start": col(f"{prefix}start"), f"{side}_end": end - 1 if tables.inputs.inclusive else end}


def _alone(tables: CoreferenceTables, side: str) -> Table:
    """The mentions of a side that the other one has not."""
    plan, mention = tables.plan, tables.inputs.mention
    of_side = tables.gold if side == "gold" else tables.predicted
    prefix = "other_" if side == "predicted" and tables.policy.match != "exact" else ""
    named = {c: col(f"{prefix}{c}") for c in mention}
    twins = plan.selected(f"{side}_twins", (*tables.keys, *mention), tables.common, **named, has_twin=lit(1.0))
    return plan.selected(f"{side}_alone", of_side.keys, of_side, of_side.lookup(col("has_twin"), of=twins).is_null())
