"""Sample ratio mismatch: whether the variants have their expected shares of units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.experiments.moments import Cells, places
from ireval_frames.experiments.pairs import units_of
from ireval_frames.parameters import choice
from ireval_frames.stats.proportions.sample_ratio import chi_square, exact, exact_fits
from ireval_frames.stats.sample import Array

# The p-value below which there is a mismatch: mismatches are bugs, and every experiment is tested for them.
MISMATCH_LEVEL = 0.001
# The expected share of each variant, by name or in the order of the names.
Shares = Mapping[Any, float] | Sequence[float] | None
METHODS = ("auto", "chi2", "exact")


def mismatch(cells: Cells, groups: Sequence[str], shares: Shares, method: str) -> pl.DataFrame:
    """The table of `Experiment.srm`."""
    choice(*METHODS).check("method", method)
    names = units_of(cells)
    expected, k = shares_of(names, shares), len(names)
    merged = cells.coarser(groups)
    keys = merged.keys.select(groups).unique(maintain_order=True)
    variants = pl.DataFrame({cells.variant: pl.Series(names, dtype=merged.keys.schema[cells.variant])})
    counts = np.zeros((keys.height if groups else 1, k))
    group = places(merged.keys.select(groups), keys) if groups else 0
    counts[group, places(merged.keys.select(cells.variant), variants)] = merged.n
    total = counts.sum(axis=1)
    few = np.array([exact_fits(c) for c in counts]) if method == "auto" else np.full(len(counts), method == "exact")
    statistic = p = np.full(len(counts), np.nan)
    if k > 1:
        with np.errstate(invalid="ignore", divide="ignore"):
            statistic, p = chi_square(counts, expected)
        for i in np.flatnonzero(few & (total > 0)):
            if not exact_fits(counts[i]):
                raise InvalidParameter(
                    f"{int(total[i]):,} units in {k} variants are too many for the exact test.",
                    Hint("Write ", Argument("method", "chi2"), "."),
                )
            p[i] = exact(counts[i], expected)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = counts / total[:, None]
    every = np.repeat(np.arange(len(counts)), k)
    return pl.DataFrame(
        {
            **{g: keys[g].gather(every) for g in groups},
            "variant": pl.concat([variants.to_series()] * len(counts)),
            "n": counts.ravel().astype(np.int64),
            "share": observed.ravel(),
            "expected_share": np.tile(expected, len(counts)),
            "expected": (expected * total[:, None]).ravel(),
            "method": pl.Series(np.where(few, "exact", "chi2")).gather(every),
            "statistic": statistic[every],
            "p_value": p[every],
        }
    ).with_columns(
        pl.col("share", "statistic", "p_value").fill_nan(None),
        mismatch=pl.col("p_value").fill_nan(None) < MISMATCH_LEVEL,
    )


def shares_of(names: Sequence[Any], shares: Shares) -> Array:
    """The share of each variant, which add up to 1.

    Raises:
        InvalidParameter: they are no shares of these variants.
    """
    if shares is None:
        return np.full(len(names), 1.0 / len(names))
    shares = shares if isinstance(shares, Mapping | Sequence | np.ndarray) else [shares]
    by_name = shares if isinstance(shares, Mapping) else dict(zip(names, shares, strict=False))
    known = {str(k): v for k, v in by_name.items()}
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) and 0 < v < np.inf for v in known.values())
    if set(known) != {str(n) for n in names} or len(shares) != len(names) or not numbers:
        raise InvalidParameter(
            f"shares is {shares!r}; it must give each variant ({', '.join(map(str, names))}) a positive number.",
            Hint(
                "Write ",
                Argument("shares", {str(n): 1 for n in names}, option=("share", [f"{n}=1" for n in names])),
                ".",
            ),
        )
    numbers_of_names = np.array([float(known[str(n)]) for n in names])
    return np.asarray(numbers_of_names / numbers_of_names.sum())
