"""Whether a variant is not worse than the baseline by more than a margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.experiments.asked import Asked
from ireval_frames.experiments.metrics import Metric
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.pairs import ROUNDING, Compared, compared
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.proportion_intervals import ENDS, proportion_interval
from ireval_frames.stats.ratio_of_means import welch_df
from ireval_frames.stats.sample import Alternative
from ireval_frames.stats.tails import p_of_t, p_of_z, t_quantile
from ireval_frames.stats.two_proportions import TwoProportions

NUMBERS = ("value_baseline", "value", "difference", "margin", "bound", "statistic", "df", "p_value")


def noninferiority(
    cells: Cells, metrics: Sequence[Metric], groups: Sequence[str], asked: Asked, margin: float, *, relative: bool
) -> pl.DataFrame:
    """The table of `Experiment.noninferiority`."""
    found = list(compared(cells, metrics, groups, asked))
    rows = [_row(one, asked, margin, relative=relative) for one in found]
    types = cells.keys.schema
    columns: dict[str, pl.Series] = {"metric": pl.Series([c.metric.label for c in found], dtype=pl.String)}
    columns |= {g: pl.Series([c.group[i] for c in found], dtype=types[g]) for i, g in enumerate(groups)}
    columns |= {
        s: pl.Series([getattr(c, s) for c in found], dtype=types[cells.variant]) for s in ("baseline", "variant")
    }
    columns |= {n: pl.Series([r[n] for r in rows], dtype=pl.Float64).fill_nan(None) for n in NUMBERS}
    p = columns["p_value"].fill_null(np.nan).to_numpy()
    columns["p_adjusted"] = pl.Series(corrected(p, asked.correction)).fill_nan(None)
    frame = pl.DataFrame(columns).with_columns(not_worse=pl.col("p_adjusted") <= asked.alpha + ROUNDING)
    return frame.with_columns(status=pl.Series([c.pair.status for c in found], dtype=pl.String))


def _row(one: Compared, asked: Asked, margin: float, *, relative: bool) -> dict[str, Any]:
    """A one-sided test of value − baseline against −margin, or of value against (1 − margin) · baseline.

    Of proportions it is the score test, of all else Welch's.  The bound is that of the same test: value − baseline is
    not worse by the margin where the bound is not.
    """
    p, sign = one.pair, -1.0 if one.metric.falling else 1.0
    base, other = p.baseline, p.variant
    off = margin * abs(base.value) if relative else margin
    row: dict[str, Any] = dict.fromkeys(NUMBERS, float("nan")) | {
        "value_baseline": base.value,
        "value": other.value,
        "difference": p.difference,
        "margin": off,
    }
    if p.counts is not None:
        return row | _scored(p.counts, sign, margin, asked.alpha, relative=relative)
    if p.status not in ("ok", "constant_covariate"):
        return row
    factor = 1.0 - sign * margin * np.sign(base.value) if relative else 1.0
    se = float(np.sqrt(other.variance + factor**2 * base.variance))
    df = welch_df(*other.parts, *((factor**2 * v, n) for v, n in base.parts))
    above = sign * p.difference + off
    row["statistic"], row["df"] = above / se, df
    row["p_value"] = float(p_of_t(np.array([above / se]), df, "greater")[0])
    row["bound"] = p.difference - sign * float(t_quantile(1.0 - asked.alpha, df)) * se
    return row


def _scored(of: TwoProportions, sign: float, margin: float, alpha: float, *, relative: bool) -> dict[str, float]:
    """The score test of Farrington and Manning, of a difference or of a ratio."""
    measure = "ratio" if relative else "difference"
    null = 1.0 - sign * margin if relative else -sign * margin
    z = sign * of.z(null, measure) if null > ENDS[measure][0] else math.inf
    side: Alternative = "greater" if sign > 0 else "less"
    low, high = proportion_interval(of, float(special.ndtri(1.0 - alpha)), "score", measure, side)
    bound = low if sign > 0 else high
    return {
        "statistic": z,
        "p_value": float(p_of_z(np.array([z]), "greater")[0]),
        # A ratio as a difference.
        "bound": (bound - 1.0) * of.baseline if relative and math.isfinite(bound) else bound,
    }
