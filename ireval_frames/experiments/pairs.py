"""The rows of an analysis: for each metric, group and pair of variants the difference, interval and p-value."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.errors import Argument, Hint, NotDefined, UnknownName, nearest
from ireval_frames.experiments.estimates import Pair, pair
from ireval_frames.experiments.metrics import Metric, Proportion
from ireval_frames.experiments.moments import Cells, Moments
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.proportions import scored, varying
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.distributions.tails import open_ended, p_of_t, p_of_z, t_quantile, upper_level
from ireval_frames.stats.means.ratio_of_means import fieller
from ireval_frames.stats.sample import Alternative, Array, Options
from ireval_frames.stats.sequential.alpha_spending import bounds, nominal_level, overall_level
from ireval_frames.stats.sequential.always_valid import sequence_p, sequence_width

COLUMNS = (
    "n_baseline", "n", "value_baseline", "value", "difference", "se", "ci_low", "ci_high", "relative", "relative_low",
    "relative_high", "interval", "test", "statistic", "df", "p_value", "p_adjusted", "correction", "family_size",
    "level", "significant", "verdict", "variance_removed", "alternative", "confidence", "status",
)  # fmt: skip
NUMBERS = (*COLUMNS[:11], "statistic", "df", "p_value", "variance_removed")
# The rounding of 1 − confidence: 1 − 0.9 is below 0.1.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Compared:
    """Two variants of a metric in a group."""

    metric: Metric
    group: tuple[object, ...]
    baseline: Any
    variant: Any
    pair: Pair


def pairs_of(names: Sequence[Any], baseline: Any, variant: str) -> list[tuple[int, int]]:
    """The pairs that are compared: each variant with the baseline, or every two.

    Raises:
        NotDefined: there is one variant.
        UnknownName: there is no such baseline.
    """
    if len(names) < 2:
        present = f"there is one variant, {names[0]!r}" if names else "there is no row"
        raise NotDefined(
            f"Nothing can be compared: {present} in column {variant!r}.",
            Hint("Name the column of variants: ", Argument("variant", "variant"), "."),
        )
    if baseline is None:
        return [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    known = [str(n) for n in names]
    if str(baseline) not in known:
        raise UnknownName(f"There is no variant {baseline!r}.", nearest(str(baseline), known))
    at = known.index(str(baseline))
    return [(at, j) for j in range(len(names)) if j != at]


@dataclass(frozen=True)
class Group:
    """The variants of a metric in a group: their moments, a cell per stratum, and the share of each stratum."""

    metric: Metric
    group: tuple[object, ...]
    cells: tuple[Moments, ...]
    weights: Array


def groups_of(
    cells: Cells, metrics: Sequence[Metric], groups: Sequence[str], options: AnalysisOptions
) -> Iterator[Group]:
    """Every metric in every group."""
    names = names_of(cells)
    merged = cells.coarser([*groups, *options.strata])
    variants = merged.keys[cells.variant].to_list()
    strata = merged.keys.select(options.strata).rows() if options.strata else [()] * merged.keys.height
    for metric in metrics:
        moments = merged.of[metric]
        for group, members in merged.by_group(groups):
            indices = {(variants[i], strata[i]): int(i) for i in members}
            strata_of_group = sorted({strata[i] for i in members}, key=str)
            n = np.array([sum(moments.n[indices[v, s]] for v in names if (v, s) in indices) for s in strata_of_group])
            nonempty = np.flatnonzero(n) if n.any() else np.arange(1)
            places = [[indices.get((v, strata_of_group[k])) for k in nonempty] for v in names]
            weights = n[nonempty] / n.sum() if n.any() else np.ones(1)
            yield Group(metric, group, tuple(_cells(moments, p) for p in places), weights)


def names_of(cells: Cells) -> list[Any]:
    """The variants in order."""
    return cells.keys[cells.variant].unique().sort().to_list()


def units_of(cells: Cells) -> list[Any]:
    """The variants in order, at least one.

    Raises:
        NotDefined: there are no units.
    """
    if not cells.keys.height:
        raise NotDefined("There are no units.", "Pass a table that has rows.")
    return names_of(cells)


def compared(
    cells: Cells, metrics: Sequence[Metric], groups: Sequence[str], options: AnalysisOptions
) -> Iterator[Compared]:
    """Every pair of variants of every metric and group."""
    names = names_of(cells)
    pairs = pairs_of(names, options.baseline, cells.variant)
    for one in groups_of(cells, metrics, groups, options):
        for i, j in pairs:
            result = pair(one.metric, one.cells[i], one.cells[j], one.weights, options.coefficient)
            yield Compared(one.metric, one.group, names[i], names[j], result)


def _cells(moments: Moments, places: Sequence[int | None]) -> Moments:
    """The moments of some cells; 0 units where a cell is missing."""
    at = np.array([0 if p is None else p for p in places], dtype=np.int64)
    present = np.array([p is not None for p in places])
    of = moments.of(at)
    return replace(
        of,
        n=np.where(present, of.n, 0.0),
        mean=np.where(present[:, None], of.mean, 0.0),
        products=np.where(present[:, None, None], of.products, 0.0),
    )


def table(pairs: Sequence[Compared], cells: Cells, groups: Sequence[str], options: AnalysisOptions) -> pl.DataFrame:
    """The rows of all pairs, p-values corrected."""
    rows = [numbers_of(one, options) for one in pairs]
    types = cells.keys.schema
    keys: dict[str, pl.Series] = {"metric": pl.Series([c.metric.label for c in pairs], dtype=pl.String)}
    for i, name in enumerate(groups):
        keys[name] = pl.Series([c.group[i] for c in pairs], dtype=types[name])
    for side in ("baseline", "variant"):
        keys[side] = pl.Series([getattr(c, side) for c in pairs], dtype=types[cells.variant])
    columns = {n: pl.Series([r[n] for r in rows], dtype=pl.Float64) for n in NUMBERS}
    words = {n: pl.Series([r[n] for r in rows], dtype=pl.String) for n in ("interval", "test", "status")}
    frame = pl.DataFrame(keys | columns | words).with_columns(
        pl.col(NUMBERS[2:]).fill_nan(None), pl.col("n_baseline", "n").cast(pl.Int64)
    )
    return judged(frame, [c.metric for c in pairs], groups, options)


def judged(
    frame: pl.DataFrame, metrics: Sequence[Metric], groups: Sequence[str], options: AnalysisOptions
) -> pl.DataFrame:
    """The rows with corrected p-values and a verdict."""
    level = level_of(options)
    family = {"metric": ["metric"], "group": list(groups), "all": []}[options.family]
    numbered = frame.with_row_index("_row")
    parts = [p for _, p in numbered.group_by(family, maintain_order=True)] if family else [numbered]
    adjusted, size = np.full(frame.height, np.nan), np.zeros(frame.height, dtype=np.int64)
    for part in parts:
        at = part["_row"].to_numpy()
        p = part["p_value"].fill_null(np.nan).to_numpy()
        adjusted[at], size[at] = _corrected(p, options), int(np.count_nonzero(~np.isnan(p)))
    better = (
        pl.when(pl.Series([m.less_is_better for m in metrics], dtype=pl.Boolean))
        .then(-pl.col("difference"))
        .otherwise(pl.col("difference"))
    )
    out = frame.with_columns(
        p_adjusted=pl.Series(adjusted).fill_nan(None),
        correction=pl.lit(options.correction),
        family_size=pl.Series(size),
        level=pl.lit(level),
        alternative=pl.lit(options.alternative),
        confidence=pl.lit(options.confidence),
    ).with_columns(significant=pl.col("p_adjusted") <= level + ROUNDING)
    verdict = (
        pl.when(pl.col("significant").is_null())
        .then(pl.lit("undefined"))
        .when(~pl.col("significant"))
        .then(pl.lit("no difference found"))
        .when(better > 0)
        .then(pl.lit("better"))
        .otherwise(pl.lit("worse"))
    )
    return out.with_columns(verdict=verdict).select("metric", *groups, "baseline", "variant", *COLUMNS)


def _corrected(p: Array, options: AnalysisOptions) -> Array:
    """The corrected p-values of a family; with looks, overall levels are corrected, then turned into p of the look."""
    if not options.looks or options.correction == "none" or np.count_nonzero(~np.isnan(p)) < 2:
        return corrected(p, options.correction)
    how = options.spending, options.exponent
    overall = np.array([np.nan if np.isnan(one) else overall_level(options.looks, float(one), *how) for one in p])
    levels = corrected(overall, options.correction)
    nominal = np.array([np.nan if np.isnan(one) else nominal_level(options.looks, float(one), *how) for one in levels])
    return np.asarray(np.maximum(nominal, p))


def level_of(options: AnalysisOptions) -> float:
    """The level of p-values: 1 − confidence, or the nominal level of the last look."""
    if not options.looks:
        return options.alpha
    return nominal_level(options.looks, options.alpha, options.spending, options.exponent)


def _bound(options: AnalysisOptions) -> float:
    """The bound of the last look."""
    return _last_bound(options.looks, options.alpha, options.spending, options.exponent)


@functools.lru_cache(maxsize=64)
def _last_bound(looks: tuple[float, ...], alpha: float, spending: str, exponent: float) -> float:
    return float(bounds(np.array(looks), alpha, spending, exponent)[-1])


def numbers_of(one: Compared, options: AnalysisOptions) -> dict[str, Any]:
    """The numbers of a row."""
    p = one.pair
    row: dict[str, Any] = dict.fromkeys(NUMBERS, float("nan")) | {
        "n_baseline": p.baseline.n,
        "n": p.variant.n,
        "value_baseline": p.baseline.value,
        "value": p.variant.value,
        "variance_removed": p.removed,
        "status": p.status,
        **_names(one, options),
    }
    if p.status in ("no_units", "empty_stratum", "zero_denominator"):
        return row
    row["difference"] = p.difference
    base = p.baseline.value
    row["relative"] = p.difference / base if base else float("nan")
    if p.status == "too_few":
        return row
    turned = _turned(options.tests, less_is_better=one.metric.less_is_better)
    if p.counts is not None and options.sequential is None:
        reach = _bound(options) if options.looks else float(special.ndtri(upper_level(turned)))
        return row | scored(p, p.counts, row["interval"], reach, turned)
    if p.counts is not None:
        one = replace(one, pair=varying(p, p.counts))
    elif p.status in ("identical", "constant_shift"):
        same = p.status == "identical"
        return row | {
            "difference": 0.0 if same else p.difference,
            "se": 0.0,
            "ci_low": 0.0 if same else p.difference,
            "ci_high": 0.0 if same else p.difference,
            "statistic": 0.0 if same else float(np.copysign(np.inf, p.difference)),
            "p_value": 1.0 if same else float("nan"),
        }
    return row | _tested(one, options, turned)


def _tested(one: Compared, options: AnalysisOptions, turned: Options) -> dict[str, float]:
    p = one.pair
    width = _width(p, options, turned)
    z = np.array([p.difference / p.se])
    reach = width * p.se
    low, high = open_ended(np.array([p.difference - reach]), np.array([p.difference + reach]), turned.alternative)
    if options.sequential is not None:
        chance: Array = sequence_p(z, np.array([p.baseline.n + p.variant.n]), options.alpha, options.sequential)
    elif options.looks:
        chance = p_of_z(z, "two-sided")
    else:
        chance = p_of_t(z, p.df, turned.alternative)
    relative = _relative(p, width, turned)
    return {
        "se": p.se,
        "ci_low": float(low[0]),
        "ci_high": float(high[0]),
        "relative_low": relative[0],
        "relative_high": relative[1],
        "statistic": float(z[0]),
        "df": float("nan") if not options.fixed else p.df,
        "p_value": float(chance[0]),
    }


def _relative(p: Pair, width: float, turned: Options) -> tuple[float, float]:
    """Fieller's interval of difference / baseline."""
    base, other = p.baseline, p.variant
    if base.value == 0.0:
        return float("nan"), float("nan")
    ratio = other.value / base.value
    scaled = ratio**2 * base.variance
    interval = fieller(ratio, (base.value, base.variance), other.variance + scaled, -ratio * base.variance, width)
    turned = _turned(turned, less_is_better=base.value < 0)
    low, high = open_ended(np.array([interval.low - 1.0]), np.array([interval.high - 1.0]), turned.alternative)
    return float(low[0]), float(high[0])


def _names(one: Compared, options: AnalysisOptions) -> dict[str, str]:
    """The names of interval and test, the same where they are one method."""
    if options.sequential is not None:
        return {"interval": "sequence", "test": "sequence"}
    test = "group-sequential" if options.looks else "welch" if one.pair.counts is None else "score"
    if isinstance(one.metric, Proportion) and one.pair.counts is not None:
        return {"interval": one.metric.interval, "test": test}
    return {"interval": test, "test": test}


def _width(p: Pair, options: AnalysisOptions, turned: Options) -> float:
    """How many standard errors an interval reaches to each side."""
    if options.sequential is not None:
        n = np.array([p.baseline.n + p.variant.n])
        return float(sequence_width(n, options.alpha, options.sequential)[0])
    if options.looks:
        return _bound(options)
    return float(t_quantile(upper_level(turned), p.df))


def _turned(options: Options, *, less_is_better: bool) -> Options:
    """The options with the alternative reversed where less is better, so that "greater" means better."""
    turned: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"} if less_is_better else {}
    return replace(options, alternative=turned.get(options.alternative, options.alternative))
