"""`ir.Experiment`: who was shown what, and what they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.experiments.aggregates import Aggregates
from ireval_frames.experiments.analysis import Analysis
from ireval_frames.experiments.asked import asked
from ireval_frames.experiments.metrics import Metric, Quantile
from ireval_frames.experiments.moments import Cells, cells_of
from ireval_frames.experiments.pairs import COLUMNS
from ireval_frames.experiments.parsing import metrics_of
from ireval_frames.experiments.units import Rows
from ireval_frames.names import columns_named

Metrics = str | Metric | Iterable[str | Metric]


class Experiment:
    """An A/B test: rows of units that were shown one of several variants.

    A table may have many rows per unit (events, pages, days): a unit's numbers are the sums of its rows, made by the
    engine.  Where each unit has one row already, `one_row=True` saves that step.  Nothing is computed before a result
    is asked for.

    Args:
        frame: a frame, a path, a relation, or with `con` the name of a table.
        variant: the column that tells variants apart.
        unit: the column of what was randomised, such as the user; None where each row is a unit.
        control: the variant that others are compared with; by default every two are compared.
        time: the column of days (or hours, or weeks), for `by_time` and aggregates by day.
        by: columns that group units (country, device); each group is analysed apart.
        one_row: each unit has one row; `check()` looks whether that is so.
        engine: "polars" or "duckdb"; by default where the table is.
        con: a DuckDB connection.
        storage_options: what the stores of remote paths are told.

    Raises:
        MissingColumn: a column is not there.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({
        ...     "user_id": [1, 1, 2, 3, 4, 5, 6], "variant": [*"aaaabbb"],
        ...     "clicks": [1, 2, 0, 4, 3, 5, 6], "pages": [2, 2, 1, 4, 3, 5, 6],
        ... })
        >>> found = ir.Experiment(frame, control="a").analyze("Mean(clicks) Ratio(clicks, pages)").table()
        >>> found.select("metric", "n_baseline", "n", pl.col("value_baseline", "difference", "p_value").round(4)).rows()
        [('Mean(clicks)', 3, 3, 2.3333, 2.3333, 0.1989), ('Ratio(clicks, pages)', 3, 3, 0.7778, 0.2222, 0.3025)]
    """

    def __init__(
        self,
        frame: Any,
        variant: str = "variant",
        unit: str | None = "user_id",
        *,
        control: Any = None,
        time: str | None = None,
        by: str | Sequence[str] = (),
        one_row: bool = False,
        engine: str | Engine | None = None,
        con: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        self._stored = frame if isinstance(frame, Aggregates) else None
        self._rows = (
            Rows(frame, variant, unit, time, one_row=one_row, engine=engine, con=con, storage_options=storage_options)
            if self._stored is None
            else None
        )
        self.variant, self.unit, self.time, self.control = variant, unit, time, control
        self.by = self._groups(by)
        self._cells: dict[tuple[tuple[Metric, ...], tuple[str, ...]], Cells] = {}

    @classmethod
    def of_aggregates(
        cls, frames: Any, *, control: Any = None, by: str | Sequence[str] = (), time: str | None = None
    ) -> Experiment:
        """An experiment of which only aggregates are kept: those of several days are put together.

        Args:
            frames: what `aggregates()` gave, one or several: frames, paths, or Aggregates.
            control: the variant that others are compared with.
            by: columns of the aggregates that group units.
            time: the column of days, where aggregates have one.

        Raises:
            MissingColumn, WrongType, InvalidValue: a table is none of aggregates.
        """
        stored = Aggregates.of(frames)
        return cls(stored, stored.variant, None, control=control, time=time, by=by)

    @property
    def rows(self) -> Rows:
        """The table.

        Raises:
            NotDefined: only aggregates are there.
        """
        if self._rows is None:
            raise NotDefined("Aggregates hold no units.", "Ask the experiment of the table: ir.Experiment(frame, …)")
        return self._rows

    def _groups(self, by: str | Sequence[str] | None) -> tuple[str, ...]:
        names = columns_named(by, "by")
        for name in names:
            if self._rows is not None:
                self._rows.has(name, "by")
            elif self._stored is not None:
                self._stored.has(name)
            if name in (*COLUMNS, "metric", "baseline", "variant", self.variant, "check", "day"):
                raise InvalidParameter(
                    f"{name!r} is a column of the result already.",
                    f"Rename it: frame.rename({{{name!r}: {f'{name}_group'!r}}})",
                )
        return names

    def cells(self, metrics: Sequence[Metric], groups: Sequence[str]) -> Cells:
        """The moments of metrics, per variant and group."""
        key = tuple(metrics), tuple(groups)
        if key not in self._cells:
            if self._stored is not None:
                self._cells[key] = self._stored.cells(metrics, groups)
            else:
                self._cells[key] = cells_of(self.rows, metrics, groups)
        return self._cells[key]

    def metrics(self, given: Metrics | None) -> tuple[Metric, ...]:
        """Metrics as values; those that aggregates hold, if none are named.

        Raises:
            InvalidParameter, UnknownName: a text is none.
        """
        if given is None and self._stored is not None:
            return self._stored.metrics
        return metrics_of(() if given is None else given)

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
            by: columns that group units; each group is analysed apart.  By default those of the experiment.
            strata: columns that were known before: values are Σ w ȳ over the strata, w the share of each
                (post-stratification), which takes away the variance between them.
            correction: of p-values, within a family: "holm", "bonferroni", "sidak", "holm-sidak", "hochberg",
                "hommel", "bh", "by" or "none".
            family: which p-values are corrected together: those of one "metric" (all variants and groups), of one
                "group", or "all".
            confidence: of intervals; a difference is significant if its corrected p-value is at most 1 − confidence.
            alternative: "two-sided"; "greater": the variant is better than the baseline; "less": it is worse.
            coefficient: of CUPED's θ: "within" the variants, as a regression has it, or "pooled" over both.
            sequential: intervals and p-values that hold at every look, however often; they are shortest at this number
                of units, which is to be said before the first look.
            looks: the shares of the planned units that were there at each look so far, the last one now: intervals and
                levels are those of a group-sequential test.
            spending: how much of 1 − confidence each look may spend: "obrien-fleming", "pocock" or "power".
            exponent: φ of "power".

        Raises:
            UnknownName: there is no such metric, correction, family or control.
            InvalidParameter: a number is outside what it may be.
            NotDefined: there is one variant, or what is asked does not go together.
            MissingColumn, WrongType, InvalidValue: the table is at fault; of the data with the first result.
        """
        wanted = self.metrics(metrics)
        groups = self.by if by is None else self._groups(by)
        how = asked(
            control=self.control,
            strata=self._groups(strata),
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
        if any(isinstance(m, Quantile) for m in wanted) and (how.strata or self._rows is None):
            raise NotDefined(
                "Quantiles are of the rows of a table, without strata.",
                Hint("Ask for them apart, without ", Argument("strata", list(how.strata) or ["country"]), "."),
            )
        return Analysis(self, wanted, groups, how)

    def aggregates(self, metrics: Metrics, *, by: str | Sequence[str] | None = None) -> Aggregates:
        """Counts, means and sums of squares and products per variant and group: all that metrics need, as a table.

        Aggregates of other units (another day's new users, another shop) are put together by
        `ir.Experiment.of_aggregates`.  Of the column `time` a unit has its first value, so that it is in one day only.

        Args:
            metrics: all but quantiles.
            by: columns that group units, such as the day and what strata are to be; by default those of the experiment.

        Raises:
            NotDefined: a metric is a quantile.
        """
        wanted = self.metrics(metrics)
        if any(isinstance(m, Quantile) for m in wanted):
            raise NotDefined("Quantiles do not follow from aggregates.", "Leave them out, or cap: Capped(revenue)")
        return Aggregates.made(self.cells(wanted, self.by if by is None else self._groups(by)))
