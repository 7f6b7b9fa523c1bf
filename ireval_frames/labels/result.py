"""The evaluation of labels, with values per class."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.comparison.diagnosis import find_measure
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import concat
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import col, lit
from ireval_frames.labels.diagnosis import LabelDiagnosis
from ireval_frames.labels.request import LabelRequest
from ireval_frames.ratios import indicator
from ireval_frames.results import Result, TableQuery, table_method


class LabelEvaluation(Evaluation):
    """The results of an evaluation of labels; it prints as its summary."""

    _request: LabelRequest

    def diagnose(self, system: Any, baseline: Any, measure: str | Measure | None = None) -> LabelDiagnosis:
        """Where a classifier differs from a baseline: by unit, segment, confusion and item, computed on demand.

        Args:
            system: the run_id of the classifier.
            baseline: the run_id of the baseline.
            measure: one of the evaluated measures, if there are several.

        Raises:
            NotDefined: the evaluation is of one classifier.
            UnknownName, InvalidParameter: the measure was not evaluated, or several were.
        """
        return LabelDiagnosis(self._valued(), self._request, system, baseline, find_measure(self.measures, measure))

    @table_method
    def per_class(self) -> Result:
        """A row per unit, class and measure: [run_id, by …], the unit, class_id, measure, value.

        The classes are those that occur as label or prediction, or that have probabilities, for areas under curves
        (each class against all others); `average` and `classes` of the measures are ignored.

        Raises:
            NotDefined: a measure has no values per class.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.Labels(ir.examples.labels()).evaluate("Recall(average='macro')")
            >>> ev.per_class()["value"].round(4).to_list()
            [0.6667, 0.5, 0.6667]
        """

        def planned(engine: Engine) -> PlannedEvaluation:
            return self._request.per_class(engine)

        def rows() -> pl.DataFrame:
            classes = planned(self.engine)
            order = [*(k for k in classes.keys if k != "class_id"), *self._request.class_order()]
            return classes.shape_of_units().of_rows(self._rows.of_units(classes).sort(order))

        return Result(
            self.engine, lambda engine: planned(engine).unit_results(), self._request.file, self._details(), rows
        )

    @table_method
    def undefined(self) -> Result:
        """The number of classes without a value of a measure, which its averages leave out.

        [run_id, by …], the unit, measure, n_classes, n_undefined.  A class has no value if the denominator of its ratio
        is 0, whatever the policy.  Classes are those that occur, of those in the measure's average (`classes`).

        Raises:
            NotDefined: a measure has no values per class.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> frame = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"]})
            >>> ir.Labels(frame).evaluate("Precision(average='macro')").undefined().row(0)
            ("Precision(average='macro')", 2, 1)
        """

        def query(engine: Engine) -> TableQuery:
            return left_out(self._request.left_out(engine))

        return Result(self.engine, query, self._request.file, self._details())


def left_out(classes: PlannedEvaluation) -> TableQuery:
    """Per measure, the numbers of a unit's classes and of those without a value."""
    plan, keys = classes.plan, [k for k in classes.keys if k != "class_id"]
    units = plan.grouped("units_of_classes", classes.unit, *keys)
    flags = classes.values().values()
    n_classes, n_undefined = (
        [classes.unit.sum(of(flag), into=units).cast(pl.Int64) for flag in flags]
        for of in (lambda flag: indicator(~flag.is_null()), lambda flag: flag.fill_null(0.0))
    )
    named = {classes.named.get(k, k): col(k) for k in keys}
    parts = [
        units.frame().select(
            **named, measure=lit(str(measure)), n_classes=n, n_undefined=missing, ireval_place=lit(place)
        )
        for place, (measure, n, missing) in enumerate(zip(classes.measures, n_classes, n_undefined, strict=True))
    ]
    columns = (*named, "measure", "n_classes", "n_undefined")
    return TableQuery(plan, concat(parts), (*named, "ireval_place"), columns, classes.checks)
