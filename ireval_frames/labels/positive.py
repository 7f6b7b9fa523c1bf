"""The positive class of measures of one class: named by the user, or 1."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.errors import Argument, Hint, InvalidParameter, IrevalError, MismatchedTables, NotDefined, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Plan, Table


class Positive:
    """The positive class of one measure.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        named: the class, if the user named it.
        instead: the line that averages over classes, for errors.
    """

    def __init__(self, tables: LabelTables, measure: str, named: Any, instead: str) -> None:
        self.tables, self.measure, self._named, self._instead = tables, measure, named, instead
        self.of_text = tables.inputs.class_type == pl.String

    @property
    def named(self) -> bool:
        """Whether the user named the class."""
        return self._named is not None

    @property
    def value(self) -> Any:
        """The class: the one that the user named, or True or 1; of text only in files, where numbers are text."""
        if self.named:
            return literal_class(self._named, self.tables.inputs.class_type, "positive")
        if not self.of_text:
            return literal_class(1, self.tables.inputs.class_type, "positive")
        if not self.tables.inputs.from_file or self.tables.multi:
            raise self.unknown()
        error, label = self.unknown(), col("label").cast(pl.String)
        self.tables.plan.require(self.tables.items, ~label.is_in(["-1", "0", "1"]), lambda *_: error)
        return "1"

    @property
    def averages(self) -> bool:
        """Whether the measure has values per class, which need no positive one."""
        return "average" in parameters(self.measure)

    def unknown(self) -> NotDefined:
        """The error where the class is not known."""
        averaged = self.averages and not catalog.parse(self.measure, "labels").definition.reads
        other = f", or average over all: {self._instead}" if averaged else "."
        return NotDefined(
            f"{self.measure} is of one class, and labels that are text do not say which.",
            Hint("Name it: ", Argument("positive", "yes", "ir.Labels(…, {})"), other),
        )

    def check_occurs(self, table: Table, classes: Expr) -> None:
        """Refuse a class that the user named and that no row of a table has, in any unit.

        Args:
            table: the classes, or the items.
            classes: its column of classes.
        """
        value, plan = self.value, self.tables.plan
        if not self.named or value in self.tables.inputs.declared:
            return
        total = plan.grouped(f"all_{table.name}", table)
        binary = not self.of_text and value == 1
        other = ~classes.is_null() & (classes != 0) & (classes != -1) if binary else ~classes.is_null()
        occurs, others = (
            table.max(when(condition).then(1.0).otherwise(0.0), into=total) for condition in (classes == value, other)
        )

        def error(rows: pl.DataFrame, count: int) -> IrevalError:
            del rows, count
            present = _classes(plan, table, classes)
            what = "a label" if table is self.tables.items else "a label or a prediction"
            return InvalidParameter(
                f"{self.measure} is of the class {value!r}, which is not {what}; there are: "
                f"{listed(map(repr, present), 20)}.",
                Hint("Name one of these: ", Argument("positive", _nearest(value, present), "ir.Labels(…, {})")),
            )

        plan.require(total, (occurs == 0) & (others > 0), error)

    def check_binary(self) -> None:
        """Refuse classes such as 0 and 2, without a class 1."""
        tables, class_id, measure = self.tables, col("class_id"), self.measure
        none = lit(None, dtype=tables.inputs.class_type)
        one, other = (
            tables.classes.max(when(e).then(class_id).otherwise(none), into=tables.units)
            for e in (class_id == 1, (class_id != 1) & (class_id != 0) & (class_id != -1))
        )
        column = other.name

        def error(rows: pl.DataFrame, _: int) -> MismatchedTables:
            label = rows[column][0]
            return MismatchedTables(
                f"{measure} takes 1 for the positive class, and labels are {label!r}, but none is 1.",
                Hint("Name it: ", Argument("positive", label, "ir.Labels(…, {})")),
            )

        tables.plan.require(tables.units, one.is_null() & ~other.is_null(), error)


def check_some_occur(tables: LabelTables, measure: str, named: Sequence[Any]) -> None:
    """Refuse classes that the user named if none of them occurs in any unit; some may be missing."""
    if not tables.inputs.declared.isdisjoint(named):
        return
    classes, plan, class_id = tables.classes, tables.plan, col("class_id")
    total = plan.grouped(f"all_{classes.name}", classes)
    occurs = classes.max(when(class_id.is_in(list(named))).then(1.0).otherwise(0.0), into=total)
    others = classes.count(into=total)

    def error(rows: pl.DataFrame, count: int) -> InvalidParameter:
        del rows, count
        present = _classes(plan, classes, class_id)
        return InvalidParameter(
            f"classes of {measure} are {listed(map(repr, named))}, which are no labels or predictions; there are: "
            f"{listed(map(repr, present), 20)}.",
            f"Name some of these: classes={[_nearest(name, present) for name in named]!r}",
        )

    plan.require(total, (occurs == 0) & (others > 0), error)


def _classes(plan: Plan, table: Table, classes: Expr) -> list[Any]:
    """The distinct classes of a column of a table."""
    column = classes.name
    values = plan.engine.collect(plan.engine.group(table.frame(), (column,), ())).get_column(column)
    return list(values.drop_nulls().sort())


def _nearest(value: Any, present: Sequence[Any]) -> Any:
    """The class that differs in case only, or the first one."""
    return next((c for c in present if str(c).lower() == str(value).lower()), present[0])


def parameters(measure: str) -> Collection[str]:
    """The names of a measure's parameters; curves have none."""
    return catalog.parse(measure, "labels").definition.parameters if measure[0].isupper() else ()
