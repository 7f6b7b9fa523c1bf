"""The result of a bootstrap: intervals, replicates, and differences of systems, computed on first use."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.displayed import Displayed
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.resampling import closed_forms, influence
from ireval_frames.resampling.comparing import compare_systems
from ireval_frames.resampling.deleting import Deleted, acceleration, deleted
from ireval_frames.resampling.draws import Counts, draw, ranges
from ireval_frames.resampling.intervals import (
    ROUNDING,
    Interval,
    Method,
    around,
    around_in_logits,
    interval,
    of_infinite,
    varies,
    wilson,
)
from ireval_frames.resampling.options import EXTREMES, FEW_CLUSTERS, TRIED, ResamplingOptions
from ireval_frames.resampling.population import REPLICATE, Population, as_text, estimates, long
from ireval_frames.resampling.units import standard_errors_of_means

COLUMNS = ("value", "ci_low", "ci_high", "se", "bias", "method", "n_resamples", "n_resampled", "status")


class Bootstrap(Displayed):
    """Values of measures under resampling; it prints as its table.

    Args:
        measures: the measures.
        population: gives the units that are resampled; reads data.
        evaluation: gives the values.
        options: of resampling.
        system: the column of systems, if it is not run_id.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        population: Callable[[], Population],
        evaluation: Evaluation,
        options: ResamplingOptions,
        system: str | None,
    ) -> None:
        self.measures, self.options = tuple(measures), options
        self._make, self._evaluation, self._system = population, evaluation, system

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled are the subject and the arguments; the draws are repeated, and are the same."""
        return type(self), (self.measures, self._make, self._evaluation, self.options, self._system)

    # ---- results

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation that gives the values."""
        return self._evaluation

    def table(self, *, method: Method | None = None, confidence: float | None = None) -> pl.DataFrame:
        """A row per group and measure: the value with its interval.

        Args:
            method: of the interval, instead of the bootstrap's; the draws stay the same.
            confidence: instead of the bootstrap's.

        Returns:
            [run_id, by …] measure value ci_low ci_high se bias method n_resamples n_resampled status.  `se` is the
            standard deviation of the replicates (of delta its own), `bias` their mean minus the value; `method` is that
            of the returned interval; `n_resamples` counts defined replicates, `n_resampled` the units that are drawn.
            Null if a value is undefined; `status` says why.

        Raises:
            UnknownName, InvalidParameter: an argument is not allowed.
            NotDefined: the method is not for such units or measures.
        """
        options = self._with(method, confidence)
        n = self._n_units
        rows = []
        interval_of = self._intervals(options.method, options.confidence)
        for group in range(self.population.n_groups):
            for i, measure in enumerate(self.measures):
                value = float(self.values[group, i])
                row: dict[str, Any] = {"value": value, "ci_low": None, "ci_high": None, "se": None, "bias": None}
                row |= {"method": options.method, "n_resamples": 0, "n_resampled": int(n[group])}
                status = "undefined" if np.isnan(value) else "one_unit" if n[group] < 2 else "ok"
                if status == "ok":
                    row |= interval_of(group, i, value)
                    status = self._status(measure, int(n[group]), row.pop("status"))
                rows.append({**row, "status": status})
        return long(self.population, rows, COLUMNS)

    def replicates(self) -> pl.DataFrame:
        """A row per replicate, group and measure: replicate [run_id, by …] measure value; null is undefined."""
        population, draws = self.population, self.draws
        b, g, m = draws.shape
        index = np.arange(b * g * m)
        parts = [pl.DataFrame({REPLICATE: index // (g * m)})]
        parts += [population.groups[index // m % g]] if population.by else []
        names = pl.DataFrame({"measure": [str(x) for x in self.measures]})
        parts += [names[index % m], pl.DataFrame({"value": draws.ravel()}).fill_nan(None)]
        return pl.concat(parts, how="horizontal")

    def compare(
        self, baseline: Any = None, *, method: Method | None = None, confidence: float | None = None
    ) -> pl.DataFrame:
        """Differences of systems, over the same draws of the same units.

        The p-value is that of the interval: the smallest α at which the interval of confidence 1 − α excludes 0,
        at least 2 / (1 + B); of the delta method it is that of d / se by Student's t.

        Args:
            baseline: the system that the others are compared with; by default every pair is compared.
            method: percentile, basic, normal, bca or delta, instead of the bootstrap's.
            confidence: instead of the bootstrap's.

        Returns:
            [by …] measure baseline system n_resampled value_baseline value difference ci_low ci_high se bias p_value
            method n_resamples status; differences are system − baseline.  A system against one that has the same values
            in all replicates gives p = 1 and the status "identical".

        Raises:
            NotDefined: there is one system, or its items are not drawn together with those of the others.
            UnknownName: there is no such system.
        """
        options = self._with(method, confidence)
        return compare_systems(
            self.population,
            self._system or "run_id",
            baseline,
            self.values,
            lambda: self.draws,
            options.method,
            options.confidence,
            lambda: self._deleted,
            lambda: self._tried,
        )

    def _with(self, method: Method | None, confidence: float | None) -> ResamplingOptions:
        """The options, with another interval."""
        level = self.options.confidence if confidence is None else confidence
        return replace(self.options, method=method or self.options.method, confidence=level)

    def explain(self) -> str:
        """The units that are drawn, the draws, and the conventions in force; reads the data."""
        population, options = self.population, self.options
        members = population.members
        units = "items, equal ones together" if members.unit is None else ", ".join(population.units.columns)
        distribution = "Poisson(1)" if members.strata is None else "multinomial within strata"
        source = "PCG64 of (seed, replicate)" + ("" if members.unit is None else ", by a hash of each unit's position")
        lines = [
            f"drawn: {units}",
            f"units: {members.n_units}; different rows: {members.n_rows}",
            f"draws: {distribution}; {source}; NumPy {np.__version__}",
            f"n_resamples: {options.n_resamples}; seed: {options.seed}",
            f"interval: {options.method}, confidence {options.confidence:g}",
            "",
            self._evaluation.explain(),
        ]
        return "\n".join(lines)

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The table."""
        return [self.table()]

    def __str__(self) -> str:
        return as_text(self.table())

    # ---- computation

    @functools.cached_property
    def population(self) -> Population:
        """The units that are resampled."""
        # The evaluation checks the data first.
        self._evaluation.summary()
        return self._make()

    @functools.cached_property
    def values(self) -> Counts:
        """The values, groups × measures."""
        return estimates(self._evaluation, self.population)

    @functools.cached_property
    def draws(self) -> Counts:
        """The values in each replicate: replicates × groups × measures."""
        population, options = self.population, self.options

        def counts() -> Iterator[Counts]:
            for first, last in ranges(options.n_resamples, population.n_at_once):
                yield draw(population.members, options.seed, first, last)

        return population.values(counts())

    @functools.cached_property
    def _tried(self) -> Counts:
        """The values in a few replicates."""
        population = self.population
        return population.values(iter([draw(population.members, self.options.seed, 0, TRIED)]))

    @functools.cached_property
    def _n_units(self) -> np.ndarray:
        return self.population.n_units()

    @functools.cached_property
    def _deleted(self) -> Deleted:
        return deleted(self.population)

    def _status(self, measure: Measure, n: int, status: str) -> str:
        if status != "ok":
            return status
        if measure.aggregation in EXTREMES:
            return "extreme"
        return "few_clusters" if self.population.clustered and n < FEW_CLUSTERS else "ok"

    def _intervals(self, method: Method, level: float) -> Callable[[int, int, float], dict[str, Any]]:
        """The function that gives the columns of an interval, of a group, measure and value."""
        if method == "delta":
            return self._delta(level)
        if method == "wilson":
            return self._wilson(level)
        if method == "delong":
            return self._delong(level)
        return functools.partial(self._from_replicates, method, level)

    def _from_replicates(self, method: Method, level: float, group: int, i: int, value: float) -> dict[str, Any]:
        all_draws = self.draws[:, group, i]
        defined = ~np.isnan(all_draws)
        draws = all_draws[defined]
        if len(draws) < 2:
            return {"n_resamples": len(draws), "status": "undefined"}
        if not np.isfinite([value, *draws]).all():
            return {**of_infinite(draws, level), "n_resamples": len(draws)}
        a, errors = 0.0, None
        if method == "bca":
            without = self._deleted.of(group)
            a = acceleration(without.values[:, i], without.times, without.stratum)
        elif method == "studentised":
            one, each = self._errors
            errors = (float(one[group, i]), each[defined, group, i])
        ends: Interval = interval(method, value, draws, level, acceleration=a, errors=errors)
        return {
            "ci_low": ends.low,
            "ci_high": ends.high,
            "se": float(draws.std(ddof=1)),
            "bias": float(draws.mean()) - value,
            "method": ends.method,
            "n_resamples": len(draws),
            "status": ends.status,
        }

    @functools.cached_property
    def _errors(self) -> tuple[Counts, Counts]:
        return standard_errors_of_means(self.population, self.options.seed, self.options.n_resamples)

    def _delta(self, level: float) -> Callable[[int, int, float], dict[str, Any]]:
        errors = influence.standard_errors(self.population)

        def interval_of(group: int, i: int, value: float) -> dict[str, Any]:
            se, df = float(errors.se[group, i]), float(errors.df[group])
            if np.isnan(se) or df < 1:
                return {"status": "undefined"}
            if se <= ROUNDING * max(1.0, abs(value)):
                if varies(self._tried[:, group, i] - value):
                    return {"status": "not_smooth"}
                return {"ci_low": value, "ci_high": value, "se": 0.0, "status": "degenerate"}
            low, high = around(value, se, df, level)
            return {"ci_low": low, "ci_high": high, "se": se, "status": "ok"}

        return interval_of

    def _wilson(self, level: float) -> Callable[[int, int, float], dict[str, Any]]:
        hits, totals = closed_forms.shares(self.population, self.values)

        def interval_of(group: int, i: int, value: float) -> dict[str, Any]:
            del value
            if np.isnan(hits[group, i]):
                return {"status": "no_share"}
            low, high = wilson(float(hits[group, i]), float(totals[group, i]), level)
            return {"ci_low": low, "ci_high": high, "status": "ok"}

        return interval_of

    def _delong(self, level: float) -> Callable[[int, int, float], dict[str, Any]]:
        errors = closed_forms.delong(self.population, self.values)

        def interval_of(group: int, i: int, value: float) -> dict[str, Any]:
            se = float(errors[group, i])
            if np.isnan(se):
                return {"status": "no_area"}
            if se == 0:
                return {"ci_low": value, "ci_high": value, "se": se, "status": "degenerate"}
            low, high = around_in_logits(value, se, level)
            return {"ci_low": low, "ci_high": high, "se": se, "status": "ok"}

        return interval_of
