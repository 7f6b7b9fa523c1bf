"""The checks of the tables of mentions, and their errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from ireval_frames.conventions.coreference import CoreferencePolicy
from ireval_frames.coreference.inputs import CLUSTERS
from ireval_frames.coreference.tables import CoreferenceTables
from ireval_frames.documents.inputs import SIDES
from ireval_frames.engines.base import Aggregate
from ireval_frames.engines.row_checks import Check, unique_key
from ireval_frames.errors import Argument, DuplicateRows, Hint
from ireval_frames.expr import col, lit


def row_checks(tables: CoreferenceTables, policy: CoreferencePolicy) -> Iterator[Check]:
    """What is checked in the rows."""
    inputs = tables.inputs
    if policy.duplicates == "error":
        for side in SIDES:
            mention = inputs.key_of(side, *inputs.mention)
            yield unique_key(inputs.rows[side], mention, _twice(side, inputs.mention), ordered=True)


def counts(tables: CoreferenceTables) -> dict[str, str]:
    """How many mentions and entities policies affect."""
    engine, inputs, plan = tables.plan.engine, tables.inputs, tables.plan

    def rows(side: str, *keys: str) -> pl.Series:
        """The numbers of rows with equal keys."""
        frame = engine.group(getattr(inputs, side), (*tables.keys, *keys), [Aggregate("n", "count", lit(1.0))])
        return engine.collect(frame.select(n=col("n")))["n"]

    with plan.requesting("counts"):
        every, out = plan.grouped("everything", tables.documents), {}
        for side in SIDES:
            table, size, common = tables.entities(side)
            twinless = table.sum(size - common, into=every)
            out[side] = {
                "duplicates": int((rows(side, *inputs.mention) - 1).sum()),
                "singletons": int((rows(side, CLUSTERS[side]) == 1).sum()),
                "twinless": int(engine.collect(every.frame().select(n=twinless))["n"].sum()),
            }
    what = {"duplicates": "mentions more", "singletons": "entities", "twinless": "mentions"}
    return {
        name: ", ".join(f"{out[side][name]:,} {side}" for side in SIDES) + f" {noun}" for name, noun in what.items()
    }


def _twice(side: str, mention: tuple[str, ...]) -> Any:
    def error(rows: pl.DataFrame, count: int) -> DuplicateRows:
        which = " to ".join(repr(rows[c][0]) for c in mention)
        more = f"; {count:,} mentions are in several" if count > 1 else ""
        return DuplicateRows(
            f"The mention {which} of document {rows['item_id'][0]!r} is in {rows['n'][0]} rows of the {side} table"
            f"{more}.",
            Hint("Give every mention one entity, or count the first: ", Argument("policy", "duplicates=drop"), "."),
        )

    return error
