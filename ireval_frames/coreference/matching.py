"""Which mentions of both sides are the same: by their spans or ids, by their heads, or as parts with the head."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import polars as pl

from ireval_frames.coreference.inputs import CLUSTERS
from ireval_frames.expr import Expr, col, lit, max_horizontal, min_horizontal
from ireval_frames.plan import Plan, Table

GOLD, PREDICTED = CLUSTERS["gold"], CLUSTERS["predicted"]
# The number of positions of a stretch.
STRETCH = 32.0
SPANS = ("start", "end", "other_start", "other_end")


def matched(
    plan: Plan, gold: Table, predicted: Table, keys: Sequence[str], mention: Sequence[str], match: str
) -> Table:
    """A row per mention of both sides, with both of its entities.

    Args:
        plan: the plan.
        gold: the mentions of the gold.
        predicted: those of the predictions.
        keys: the columns of a document.
        mention: the columns that identify a mention in it.
        match: the policy of that name.
    """
    if match == "exact":
        return plan.joined("common", (*keys, *mention), gold, predicted, on=(*keys, *mention))
    same = plan.selected("predicted_spans", predicted.keys, predicted, **{PREDICTED: col(PREDICTED)})
    exact = plan.joined("exact", (*keys, *mention), gold, same, on=(*keys, *mention))
    near = _with_head(plan, gold, predicted, keys, match)
    columns = [*keys, *SPANS, GOLD, PREDICTED]
    exactly = {c: col(c.removeprefix("other_")) for c in columns} | {"difference": lit(-1.0)}
    nearly = {c: col(c) for c in columns} | {"difference": _difference()}
    pairs = plan.concat("pairs", (*keys, *SPANS), (exact, exactly), (near, nearly))
    step = functools.partial(one_to_one, keys=tuple(keys))
    functools.update_wrapper(step, one_to_one)
    return plan.applied("common", (*keys, *SPANS, GOLD, PREDICTED), pairs, step, {}, by=keys)


def _with_head(plan: Plan, gold: Table, predicted: Table, keys: Sequence[str], match: str) -> Table:
    """The pairs with the head of the gold mention; as a part, the predicted one lies within the gold one."""
    other = (*keys, "other_start", "other_end")
    columns = {"other_start": col("start"), "other_end": col("end"), PREDICTED: col(PREDICTED)}
    if match == "head":
        spans = plan.selected("other_spans", other, predicted, **columns, head=col("head"))
        return plan.joined("with_head", (*keys, *SPANS), gold, spans, on=(*keys, "head"))
    spans = plan.selected("other_spans", other, predicted, col("end") > col("start"), **columns)
    low, high = (_stretch(place) for place in (col("other_start"), col("other_end") - 1))
    stretches = plan.expand_range("other_stretches", "stretch", spans, low, high)
    own = {c: col(c) for c in ("start", "end", "head", GOLD)}
    heads = plan.selected("heads", gold.keys, gold, **own, stretch=_stretch(col("head")))
    pairs = plan.joined("with_head", (*keys, *SPANS), heads, stretches, on=(*keys, "stretch"))
    within = (col("start") <= col("other_start")) & (col("other_end") <= col("end"))
    has_head = (col("other_start") <= col("head")) & (col("head") < col("other_end"))
    return plan.selected("within", pairs.keys, pairs, within & has_head)


def _stretch(position: Expr) -> Expr:
    """The stretch of a position: an engine joins these, not all positions of a span."""
    return (position.cast(pl.Float64) / STRETCH).floor().cast(pl.Int64)


def _difference() -> Expr:
    """The number of positions that one of two spans has and the other lacks."""
    start, end, other_start, other_end = (col(c).cast(pl.Float64) for c in SPANS)
    common = max_horizontal(min_horizontal(end, other_end) - max_horizontal(start, other_start), lit(0.0))
    return (end - start) + (other_end - other_start) - 2.0 * common


def one_to_one(pairs: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """The pairs of mentions one to one, those that differ least first, then those that begin and end first."""
    order = ("difference", "other_start", "other_end", "start", "end")
    gold, predicted = (pl.struct(*keys, *spans).rank("dense") for spans in (SPANS[:2], SPANS[2:]))
    left = pairs.with_columns(gold_id=gold, predicted_id=predicted).sort(*order).with_row_index("place")
    taken = [left.clear()]
    while left.height:
        first = [pl.col("place") == pl.col("place").min().over(c) for c in ("gold_id", "predicted_id")]
        best = left.filter(*first)
        taken.append(best)
        for c in ("gold_id", "predicted_id"):
            left = left.join(best, on=c, how="anti")
    return pl.concat(taken).select(*keys, *SPANS, GOLD, PREDICTED)
