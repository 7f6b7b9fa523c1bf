"""Whether a variant is not worse than the baseline by more than a margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.experiments.metrics import Metric
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import ROUNDING, Compared, compared
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.distributions.tails import p_of_t, p_of_z, t_quantile
from ireval_frames.stats.means.ratio_of_means import welch_df
from ireval_frames.stats.proportions.score_tests import TwoProportions
from ireval_frames.stats.proportions.unpaired_intervals import ENDS, proportion_interval
from ireval_frames.stats.sample import Alternative, Array

NUMBERS = ("value_baseline", "value", "difference", "margin", "bound", "statistic", "df", "p_value")


def noninferiority(
    cells: Cells,
    metrics: Sequence[Metric],
    groups: Sequence[str],
    options: AnalysisOptions,
    margin: float,
    *,
    relative: bool,
) -> pl.DataFrame:
    """The table of `Experiment.noninferiority`."""
    pairs = list(compared(cells, metrics, groups, options))
    rows = [_row(one, options.alpha, margin, relative=relative) for one in pairs]
    adjusted = corrected(np.array([row["p_value"] for row in rows]), options.correction)
    bounds, how = _together(pairs, rows, adjusted, options, margin, relative=relative)
    types = cells.keys.schema
    columns: dict[str, pl.Series] = {"metric": pl.Series([c.metric.label for c in pairs], dtype=pl.String)}
    columns |= {g: pl.Series([c.group[i] for c in pairs], dtype=types[g]) for i, g in enumerate(groups)}
    columns |= {
        s: pl.Series([getattr(c, s) for c in pairs], dtype=types[cells.variant]) for s in ("baseline", "variant")
    }
    columns |= {n: pl.Series([r[n] for r in rows], dtype=pl.Float64).fill_nan(None) for n in NUMBERS}
    columns["bound"] = pl.Series(bounds, dtype=pl.Float64).fill_nan(None)
    columns["p_adjusted"] = pl.Series(adjusted, dtype=pl.Float64).fill_nan(None)
    frame = pl.DataFrame(columns).with_columns(not_worse=pl.col("p_adjusted") <= options.alpha + ROUNDING)
    told = {"bound_method": [how if p is not None else None for p in frame["p_adjusted"]]}
    return frame.with_columns(
        status=pl.Series([c.pair.status for c in pairs], dtype=pl.String),
        **{name: pl.Series(words, dtype=pl.String) for name, words in told.items()},
    )


def _together(
    pairs: Sequence[Compared],
    rows: Sequence[dict[str, Any]],
    adjusted: Array,
    options: AnalysisOptions,
    margin: float,
    *,
    relative: bool,
) -> tuple[list[float], str]:
    """The simultaneous bounds of all rows, and their method: those of Holm agree with its decisions.

    Of m tests of which r reject, the others have their bound at level α / (m − r); those that reject have the margin,
    unless all do: then the bound at α / m, where it is better.  Of other corrections the bounds are Bonferroni's.
    """
    decided, m = adjusted <= options.alpha + ROUNDING, int(np.count_nonzero(~np.isnan(adjusted)))
    if m < 2 or options.correction == "none":
        return [row["bound"] for row in rows], "each alone"
    holm, r = options.correction == "holm", int(decided.sum())
    level = options.alpha / (m - r if holm and r < m else m)
    bounds = [float(_row(one, level, margin, relative=relative)["bound"]) for one in pairs]
    if holm:
        for i in np.flatnonzero(decided).tolist():
            sign = -1.0 if pairs[i].metric.less_is_better else 1.0
            null = -sign * rows[i]["margin"]
            better = max(sign * bounds[i], sign * null) if r == m else sign * null
            bounds[i] = sign * better
    return bounds, "holm" if holm else "bonferroni"


def _row(one: Compared, alpha: float, margin: float, *, relative: bool) -> dict[str, Any]:
    """A one-sided test of value − baseline against −margin, or of value against (1 − margin) · baseline.

    Of proportions it is the score test, of all else Welch's.  The bound is that of the same test: value − baseline is
    not worse by the margin where the bound is not.
    """
    p, sign = one.pair, -1.0 if one.metric.less_is_better else 1.0
    base, other = p.baseline, p.variant
    off = margin * abs(base.value) if relative else margin
    row: dict[str, Any] = dict.fromkeys(NUMBERS, float("nan")) | {
        "value_baseline": base.value,
        "value": other.value,
        "difference": p.difference,
        "margin": off,
    }
    if p.counts is not None:
        return row | _scored(p.counts, sign, margin, alpha, relative=relative)
    if p.status not in ("ok", "constant_covariate"):
        return row
    factor = 1.0 - sign * margin * np.sign(base.value) if relative else 1.0
    se = float(np.sqrt(other.variance + factor**2 * base.variance))
    df = welch_df(*other.parts, *((factor**2 * v, n) for v, n in base.parts))
    above = sign * p.difference + off
    row["statistic"], row["df"] = above / se, df
    row["p_value"] = float(p_of_t(np.array([above / se]), df, "greater")[0])
    row["bound"] = p.difference - sign * float(t_quantile(1.0 - alpha, df)) * se
    return row


def _scored(of: TwoProportions, sign: float, margin: float, alpha: float, *, relative: bool) -> dict[str, float]:
    """The score test of Farrington and Manning, of a difference or of a ratio."""
    measure = "ratio" if relative else "difference"
    null = 1.0 - sign * margin if relative else -sign * margin
    z = sign * of.z(null, measure) if null > ENDS[measure][0] else math.inf
    side: Alternative = "greater" if sign > 0 else "less"
    low, high = proportion_interval(of, float(special.ndtri(1.0 - alpha)), "score", measure, side)
    bound = low if sign > 0 else high
    if relative:
        # As a difference; a share of 0 is undefined.
        bound = (bound - 1.0) * of.baseline if of.baseline else math.nan
    return {
        "statistic": z,
        "p_value": float(p_of_z(np.array([z]), "greater")[0]),
        "bound": bound,
    }
