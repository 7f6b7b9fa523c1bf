"""Validity of an experiment: its units, its variants, and the level of its tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.experiments.aggregates import Aggregates
from ireval_frames.experiments.data import ExperimentData, Metrics
from ireval_frames.experiments.units import Rows
from ireval_frames.experiments.validity.aa_tests import aa_test
from ireval_frames.experiments.validity.checks import checked
from ireval_frames.experiments.validity.mismatch import Shares, mismatch


class ExperimentChecks:
    """The data of an experiment, and checks of its validity."""

    def __init__(
        self,
        frame: Any,
        variant: str | None = "variant",
        unit: str | None = "user_id",
        *,
        baseline: Any = None,
        time: str | None = None,
        by: str | Sequence[str] = (),
        one_row: bool = False,
        units: str = "error",
        several_variants: str = "error",
        engine: str | Engine | None = None,
        con: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        rows = frame
        if not isinstance(frame, Aggregates | Rows):
            rows = Rows(
                frame, variant, unit, time, one_row=one_row, units=units, several_variants=several_variants,
                engine=engine, con=con, storage_options=storage_options,
            )  # fmt: skip
        self._data = ExperimentData(rows, variant, unit, baseline=baseline, time=time, by=by)

    def __repr__(self) -> str:
        """Its columns; nothing is computed."""
        data = self._data
        return (
            f"{type(self).__name__}(variant={data.variant!r}, unit={data.unit!r}): analyze(metrics) compares variants"
        )

    def srm(
        self,
        shares: Shares = None,
        *,
        by: str | Sequence[str] | None = None,
        method: str = "auto",
    ) -> pl.DataFrame:
        """Sample ratio mismatch: whether the variants have their expected shares of units.

        Args:
            shares: the expected share of each variant, by name or in the order of the names; equal by default.
            by: columns of groups, each tested on its own.
            method: "exact" (binomial, multinomial), "chi2", or "auto": exact where outcomes are few.

        Returns:
            [by …], variant, n, share, expected_share, expected (units), method, statistic (χ²), p_value (of the group:
            all variants together), mismatch (p below 0.001).

        Source: Fabijan et al., KDD 2019.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> frame = pl.DataFrame({"variant": ["a"] * 700 + ["b"] * 600})
            >>> ir.Experiment(frame, unit=None).srm().select("variant", "n", pl.col("p_value").round(4)).rows()
            [('a', 700, 0.006), ('b', 600, 0.006)]
        """
        groups = self._data.groups_of(by)
        metrics = self._data.metrics(None)[:1] if self._data.stored else ()
        return mismatch(self._data.cells(metrics, groups), groups, shares, method)

    def check(
        self,
        metrics: Metrics = (),
        *,
        by: str | Sequence[str] | None = None,
        shares: Shares = None,
        randomised: str | None = None,
    ) -> pl.DataFrame:
        """Problems that make the test wrong: a row per check.

        Units in two variants or groups, units of several rows despite `one_row`, sample ratio mismatch, tiny cells; for
        each metric negative counts, zero variance, values that are missing unequally, variants that differed before;
        and where the unit of analysis is not the randomised one, how much standard errors are too small.

        Args:
            metrics: the metrics to check.
            by: columns of groups.
            shares: the expected share of each variant (`srm`).
            randomised: the column of what was randomised, where that is not the unit.

        Returns:
            check, metric, status (ok, doubtful, wrong, not checked), n (how many units or cells), message.
        """
        parsed = self._data.metrics(metrics) if metrics else ()
        return checked(self._data, parsed, self._data.groups_of(by), shares, randomised)

    def aa(
        self,
        metrics: Metrics,
        *,
        n_resamples: int = 1000,
        seed: int = 0,
        confidence: float = 0.95,
        coefficient: str = "within",
    ) -> pl.DataFrame:
        """A/A test: units are split into random halves many times; a test at level α finds a difference in a share α.

        The engine sums once, by 1,000 buckets of units, and halves are drawn from the buckets.  Too many differences
        mean that units are not independent, or too few for the t distribution.

        Args:
            metrics: all but quantiles.
            n_resamples: how many random halves, at least 100.
            seed: of buckets and draws.
            confidence: 1 − α.
            coefficient: of CUPED's θ (`analyze`).

        Returns:
            metric, n, n_resamples, level (α), share_significant with its interval low, high (Wilson, 0.999), p_uniform
            (Kolmogorov: whether p-values are uniform), verdict (as expected, too often, too rarely).

        Source: Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020, chapter 19.
        """
        return aa_test(self._data, self._data.metrics(metrics), n_resamples, seed, confidence, coefficient)
