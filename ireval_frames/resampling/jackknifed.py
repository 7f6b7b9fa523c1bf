"""The result of a jackknife: the influence of each unit on a value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.displayed import Displayed
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling.deleting import Deleted, deleted
from ireval_frames.resampling.population import Population, as_text, estimates, long

NOTHING = np.empty(0, dtype=np.int64)
COLUMNS = ("value", "se", "bias", "n_resampled", "status")


class Jackknife(Displayed):
    """Values without each unit in turn, computed on first use; it prints as its table."""

    def __init__(self, population: Callable[[], Population], evaluation: Evaluation) -> None:
        self._make, self._evaluation = population, evaluation

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the subject and the arguments."""
        return type(self), (self._make, self._evaluation)

    @functools.cached_property
    def _values(self) -> np.ndarray:
        return estimates(self._evaluation, self._population)

    @functools.cached_property
    def _population(self) -> Population:
        # The evaluation checks the data first.
        self._evaluation.summary()
        return self._make()

    @functools.cached_property
    def _deleted(self) -> Deleted:
        return deleted(self._population, one_by_one=True)

    def table(self) -> pl.DataFrame:
        """A row per group and measure: [run_id, by …] measure value se bias n_resampled status.

        Null if there is one unit, or if the value is undefined without some unit.
        """
        values, population, out = self._values, self._population, self._deleted
        rows = []
        for group in range(population.n_groups):
            of = out.of(group)
            n = float(of.times.sum())
            for i in range(len(population.measures)):
                value, each = float(values[group, i]), of.values[:, i]
                row: dict[str, object] = {"value": value, "se": None, "bias": None, "n_resampled": int(n)}
                status = "one_unit" if n < 2 else "undefined" if np.isnan(value) or np.isnan(each).any() else "ok"
                if status == "ok":
                    mean = float(np.average(each, weights=of.times))
                    row["se"] = float(np.sqrt((n - 1) / n * (of.times * (each - mean) ** 2).sum()))
                    row["bias"] = (n - 1) * (mean - value)
                rows.append({**row, "status": status})
        return long(population, rows, COLUMNS)

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The table."""
        return [self.table()]

    def __str__(self) -> str:
        return as_text(self.table())

    def influence(self) -> pl.DataFrame:
        """A row per unit, group and measure: [run_id, by …] unit … measure n value_without influence.

        The influence is the value without the unit minus the value; those with the largest come first.  Equal
        items have one row, and `n` is their number; else it is 1.
        """
        values, population, out = self._values, self._population, self._deleted
        each = [out.of(group) for group in range(population.n_groups)]
        sizes = [len(of.unit) for of in each]
        group = np.repeat(np.arange(population.n_groups), sizes)
        unit, times, without = (
            np.concatenate([getattr(of, name) for of in each] or [empty])
            for name, empty in (
                ("unit", NOTHING),
                ("times", NOTHING),
                ("values", np.empty((0, len(population.measures)))),
            )
        )
        parts = [population.groups[group]] if population.by else []
        ids = pl.concat([*parts, population.units[unit].drop(population.by, strict=False)], how="horizontal")
        frames = [
            ids.with_columns(
                pl.lit(str(measure)).alias("measure"),
                pl.Series("n", times.astype(np.int64)),
                pl.Series("value_without", without[:, i]).fill_nan(None),
                pl.Series("influence", without[:, i] - values[group, i]).fill_nan(None),
                pl.lit(i).alias("ireval_order"),
            )
            for i, measure in enumerate(population.measures)
        ]
        order = [*population.by, "ireval_order", pl.col("influence").abs().neg()]
        return pl.concat(frames).sort(order, maintain_order=True, nulls_last=True).drop("ireval_order")
