"""Simultaneous intervals, beside the decisions of the corrected p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.rows import compared, pairs_of
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.errors import NotDefined
from ireval_frames.parameters import choice
from ireval_frames.stats.registry import SignificanceTest, find_test

METHODS = ("auto", "bonferroni", "max-t")
# The keys of a family.
KEYS: dict[str, tuple[str, ...]] = {"measure": ("measure", "by"), "group": ("by",), "all": ()}
COLUMNS = (
    "test", "estimate", "low", "high", "simultaneous_method", "informative", "p_adjusted", "significant", "correction",
    "family_size", "alternative", "confidence", "status",
)  # fmt: skip
WORDS = ("simultaneous_method", "informative")


def simultaneous(
    grids: Sequence[Grid],
    options: ComparisonOptions,
    table: pl.DataFrame,
    values: PerUnitValues,
    system: str,
    method: str,
) -> pl.DataFrame:
    """The table of `Comparison.simultaneous_intervals`.

    Args:
        grids: the values.
        options: how they are compared.
        table: the rows of `Comparison.table`, in their order: by grid, test and pair.
        values: where they come from.
        system: the column of systems.
        method: one of METHODS.

    Raises:
        UnknownName: there is no such method.
        NotDefined: the method is not for such tests.
    """
    choice(*METHODS).check("method", method)
    by = values.by
    family = ["test", *(k for key in KEYS[options.family] for k in (by if key == "by" else (key,)))]
    counted = table.with_columns(
        _counted=pl.col("p_adjusted").count().over(family),
        _rejected=pl.col("significant").sum().over(family),
        # Max-t holds for the pairs of one measure and group; several of these share its level.
        _matrices=pl.struct("measure", *by).n_unique().over(family),
    )
    parts, start = [], 0
    for grid in grids:
        pairs = len(pairs_of(grid, options.baseline, system, by))
        for test in options.tests:
            rows = counted.slice(start, pairs)
            start += pairs
            if test.p_values:
                parts.append(_of(grid, test, rows, options, values, system, method))
    if not parts:
        names = ", ".join(test.name for test in options.tests)
        raise NotDefined(f"{names} give no p-values, and nothing is decided.", 'Ask for another: test="t".')
    first = ["measure", *by, "baseline", "system"]
    return pl.concat(parts, how="vertical_relaxed").select(*first, *COLUMNS)


def _of(
    grid: Grid,
    test: SignificanceTest,
    rows: pl.DataFrame,
    options: ComparisonOptions,
    values: PerUnitValues,
    system: str,
    method: str,
) -> pl.DataFrame:
    """The intervals of one test in one matrix."""
    level, m, rejected = 1.0 - options.confidence, int(rows["_counted"][0]), int(rows["_rejected"][0])
    sided = options.alternative_of(test) != "two-sided" and test.one_sided

    def again(level: float, of: SignificanceTest = test) -> pl.DataFrame:
        """The rows at another confidence."""
        more = {name: value for name, value in options.more.items() if name in of.reads}
        other = replace(options, test=(of.name,), effect=None, confidence=1.0 - level, correction="none", more=more)
        return compared([grid], other, values, system)

    if method == "max-t":
        if sided or test.design != "paired" or test.nothing or not test.differs:
            raise NotDefined(
                f"Max-t is of two-sided differences of the same units, and {test.name} is not.",
                'Write method="bonferroni".',
            )
        return _with_intervals(rows, again(level / int(rows["_matrices"][0]), find_test("maxt")), "max-t")
    if test.adjusted or m == 0:
        return _with_intervals(rows, rows, test.name if m else "")
    if sided and options.correction == "holm" and method == "auto":
        return _of_holm(again(level / (m if rejected == m else m - rejected)), rows, grid, test, options, m, rejected)
    if options.correction == "none" and method == "auto":
        return _with_intervals(rows, rows, "each alone")
    if options.correction == "sidak" and method == "auto":
        return _with_intervals(rows, again(float(-np.expm1(np.log1p(-level) / m))), "sidak")
    return _with_intervals(rows, again(level / m), "bonferroni")


def _of_holm(
    intervals: pl.DataFrame,
    rows: pl.DataFrame,
    grid: Grid,
    test: SignificanceTest,
    options: ComparisonOptions,
    m: int,
    rejected: int,
) -> pl.DataFrame:
    """One-sided intervals that hold the null value exactly where Holm does not reject it.

    Of hypotheses that are rejected while others are not, all that is known is that the value is beyond the null one;
    where all are rejected, what the interval at α / m adds to that.
    """
    own = options.of(test, lower_is_better=grid.lower_is_better)
    above = own.alternative == "greater"
    null = test.nothing
    if not test.differs:
        null = -float(own.more["margin"]) if above else float(own.more["margin"])
    end = intervals["ci_low" if above else "ci_high"].cast(pl.Float64).to_numpy()
    decided = rows["significant"].fill_null(value=False).to_numpy()
    beyond = end > null if above else end < null
    informative = ~decided | (beyond & (rejected == m))
    end = np.where(decided & ~informative, null, end)
    endless = np.where(np.isnan(end), np.nan, np.inf if above else -np.inf)
    low, high = (end, endless) if above else (endless, end)
    ends = intervals.with_columns(ci_low=pl.Series(low), ci_high=pl.Series(high))
    return _with_intervals(rows, ends, "holm").with_columns(informative=pl.Series(informative))


def _with_intervals(rows: pl.DataFrame, ends: pl.DataFrame, method: str) -> pl.DataFrame:
    """The decisions with the intervals beside them; pairs that are not of the family have none."""
    in_family = rows["p_adjusted"].is_not_null()
    columns: dict[str, Any] = {"low": ends["ci_low"], "high": ends["ci_high"], "estimate": ends["estimate"]}
    frame = rows.with_columns(
        **columns, simultaneous_method=pl.lit(method or None, dtype=pl.String), informative=pl.lit(value=True)
    )
    none = [pl.when(in_family).then(pl.col(c)).alias(c) for c in ("low", "high", *WORDS)]
    return frame.with_columns(none).with_columns(pl.col("low", "high").cast(pl.Float64).fill_nan(None))
