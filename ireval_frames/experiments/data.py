"""The data of an experiment: its table or its aggregates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ireval_frames.columns.user_names import columns_named, refuse_reserved
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.experiments.aggregates import NUMBERS, Aggregates
from ireval_frames.experiments.metrics import Metric, Quantile
from ireval_frames.experiments.moments import Cells, cells_of
from ireval_frames.experiments.options import AnalysisOptions
from ireval_frames.experiments.pairs import COLUMNS
from ireval_frames.experiments.parsing import metrics_of
from ireval_frames.experiments.units import Rows

# The names of columns of results.
RESERVED = (
    *COLUMNS, "metric", "baseline", "variant", "share", "expected_share", "expected", "method", "mismatch", "mean",
    "low", "high", "p_best", "expected_loss", "posterior", "n_seen", "n_variant", "sd", "power", "margin", "bound",
    "not_worse", "bound_method", *NUMBERS,
)  # fmt: skip

Metrics = str | Metric | Iterable[str | Metric]


class ExperimentData:
    """Units, their variants, and the moments of metrics over them; each GROUP BY runs once.

    Args:
        source: the rows of units, or aggregates.
        variant: the column of variants.
        unit: the column of what was randomised; None where each row is a unit.
        baseline: the variant that others are compared with.
        time: the column of days.
        by: columns that group units.
    """

    def __init__(
        self,
        source: Rows | Aggregates,
        variant: str | None,
        unit: str | None,
        *,
        baseline: Any = None,
        time: str | None = None,
        by: str | Sequence[str] = (),
    ) -> None:
        self._stored = source if isinstance(source, Aggregates) else None
        self._rows = source if isinstance(source, Rows) else None
        self.variant, self.unit, self.time, self.baseline = variant, unit, time, baseline
        self.by = self.groups_of(by)
        self.default_metrics: tuple[Metric, ...] = ()
        self._cells: dict[tuple[tuple[Metric, ...], tuple[str, ...]], Cells] = {}

    @property
    def stored(self) -> bool:
        """Whether there are aggregates only."""
        return self._stored is not None

    @property
    def rows(self) -> Rows:
        """The table, its units and variants checked.

        Raises:
            NotDefined: only aggregates are there.
            InvalidValue: rows have no unit or variant, or units several variants.
        """
        if self._rows is None:
            raise NotDefined("Aggregates hold no units.", "Use the experiment of the table: ir.Experiment(frame, …)")
        return self._rows.check()

    @property
    def unchecked(self) -> ExperimentData:
        """The same data without checks."""
        if self._rows is None:
            return self
        return ExperimentData(
            self._rows.unchecked(), self.variant, self.unit, baseline=self.baseline, time=self.time, by=self.by
        )

    def groups_of(self, by: str | Sequence[str] | None) -> tuple[str, ...]:
        """The columns of by=; those of the experiment, if none are named.

        Raises:
            MissingColumn: one is missing.
            InvalidParameter: one has the name of a column of the result.
        """
        if by is None:
            return self.by
        names = columns_named(by, "by")
        for name in names:
            if self._rows is not None:
                self._rows.has(name, "by")
            elif self._stored is not None:
                self._stored.has(name)
        refuse_reserved(names, (*RESERVED, *([] if self.variant is None else [self.variant])))
        return names

    def strata_of(self, strata: str | Sequence[str], groups: Sequence[str]) -> tuple[str, ...]:
        """The columns of strata=.

        Raises:
            MissingColumn: one is not there.
            InvalidParameter: one groups the units already, so that it does not vary within a group.
        """
        names = self.groups_of(strata)
        if both := [n for n in names if n in groups]:
            raise InvalidParameter(
                f"strata names {both[0]!r}, which groups the units already.",
                Hint("Leave it out of one: ", Argument("by", [g for g in groups if g not in names]), "."),
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

    def metrics(self, metrics: Metrics | None) -> tuple[Metric, ...]:
        """Metrics as values; those that aggregates hold, or the default ones, if none are named.

        Raises:
            InvalidParameter, UnknownName: a text is no metric.
        """
        if metrics is None and self._stored is not None:
            return self._stored.metrics
        if metrics is None and self.default_metrics:
            return self.default_metrics
        return metrics_of(() if metrics is None else metrics)

    def of_moments(self, metrics: Metrics | None) -> tuple[Metric, ...]:
        """Metrics that follow from sums.

        Raises:
            NotDefined: one is a quantile.
        """
        parsed = self.metrics(metrics)
        if any(isinstance(m, Quantile) for m in parsed):
            raise NotDefined("Quantiles do not follow from sums.", "Leave them out, or cap: Capped(revenue, at=0.99)")
        return parsed

    def options(self, **values: Any) -> AnalysisOptions:
        """The options of an analysis, with the baseline of the experiment."""
        return AnalysisOptions.parse(baseline=self.baseline, **values)
