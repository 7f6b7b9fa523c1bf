"""Systems one by one, terms of variance, and square tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.comparison.options import ComparisonOptions
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.errors import InvalidParameter
from ireval_frames.stats.delong import area_interval, areas
from ireval_frames.stats.distributions.tails import t_interval
from ireval_frames.stats.letters import compact_letters
from ireval_frames.stats.means.variance_components import Term, Variance, analysis_of_variance
from ireval_frames.stats.moments import moments_of
from ireval_frames.stats.resampling.rank_stability import rank_stability
from ireval_frames.stats.sample import Array, Moments, Options, Sample

# Columns that do not depend on which of two systems is the baseline, for two-sided tests.
SYMMETRIC = ("p_value", "p_adjusted", "significant")


def table(grids: Sequence[Grid], options: ComparisonOptions, rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """A row per measure, group and system, the best first."""
    marking = options.marking if options.baseline is None else None
    marks = None if marking is None else rows.filter(pl.col("test") == marking.name)
    return pl.concat([_of_grid(grid, options, marks, by) for grid in grids])


def of_areas(options: ComparisonOptions) -> bool:
    """Whether systems are described by areas under ROC curves, as the test that marks them compares these."""
    return options.marking is not None and "label" in options.marking.reads


def moments_of_systems(grid: Grid, options: ComparisonOptions) -> Moments:
    """The number, mean and variance of the values of each system, for tables.

    Of pairs on common units these are the units that all systems have, where there are any; where the marks are of
    areas under ROC curves, the areas, with variances that give their standard errors.
    """
    if of_areas(options):
        return _areas(grid)
    if (
        grid.moments is None
        and options.pairs_units
        and np.isnan(grid.values).any()
        and len(complete := grid.whole().values)
    ):
        return moments_of(Sample(complete, np.zeros((0, 2), dtype=np.int64)))
    return grid.of_systems


def _areas(grid: Grid) -> Moments:
    """The area of each system over its own items; its variance times their number."""
    n, area, variance = (np.full(len(grid.systems), np.nan) for _ in range(3))
    for i, scores in enumerate(grid.values.T):
        present = ~np.isnan(scores)
        n[i] = present.sum()
        one, covariance = areas(scores[present, None], np.asarray(grid.label)[present])
        area[i], variance[i] = one[0], covariance[0, 0] * n[i]
    return Moments(n, area, variance, area)


def _of_grid(grid: Grid, options: ComparisonOptions, rows: pl.DataFrame | None, by: Sequence[str]) -> pl.DataFrame:
    of = moments_of_systems(grid, options)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.asarray(np.sqrt(of.variance / of.n))
        low, high = t_interval(of.mean, se, of.n - 1.0, Options(confidence=options.confidence))
    if of_areas(options):
        positives = ~np.isnan(grid.values) & (np.asarray(grid.label) == 1)[:, None]
        positive = positives.sum(axis=0).astype(np.float64)
        low, high = area_interval(of.mean, se, of.n - positive, positive, options.confidence)
    columns: dict[str, Any] = {"system": grid.systems, "n": of.n.astype(np.int64), "mean": of.mean, "se": se}
    columns |= {"ci_low": low, "ci_high": high, **_ranked(grid, of.mean, options)}
    columns["letters"] = None if rows is None else _letters(grid, of.mean, rows, by)
    frame = grid.framed(by, columns).with_columns(pl.col("letters").cast(pl.String))
    return frame.sort("mean", descending=not grid.lower_is_better, maintain_order=True)


def _ranked(grid: Grid, means: Array, options: ComparisonOptions) -> dict[str, Any]:
    """The rank of each system, with its interval over resampled units where the units are at hand."""
    if grid.moments is not None or of_areas(options) or not len(grid.whole().values):
        better = -means if grid.lower_is_better else means
        above, alike = better[None, :] > better[:, None], better[None, :] == better[:, None]
        rank = above.sum(axis=1) + (alike.sum(axis=1) + 1.0) / 2.0
        nothing = np.full(len(means), np.nan)
        return {"rank": rank, "rank_low": nothing, "rank_high": nothing, "p_best": nothing}
    stability = rank_stability(grid.values, options, higher_is_better=not grid.lower_is_better)
    return {
        "rank": stability.rank,
        "rank_low": stability.rank_low,
        "rank_high": stability.rank_high,
        "p_best": stability.best,
    }


def _letters(grid: Grid, means: Array, rows: pl.DataFrame, by: Sequence[str]) -> pl.Series:
    """Letters that systems share which do not differ."""
    here = rows.filter(significant=True, measure=grid.measure)
    for name, value in zip(by, grid.group, strict=True):
        here = here.filter(pl.col(name).eq_missing(value))
    place = {name: i for i, name in enumerate(grid.systems)}
    different = [(place[one], place[other]) for one, other in here.select("baseline", "system").iter_rows()]
    return pl.Series(compact_letters(-means if grid.lower_is_better else means, different), dtype=pl.String)


def matrix(rows: pl.DataFrame, turned: pl.DataFrame | None, of: str, by: Sequence[str]) -> pl.DataFrame:
    """A row and a column per system, the column's as the baseline.

    Args:
        rows: a row per pair.
        turned: the same with system and baseline swapped; None for symmetric columns.
        of: the column that is shown.
        by: the columns of groups.

    Raises:
        InvalidParameter: a system is called like a column that is there.
    """
    names = pl.concat([rows["baseline"], rows["system"]]).unique().sort()
    labels = [str(name) for name in names]
    for reserved in ("system", *by):
        if reserved in labels:
            raise InvalidParameter(
                f"A system is called {reserved!r}, and so is a column of the matrix.",
                "Take c.table(), which has a row per pair.",
            )
    mirrored = {"row": "baseline", "column": "system"} if turned is None else {"row": "system", "column": "baseline"}
    both = pl.concat(
        [
            rows.select(*_keys(by), row="system", column="baseline", value=of),
            (rows if turned is None else turned).select(*_keys(by), **mirrored, value=of),
        ],
        how="vertical_relaxed",
    )
    columns = pl.DataFrame({"column": names, "label": pl.Series(labels, dtype=pl.String)})
    groups = [f"by_{i}" for i in range(len(by))]
    square = (
        both.sort(*groups, "row", "column")
        .join(columns, on="column", how="left", maintain_order="left")
        .pivot(on="label", index=[*groups, "row"], values="value", on_columns=labels, maintain_order=True)
    )
    return square.rename({**dict(zip(groups, by, strict=True)), "row": "system"})


def _keys(by: Sequence[str]) -> list[pl.Expr]:
    return [pl.col(name).alias(f"by_{i}") for i, name in enumerate(by)]


def variance_terms(grids: Sequence[Grid], by: Sequence[str]) -> pl.DataFrame:
    """A row per measure, group and term."""
    names = [field.name for field in dataclasses.fields(Term)]
    parts = []
    for grid, analysis in _analysed(grids):
        columns = {n: np.array([getattr(term, n) for term in analysis.terms]) for n in names}
        parts.append(grid.framed(by, columns))
    return pl.concat(parts)


def reliability(grids: Sequence[Grid], by: Sequence[str], confidence: float, units: int | None) -> pl.DataFrame:
    """A row per measure and group: how reliably units order systems, and checks of the assumptions."""
    parts = []
    for grid, analysis in _analysed(grids):
        system = analysis["system"]
        values = {
            "n_units": analysis.units,
            "n_systems": analysis.systems,
            "n_replicates": analysis.replicates,
            "statistic": system.statistic,
            "p_value": system.p_value,
            "epsilon_gg": analysis.epsilon_gg,
            "p_value_gg": analysis.p_value_gg,
            "epsilon_hf": analysis.epsilon_hf,
            "p_value_hf": analysis.p_value_hf,
            "margin_of_error": analysis.margin_of_error(confidence),
            "generalizability": analysis.generalizability(units),
            "dependability": analysis.dependability(units),
        }
        columns = {name: np.array([value]) for name, value in values.items()}
        parts.append(grid.framed(by, columns | {"status": analysis.status}))
    return pl.concat(parts)


def _analysed(grids: Sequence[Grid]) -> Iterator[tuple[Grid, Variance]]:
    for grid in grids:
        yield grid, analysis_of_variance(grid.values if grid.replicates is None else grid.replicates)
