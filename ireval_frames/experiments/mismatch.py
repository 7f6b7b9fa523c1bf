"""Sample ratio mismatch: whether the variants got as many units as they should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.pairs import names_of
from ireval_frames.stats.mismatch import chi_square, exact, exact_fits
from ireval_frames.stats.sample import Array

# Below it counts are not those of the shares: mismatches are bugs, and are looked for in every experiment.
ALARM = 0.001
# What each variant should get, by name or in the order of the names.
Shares = Mapping[Any, float] | Sequence[float] | None
METHODS = ("auto", "chi2", "exact")


def mismatch(cells: Cells, groups: Sequence[str], shares: Shares, method: str) -> pl.DataFrame:
    """The table of `Experiment.srm`."""
    if method not in METHODS:
        raise UnknownName(f"There is no method {method!r}.", nearest(str(method), METHODS))
    names = names_of(cells)
    if not names:
        raise NotDefined("There are no units.", "Hand in a table that has rows.")
    wanted = shares_of(names, shares)
    whole = cells.coarser(groups)
    variants = whole.keys[cells.variant].to_list()
    parts = []
    for key, members in whole.by_group(groups):
        counts = np.zeros(len(names))
        for i in members:
            counts[names.index(variants[i])] = whole.n[i]
        used = "exact" if method == "exact" or (method == "auto" and exact_fits(counts)) else "chi2"
        statistic, p = chi_square(counts, wanted) if len(names) > 1 and counts.sum() else (float("nan"), float("nan"))
        if used == "exact" and len(names) > 1 and counts.sum():
            if not exact_fits(counts):
                raise InvalidParameter(
                    f"{int(counts.sum()):,} units in {len(names)} variants are too many to be counted out.",
                    Hint("Write ", Argument("method", "chi2"), "."),
                )
            p = exact(counts, wanted)
        total = counts.sum()
        rows = whole.keys.clear().select(groups)
        group = pl.DataFrame({g: [key[i]] * len(names) for i, g in enumerate(groups)}, schema=rows.schema)
        parts.append(
            pl.DataFrame({cells.variant: pl.Series(names, dtype=whole.keys.schema[cells.variant])})
            .rename({cells.variant: "variant"})
            .with_columns(
                n=pl.Series(counts.astype(np.int64)),
                share=pl.Series(counts / total if total else np.full(len(names), np.nan)).fill_nan(None),
                expected_share=pl.Series(wanted),
                expected=pl.Series(wanted * total),
                method=pl.lit(used),
                statistic=pl.lit(statistic).fill_nan(None),
                p_value=pl.lit(p).fill_nan(None),
            )
            .with_columns(mismatch=pl.col("p_value") < ALARM)
            .hstack(group.get_columns())
            .select(*groups, "variant", pl.exclude("variant", *groups))
        )
    return pl.concat(parts)


def shares_of(names: Sequence[Any], shares: Shares) -> Array:
    """The share of each variant, which add up to 1.

    Raises:
        InvalidParameter: they are no shares of these variants.
    """
    if shares is None:
        return np.full(len(names), 1.0 / len(names))
    shares = shares if isinstance(shares, Mapping | Sequence | np.ndarray) else [shares]
    given = shares if isinstance(shares, Mapping) else dict(zip(names, shares, strict=False))
    known = {str(k): v for k, v in given.items()}
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) and 0 < v < np.inf for v in known.values())
    if set(known) != {str(n) for n in names} or len(shares) != len(names) or not numbers:
        raise InvalidParameter(
            f"shares is {shares!r}; it gives each variant ({', '.join(map(str, names))}) a positive number.",
            Hint("Write ", Argument("shares", {str(n): 1 for n in names}), "."),
        )
    wanted = np.array([float(known[str(n)]) for n in names])
    return np.asarray(wanted / wanted.sum())
