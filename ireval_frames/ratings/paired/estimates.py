"""Win rates and biases as tables, from the comparisons of one group."""

from __future__ import annotations

import numpy as np
import polars as pl

from ireval_frames.crowds.answers import Array

# Standard errors below this are rounding.
ROUNDING = 1e-12


def win_rates(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """The share of its comparisons that each item won (`PairedComparisons.win_rates`)."""
    from scipy.special import stdtrit

    from ireval_frames.stats.proportions.intervals import wilson

    unit = ["unit_id"] if "unit_id" in rows.columns else []
    sides = pl.concat(
        [
            rows.select(*unit, "n", item_id="item_a", score="score"),
            rows.select(*unit, "n", item_id="item_b", score=1 - pl.col("score")),
        ]
    )
    weight = pl.col("n")
    if unit:
        # A unit counts once, with the mean of its comparisons.
        sides = sides.group_by("item_id", *unit, maintain_order=True).agg(
            score=(pl.col("score") * pl.col("n")).sum() / pl.col("n").sum(), n=pl.col("n").sum()
        )
        weight = pl.lit(1.0)
    sides = sides.with_columns(weight=weight)
    weight = pl.col("weight")
    mean = (pl.col("score") * weight).sum() / weight.sum()
    squares = (weight * (pl.col("score") - mean) ** 2).sum()
    rates = sides.group_by("item_id", maintain_order=True).agg(
        win_rate=mean, squares=squares, n_units=weight.sum().cast(pl.Int64), n=pl.col("n").sum().cast(pl.Int64)
    )
    n = rates["n_units"].to_numpy().astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.where(n > 1, np.sqrt(rates["squares"].to_numpy() / (n - 1) / n), np.nan)
        # Where scores do not vary, their variance says nothing of the error.
        se = np.where(se > ROUNDING, se, np.nan)
        t = np.array([stdtrit(x - 1, (1 + confidence) / 2) if x > 1 else np.nan for x in n])
    rate = rates["win_rate"].to_numpy()
    low, high = wilson(rate * n, n, confidence)
    known = ~np.isnan(se)
    ends = {
        "se": se,
        "ci_low": np.where(known, np.maximum(rate - t * se, 0.0), low),
        "ci_high": np.where(known, np.minimum(rate + t * se, 1.0), high),
    }
    rates = rates.with_columns(**{k: pl.Series(v, dtype=pl.Float64).fill_nan(None) for k, v in ends.items()})
    return rates.select("item_id", "win_rate", "se", "ci_low", "ci_high", "n_units", "n").sort(
        "win_rate", "item_id", descending=[True, False]
    )


def bias(rows: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """What the judge prefers besides the better item (`PairedComparisons.bias`)."""
    from scipy.special import bdtr

    from ireval_frames.stats.proportions.intervals import wilson

    # The name, the number of hits, and of how many.
    counts: list[tuple[str, float, float]] = []
    # Scores may be probabilities: the first item won where its own is above one half.
    decided = rows.filter(pl.col("score") != 0.5)
    won = decided["score"] > 0.5
    counts.append(("first", float((won * decided["n"]).sum()), float(decided["n"].sum())))
    if {"length_a", "length_b"} <= set(rows.columns):
        longer = decided.filter(pl.col("length_a") != pl.col("length_b"))
        correct = (longer["score"] > 0.5) == (longer["length_a"] > longer["length_b"])
        counts.append(("longer", float((correct * longer["n"]).sum()), float(longer["n"].sum())))
    if "unit_id" in rows.columns:
        low, high = (f("item_a", "item_b") for f in (pl.min_horizontal, pl.max_horizontal))
        both = rows.with_columns(low=low, high=high, swapped=pl.col("item_a") > pl.col("item_b"))
        mean = (pl.col("score") * pl.col("n")).sum() / pl.col("n").sum()
        sides = both.group_by("unit_id", "low", "high", "swapped", maintain_order=True).agg(score=mean)
        one, other = (sides.filter(pl.col("swapped") == t).drop("swapped") for t in (False, True))
        pairs = one.join(other, on=["unit_id", "low", "high"], suffix="_swapped")
        same = (pairs["score"] - 0.5).sign() == -(pairs["score_swapped"] - 0.5).sign()
        counts.append(("consistent", float(same.sum()), float(pairs.height)))
        mixed = pairs.filter(~same & (pl.col("score") != 0.5) & (pl.col("score_swapped") != 0.5))
        counts.append(("first_of_inconsistent", float((mixed["score"] > 0.5).sum()), float(mixed.height)))
    hits, n = (np.array([f[i] for f in counts], dtype=float) for i in (1, 2))
    low_, high_ = wilson(hits, n, confidence)
    p: Array = np.array(
        [
            np.nan if m == 0 or name == "consistent" else min(1.0, 2 * float(bdtr(min(h, m - h), int(m), 0.5)))
            for name, h, m in counts
        ]
    )
    with np.errstate(invalid="ignore"):
        share = np.where(n > 0, hits / np.maximum(n, 1), np.nan)
    columns = {"share": share, "ci_low": low_, "ci_high": high_, "n": n.astype(int), "p_value": p}
    table = pl.DataFrame({"bias": [f[0] for f in counts], **columns})
    return table.with_columns(pl.selectors.float().fill_nan(None))
