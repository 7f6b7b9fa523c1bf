"""The result of a comparison: pairs, systems, the analysis of variance, matrices, differences, conventions."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.comparison import systems
from ireval_frames.comparison.moments import moment_grids
from ireval_frames.comparison.options import EFFECT, ComparisonOptions
from ireval_frames.comparison.rows import COLUMNS, compared, effects_of, pairs_of
from ireval_frames.comparison.simultaneous import simultaneous
from ireval_frames.comparison.text import explained, papers
from ireval_frames.comparison.text.tables import Tables, tables_of, text
from ireval_frames.comparison.unanimity import unanimous
from ireval_frames.comparison.values.grids import INTERSECT, Grid, grids
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.displayed import Displayed
from ireval_frames.drawable import Drawable
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, listed, nearest
from ireval_frames.stats.registry import find_test

# The values in a row of `differences()`.
VALUES_OF_PAIRS = ("value_baseline", "value", "difference")


class Comparison(Drawable, Displayed):
    """Systems compared over values per unit (`ir.compare`); computed when first read, once.

    It prints as a table of systems per measure: means, with a mark where they differ, and the difference to the
    baseline with its interval.
    """

    _picture = "effects"

    def __init__(self, values: PerUnitValues, options: ComparisonOptions) -> None:
        self._values, self._options = values, options
        keys = {"measure", "baseline", "system"}
        refuse_reserved(values.by, {*COLUMNS, *keys, *VALUES_OF_PAIRS})
        refuse_reserved(values.unit, {*keys, *VALUES_OF_PAIRS})

    @property
    def values(self) -> PerUnitValues:
        """The values that are compared."""
        return self._values

    @property
    def options(self) -> ComparisonOptions:
        """The options."""
        return self._options

    @functools.cached_property
    def _grids(self) -> list[Grid]:
        missing = self._options.missing if self._options.pairs_units else INTERSECT
        return self._some(grids(self._values, missing))

    def _some(self, all_grids: Iterable[Grid]) -> list[Grid]:
        """All of them.

        Raises:
            NotDefined: the measures are pooled, and units have no values of them.
            InvalidParameter: there are none for another reason.
        """
        if matrices := list(all_grids):
            return matrices
        if pooled := self._values.pooled:
            raise NotDefined(
                " ".join(pooled).partition(";")[0] + ".",
                "Compare the pooled values by resampling: ir.resampling.bootstrap(ev).compare()",
            )
        rows = self._values.all_rows.height
        what = f"All {rows} values are null or NaN." if rows else "The table of values is empty."
        raise InvalidParameter(what, "Pass a table that has rows with values.")

    @functools.cached_property
    def _summaries(self) -> list[Grid]:
        """The data of the table: the values, or their moments where these suffice."""
        return self._some(moment_grids(self._values)) if self._options.of_moments else self._grids

    @functools.cached_property
    def _system(self) -> str:
        return self._values.system or "system"

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        return compared(self._summaries, self._options, self._values, self._system)

    @functools.cached_property
    def _turned(self) -> pl.DataFrame:
        """The table with baseline and system of every pair swapped."""
        return compared(self._summaries, self._options, self._values, self._system, turned=True)

    def table(self) -> pl.DataFrame:
        """A row per measure, [by …,] pair and test.

        Returns:
            measure, [by …], baseline, system;
            n (units of the test), n_baseline_only, n_system_only (units that only one has);
            mean_baseline, mean, difference (system − baseline), se (its standard error);
            estimate, ci_low, ci_high: what the test's interval is of (the difference of the means, unless the test is
            of something else), and the interval; interval_method: "test" where it holds what the test does not reject
            at 1 − confidence, uncorrected, so that p_value and interval agree; else the other method;
            relative, relative_low, relative_high: difference / mean_baseline;
            wins, ties, losses: units in which the system is better, by the direction of the measure;
            test, statistic, df, p_value, p_adjusted, correction, family_size, significant;
            effect_name, effect, effect_low, effect_high;
            method of the p-value (exact, asymptotic, monte carlo, or posterior: none), draws and seed of it or of the
            interval, alternative, confidence (of the interval), status;
            and further columns of single tests.  Null is undefined, and `status` says why.
        """
        return self._table

    def simultaneous_intervals(self, method: str = "auto") -> pl.DataFrame:
        """Simultaneous intervals for a family of tests, beside the decisions of the corrected p-values.

        Each interval of `table()` holds on its own.  One-sided tests with Holm's correction have intervals that agree
        with its decisions: of m tests of which r are rejected, those that are not have the one-sided end at level
        α / (m − r); those that are have the null value as end, which adds nothing to the rejection (`informative` is
        false), unless all are rejected: then the end at level α / m, where it lies beyond the null value.  Two-sided
        ones are Bonferroni's at level α / m, which hold for any correction but may hold no difference where Holm
        rejects it.  Tests of all pairs at once have their own.

        Args:
            method: "auto"; "bonferroni" for all; or "max-t", of two-sided tests of the same units: d̄ ± c standard
                errors with c from random signs that all pairs share, which uses the correlation of pairs.

        Returns:
            measure, [by …], baseline, system, test, estimate, low, high, simultaneous_method (holm, bonferroni, sidak,
            max-t, the test's name, or "each alone" where nothing is corrected), informative, p_adjusted, significant,
            correction, family_size, alternative, confidence (of all intervals of a family together), status.

        Raises:
            UnknownName: there is no such method.
            NotDefined: max-t is not for such tests, or the tests give no p-values.
            InvalidParameter: the draws of a test are too few for α / m.

        Source: Strassburger and Bretz, Statistics in Medicine 2008; Guilbaud, Biometrical Journal 2008, for Holm's.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> values = {"a": [0.1, 0.3, 0.2, 0.4, 0.3, 0.5], "b": [0.3, 0.4, 0.5, 0.5, 0.6, 0.6]}
            >>> frame = pl.DataFrame({"query_id": range(6), **values, "c": [0.2, 0.2, 0.3, 0.5, 0.2, 0.5]})
            >>> c = ir.compare(frame, baseline="a", alternative="greater")
            >>> table = c.simultaneous_intervals().with_columns(pl.col("low").round(4))
            >>> table.select("system", "low", "significant", "informative", "simultaneous_method").rows()
            [('b', 0.0, True, False, 'holm'), ('c', -0.0642, False, True, 'holm')]
        """
        return simultaneous(self._summaries, self._options, self._table, self._values, self._system, method)

    def effects(self, *names: str | Iterable[str]) -> pl.DataFrame:
        """Effect sizes by name, with their intervals: a row per measure, [by …,] pair and effect size.

        Args:
            names: which, one by one or as a list; by default those of `effect=`, or else those of the tests.

        Returns:
            measure, [by …], baseline, system, effect_name, effect, effect_low, effect_high.

        Raises:
            UnknownName: there is no such effect size.
        """
        named = EFFECT.check("effect", names[0] if len(names) == 1 else names or None)
        of_tests = tuple(dict.fromkeys(t.effect for t in self._options.tests if t.effect))
        requested = named or self._options.effects or of_tests
        return effects_of(self._grids, self._options, self._values.by, self._system, requested)

    def systems(self) -> pl.DataFrame:
        """A row per measure, [by …] and system, the best first.

        Returns:
            measure, [by …], system, n, mean, se, ci_low, ci_high (of the mean, by Student's t);
            rank (1 is the best mean), rank_low, rank_high (its interval over resampled units), p_best (how often it was
            the best);
            letters (systems that share one do not differ significantly by the first test that distinguishes pairs;
            null unless every two were compared).
        """
        return systems.table(self._summaries, self._options, self._table, self._values.by)

    def unanimous(self, measures: str | Iterable[str] | None = None) -> pl.DataFrame:
        """The unanimous improvement ratio: how often a system is better than another one by all measures.

        UIR = (n(system ≥ baseline by every measure) − n(baseline ≥ system by every measure)) / n over the units that
        both have by all measures.  A difference with a ratio far above 0 is an improvement however the measures are
        weighed; of one near 0 it depends on their weights, whatever the test of a combination says, such as F1.

        Args:
            measures: the measures that must agree, of those compared; by default all.

        Returns:
            [by …], baseline, system, n_measures, n (units); wins (the system is better by some measure and worse by
            none), ties (both are equal by all), losses, mixed (better by some, worse by others); uir = (wins −
            losses) / n, from −1 to 1.  The direction of each measure counts, and `tolerance` of the comparison; units
            without a value follow `missing`.

        Raises:
            NotDefined: there is one measure.
            UnknownName: a measure was not compared.

        Source: Amigó, Gonzalo, Artiles and Verdejo, Journal of Artificial Intelligence Research 42, 2011.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> precision, recall = [0.5, 0.5, 0.5, 0.6, 0.6, 0.4], [0.2, 0.3, 0.4, 0.2, 0.4, 0.5]
            >>> frame = pl.DataFrame({"run_id": [*"aaabbb"], "query_id": [1, 2, 3] * 2, "P": precision, "R": recall})
            >>> ir.compare(frame).unanimous().select("n", "wins", "ties", "losses", "mixed", "uir").row(0)
            (3, 2, 0, 0, 1, 0.6666666666666666)
        """
        return unanimous(self._grids, self._options, self._values.by, self._system, measures)

    def anova(self) -> pl.DataFrame:
        """The analysis of variance of units × systems (× replicates), of the units that all systems have.

        Returns:
            measure, [by …], term (system, unit, residual, total; with replicates also replicate and the interactions),
            sum_of_squares, df, mean_square, statistic (F), p_value, omega_squared, eta_squared (shares of variance
            explained), variance (the component of the term).

        Raises:
            NotDefined: fewer than two units have values of all systems.
        """
        return systems.variance_terms(self._grids, self._values.by)

    def reliability(self, n_units: int | None = None) -> pl.DataFrame:
        """How reliably units order the systems, and whether differences have one variance.

        Args:
            n_units: the number of units to predict for; by default that of the data.

        Returns:
            measure, [by …], n_units, n_systems, n_replicates, statistic and p_value (F of the systems), epsilon_gg,
            p_value_gg, epsilon_hf, p_value_hf (corrected for unequal variances of differences, after Greenhouse and
            Geisser, and Huynh and Feldt), margin_of_error (half the interval of a system's mean), generalizability
            (Eρ²) and dependability (Φ), from 0 to 1, higher is better; status.
        """
        return systems.reliability(self._grids, self._values.by, self._options.confidence, n_units)

    def differences(self) -> pl.DataFrame:
        """The differences themselves: a row per measure, [by …,] pair and unit that both systems have.

        Returns:
            measure, [by …], the unit, baseline, system, value_baseline, value, difference.
        """
        parts = [
            self._of_pair(grid, int(i), int(j))
            for grid in self._grids
            for i, j in pairs_of(grid, self._options.baseline, self._system, self._values.by)
        ]
        return pl.concat(parts)

    def _of_pair(self, grid: Grid, one: int, other: int) -> pl.DataFrame:
        frame = grid.units.rename(self._values.named, strict=False).with_columns(
            **grid.columns(self._values.by),
            baseline=pl.lit(grid.systems[one], dtype=grid.systems.dtype),
            system=pl.lit(grid.systems[other], dtype=grid.systems.dtype),
            value_baseline=pl.Series(grid.values[:, one]),
            value=pl.Series(grid.values[:, other]),
            difference=pl.Series(grid.values[:, other] - grid.values[:, one]),
        )
        columns = ["measure", *self._values.by, *self._values.unit, "baseline", "system"]
        defined = frame.filter(~pl.col("difference").is_nan())
        return defined.select(*columns, *VALUES_OF_PAIRS)

    def matrix(self, measure: str | None = None, of: str = "p_adjusted", *, test: str | None = None) -> pl.DataFrame:
        """A square table of one measure: a row and a column per system.

        Args:
            measure: which, if there are several.
            of: a column of `table()`, of the row's system compared with the column's as the baseline.  Two-sided
                p-values are those of `table()` in both triangles; all else, also one-sided p-values, is
                computed for the swapped pairs in the other triangle.
            test: which, if there are several.

        Raises:
            NotDefined: systems were compared with a baseline only.
            UnknownName: there is no such measure, column or test.
            InvalidParameter: there are several measures or tests, and none is named; or a system is called "system".
        """
        if self._options.baseline is not None:
            raise NotDefined(
                "A matrix is of every two systems; these were compared with a baseline.", "Leave baseline= out."
            )
        table = self._one(self._one(self._table, "measure", measure), "test", test)
        if of not in table.columns:
            raise UnknownName(f"There is no column {of!r}.", nearest(of, table.columns))
        sided = self._options.alternative != "two-sided" or not find_test(table["test"][0]).distinguishes
        if of in systems.SYMMETRIC and not sided:
            return systems.matrix(table, None, of, self._values.by)
        turned = self._one(self._one(self._turned, "measure", table["measure"][0]), "test", table["test"][0])
        return systems.matrix(table, turned, of, self._values.by)

    @staticmethod
    def _one(table: pl.DataFrame, column: str, name: str | None) -> pl.DataFrame:
        known = table[column].unique(maintain_order=True).to_list()
        if name is None and len(known) > 1:
            raise InvalidParameter(
                f"A matrix is of one {column}; there are {listed(known)}.", f"Write {column}={known[0]!r}."
            )
        if name is not None and name not in known:
            raise UnknownName(f"There is no {column} {name!r}.", nearest(name, known))
        return table.filter(pl.col(column) == (known[0] if name is None else name))

    def explain(self) -> str:
        """The conventions in force: unit sets, ties, tests, intervals, draws, and the family of the correction."""
        return explained.explain(self._summaries, self._values, self._options, self._table)

    def to_markdown(self) -> str:
        """Tables for papers in Markdown: systems by measures, best bold, second underlined, letters superscript."""
        return papers.markdown(self._text_tables())

    def to_latex(self) -> str:
        """Tables for papers in LaTeX (needs booktabs): as `to_markdown`."""
        return papers.latex(self._text_tables())

    def to_html(self) -> str:
        """The tables as HTML, without scripts; all text is escaped."""
        return papers.html(self._text_tables())

    def _text_tables(self) -> Tables:
        """The tables as text: systems by measures, each pair, and the legend."""
        values = self._values
        return tables_of(self._summaries, self._options, self._table, values.by, self._system, values.pooled)

    def _displays(self) -> Sequence[Tables]:
        """The tables as text."""
        return [self._text_tables()]

    def __str__(self) -> str:
        return text(self._text_tables())


def grids_of(comparison: Comparison) -> Sequence[Grid]:
    """The matrices that are compared, a row per unit, a column per system."""
    return comparison._grids  # noqa: SLF001 - users see tables
