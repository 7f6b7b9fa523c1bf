"""`ir.Experiment`: an A/B test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.experiments.aggregates import Aggregates
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.experiments.data import Metrics
from ireval_frames.experiments.metrics import Capped, Quantile
from ireval_frames.experiments.noninferiority import noninferiority
from ireval_frames.experiments.over_time import by_day, trend
from ireval_frames.experiments.planning import plan
from ireval_frames.experiments.posterior import posteriors
from ireval_frames.experiments.validity.soundness import ExperimentChecks
from ireval_frames.parameters import number

# Of non-inferiority: the largest tolerated loss.
MARGIN = number(0.01, low=0.0, open_ends=True)


class Experiment(ExperimentChecks):
    """An A/B test: rows of units that were shown one of several variants.

    A table may have many rows per unit (events, pages, days): a unit's numbers are the sums of its rows, made by the
    engine.  Where each unit has one row already, `one_row=True` saves that step.  Nothing is computed before a result
    is asked for.

    Args:
        frame: a frame, a path, a relation, or with `con` the name of a table.
        variant: the column of variants.
        unit: the column of what was randomised, such as the user; None where each row is a unit.
        baseline: the variant that others are compared with; by default every two are compared.
        time: the column of days (or hours, or weeks), for `by_time` and aggregates by day.
        by: columns that group units (country, device); each group is analysed on its own.
        one_row: each unit has one row, which `check()` verifies.
        units: rows whose unit or variant is null: an "error", or left out ("drop-null").
        several_variants: units that were in several variants: an "error", left out ("drop"), or counted in each of
            them ("keep").  With `one_row` only `check()` looks for them.
        engine: "polars", "duckdb" or "spark"; by default where the table is.
        con: a DuckDB connection or a Spark session.
        storage_options: options of the stores of remote paths.

    Raises:
        MissingColumn: a column is missing.
        InvalidValue: with the first result, rows have no unit or variant, or units several variants.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({
        ...     "user_id": [1, 1, 2, 3, 4, 5, 6], "variant": [*"aaaabbb"],
        ...     "clicks": [1, 2, 0, 4, 3, 5, 6], "pages": [2, 2, 1, 4, 3, 5, 6],
        ... })
        >>> table = ir.Experiment(frame, baseline="a").analyze("Mean(clicks) Ratio(clicks, pages)").table()
        >>> table.select("metric", "n_baseline", "n", pl.col("value_baseline", "difference", "p_value").round(4)).rows()
        [('Mean(clicks)', 3, 3, 2.3333, 2.3333, 0.1989), ('Ratio(clicks, pages)', 3, 3, 0.7778, 0.2222, 0.3025)]
    """

    @classmethod
    def of_aggregates(
        cls, frames: Any, *, baseline: Any = None, by: str | Sequence[str] = (), time: str | None = None
    ) -> Experiment:
        """An experiment of stored aggregates: those of several days are merged.

        Args:
            frames: what `aggregates()` gave, one or several: frames, paths, or Aggregates.
            baseline: the variant that others are compared with.
            by: columns of the aggregates that group units.
            time: the column of days, where aggregates have one.

        Raises:
            MissingColumn, WrongType, InvalidValue: a table is no table of aggregates.
        """
        stored = Aggregates.of(frames)
        return cls(stored, stored.variant, None, baseline=baseline, time=time, by=by)

    def analyze(
        self,
        metrics: Metrics | None = None,
        *,
        by: str | Sequence[str] | None = None,
        strata: str | Sequence[str] = (),
        correction: str = "holm",
        family: str = "metric",
        confidence: float = 0.95,
        alternative: str = "two-sided",
        coefficient: str = "within",
        sequential: float | None = None,
        looks: Sequence[float] | None = None,
        spending: str = "obrien-fleming",
        exponent: float = 1.0,
    ) -> Analysis:
        """Compare the variants: a difference with its interval, test and verdict per metric, group and variant.

        Args:
            metrics: values such as `ir.experiments.Mean("revenue")`, or text, "Mean(revenue) Ratio(clicks, pages)".
            by: columns that group units; each group is analysed on its own.  By default those of the experiment.
            strata: columns known before the experiment: values are Σ w ȳ over the strata, w the share of each
                (post-stratification), which removes the variance between them.
            correction: of p-values, within a family: "holm", "bonferroni", "sidak", "holm-sidak", "hochberg",
                "hommel", "bh", "by" or "none".
            family: which p-values are corrected together: those of one "metric" (all variants and groups), of one
                "group", or "all".
            confidence: of intervals; a difference is significant if its corrected p-value is at most 1 − confidence.
            alternative: "two-sided"; "greater": the variant is better than the baseline; "less": it is worse.
            coefficient: of CUPED's θ: "within" the variants, as a regression has it, or "pooled" over both.
            sequential: intervals and p-values that hold at any number of looks; they are shortest at this number of
                units, which must be chosen before the first look.
            looks: the shares of the planned units at each look so far, the last one now: intervals and
                levels are those of a group-sequential test.  Several p-values are corrected as levels of complete
                tests: Holm's step j of N is compared with the bounds of level (1 − confidence) / (N − j + 1).
            spending: how much of 1 − confidence each look may spend: "obrien-fleming", "pocock" or "power".
            exponent: φ of "power".

        Raises:
            UnknownName: there is no such metric, correction, family or baseline.
            InvalidParameter: a number is out of range.
            NotDefined: there is one variant, or options exclude each other.
            MissingColumn, WrongType, InvalidValue: the table has errors; those of the data are raised with the first
                result.
        """
        parsed = self._data.metrics(metrics)
        groups = self._data.groups_of(by)
        options = self._data.options(
            strata=self._data.strata_of(strata, groups),
            correction=correction,
            family=family,
            coefficient=coefficient,
            sequential=sequential,
            looks=looks,
            spending=spending,
            exponent=exponent,
            alternative=alternative,
            confidence=confidence,
        )
        if any(isinstance(m, Quantile) for m in parsed) and (options.strata or self._data.stored):
            raise NotDefined(
                "Quantiles are of the rows of a table, without strata.",
                Hint(
                    "Analyse them on their own, without ", Argument("strata", list(options.strata) or ["country"]), "."
                ),
            )
        return Analysis(self._data, parsed, groups, options)

    def aggregates(self, metrics: Metrics, *, by: str | Sequence[str] | None = None) -> Aggregates:
        """Counts, means and sums of squares and products per variant and group: all that metrics need, as a table.

        `ir.Experiment.of_aggregates` merges aggregates of different units (another day's new users, another shop).  A
        unit has the first value of the column `time`, so that it is in one day only.

        Args:
            metrics: all but quantiles.
            by: columns that group units, such as the day and later strata; by default those of the experiment.

        Raises:
            NotDefined: a metric is a quantile, or cut off at one.
        """
        parsed = self._data.of_moments(metrics)
        if any(isinstance(m, Capped) and m.at is not None for m in parsed):
            raise NotDefined(
                "A quantile of some units is not that of the merged units.",
                "Cap at a number: Capped(revenue, upper=100)",
            )
        return Aggregates.from_cells(self._data.cells(parsed, self._data.groups_of(by)))

    def noninferiority(
        self,
        metrics: Metrics | None = None,
        *,
        margin: float,
        relative: bool = False,
        by: str | Sequence[str] | None = None,
        correction: str = "holm",
        confidence: float = 0.95,
    ) -> pl.DataFrame:
        """Whether variants are not worse than the baseline by the margin: a one-sided test of each.

        Of proportions it is the score test, which decides where hits are none or all; of all else Welch's.

        Args:
            metrics: as of `analyze`.
            margin: above 0; how much worse a variant may be.
            relative: the margin is a share of the baseline's value.
            by: columns of groups.
            correction: of the p-values, all of them together.
            confidence: a variant is not worse if the corrected p-value is at most 1 − confidence.

        Returns:
            metric, [by …], baseline, variant, value_baseline, value, difference, margin (as a difference), bound (the
            one-sided end of the difference on the worse side; null of proportions whose margin is a share of 0),
            statistic, df, p_value, p_adjusted, not_worse, status, bound_method: the correction of the bounds.  "holm"
            agrees with the decisions of Holm's method: a variant that is not worse has the margin as its bound,
            unless all are not worse; "bonferroni" is of other corrections, "each alone" of one test or of none.

        Source: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 1987, for one side of two; Farrington and
        Manning, Statistics in Medicine 1990, for proportions; Strassburger and Bretz, Statistics in Medicine 2008, for
        bounds that agree with Holm.
        """
        MARGIN.check("margin", margin)
        parsed, groups = self._data.of_moments(metrics), self._data.groups_of(by)
        options = self._data.options(correction=correction, confidence=confidence)
        return noninferiority(self._data.cells(parsed, groups), parsed, groups, options, margin, relative=relative)

    def bayes(
        self,
        metrics: Metrics | None = None,
        *,
        by: str | Sequence[str] | None = None,
        strata: str | Sequence[str] = (),
        normal: Sequence[float] | None = None,
        beta: Sequence[float] = (1.0, 1.0),
        confidence: float = 0.95,
    ) -> pl.DataFrame:
        """Posteriors: which variant is probably the best, and the expected loss of choosing another one.

        Of a proportion the posterior is Beta(a + hits, b + misses); of other metrics it is normal, about the value with
        its standard error, and a normal prior where one is given.

        Args:
            metrics: as of `analyze`.
            by: columns of groups.
            strata: columns of post-stratification.
            normal: mean and standard deviation of the prior of each variant's value; flat by default.
            beta: a and b of the prior of proportions; by default uniform.
            confidence: of the credible intervals.

        Returns:
            metric, [by …], variant, n, mean, low, high (of the posterior, equal tails), p_best (over all variants),
            expected_loss (the value that is lost on average if the variant is chosen and another one is better),
            posterior (normal, beta, none), status; "no_variance" where a variant's values are all the same.

        Source: Stucchio, Bayesian A/B testing at VWO, 2015.
        """
        parsed, groups = self._data.of_moments(metrics), self._data.groups_of(by)
        options = self._data.options(strata=self._data.strata_of(strata, groups), confidence=confidence)
        return posteriors(self._data.cells(parsed, [*groups, *options.strata]), parsed, groups, options, normal, beta)

    def plan(
        self,
        metrics: Metrics | None = None,
        *,
        n: float | None = None,
        difference: float | None = None,
        relative: float | None = None,
        power: float = 0.8,
        split: float = 0.5,
        test: str = "difference",
        looks: Sequence[float] | None = None,
        spending: str = "obrien-fleming",
        exponent: float = 1.0,
        by: str | Sequence[str] | None = None,
        confidence: float = 0.95,
    ) -> pl.DataFrame:
        """The units that a difference needs, or the difference that n units detect, with this table as history.

        n is the fewest units of both variants with P(|T| > t(1 − α/2)) at least the power, T noncentral with n − 2
        degrees of freedom and δ √(n s (1 − s)) / sd, s the share of the variant; sd is that of a unit within the
        variants, after CUPED where the metric has it.  Both variants have two units or more.  Of many units it is
        (z(1 − α/2) + z(power))² · sd² / (s (1 − s)) / δ².

        Args:
            metrics: as of `analyze`.
            n: units of both variants together; or
            difference: the difference to detect; or
            relative: the same as a share of the value.
            power: the probability of detecting it.
            split: s, the share of the units that see the variant.
            test: "difference"; or "non-inferiority" or "equivalence": the difference is the margin within
                which variants without a difference are shown to lie, by one or two one-sided tests.
            looks: the shares of n at which a group-sequential test will look, the last one 1: n is then the most units
                that it may take.
            spending: as of `analyze`.
            exponent: as of `analyze`.
            by: columns of groups.
            confidence: 1 − α of the two-sided test; with a margin of each one-sided one.

        Returns:
            metric, [by …], n_seen (units of the history), value, sd, n, n_baseline, n_variant, difference, relative,
            test, power, confidence, status; "no_variance" where the values of the history are all the same.

        Source: Cohen 1988; Jennison and Turnbull, Group Sequential Methods, 2000; Julious, Statistics in Medicine 2004.
        """
        parsed, groups = self._data.of_moments(metrics), self._data.groups_of(by)
        options = self._data.options(confidence=confidence, looks=looks, spending=spending, exponent=exponent)
        return plan(
            self._data.cells(parsed, groups),
            parsed,
            groups,
            options,
            n=n,
            difference=difference,
            relative=relative,
            power=power,
            split=split,
            test=test,
        )

    def over_time(self, metrics: Metrics, *, correction: str = "none", confidence: float = 0.95) -> pl.DataFrame:
        """The difference on each day, over the units of that day: columns as of `Analysis.table`, by day.

        Args:
            metrics: as of `analyze`.
            correction: of p-values over the days.
            confidence: of intervals.

        Raises:
            NotDefined: the experiment has no column of days (`time=`).
        """
        return by_day(
            self._data, self._data.metrics(metrics), self._data.options(correction=correction, confidence=confidence)
        )

    def trend(self, metrics: Metrics, *, confidence: float = 0.95) -> pl.DataFrame:
        """Whether the difference grows or fades (novelty): its slope per day, with the variance over units.

        Days share units, so their differences are not independent: the slope Σ c_d (R_d − R′_d) is linear in the
        units' numbers of each day, and its variance is that of the units' sums.

        Args:
            metrics: means, proportions and ratios.
            confidence: of the interval.

        Returns:
            metric, baseline, variant, n_days, slope (per day, or per 1 of a numeric time), se, ci_low, ci_high,
            statistic (z), p_value, status.

        Source: Liang and Zeger, Biometrika 1986, for the variance over units.
        """
        return trend(self._data, self._data.metrics(metrics), self._data.options(confidence=confidence))
