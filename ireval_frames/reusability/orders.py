"""The order of runs by their values, and how two orders agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from ireval_frames.similarity import Similarity

# Values that differ by less are one place: means of equal values may differ in their last bits.
DECIMALS = 12


def goodness(lower: Collection[str], value: str = "value") -> pl.Expr:
    """The value by which runs are ordered, more is better."""
    rounded = pl.col(value).round(DECIMALS)
    return pl.when(pl.col("measure").is_in(list(lower))).then(-rounded).otherwise(rounded)


def ranked_by_value(values: pl.DataFrame, keys: Sequence[str], lower: Collection[str]) -> pl.DataFrame:
    """The rows with `rank` among those of equal keys: 1 is the best, equal values share the best rank.

    Args:
        values: the keys, measure, run_id, value.
        keys: the columns that name an order.
        lower: the measures of which less is better.
    """
    rank = goodness(lower).rank("min", descending=True).over(list(keys)).cast(pl.Int64)
    return values.with_columns(rank=rank)


def correlations(true: pl.DataFrame, others: pl.DataFrame, lower: Collection[str]) -> pl.DataFrame:
    """without, measure, tau, tau_ap: Kendall's τ_b and τ_AP of other orders of runs with the true one.

    Args:
        true: measure, run_id, value.
        others: the same, and `without`, which names an order; runs without a value in either are left out.
        lower: the measures of which less is better.
    """
    both = others.join(true, on=["measure", "run_id"], suffix="_true").drop_nulls(["value", "value_true"])
    orders = others.select("without", "measure").unique(maintain_order=True).with_row_index("order")
    rows = both.join(orders, on=["without", "measure"]).with_columns(query_id=pl.col("order").cast(pl.Int64))
    enough = rows.filter(pl.len().over("order") > 1)
    out = orders.with_columns(tau=pl.lit(None, pl.Float64), tau_ap=pl.lit(None, pl.Float64))
    if enough.height:
        runs = enough.with_columns(doc_id=pl.col("run_id").cast(pl.String))
        one, true_order = (
            runs.select("query_id", "doc_id", score=goodness(lower, value)) for value in ("value", "value_true")
        )
        agreement = Similarity(one, against=true_order).evaluate("Tau TauAP").per_unit(wide=True)
        of_orders = agreement.select(order=pl.col("query_id").cast(pl.UInt32), tau="Tau", tau_ap="TauAP")
        out = orders.join(of_orders, on="order", how="left")
    return out.drop("order")
