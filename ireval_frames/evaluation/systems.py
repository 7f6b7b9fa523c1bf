"""Comparisons and diagnosis of the systems of an evaluation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import polars as pl

from ireval_frames.comparison.values.pooled import notes_on_pooled
from ireval_frames.comparison.values.sources import PerUnitValues
from ireval_frames.declaration import POOLED, Measure
from ireval_frames.displayed import Displayed
from ireval_frames.drawable import Drawable
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.evaluation.collected import CollectedRows
from ireval_frames.evaluation.coverage import BOTH
from ireval_frames.evaluation.planned import Long, PlannedEvaluation
from ireval_frames.evaluation.request import Request, blaming_own_measures, plan_of
from ireval_frames.io.reading import TABLE
from ireval_frames.results import BoundTable

if TYPE_CHECKING:
    from ireval_frames.comparison.comparison import Comparison
    from ireval_frames.comparison.diagnosis import Diagnosis
    from ireval_frames.comparison.diagnosis_tables import PerUnitQuery
    from ireval_frames.subject import Subject


class Comparable(Drawable, Displayed, ABC):
    """An evaluation, as far as comparisons need it."""

    _picture = "systems"

    def __init__(self, request: Request) -> None:
        self._request = request
        with request.engine.errors():
            self._planned = plan_of(request)
        self._rows = CollectedRows(self._planned, lambda: blaming_own_measures(request))

    def __reduce__(self) -> tuple[Any, ...]:
        """The request is pickled; results are computed again."""
        return type(self), (self._request,)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures."""
        return self._request.measures

    @property
    def engine(self) -> Engine:
        """The engine that computes it."""
        return self._request.engine

    @property
    def family(self) -> str:
        """The family of the measures."""
        return self._request.family

    @property
    @abstractmethod
    def per_unit(self) -> BoundTable[Any]:
        """The values per unit."""

    def compare(self, baseline: Any = None, *, by: str | Sequence[str] | None = None, **options: Any) -> Comparison:
        """Compare the systems: differences, tests, intervals, effect sizes, for every pair or with a baseline.

        The systems are the runs, or with `system="model"` the groups of a column of `by=`.

        Args:
            baseline: the system that all others are compared with; by default every two are compared.
            by: compare in each group of these columns, instead of those the evaluation was grouped by.
            options: those of `ir.compare`: test, correction, confidence, missing, seed and more.

        Raises:
            NotDefined: there is one system.
            UnknownName: there is no such test, correction, option, or baseline.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> qrels, run = ir.examples.ranking()
            >>> other = run.with_columns(score=-pl.col("score"))
            >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), other.with_columns(run_id=pl.lit("b"))])
            >>> c = ir.evaluate(qrels, runs, "P@1").compare("a")
            >>> c.table().select("system", "n", "difference", "status").row(0)
            ('b', 1, -1.0, 'one_unit')
        """
        from ireval_frames.comparison.comparing import compare

        subject = self if by is None else self.grouped(by)
        return compare(subject, baseline=baseline, **options)

    def grouped(self, by: str | Sequence[str]) -> Self:
        """The same evaluation, its units grouped by other columns.

        Raises:
            InvalidParameter: the result has a column of that name already, or it identifies units.
        """
        return type(self)(self._request.grouped(by))

    @property
    def subject(self) -> Subject[Any, Any]:
        """What was evaluated: `Rankings`, `Labels` …."""
        return self._request.subject

    def _options(self) -> dict[str, Any]:
        """The groups and the conventions, as options of the subject's methods."""
        return {"by": self._request.by, "policy": self._request.policy}

    def _values_of_units(self) -> PerUnitValues:
        """The values per unit, with what identifies systems, units and groups."""
        units, planned = self._rows.units(), self._planned
        engine, several = PolarsEngine(), "run_id" in planned.groups
        by = [k for k in planned.groups if k != "run_id"]
        unit = [k for k in planned.keys if k not in planned.groups]
        keys = {f"by_{i}": pl.col(k) for i, k in enumerate(by)} | {f"unit_{i}": pl.col(k) for i, k in enumerate(unit)}
        system = pl.col("run_id") if several else pl.lit("")
        columns = [f"m{i}" for i in range(len(self.measures))]
        labels = {"measure": list(map(str, self.measures))}
        rows = Long({k: k for k in planned.keys}, labels, {"value": columns}).of_rows(units)
        pooled = [str(m) for m in self.measures if m.aggregation == POOLED]
        return PerUnitValues(
            engine,
            engine.from_polars(rows.select(**keys, measure="measure", system=system, value="value")),
            "run_id" if several else None,
            tuple(planned.named.get(k, k) for k in unit),
            tuple(planned.named.get(k, k) for k in by),
            tuple(map(str, self.measures)),
            tuple(str(m) for m in self.measures if m.definition.higher_is_better is False),
            unmet=_without_overlap(self._rows.overlap, by, system),
            notes=(*self._rows.overlap_messages,),
            pooled=(
                *notes_on_pooled(
                    pooled,
                    planned.named.get(unit[0], unit[0]) if unit else "",
                    [
                        str(m)
                        for m, c in zip(self.measures, columns, strict=True)
                        if str(m) in pooled and _none(units[c])
                    ],
                ),
            ),
        )

    def diagnose(self, system: Any, baseline: Any, measure: str | Measure | None = None) -> Diagnosis:
        """Where a system differs from a baseline: units by difference, hardest units, segments; nothing is read yet.

        Args:
            system: the run_id of the system.
            baseline: the run_id of the baseline.
            measure: one of those evaluated; it may be left out where there is one.

        Raises:
            NotDefined: the evaluation is of one system.
            UnknownName, InvalidParameter: the measure was not evaluated, or several were.
        """
        from ireval_frames.comparison.diagnosis import Diagnosis, find_measure

        return Diagnosis(self._valued(), system, baseline, find_measure(self.measures, measure))

    def _valued(self) -> PerUnitQuery:
        """The values per unit, not yet computed."""
        from ireval_frames.comparison.diagnosis_tables import PerUnitQuery

        planned = self._planned
        unit = tuple(planned.named.get(k, k) for k in planned.keys if k not in planned.groups)
        several = "run_id" in planned.groups
        return PerUnitQuery(self.per_unit.result(wide=True), tuple(planned.by.values()), unit, several)


def _none(values: pl.Series) -> bool:
    """Whether there are values, and all are null."""
    return 0 < values.len() == values.null_count()


def _without_overlap(overlap: pl.DataFrame | None, by: Sequence[str], system: pl.Expr) -> frozenset[tuple[Any, ...]]:
    """The systems, each after its group, that have nothing in common with the reference."""
    if overlap is None or not {*by} <= {*overlap.columns}:
        return frozenset()
    nothing = overlap.filter(pl.col(BOTH) == 0)
    return frozenset(nothing.with_columns(_system=system).select(*by, "_system").rows())


def planned_of(evaluation: Comparable) -> PlannedEvaluation:
    """The plan of an evaluation, and the names of its columns."""
    return evaluation._planned


def tables_of(evaluation: Comparable) -> dict[str, Frame]:
    """What was evaluated, by the names of the arguments: as measures read it, or else as it was passed."""
    request, engine = evaluation._request, evaluation._planned.plan.engine
    if evaluated := getattr(request, "evaluated", None):
        return {name: frame for name, frame in evaluated(engine).items() if frame is not None}
    sources = {name: Source(t, name, TABLE) for name, t in request.user_tables.items() if t is not None}
    return {name: open_source(source, engine, any_names=True) for name, source in sources.items()}


def wide_values_of(evaluation: Comparable) -> PerUnitQuery:
    """The values per unit of an evaluation, not yet computed."""
    return evaluation._valued()
