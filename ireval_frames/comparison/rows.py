"""The rows of a comparison: a row per measure, group, pair and test."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.described import PairColumns, described, of_one_only
from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.moments import difference_moments
from ireval_frames.stats.registry import SignificanceTest, find_effect
from ireval_frames.stats.sample import Integers, Options, Outcome, Sample

COLUMNS = (
    "n", "n_baseline_only", "n_system_only", "mean_baseline", "mean", "difference", "se", "estimate", "ci_low",
    "ci_high", "interval_method", "relative", "relative_low", "relative_high", "wins", "ties", "losses", "test",
    "statistic", "df", "p_value", "p_adjusted", "correction", "family_size", "significant", "effect_name", "effect",
    "effect_low", "effect_high", "method", "n_resamples", "seed", "alternative", "confidence", "status",
)  # fmt: skip

# The columns of a test of areas under ROC curves, and those that it does not have.
AREA, WINS = "area", ("wins", "ties", "losses")
# The method of intervals that invert the test.
OWN = "test"
# The same, where the interval is resampled and the p-value is exact, or the other way round.
OF_THE_TEST = (OWN, "random signs", "all signs", "random divisions")
# The columns that are null where one of two systems has no overlap with the judgments.
INFERRED = (
    "se", "ci_low", "ci_high", "interval_method", "relative", "relative_low", "relative_high", "statistic", "df",
    "p_value", "effect", "effect_low", "effect_high", "method",
)  # fmt: skip
# The rounding of 1 − confidence: 1 − 0.9 is below 0.1.
ROUNDING = 1e-12
# Systems² × units from which on matrices are processed one by one.
LARGE_MATRICES = 50_000_000


@dataclass(frozen=True)
class _Part:
    """The rows of one test in one group, and which family they are of."""

    test: SignificanceTest
    measure: str
    group: tuple[Any, ...]
    frame: pl.DataFrame


def pairs_of(grid: Grid, baseline: Any, system: str, by: Sequence[str] = ()) -> Integers:
    """The pairs that are compared: each system with the baseline, or every two, the first in order as the baseline.

    Raises:
        NotDefined: there is one system.
        UnknownName: there is no such baseline.
    """
    names = grid.systems.to_list()
    where = "".join(f", {name} {value!r}" for name, value in zip(by, grid.group, strict=True)) if by else ""
    if names == [""]:
        raise NotDefined(
            f"There is one system{where}: no column tells systems apart.",
            Hint(
                "Evaluate several, or name the column: ",
                Argument("system", by[-1] if by else "run_id"),
                *(["; gaps between groups of different items are ir.exposure.gaps(ev)"] if by else []),
                ".",
            ),
        )
    if len(names) < 2:
        raise NotDefined(
            f"There is one system in {system!r} ({names[0]!r}{where}), and nothing to compare it with.",
            Hint("Evaluate several, or name the column that tells them apart: ", Argument("system", system), "."),
        )
    if baseline is None:
        return np.stack(np.triu_indices(len(names), 1), axis=1).astype(np.int64)
    known = [str(n) for n in names]
    if str(baseline) not in known:
        raise UnknownName(f"There is no {system} {baseline!r}{where}.", nearest(str(baseline), known))
    at = known.index(str(baseline))
    return np.array([[at, i] for i in range(len(names)) if i != at], dtype=np.int64)


def compared(
    grids: Iterable[Grid], options: ComparisonOptions, values: PerUnitValues, system: str, *, turned: bool = False
) -> pl.DataFrame:
    """The table: a row per measure, group, pair and test, p-values corrected; `turned` swaps each pair."""
    matrices, by = list(grids), values.by
    # Of small matrices several at once fit in the caches and in memory; tests of large ones share their own work.
    large = any(grid.values.shape[1] ** 2 * len(grid.values) > LARGE_MATRICES for grid in matrices)
    with ThreadPoolExecutor(1 if large else options.workers) as pool:
        parts_of_grids = pool.map(lambda grid: _of_grid(grid, options, by, system, turned=turned), matrices)
        parts = [_without_overlap(part, values.unmet) for of in parts_of_grids for part in of]
    table = pl.concat(_corrected(parts, options), how="diagonal_relaxed")
    first = ["measure", *by, "baseline", "system", *(c for c in COLUMNS if c in table.columns)]
    return table.select(*first, pl.exclude(first))


def _of_grid(grid: Grid, options: ComparisonOptions, by: Sequence[str], system: str, *, turned: bool) -> list[_Part]:
    pairs = pairs_of(grid, options.baseline, system, by)
    if turned:
        pairs = np.ascontiguousarray(pairs[:, ::-1])
    parts = []
    complete = grid.whole() if any(t.design == "all" for t in options.tests) else grid
    described_pairs: dict[tuple[bool, bool], Future[PairColumns]] = {}
    samples: dict[bool, Sample] = {}
    with ThreadPoolExecutor(1) as pool:
        for test in options.tests:
            everywhere, paired = test.design == "all", test.design != "unpaired"
            matrix, key = complete if everywhere else grid, (everywhere, paired)
            if everywhere not in samples:
                samples[everywhere] = Sample(matrix.values, pairs, matrix.moments, options.tolerance or 0.0)
            if key not in described_pairs:
                described_pairs[key] = pool.submit(_described, grid, matrix, pairs, options, paired=paired)
            columns = _tested(matrix, samples[everywhere], test, options, described_pairs[key])
            parts.append(_Part(test, grid.measure, grid.group, _frame(grid, pairs, by, columns)))
    return parts


def _described(grid: Grid, matrix: Grid, pairs: Integers, options: ComparisonOptions, *, paired: bool) -> PairColumns:
    """The columns of each pair, and the units of one system only; tests of all systems have fewer units."""
    columns = described(matrix, pairs, options.tolerance, options.workers, paired=paired)
    return columns | of_one_only(grid, pairs) if len(matrix.values) < len(grid.values) else columns


def _tested(
    grid: Grid, sample: Sample, test: SignificanceTest, options: ComparisonOptions, described_pairs: Future[PairColumns]
) -> dict[str, Any]:
    own = options.of(test, lower_is_better=grid.lower_is_better)
    if "label" in own.more:
        own = replace(own, more={**own.more, "label": grid.label})
    outcome = test.function(sample, own)
    enough(outcome, own)
    columns: dict[str, Any] = _outcome(outcome) | {"interval_method": _intervals(outcome)}
    if test.design != "unpaired":
        relative = find_effect("relative").function(sample, own)
        columns |= dict(zip(("relative", "relative_low", "relative_high"), relative, strict=True))
    columns |= _effect(sample, own, test, options)
    if test.design != "unpaired":
        moments = difference_moments(sample)
        # The mean of the differences: of large values, their means have lost it.
        columns |= {"difference": moments.mean, "se": moments.se}
    of_areas = AREA in outcome.more
    if of_areas:
        columns |= _of_areas(outcome)
    columns |= {
        "test": test.name,
        "correction": test.name if test.adjusted else options.correction,
        "alternative": options.alternative_of(test),
        "confidence": options.confidence,
        "seed": np.where(outcome.n_resamples > 0, options.seed, -1),
    }
    # Wins of millions of pairs are counted meanwhile.
    columns = {n: c for n, c in described_pairs.result().items() if not (of_areas and n in WINS)} | columns
    columns["estimate"] = columns["difference"] if outcome.estimate is None else outcome.estimate
    # Columns of the test take precedence, such as a mean that is an area here.
    return columns | outcome.more


def _of_areas(outcome: Outcome) -> dict[str, Any]:
    """A pair whose values are scores: means, difference and share of it are of the areas that are compared."""
    baseline, area = outcome.more[f"{AREA}_baseline"], outcome.more[AREA]
    nothing = np.full(len(area), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(baseline > 0, np.where(area == baseline, 0.0, area / baseline - 1.0), np.nan)
    shares = {"relative": relative, "relative_low": nothing, "relative_high": nothing}
    return {"mean_baseline": baseline, "mean": area, "difference": outcome.estimate, **shares}


def enough(outcome: Outcome, options: Options) -> None:
    """Refuse levels that the resamples are too few for.

    Raises:
        InvalidParameter: 1 − confidence is less than ten times the smallest p-value that there can be.
    """
    draws, level = int(outcome.n_resamples.max(initial=0)), 1.0 - options.confidence
    if draws and level < 10.0 / (draws + 1.0) - 1e-12:
        raise InvalidParameter(
            f"Of {draws:,} draws the smallest p-value is {1 / (draws + 1):.1g}, too coarse for a level of {level:.2g}.",
            Hint("Draw more often: ", Argument("n_resamples", math.ceil(10.0 / level)), "."),
        )


def _intervals(outcome: Outcome) -> np.ndarray:
    """By which method each interval is: the test's own where it holds what the test does not reject."""
    none = np.isnan(outcome.ci_low) & np.isnan(outcome.ci_high)
    same = (outcome.status == "identical") & (outcome.p_value == 1.0)
    words = np.where(same | (np.asarray(outcome.interval) == ""), OWN, outcome.interval)
    return np.asarray(np.where(none, "", words))


def _outcome(outcome: Outcome) -> dict[str, Any]:
    names = ("statistic", "df", "p_value", "ci_low", "ci_high", "status", "method", "n_resamples")
    return {name: getattr(outcome, name) for name in names}


def _effect(sample: Sample, own: Options, test: SignificanceTest, options: ComparisonOptions) -> dict[str, Any]:
    name = options.effects[0] if options.effects else test.effect
    if not name:
        nothing = np.full(sample.n_pairs, np.nan)
        return {"effect_name": None, "effect": nothing, "effect_low": nothing, "effect_high": nothing}
    effect = find_effect(name)
    if (effect.design == "unpaired") != (test.design == "unpaired"):
        raise NotDefined(
            f"{name} is of {effect.design} systems, {test.name} of {test.design} ones.",
            f'Leave effect= out for {test.effect!r}, or ask for it by c.effects("{name}").',
        )
    sizes = effect.function(sample, own)
    return {"effect_name": name, **dict(zip(("effect", "effect_low", "effect_high"), sizes, strict=True))}


def _frame(grid: Grid, pairs: Integers, by: Sequence[str], columns: dict[str, Any]) -> pl.DataFrame:
    """One frame of arrays and words, NaN as null."""
    baseline, system = grid.systems.gather(pairs[:, 0]), grid.systems.gather(pairs[:, 1])
    frame = grid.framed(by, {"baseline": baseline, "system": system} | columns)
    least = {"n_resamples": 1, "seed": 0}
    return frame.with_columns(
        *(pl.when(pl.col(c) >= n).then(c).alias(c) for c, n in least.items() if c in frame.columns),
        *(pl.when(pl.col(c) != "").then(c).alias(c) for c in ("interval_method",) if c in frame.columns),
    )


def _without_overlap(part: _Part, unmet: Collection[tuple[Any, ...]]) -> _Part:
    """The rows, without inference for pairs of which one system has no overlap with the judgments."""
    systems = [key[-1] for key in unmet if key[:-1] == part.group]
    if not systems:
        return part
    affected = pl.col("baseline").is_in(systems) | pl.col("system").is_in(systems)
    nothing = [pl.when(~affected).then(c).alias(c) for c in INFERRED if c in part.frame.columns]
    status = pl.when(affected).then(pl.lit("no-overlap")).otherwise("status").alias("status")
    return replace(part, frame=part.frame.with_columns(*nothing, status))


def _corrected(parts: Sequence[_Part], options: ComparisonOptions) -> list[pl.DataFrame]:
    """The frames with p-values corrected within their families, and whether they are below 1 − confidence."""
    families: dict[tuple[Any, ...], list[int]] = {}
    for i, part in enumerate(parts):
        own = {"measure": (part.group, part.measure), "group": (part.group,), "all": ()}[options.family]
        families.setdefault((part.test.name, *own), []).append(i)
    level, frames = 1.0 - options.confidence, [part.frame for part in parts]
    for members in families.values():
        p = np.concatenate([frames[i]["p_value"].to_numpy() for i in members])
        adjusted = p if parts[members[0]].test.adjusted else corrected(p, options.correction)
        size, ends = int(np.count_nonzero(~np.isnan(p))), np.cumsum([frames[i].height for i in members])
        for i, of in zip(members, np.split(adjusted, ends[:-1]), strict=True):
            frames[i] = (
                frames[i]
                .with_columns(p_adjusted=pl.Series(of).fill_nan(None), family_size=pl.lit(size, pl.Int64))
                .with_columns(significant=pl.col("p_adjusted") <= level + ROUNDING)
            )
    return frames


def effects_of(
    grids: Iterable[Grid], options: ComparisonOptions, by: Sequence[str], system: str, names: Sequence[str]
) -> pl.DataFrame:
    """A row per measure, group, pair and effect size."""
    parts = []
    for grid in grids:
        pairs = pairs_of(grid, options.baseline, system, by)
        for name in names:
            sizes = find_effect(name).function(Sample(grid.values, pairs, tolerance=options.tolerance or 0.0), options)
            columns = dict(zip(("effect", "effect_low", "effect_high"), sizes, strict=True))
            parts.append(_frame(grid, pairs, by, {"effect_name": name, **columns}))
    return pl.concat(parts)
