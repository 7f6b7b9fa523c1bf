"""Whether judges prefer the items of their own family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.engines.polars.aggregates import in_order
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.stats.corrections import corrected

NUMBERS = ("own", "others", "favour", "se", "ci_low", "ci_high", "p_value")


def favours(rows: pl.DataFrame, families: Mapping[Any, Any], confidence: float) -> pl.DataFrame:
    """A row per family that has judges and items (`PairedComparisons.favours`).

    Args:
        rows: with a column `judge`.
        families: of items and judges.
        confidence: of Student's intervals over units.

    Raises:
        NotDefined: comparisons have no units, or no family has a judge and an item.
        InvalidParameter: an item has no family.
    """
    from scipy.special import stdtr, stdtrit

    if "unit_id" not in rows.columns:
        raise NotDefined(
            "Judges are compared on the same units, and there are no units.",
            Hint("Name their column: ", Argument("unit", "prompt_id")),
        )
    items = pl.concat([rows["item_a"], rows["item_b"].alias("item_a")]).unique().sort().to_list()
    if missing := [i for i in items if i not in families]:
        raise InvalidParameter(
            f"The item {missing[0]!r} has no family.",
            Hint("Name all: ", Argument("families", dict.fromkeys(items[:2], "family"))),
        )
    judges = {str(families[j]) for j in rows["judge"].unique() if j in families}
    names = sorted({str(families[i]) for i in items} & judges)
    if not names:
        raise NotDefined(
            "No family has a judge and an item.",
            Hint("Name the families of judges, too: ", Argument("families", {"gpt-4": "gpt", "gpt-4-judge": "gpt"})),
        )
    of = {str(k): str(v) for k, v in families.items()}
    a, b, judge = (
        pl.col(c).cast(pl.String).replace_strict(of, default=None, return_dtype=pl.String)
        for c in ("item_a", "item_b", "judge")
    )
    rows = rows.with_columns(a=a, b=b, own_family=judge)
    low, high = (f("item_a", "item_b") for f in (pl.min_horizontal, pl.max_horizontal))
    out = []
    for name in names:
        first, second = pl.col("a") == name, pl.col("b") == name
        here = rows.filter(first != second).with_columns(
            points=pl.when(first).then(pl.col("score")).otherwise(1 - pl.col("score")),
            own=pl.col("own_family").eq_missing(name), low=low, high=high,
        )  # fmt: skip
        n = pl.col("n")
        rates = here.group_by("unit_id", "low", "high", "own", maintain_order=True).agg(
            rate=(pl.col("points") * n).sum() / n.sum()
        )
        sides = [rates.filter(pl.col("own") == own).drop("own") for own in (True, False)]
        both = sides[0].join(sides[1], on=["unit_id", "low", "high"], suffix="_others")
        units = both.group_by("unit_id").agg(in_order(pl.col("rate", "rate_others").mean())).sort("unit_id")
        one, other = units["rate"].to_numpy(), units["rate_others"].to_numpy()
        size, difference = len(one), one - other
        mean = float(difference.mean()) if size else np.nan
        se = float(difference.std(ddof=1) / np.sqrt(size)) if size > 1 else np.nan
        half = float(stdtrit(size - 1, (1 + confidence) / 2)) * se if size > 1 else np.nan
        p = 2 * float(stdtr(size - 1, -abs(mean) / se)) if size > 1 and se > 0 else np.nan
        rate = (float(one.mean()), float(other.mean())) if size else (np.nan, np.nan)
        out.append((name, *rate, mean, se, mean - half, mean + half, p, size))
    schema: dict[str, Any] = {"family": pl.String, **dict.fromkeys(NUMBERS, pl.Float64), "n_units": pl.Int64}
    table = pl.DataFrame(out, schema=schema, orient="row")
    adjusted = corrected(table["p_value"].to_numpy(), "holm")
    table = table.with_columns(p_corrected=pl.Series(adjusted)).select("family", *NUMBERS, "p_corrected", "n_units")
    return table.with_columns(pl.selectors.float().fill_nan(None))
