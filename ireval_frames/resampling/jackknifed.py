"""The result of a jackknife: what each unit does to a value."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.evaluation import Evaluation
from ireval_frames.resampling.deleting import Deleted, deleted
from ireval_frames.resampling.estimates import estimates, long
from ireval_frames.resampling.population import Population

COLUMNS = ("value", "se", "bias", "n_resampled", "status")


class Jackknife:
    """Values without each unit in turn, computed when first looked at."""

    def __init__(self, population: Callable[[], Population], evaluation: Evaluation) -> None:
        self._make, self._evaluation = population, evaluation

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the subject and what was asked of it."""
        return type(self), (self._make, self._evaluation)

    @functools.cached_property
    def _values(self) -> np.ndarray:
        return estimates(self._evaluation, self._population)

    @functools.cached_property
    def _population(self) -> Population:
        # The evaluation looks at the data first.
        self._evaluation.summary()
        return self._make()

    @functools.cached_property
    def _deleted(self) -> Deleted:
        return deleted(self._population, whole=True)

    def table(self) -> pl.DataFrame:
        """A row per group and measure: [run_id, by …] measure value se bias n_resampled status.

        Null where there is one unit, or where the value is undefined without some unit.
        """
        values, population, out = self._values, self._population, self._deleted
        rows = []
        for group in range(population.n_groups):
            times = out.times[:, group]
            n, here = float(times.sum()), times > 0
            for i in range(len(population.measures)):
                value, each = float(values[group, i]), out.values[here, group, i]
                told: dict[str, object] = {"value": value, "se": None, "bias": None, "n_resampled": int(n)}
                status = "one_unit" if n < 2 else "undefined" if np.isnan(value) or np.isnan(each).any() else "ok"
                if status == "ok":
                    mean = float(np.average(each, weights=times[here]))
                    told["se"] = float(np.sqrt((n - 1) / n * (times[here] * (each - mean) ** 2).sum()))
                    told["bias"] = (n - 1) * (mean - value)
                rows.append({**told, "status": status})
        return long(population, rows, COLUMNS)

    def influence(self) -> pl.DataFrame:
        """A row per unit, group and measure: [run_id, by …] unit … measure n value_without influence.

        The influence is the value without the unit minus the value; those with the largest come first.  Of items that
        look alike there is one row, and `n` says how many they are; else it is 1.
        """
        values, population, out = self._values, self._population, self._deleted
        at, group = np.nonzero(out.times)
        m = len(population.measures)
        ids = population.units[out.unit[at]]
        parts = [] if not population.by else [population.groups[group]]
        told = pl.concat([*parts, ids.drop(population.by, strict=False)], how="horizontal")
        frames = []
        for i in range(m):
            without = out.values[at, group, i]
            frames.append(
                told.with_columns(
                    pl.lit(str(population.measures[i])).alias("measure"),
                    pl.Series("n", out.times[at, group].astype(np.int64)),
                    pl.Series("value_without", without).fill_nan(None),
                    pl.Series("influence", without - values[group, i]).fill_nan(None),
                    pl.lit(i).alias("ireval_place"),
                )
            )
        found = pl.concat(frames)
        order = [*population.by, "ireval_place", pl.col("influence").abs().neg()]
        return found.sort(order, maintain_order=True, nulls_last=True).drop("ireval_place")
