"""Units that are resampled with their values: queries, or what a measure is evaluated for one by one."""

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
from ireval_frames.resampling.draws import Counts, Members
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
        unit: the columns that tell apart what is resampled; None: the evaluation's units.
        strata: the columns of strata.
        extra: those of both that group no results.

    Raises:
        NotDefined: there is one unit only.
    """

    def __init__(
        self, evaluation: Evaluation, unit: Sequence[str] | None, strata: Sequence[str], extra: Sequence[str]
    ) -> None:
        self.measures: Sequence[Measure] = evaluation.measures
        told = per_unit_values(evaluation)
        groups = [c for c in ([told.system] if told.system else []) + list(told.by) if c not in extra]
        if not told.unit and unit is None:
            raise NotDefined(
                "All is one unit here, and there is nothing to resample.",
                Hint("Say what units are: ", Argument("unit", "user_id"), "."),
            )
        frame = evaluation.per_unit(wide=True)
        keys = [c for c in frame.columns if c not in {str(m) for m in self.measures}]
        frame = frame.rename({str(m): f"ireval_v{i}" for i, m in enumerate(self.measures)}).sort(
            [pl.col(k).cast(pl.String) if isinstance(frame.schema[k], pl.Categorical | pl.Enum) else k for k in keys]
        )
        columns = list(unit or told.unit)
        refuse_null(frame, {c: c for c in columns})
        self.rows = frame
        self.units, of_unit = ranked(frame, columns)
        every = np.argsort(of_unit, kind="stable")
        self.members = Members(
            frame.height, every, of_unit[every], np.ones_like(every), strata_of(frame, strata, of_unit, strata)
        )
        self.clustered = unit is not None
        self.groups = sorted_rows(frame.select(groups)) if groups else pl.DataFrame()
        self.group_of_row = numbered(frame, groups, self.groups)
        self.matrix = frame.select(f"ireval_v{i}" for i in range(len(self.measures))).cast(pl.Float64)

    def _values(self, counts: Counts) -> Counts:
        if not self.means:
            return super()._values(counts)
        # Means of many replicates are one product of matrices, geometric ones those of logarithms.
        x = self.matrix.fill_null(np.nan).to_numpy()
        geometric = [m.aggregation == "geometric" for m in self.measures]
        x = np.where(geometric, np.log(np.maximum(x, GEOMETRIC_FLOOR)), x)
        defined = ~np.isnan(x)
        out = np.full((len(counts), self.n_groups, len(self.measures)), np.nan)
        for group in range(self.n_groups):
            here = np.flatnonzero(self.group_of_row == group)
            some = counts[:, here]
            n = some @ defined[here].astype(np.float64)
            np.divide(some @ np.nan_to_num(x[here]), n, out=out[:, group], where=n > 0)
        return np.where(geometric, np.exp(out), out)

    @property
    def means(self) -> bool:
        """Whether all measures are arithmetic or geometric means of their units."""
        return all(m.aggregation in ("mean", "geometric") for m in self.measures)

    def evaluated(self, replicate: Whole, row: Whole, count: Counts) -> pl.DataFrame:
        """The values of some replicates: units stand there as often as they were drawn."""
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
