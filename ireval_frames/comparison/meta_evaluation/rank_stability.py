"""`ir.comparison.rank_stability`: how stable the order of systems is over resampled units."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison.comparing import compare
from ireval_frames.comparison.comparison import Comparison, grids_of
from ireval_frames.comparison.text.tables import Block, Cell, Tables, number, shown, text
from ireval_frames.comparison.values.grids import Grid
from ireval_frames.displayed import Displayed
from ireval_frames.stats.resampling.rank_stability import Stability
from ireval_frames.stats.resampling.rank_stability import rank_stability as of_values

TAKEN = ("other", "p_beats", "n_systems", "tau_mean", "tau_sd", "p_best", "rank_low", "rank_high")


class RankStability(Displayed):
    """How stable the order of systems is (`ir.comparison.rank_stability`); computed when first read, once."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison, self._by = comparison, comparison.values.by
        refuse_reserved(self._by, TAKEN)

    @functools.cached_property
    def _stabilities(self) -> list[tuple[Grid, Stability]]:
        grids, options = (grid.whole() for grid in grids_of(self._comparison)), self._comparison.options
        return [(g, of_values(g.values, options, higher_is_better=not g.lower_is_better)) for g in grids]

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        parts = []
        for grid, stability in self._stabilities:
            columns = {
                "system": grid.systems,
                "n": stability.units,
                "mean": grid.values.mean(axis=0),
                "rank": stability.rank,
                "rank_low": stability.rank_low,
                "rank_high": stability.rank_high,
                "p_best": stability.best,
            }
            parts.append(grid.framed(self._by, columns).sort("rank", maintain_order=True))
        return pl.concat(parts, how="vertical_relaxed")

    def table(self) -> pl.DataFrame:
        """A row per measure, [by …] and system, the best first.

        Returns:
            measure, [by …], system, n (units that all systems have), mean;
            rank: 1 is the best, tied means share the mean of theirs; rank_low, rank_high: its interval over the draws;
            p_best: the share of draws in which the system is the best, from 0 to 1; ties share a draw.
        """
        return self._table

    def beats(self) -> pl.DataFrame:
        """How often one system is better than another: a row per measure, [by …] and ordered pair.

        Returns:
            measure, [by …], system, other, p_beats: the share of draws in which the mean of `system` is better, ties
            half; that of the pair the other way round is 1 less it.
        """
        parts = []
        for grid, stability in self._stabilities:
            one, other = np.nonzero(~np.eye(len(grid.systems), dtype=bool))
            names = {"system": grid.systems.gather(one), "other": grid.systems.gather(other)}
            parts.append(grid.framed(self._by, names | {"p_beats": stability.beats[one, other]}))
        return pl.concat(parts, how="vertical_relaxed")

    def orders(self) -> pl.DataFrame:
        """Kendall's τ_b between the order of a draw and the observed one: a row per measure and [by …].

        Returns:
            measure, [by …], n (units), n_systems, tau_mean, tau_sd (over the draws, from −1 to 1; null where all
            systems tie), n_resamples, seed.
        """
        options = self._comparison.options
        rows = [
            grid.keys(self._by)
            | {
                "n": stability.units,
                "n_systems": len(grid.systems),
                "tau_mean": stability.tau_mean,
                "tau_sd": stability.tau_sd,
                "n_resamples": stability.draws,
                "seed": options.seed,
            }
            for grid, stability in self._stabilities
        ]
        types = dict(zip(self._by, self._stabilities[0][0].types, strict=True))
        return pl.DataFrame(rows, schema_overrides=types, infer_schema_length=None).with_columns(
            pl.selectors.float().fill_nan(None)
        )

    def _displays(self) -> Sequence[Tables]:
        """The table as text."""
        options = self._comparison.options
        header = ("measure", *self._by, "system", "mean", "rank", f"{options.confidence * 100:g}% interval", "P(best)")
        lines = [
            (
                *(Cell(shown(row[k])) for k in ("measure", *self._by, "system")),
                Cell(number(row["mean"])),
                Cell(f"{row['rank']:g}"),
                Cell(f"{row['rank_low']:g}–{row['rank_high']:g}"),
                Cell(f"{row['p_best']:.3f}"),
            )
            for row in self._table.iter_rows(named=True)
        ]
        note = f"{options.n_resamples} draws of units, seed {options.seed}."
        return [Tables(Block("", header, tuple(lines), 2 + len(self._by)), (), (note,))]

    def __str__(self) -> str:
        return "\n".join(map(text, self._displays()))


def rank_stability(
    values: Any, *, n_resamples: int = 10_000, seed: int = 0, confidence: float = 0.95, **options: Any
) -> RankStability:
    """Intervals of ranks, P(best), P(one beats another), and how stable the order of systems is, over resampled units.

    Units are drawn with replacement, the same ones for all systems and measures, and each draw ranks the systems'
    means.  It describes how sure the order is; it is no test, so no correction follows.

    Args:
        values: an evaluation of several systems, or a table of values per unit, as `ir.compare` takes them.
        n_resamples: the number of resamples of units.
        seed: of the draws; the same seed gives the same numbers, whatever the threads, the engine and the order of
            the rows.
        confidence: of the intervals of ranks.
        options: those of `ir.compare`: unit, system, measure, value, by, missing, lower_is_better, threads and more.
            With `missing="intersect"` the units are those that all systems have.

    Raises:
        NotDefined: there is no unit that all systems have.
        UnknownName, InvalidParameter, MissingColumn and others: as `ir.compare`.

    Source: Efron and Tibshirani 1993; Goldstein and Spiegelhalter, JRSS A 1996.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> a, b, c = [0.1, 0.2, 0.3, 0.2], [0.5, 0.5, 0.8, 0.6], [0.2, 0.1, 0.4, 0.2]
        >>> values = pl.DataFrame({"query_id": [1, 2, 3, 4], "a": a, "b": b, "c": c})
        >>> found = ir.comparison.rank_stability(values, n_resamples=2000)
        >>> found.table().select("system", "rank", "rank_low", "rank_high", "p_best").rows()
        [('b', 1.0, 1.0, 1.0, 1.0), ('c', 2.0, 2.0, 3.0, 0.0), ('a', 3.0, 2.0, 3.0, 0.0)]
    """
    return RankStability(compare(values, n_resamples=n_resamples, seed=seed, confidence=confidence, **options))
