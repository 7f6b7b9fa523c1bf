"""The result of an analysis: a row per metric, group and pair of variants, and its text."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.comparison.text import papers, tables
from ireval_frames.comparison.text.tables import Block, Cell, Tables
from ireval_frames.displayed import Displayed
from ireval_frames.drawable import Drawable
from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.experiments.metrics import Metric, Proportion, Quantile
from ireval_frames.experiments.options import FAMILIES, AnalysisOptions
from ireval_frames.experiments.pairs import compared, judged, table
from ireval_frames.experiments.quantiles import quantile_rows
from ireval_frames.stats.corrections import corrected
from ireval_frames.stats.sequential.alpha_spending import SPENDING

if TYPE_CHECKING:
    from ireval_frames.experiments.data import ExperimentData

MARKS = {"better": tables.BETTER, "worse": tables.WORSE}


class Analysis(Drawable, Displayed):
    """Variants compared (`Experiment.analyze`); computed when first read, once.

    It prints as a table per metric: both values, the difference with its interval, and a mark where they differ.
    """

    _picture = "effects"

    def __init__(
        self, experiment: ExperimentData, metrics: tuple[Metric, ...], groups: tuple[str, ...], options: AnalysisOptions
    ) -> None:
        self._experiment, self._metrics, self._groups, self._options = experiment, metrics, groups, options

    @property
    def options(self) -> AnalysisOptions:
        """The options."""
        return self._options

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics."""
        return self._metrics

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns of groups."""
        return self._groups

    @functools.cached_property
    def _table(self) -> pl.DataFrame:
        of_moments = [m for m in self._metrics if not isinstance(m, Quantile)]
        of_rows = [m for m in self._metrics if isinstance(m, Quantile)]
        parts: list[pl.DataFrame] = []
        if of_moments:
            cells = self._experiment.cells(of_moments, [*self._groups, *self._options.strata])
            compared_pairs = list(compared(cells, of_moments, self._groups, self._options))
            parts.append(table(compared_pairs, cells, self._groups, self._options))
        if of_rows:
            parts.append(quantile_rows(self._experiment, of_rows, self._groups, self._options))
        if len(parts) == 1:
            return parts[0]
        rows = pl.concat(parts, how="vertical_relaxed")
        place = {m.label: i for i, m in enumerate(self._metrics)}
        rows = rows.sort(pl.col("metric").replace_strict(place), maintain_order=True)
        by_label = {m.label: m for m in self._metrics}
        return judged(rows, [by_label[n] for n in rows["metric"]], self._groups, self._options)

    def table(self) -> pl.DataFrame:
        """A row per metric, [by …] and pair of variants.

        Returns:
            metric, [by …], baseline, variant;
            n_baseline, n: units with a value;
            value_baseline, value: of a metric that is adjusted (CUPED, strata) the adjusted ones;
            difference (value − value_baseline), se, ci_low, ci_high;
            relative (difference / value_baseline), relative_low, relative_high (Fieller's interval; null where the
            baseline may be 0; of proportions the score interval of their ratio);
            interval: the method of ci_low and ci_high, which agrees with the test where both have one name;
            test ("welch", of proportions "score", "quantile", "sequence", "group-sequential"), statistic, df, p_value,
            p_adjusted, correction, family_size, level (the bound of p_adjusted), significant;
            verdict: better or worse, as the metric's direction says; no difference found; undefined;
            variance_removed: the share of the variance that CUPED removed;
            alternative, confidence, status.  Null is undefined, and `status` says why.
        """
        return self._table

    def heterogeneity(self) -> pl.DataFrame:
        """Whether groups differ in their differences: Cochran's Q per metric and pair of variants.

        Q = Σ w (d − d̄)², w = 1 / se² and d̄ the mean weighted by w, is χ² with one degree of freedom less than groups.

        Returns:
            metric, baseline, variant, n_groups, difference (d̄), se, statistic (Q), df, p_value, p_adjusted, i_squared
            (the share of Q beyond its degrees of freedom, from 0 to 1).

        Source: Cochran, Biometrics 1954; Higgins and Thompson, Statistics in Medicine 2002.
        """
        return heterogeneity(self._table, self._groups, self._options)

    def explain(self) -> str:
        """The conventions in force."""
        options, rows = self._options, self._experiment
        against = "every two variants" if options.baseline is None else f"each variant with {options.baseline!r}"
        lines = [
            f"compared: {against}, differences are variant − baseline",
            f"unit: {rows.unit or 'a row'}",
            *self._left_out(),
            "intervals: " + self._intervals(),
            *(
                f"{m.label}: score test, interval {m.interval}"
                for m in self._metrics
                if isinstance(m, Proportion) and not m.adjusted and options.fixed
            ),
            f"p-values: {options.correction}; {FAMILIES[options.family]}",
            f"alternative = {options.alternative}, confidence = {options.confidence:g}",
        ]
        if any(m.adjusted for m in self._metrics):
            lines.append(f"CUPED: θ from sums of squares {options.coefficient} variants; values are the adjusted ones")
        if options.strata:
            lines.append(f"strata: {', '.join(options.strata)}, weighted by their shares of all units")
        return "\n".join(lines)

    def _left_out(self) -> Iterator[str]:
        """Which units are left out, or count several times."""
        of = self._experiment
        if not of.stored and of.unit is not None:
            if of.rows.units == "drop-null":
                yield f"left out: rows without {of.unit} or {of.variant or 'variant'}"
            if of.rows.several_variants == "drop":
                yield "left out: units in several variants"
            elif of.rows.several_variants == "keep":
                yield "units in several variants count in each of them"

    def _intervals(self) -> str:
        options = self._options
        if options.sequential is not None:
            return f"hold at every look, shortest at {options.sequential:,.0f} units of both variants"
        if options.looks:
            shares = ", ".join(f"{t:g}" for t in options.looks)
            return f"of the last of the looks at {shares}; {options.spending} spends {SPENDING[options.spending]}"
        return "for one planned look; they do not hold for several (sequential=, looks=)"

    def _text_tables(self) -> Tables:
        """The tables as text: a row per metric and pair, and the legend."""
        percent = f"{self._options.confidence * 100:g}% interval"
        numbers = ("n baseline", "n", "baseline value", "value", "difference", percent, "relative", "p", "p adjusted")
        header = ("metric", *map(tables.shown, self._groups), "baseline", "variant", *numbers, "")
        arrows = {m.label: "↓" if m.less_is_better else "" for m in self._metrics}
        lines = tuple(self._line(row, arrows[row["metric"]]) for row in self._table.iter_rows(named=True))
        level = self._table["level"][0] if self._table.height else self._options.alpha
        correction = "" if self._options.correction == "none" else f" by {self._options.correction}"
        note = (
            f"{tables.BETTER} {tables.WORSE}: significantly better, worse than the baseline (p adjusted{correction} "
            f"at most {level:.3g}). Intervals: {self._intervals()}."
        )
        return Tables(Block("", header, lines, len(self._groups) + 3), (), (note,))

    def _line(self, row: dict[str, object], arrow: str) -> tuple[Cell, ...]:
        relative = row["relative"]
        share = "–" if not isinstance(relative, float) else f"{relative * 100:+.2f} %"
        low, high = row["ci_low"], row["ci_high"]
        return (
            Cell(f"{tables.shown(row['metric'])}{arrow}"),
            *(Cell(tables.shown(row[g])) for g in self._groups),
            Cell(tables.shown(row["baseline"])),
            Cell(tables.shown(row["variant"])),
            *(Cell(f"{row[c]:,.0f}") for c in ("n_baseline", "n")),
            *(Cell(tables.number(_float(row[c]))) for c in ("value_baseline", "value")),
            Cell(tables.signed(_float(row["difference"])), mark=MARKS.get(str(row["verdict"]), "")),
            Cell(tables.interval_of(_float(low), _float(high))),
            Cell(share),
            Cell(tables.p_value(_float(row["p_value"]))),
            Cell(tables.p_value(_float(row["p_adjusted"]))),
            Cell("" if row["status"] == "ok" else str(row["status"])),
        )

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return papers.markdown(self._text_tables())

    def to_latex(self) -> str:
        """The tables in LaTeX (needs booktabs)."""
        return papers.latex(self._text_tables())

    def to_html(self) -> str:
        """The tables as HTML, without scripts; all text is escaped."""
        return papers.html(self._text_tables())

    def __str__(self) -> str:
        return tables.text(self._text_tables())

    def _displays(self) -> Sequence[Tables]:
        """The tables as text."""
        return [self._text_tables()]


def _float(value: object) -> float | None:
    return value if isinstance(value, float) else None


def heterogeneity(table: pl.DataFrame, groups: Sequence[str], options: AnalysisOptions) -> pl.DataFrame:
    """Cochran's Q over the groups of an analysis (`Analysis.heterogeneity`).

    Raises:
        NotDefined: there are no groups.
    """
    if not groups:
        raise NotDefined("There are no groups to differ.", Hint("Name them: ", Argument("by", "country"), "."))
    weight = 1.0 / pl.col("se") ** 2
    mean = (pl.col("difference") * weight).sum() / weight.sum()
    rows = (
        table.filter(pl.col("se") > 0)
        .group_by("metric", "baseline", "variant", maintain_order=True)
        .agg(
            n_groups=pl.len().cast(pl.Int64),
            difference=mean,
            se=1.0 / weight.sum().sqrt(),
            statistic=(weight * (pl.col("difference") - mean) ** 2).sum(),
        )
    )
    df = rows["n_groups"].to_numpy() - 1.0
    q = rows["statistic"].to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(df > 0, special.chdtrc(np.maximum(df, 1.0), q), np.nan)
        beyond = np.where((df > 0) & (q > 0), np.maximum(q - df, 0.0) / q, np.where(df > 0, 0.0, np.nan))
    return rows.with_columns(
        df=pl.Series(df),
        p_value=pl.Series(p).fill_nan(None),
        p_adjusted=pl.Series(corrected(p, options.correction)).fill_nan(None),
        i_squared=pl.Series(beyond).fill_nan(None),
    )
