"""The class that measures of one class look at: told by the user or by 0 and 1, and somewhere in the table."""

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
        given: the class, if the user named it.
        instead: the line to write where classes are averaged.
    """

    def __init__(self, tables: LabelTables, measure: str, given: Any, instead: str) -> None:
        self.tables, self.measure, self._given, self._instead = tables, measure, given, instead
        self.of_text = tables.inputs.class_type == pl.String

    @property
    def named(self) -> bool:
        """Whether the user said which class it is."""
        return self._given is not None

    @property
    def value(self) -> Any:
        """The class: the one the user named, True, or 1; of text only in files, which hold numbers as text."""
        if self.named:
            return literal_class(self._given, self.tables.inputs.class_type, "positive")
        if not self.of_text:
            return literal_class(1, self.tables.inputs.class_type, "positive")
        if not self.tables.inputs.from_file or self.tables.multi:
            raise self.not_told()
        error, label = self.not_told(), col("label").cast(pl.String)
        self.tables.plan.require(self.tables.items, ~label.is_in(["-1", "0", "1"]), lambda *_: error)
        return "1"

    @property
    def averages(self) -> bool:
        """Whether the measure has values per class, which need no positive one."""
        return "average" in parameters(self.measure)

    def not_told(self) -> NotDefined:
        """The error that nothing tells the class."""
        averaged = self.averages and not catalog.parse(self.measure, "labels").definition.reads
        other = f", or average over all: {self._instead}" if averaged else "."
        return NotDefined(
            f"{self.measure} looks at one class, and labels that are text do not tell which.",
            Hint("Name it: ", Argument("positive", "yes", "ir.Labels(…, {})"), other),
        )

    def occurs(self, table: Table, of: Expr) -> None:
        """Refuse a class that the user named and that no row of a table has, in whichever unit.

        Args:
            table: the classes, or the items.
            of: its column of classes.
        """
        value, plan = self.value, self.tables.plan
        if not self.named or value in self.tables.inputs.declared:
            return
        everything = plan.grouped(f"all_{table.name}", table)
        zeros = not self.of_text and value == 1
        other = ~of.is_null() & (of != 0) & (of != -1) if zeros else ~of.is_null()
        here, others = (
            table.max(when(condition).then(1.0).otherwise(0.0), into=everything) for condition in (of == value, other)
        )

        def error(rows: pl.DataFrame, count: int) -> IrevalError:
            del rows, count
            there = _classes(plan, table, of)
            what = "which no item has" if table is self.tables.items else "which no item has or got"
            return InvalidParameter(
                f"{self.measure} looks at the class {value!r}, {what}; there are: {listed(map(repr, there), 20)}.",
                Hint("Name one of these: ", Argument("positive", _nearest(value, there), "ir.Labels(…, {})")),
            )

        plan.require(everything, (here == 0) & (others > 0), error)

    def is_one(self) -> None:
        """Refuse classes such as 0 and 2, of which 1 cannot be the positive one."""
        tables, of, asking = self.tables, col("class_id"), self.measure
        none = lit(None, dtype=tables.inputs.class_type)
        one, other = (
            tables.classes.max(when(e).then(of).otherwise(none), into=tables.units)
            for e in (of == 1, (of != 1) & (of != 0) & (of != -1))
        )
        column = other.name

        def error(rows: pl.DataFrame, _: int) -> MismatchedTables:
            found = rows[column][0]
            return MismatchedTables(
                f"{asking} takes 1 for the positive class, and labels are {found!r}, but none is 1.",
                Hint("Name it: ", Argument("positive", found, "ir.Labels(…, {})")),
            )

        tables.plan.require(tables.units, one.is_null() & ~other.is_null(), error)


def some_occur(tables: LabelTables, measure: str, named: Sequence[Any]) -> None:
    """Refuse classes that the user named of which none occurs, in whichever unit; some may be missing."""
    if not tables.inputs.declared.isdisjoint(named):
        return
    classes, plan, of = tables.classes, tables.plan, col("class_id")
    everything = plan.grouped(f"all_{classes.name}", classes)
    here = classes.max(when(of.is_in(list(named))).then(1.0).otherwise(0.0), into=everything)
    others = classes.count(into=everything)

    def error(rows: pl.DataFrame, count: int) -> InvalidParameter:
        del rows, count
        there = _classes(plan, classes, of)
        return InvalidParameter(
            f"classes of {measure} are {listed(map(repr, named))}, which no item has or got; there are: "
            f"{listed(map(repr, there), 20)}.",
            f"Name some of these: classes={[_nearest(name, there) for name in named]!r}",
        )

    plan.require(everything, (here == 0) & (others > 0), error)


def _classes(plan: Plan, table: Table, of: Expr) -> list[Any]:
    """The classes that a column of a table has."""
    column = of.name
    found = plan.engine.collect(plan.engine.group(table.frame(), (column,), ())).get_column(column)
    return list(found.drop_nulls().sort())


def _nearest(value: Any, there: Sequence[Any]) -> Any:
    """The class that differs in case only, or the first."""
    return next((c for c in there if str(c).lower() == str(value).lower()), there[0])


def parameters(measure: str) -> Collection[str]:
    """The names of a measure's parameters; curves have none."""
    return catalog.parse(measure, "labels").definition.parameters if measure[0].isupper() else ()
