"""Click models by grade: a log whose documents are replaced by their grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.judged import GRADE, IDS, finite_grades, with_judgments
from ireval_frames.clicks.models.fitting import fit
from ireval_frames.clicks.models.model import FittedModel
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col, lit, when

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled


class GradedLog:
    """A click log with grades instead of documents; `log.graded(qrels)` makes it.

    Click models take it as they take a log: in `fit`, and in `evaluate` and `simulate` of the fitted model.
    """

    family = "clicks"
    by_grade = True

    def __init__(self, log: Modelled, judgments: Any = None) -> None:
        self.log, self.judgments = log, judgments

    def fit(self, name: str, **options: Any) -> FittedModel:
        """Fit a click model whose parameters of documents are by grade.

        Args:
            name: of the model.
            options: those of `Impressions.fit`.

        Raises:
            UnknownName, InvalidParameter, MissingColumn, InvalidValue: as `Impressions.fit` does.
        """
        return fit(self, name, **options)

    def inputs(self, by: str | Sequence[str] | None = None) -> ClickInputs:
        """The log under our names, with grades instead of documents and one query for all."""
        inputs = self.log.inputs(by)
        with inputs.engine.errors():
            inputs.impressions = inputs.items = self._graded(inputs)
        return inputs

    def _graded(self, inputs: ClickInputs) -> Frame:
        rows, grade = inputs.impressions, col("grade")
        if self.judgments is None:
            inputs.needs("grade")
            finite_grades(inputs, rows, "grade")
        else:
            engine, grade = inputs.engine, col(GRADE)
            rows, judged = with_judgments(inputs, rows, self.judgments)
            # Queries without judgments have no grades.
            rows = engine.join(rows, engine.group(judged, ("query_id",), ()), ("query_id",), "inner")
            rows = engine.join(rows, judged, IDS, "left")
        columns = {c: col(c) for c in inputs.columns}
        # Unjudged documents have grade 0, as in measures of grades.
        grade_or_0 = when(grade > 0.0).then(grade).otherwise(0.0)
        return rows.select(**(columns | {"query_id": lit(0).cast(pl.Int64), "doc_id": grade_or_0}))
