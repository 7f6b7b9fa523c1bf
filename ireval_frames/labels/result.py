"""The result of an evaluation of labels: what every evaluation gives, and values per class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import polars as pl

from ireval_frames.built import Build, Built, per_unit
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation import Evaluation
from ireval_frames.results import Result, result


class ClassBuild(Build, Protocol):
    """What makes the plans of an evaluation, and those of its values per class."""

    def per_class(self, engine: Engine, measures: Sequence[Measure]) -> Built:
        """The plan of the measures' values for every class."""

    def class_order(self) -> Sequence[pl.Expr]:
        """What puts a column `class_id` into the order of the classes."""

    def undefined_null(self) -> ClassBuild:
        """The same under the policy that leaves undefined values undefined."""


class LabelEvaluation(Evaluation):
    """Asked measures over groups of items; it prints as its summary."""

    _build: ClassBuild

    @result
    def per_class(self) -> Result:
        """A row per unit, class and measure: [run_id, by …], the unit, class_id, measure, value.

        The classes are those that occur as label or prediction, or that have probabilities, for areas under curves
        (each class against all others); `average` and `classes` of the measures are put aside.

        Raises:
            NotDefined: a measure is not one of a class.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.Labels(ir.examples.labels()).evaluate("Recall(average='macro')")
            >>> ev.per_class()["value"].round(4).to_list()
            [0.6667, 0.5, 0.6667]
        """

        def collected() -> pl.DataFrame:
            built = self._build.per_class(self._engine, self.measures)
            order = [*(k for k in built.keys if k != "class_id"), *self._build.class_order()]
            return self._long(self._rows(built).sort(order)).rename(built.named, strict=False)

        return self._result(
            lambda engine: per_unit(self._build.per_class(engine, self.measures), self.measures), collected
        )

    def undefined(self) -> pl.DataFrame:
        """How many classes have no value of a measure, and so are left out of its averages.

        [run_id, by …], the unit, measure, n_classes, n_undefined.  A class has no value where its ratio has no
        denominator, whatever the policy then says.

        Raises:
            NotDefined: a measure is not one of a class.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> frame = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"]})
            >>> ir.Labels(frame).evaluate("Precision(average='macro')").undefined().row(0)
            ("Precision(average='macro')", 2, 1)
        """
        build = self._build.undefined_null()
        long = LabelEvaluation(self.measures, build, self._engine, family=self._family, policy=()).per_class()
        keys = [c for c in long.columns if c not in ("class_id", "value")]
        counts = {"n_classes": pl.len().cast(pl.Int64), "n_undefined": pl.col("value").null_count().cast(pl.Int64)}
        return long.group_by(keys, maintain_order=True).agg(**counts)
