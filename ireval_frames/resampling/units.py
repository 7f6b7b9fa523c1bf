"""Units with values that are resampled, such as queries; and standard errors of their means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.comparison.values.sources import per_unit_values
from ireval_frames.declaration import Measure
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.summaries import GEOMETRIC_FLOOR, summarised
from ireval_frames.expr import col
from ireval_frames.plan import Plan
from ireval_frames.resampling.draws import Counts, Members, unit_weights
from ireval_frames.resampling.hashing import Whole
from ireval_frames.resampling.population import (
    REPLICATE,
    Population,
    numbered,
    ranked,
    refuse_null,
    sorted_rows,
    strata_of,
)


class Units(Population):
    """The units of an evaluation.

    Args:
        evaluation: gives the values per unit.
        unit: the columns that identify what is drawn; None: the evaluation's units.
        strata: the columns of strata.
        extra: columns of units and strata that do not group results.

    Raises:
        NotDefined: there is one unit only.
    """

    def __init__(
        self, evaluation: Evaluation, unit: Sequence[str] | None, strata: Sequence[str], extra: Sequence[str]
    ) -> None:
        self.measures: Sequence[Measure] = evaluation.measures
        per_unit = per_unit_values(evaluation)
        groups = [c for c in ([per_unit.system] if per_unit.system else []) + list(per_unit.by) if c not in extra]
        if not per_unit.unit and unit is None:
            raise NotDefined(
                "There is only one unit, so there is nothing to resample.",
                Hint("Name the units: ", Argument("unit", "user_id"), "."),
            )
        frame = evaluation.per_unit(wide=True)
        keys = [c for c in frame.columns if c not in {str(m) for m in self.measures}]
        frame = frame.rename({str(m): f"ireval_v{i}" for i, m in enumerate(self.measures)}).sort(
            [pl.col(k).cast(pl.String) if isinstance(frame.schema[k], pl.Categorical | pl.Enum) else k for k in keys]
        )
        columns = list(unit or per_unit.unit)
        refuse_null(frame, {c: c for c in columns})
        self.rows = frame
        self.units, of_unit = ranked(frame, columns)
        order = np.argsort(of_unit, kind="stable")
        self.members = Members(
            frame.height, order, of_unit[order], np.ones_like(order), strata_of(frame, strata, of_unit, strata)
        )
        self.clustered = unit is not None
        self.groups = sorted_rows(frame.select(groups)) if groups else pl.DataFrame()
        self.group_of_row = numbered(frame, groups, self.groups)
        self.matrix = frame.select(f"ireval_v{i}" for i in range(len(self.measures))).cast(pl.Float64)

    def _values(self, counts: Counts) -> Counts:
        if not self.means:
            return super()._values(counts)
        # Means of many replicates are one matrix product; geometric ones use logarithms.
        x = self.matrix.fill_null(np.nan).to_numpy()
        geometric = [m.aggregation == "geometric" for m in self.measures]
        x = np.where(geometric, np.log(np.maximum(x, GEOMETRIC_FLOOR)), x)
        defined = ~np.isnan(x)
        out = np.full((len(counts), self.n_groups, len(self.measures)), np.nan)
        for group in range(self.n_groups):
            at = np.flatnonzero(self.group_of_row == group)
            count = counts[:, at]
            n = count @ defined[at].astype(np.float64)
            np.divide(count @ np.nan_to_num(x[at]), n, out=out[:, group], where=n > 0)
        return np.where(geometric, np.exp(out), out)

    @property
    def means(self) -> bool:
        """Whether all measures are arithmetic or geometric means of their units."""
        return all(m.aggregation in ("mean", "geometric") for m in self.measures)

    def evaluate(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: units are repeated as often as they were drawn."""
        times = count.astype(np.int64)
        row = np.repeat(row, times)
        plan = Plan(PolarsEngine())
        frame = self.matrix[row].with_columns(
            pl.Series(REPLICATE, np.repeat(replicate, times), dtype=pl.Int64),
            pl.Series("group", self.group_of_row[row], dtype=pl.Int64),
            pl.Series("copy", np.arange(len(row))),
        )
        units = plan.input("units", (REPLICATE, "group", "copy"), plan.engine.from_polars(frame))
        values = [col(c) for c in self.matrix.columns]
        return plan.engine.collect(summarised(plan, units, values, self.measures, (REPLICATE, "group")).frame())


def standard_errors_of_means(population: Population, seed: int, replicates: int) -> tuple[Counts, Counts]:
    """The standard errors of means: √(C/(C − 1) Σ_c (Σ_{u∈c} (x_u − x̄))²) / n over the C drawn clusters.

    Returns:
        Of the values, groups × measures; of their replicates, replicates × groups × measures.  NaN with fewer than two
        clusters.

    Raises:
        NotDefined: measures are not means of units.
    """
    if not isinstance(population, Units) or any(m.aggregation != "mean" for m in population.measures):
        raise NotDefined(
            "Studentised intervals are for means of units, which have a standard error in every replicate.",
            Hint("Write ", Argument("method", "bca"), "."),
        )
    single = np.ones(population.members.n_units)
    values = _errors(population, single)
    each = [_errors(population, unit_weights(population.members, seed, r)) for r in range(replicates)]
    return values, np.stack(each)


def _errors(population: Units, weights: np.ndarray) -> Counts:
    members = population.members
    assert members.unit is not None  # noqa: S101 - units have ids
    x = population.matrix.fill_null(np.nan).to_numpy()
    defined = (~np.isnan(x)).astype(np.float64)
    out = np.full((population.n_groups, x.shape[1]), np.nan)
    for group in range(population.n_groups):
        at = np.flatnonzero(population.group_of_row[members.row] == group)
        unit, row = members.unit[at], members.row[at]
        sums, counts = (np.zeros((members.n_units, x.shape[1])) for _ in range(2))
        np.add.at(sums, unit, np.nan_to_num(x[row]))
        np.add.at(counts, unit, defined[row])
        times = np.where(np.isin(np.arange(members.n_units), unit), weights, 0)[:, None]
        n, clusters = (times * counts).sum(axis=0), (times * (counts > 0)).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (times * sums).sum(axis=0) / n
            squares = (times * (sums - mean * counts) ** 2).sum(axis=0)
            out[group] = np.where(clusters > 1, np.sqrt(clusters / (clusters - 1) * squares) / n, np.nan)
    return out
