"""Requests for measures of labels: their inputs, tables and plan, also of the values of every class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.evaluation.request import finals
from ireval_frames.expr import Expr, col
from ireval_frames.items.inputs import ItemNames
from ireval_frames.items.request import ItemRequest
from ireval_frames.labels.checks import checks, unlabelled
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.decisions import by_class
from ireval_frames.labels.inputs import LabelInputs
from ireval_frames.labels.probabilities import columns_of
from ireval_frames.labels.scores.thresholds import CLASS_AREAS, of_each_class
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Plan, Table
from ireval_frames.ratios import PROPAGATE

if TYPE_CHECKING:
    from ireval_frames.conventions.items import LabelPolicy
    from ireval_frames.labels.subject import Labels


class LabelRequest(ItemRequest[LabelInputs, LabelTables]):
    """A request for measures of labels, also for their values of every class."""

    subject: Labels
    policy: LabelPolicy

    resamples_items = True

    def inputs(self, engine: Engine, *, ids: bool = False) -> LabelInputs:
        """The user's tables under our names; `ids` adds the ids of items, which measures do not need."""
        sources = self.subject._sources
        # Columns of probabilities and of indicators have no other role.
        indicators = [column for columns in sources["indicators"].values() for column in columns.values()]
        return LabelInputs(
            {**sources, **self.user_tables, "ids": ids},
            ItemNames(
                self.subject._columns,
                self.by,
                self.unit,
                (*columns_of(sources.get("probabilities")), *columns_of(sources["soft_labels"]), *indicators),
            ),
            engine,
            self.policy,
        )

    @property
    def of_several_classes(self) -> bool:
        """Whether probabilities are those of classes, and no score is named."""
        return self.subject._sources.get("probabilities") is not None and "score" not in self.subject._columns

    def tables(self, inputs: LabelInputs) -> LabelTables:
        """The tables of a plan for the measures."""
        # Measures of scores or probabilities do not count labels and predictions.
        counting = not self.measures or any(not measure.definition.reads for measure in self.measures)
        plan = Plan(inputs.engine, ordered=self.ordered)
        return LabelTables(plan, inputs, self.policy, self.subject._hierarchy, self.measures, counting=counting)

    def every_group(self, tables: LabelTables) -> Table | None:
        """Of two tables, runs and groups may have no unit if the other table lacks all their items."""
        units = self.all_units(tables)
        return None if units is tables.units or not set(tables.keys) - set(tables.inputs.unit) else units

    def all_units(self, tables: LabelTables) -> Table:
        """The units of both tables, if items of one only are left out."""
        if self.policy.missing != "skip" or "predictions" not in tables.inputs.sides or not tables.keys:
            return tables.units
        keys = {k: col(k) for k in tables.keys}
        either = tables.plan.concat("items_of_either", tables.keys, *((side, keys) for side in self._sides(tables)))
        return tables.plan.grouped("all_units", either, *tables.keys)

    def in_both(self, tables: LabelTables) -> Expr | None:
        """The number of items of each unit in both tables; `items` are those of either, or of both."""
        if tables.inputs.tables == 1:
            return None
        units = self.all_units(tables)
        items = tables.items.count(into=units)
        if self.policy.missing == "skip":
            return items
        first, second = (side.count(into=units) for side in self._sides(tables))
        return first + second - items

    def _sides(self, tables: LabelTables) -> list[Table]:
        """The items of each of two tables."""
        keys = (*tables.keys, "item_id")
        return [tables.plan.input(f"items_of_{n}", keys, f) for n, (f, _) in tables.inputs.sides.items()]

    def context(self, tables: LabelTables, measure: str) -> LabelContext:
        """The context of a measure."""
        return LabelContext(tables, measure, self.subject._positive)

    def checks(self, tables: LabelTables) -> list[Callable[[], None]]:
        """The checks of the data."""
        return checks(tables, self.policy)

    def counts(self, tables: LabelTables) -> dict[str, str]:
        """The number of items that the policy of labels affects, and of classes that averages leave out."""
        out = {"unlabelled": f"{unlabelled(tables)} items"}
        if left_out := self._left_out(tables.measures):
            out["undefined"] = f"classes without a value: {', '.join(left_out)}"
        return out

    def _left_out(self, measures: Sequence[Measure]) -> list[str]:
        """Per average over classes, the number without a value; a class counts once per unit."""
        averaged = [m for m in measures if m.arguments().get("average") in ("macro", "weighted")]
        areas = [m for m in averaged if m.name in CLASS_AREAS]
        counted = [m for m in averaged if m.name in by_class.CLASS_VALUES]
        out = []
        for group in (areas, counted):
            if group:
                values = self.engine.collect(self.of(group).left_out(self.engine).units().frame)
                flags = [values[f"m{i}"] for i in range(len(group))]
                out += [f"{f.sum():.0f} of {f.count()} of {m}" for f, m in zip(flags, group, strict=True)]
        return out

    def left_out(self, engine: Engine) -> PlannedEvaluation:
        """The plan of the flags of classes without a value, 1 or 0 per class that a measure's average counts.

        A class has no value if the denominator of its ratio is 0, whatever the policy.
        """
        propagates = self.policy.undefined == PROPAGATE
        policy = self.policy if propagates else self.policy.with_fields({"undefined": None})
        return replace(self, policy=policy).per_class(engine, flags=True)

    def per_class(self, engine: Engine, *, flags: bool = False) -> PlannedEvaluation:
        """The plan of the measures' values per class, or of `flags` for classes without a value (`left_out`).

        Raises:
            NotDefined: a measure has no values per class.
        """
        known = {**by_class.CLASS_VALUES, **CLASS_AREAS}
        for measure in self.measures:
            if measure.name not in known:
                raise NotDefined(f"{measure} is not a measure of one class.", f"Evaluate some of: {', '.join(known)}.")
        areas = [m for m in self.measures if m.name in CLASS_AREAS]
        if 0 < len(areas) < len(self.measures):
            raise NotDefined(
                f"{areas[0]} is of probabilities, and the other measures count predictions.",
                "Evaluate them separately.",
            )
        tables = self.of(areas).tables_on(engine)
        per_class = of_each_class if areas else by_class.per_class

        def value(measure: Measure) -> Expr:
            context = self.context(tables, str(measure))
            of_class = per_class(context, measure)
            return by_class.left_out(context, measure, of_class) if flags else of_class

        values = finals(tables.plan, self.measures, value)
        tables.plan.unit = tables.plan.tables["parts_of_classes"] if areas else tables.classes
        return self.planned(tables, values)

    def class_type(self) -> Any:
        """The type in which labels and predictions are compared, without reading rows."""
        with self.engine.errors():
            return self.inputs(self.engine).class_type

    def class_order(self) -> list[pl.Expr]:
        """The sort keys of a column `class_id`."""
        return self.inputs(self.engine).order("class_id")

    def count_measures(self) -> dict[str, Measure]:
        """The columns of `per_unit(counts=True)`."""
        out = {"n_items": catalog.parse("NumItems", "labels")}
        if self.inputs(self.engine).predicted:
            out["n_classes"] = catalog.parse("NumClasses", "labels")
        return out
