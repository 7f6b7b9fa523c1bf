"""An item of weight 2 is two items; one of weight 0 is none; all weights of 1 are no weights."""

from __future__ import annotations

import polars as pl

from tests.contract.kit import Frames, Kind, each, nothing_differs, worlds


def weighted(kind: Kind) -> list[str]:
    """The worlds with weights."""
    return [w for w in worlds(kind) if kind.weight in _frame(kind, w).columns]


def _frame(kind: Kind, where: str) -> pl.DataFrame:
    return kind.tables(kind.world(where), kind.way(kind.asked(where)[0]))[kind.grouped]


@each("where", weighted, without="weights")
def test_a_weight_is_a_number_of_items(kind: Kind, where: str, engine: str) -> None:
    """Whole weights, and as many copies."""
    whole = (pl.col(kind.weight) * 2).floor().clip(0, 5)
    if kind.alone:
        whole = pl.when(pl.col(kind.alone).is_null()).then(1.0).otherwise(whole).alias(kind.weight)

    def rounded(frames: Frames) -> Frames:
        return frames | {kind.grouped: frames[kind.grouped].with_columns(whole).filter(pl.col(kind.weight) > 0)}

    def copied(frames: Frames) -> Frames:
        made = rounded(frames)[kind.grouped].with_row_index("_row")
        rows = made.select(pl.col("_row").repeat_by(kind.weight).explode(empty_as_null=False)).drop_nulls()
        made = rows.join(made, on="_row", maintain_order="left").drop("_row", kind.weight)
        if kind.item in made.columns:
            made = made.with_columns(pl.int_range(pl.len()).cast(made[kind.item].dtype).alias(kind.item))
        assert made.height > frames[kind.grouped].height
        return frames | {kind.grouped: made}

    some = [m for m in kind.first(where) if m.name not in kind.counts_rows]
    wanted, found = (kind.evaluated(where, some, engine, change) for change in (rounded, copied))
    for m in some:
        nothing_differs(found[str(m)], wanted[str(m)], kind.allowed(m), "copies")


@each("where", weighted, without="weights")
def test_weights_of_one_are_none(kind: Kind, where: str, engine: str) -> None:
    def ones(frames: Frames) -> Frames:
        return frames | {kind.grouped: frames[kind.grouped].with_columns(pl.lit(1.0).alias(kind.weight))}

    def none(frames: Frames) -> Frames:
        return frames | {kind.grouped: frames[kind.grouped].drop(kind.weight)}

    some = kind.first(where)
    wanted, found = (kind.evaluated(where, some, engine, change) for change in (none, ones))
    for m in some:
        nothing_differs(found[str(m)], wanted[str(m)], kind.allowed(m), "weights of 1")
