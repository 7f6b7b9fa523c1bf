"""Requests for measures of items: their plan, and other tables of that plan."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import polars as pl

from ireval_frames.columns.user_names import refuse_reserved
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.evaluation.request import Request, finals
from ireval_frames.expr import Expr
from ireval_frames.items.checks import weights_that_cancel
from ireval_frames.items.coverage import coverage, of_items
from ireval_frames.items.inputs import ItemInputs
from ireval_frames.plan import Plan, Table
from ireval_frames.results import Result, TableQuery
from ireval_frames.subject import RESULT_COLUMNS

I = TypeVar("I", bound=ItemInputs)  # noqa: E741 - inputs
T = TypeVar("T", bound="Tables")


class Tables(Protocol):
    """The tables of a plan about items."""

    plan: Plan

    @property
    def inputs(self) -> ItemInputs:
        """What they are made from."""


class ItemRequest(Request, Generic[I, T]):
    """A request for tables with a row per item."""

    # Whether items may be drawn one by one, with weights, and the tables rebuilt from them.
    resamples_items: ClassVar[bool] = False

    # ---- defined by each family

    @abstractmethod
    def inputs(self, engine: Engine) -> I:
        """The user's tables under our names."""

    @abstractmethod
    def tables(self, inputs: I) -> T:
        """The tables of a plan for the measures."""

    @abstractmethod
    def context(self, tables: T, measure: str) -> Any:
        """The context of the functions of measures."""

    @abstractmethod
    def checks(self, tables: T) -> Sequence[Callable[[], None]]:
        """Raise the errors of the data."""

    def counts(self, tables: T) -> Mapping[str, str]:
        """How much each policy affected."""
        del tables
        return {}

    def every_group(self, tables: T) -> Table | None:
        """A table of all groups, where some may have no unit; by default those of the units."""
        del tables
        return None

    def all_units(self, tables: T) -> Table:
        """A table of all units, also of those that a policy leaves out."""
        return tables.plan.unit

    def in_both(self, tables: T) -> Expr | None:
        """The number of items per unit that are in both tables, if the plan has it; else the tables are joined."""
        del tables
        return None

    def in_either(self, tables: T) -> Sequence[Expr] | None:
        """The numbers of items per unit in the first and in the second table, if the plan has them."""
        del tables
        return None

    def names_of_columns(self, tables: T) -> Mapping[str, str]:
        """The user's names of the columns of tables, by alias."""
        return tables.inputs.names

    def not_duplicates(self, tables: T) -> Expr | None:
        """Which items with equal columns are not copies of each other; none by default."""
        del tables
        return None

    # ---- the plan

    def tables_on(self, engine: Engine) -> T:
        """The tables of a plan on an engine.

        Raises:
            InvalidParameter: the column that makes units has the name of a column of the result.
        """
        inputs = self.inputs(engine)
        refuse_reserved(inputs.unit_names.values(), RESULT_COLUMNS)
        return self.tables(inputs)

    def plan(self, engine: Engine) -> PlannedEvaluation:
        """The plan on an engine."""
        return self.planned(self.tables_on(engine))

    def planned(self, tables: T, values: Sequence[Expr] | None = None) -> PlannedEvaluation:
        """The plan of these tables; `values` of the measures are by default what their functions give."""

        def final(measure: Measure) -> Expr:
            return measure.expression(self.context(tables, str(measure)), measure.arguments())

        if values is None:
            values = finals(tables.plan, self.measures, final)
        return PlannedEvaluation(
            tables.plan,
            tables.plan.unit,
            self.measures,
            values,
            tables.inputs.by_names,
            [*self.checks(tables), lambda: _warn_of_weights(tables.inputs, self.measures)],
            lambda: self.counts(tables),
            names=tables.inputs.unit_names,
            every=self.every_group(tables),
            overlap=functools.cache(lambda: self.overlap(tables)),
        )

    # ---- what two tables have in common

    def overlap(self, tables: T) -> Overlap | None:
        """What two tables have in common, which is reported with the first result; None where there is one."""
        return self.counted_overlap(tables) if tables.inputs.reports_overlap else None

    def counted_overlap(self, tables: T) -> Overlap | None:
        """What two tables have in common, whether it is reported or not."""
        if not tables.inputs.sides:
            return None
        allowed = getattr(self.policy, "overlap", "") == "allow"
        counts, both = self.in_either(tables), self.in_both(tables)
        return of_items(tables, self.all_units(tables), counts, both, allowed=allowed)

    def all_checks(self, tables: T) -> Sequence[Callable[[], None]]:
        """Raise the errors of the data, and that two tables have nothing in common."""

        def check_overlap() -> None:
            if overlap := self.overlap(tables):
                keys = tables.inputs.keys
                overlap.check([k for k in keys if k not in tables.inputs.unit], self.every_group(tables))

        return (*self.checks(tables), check_overlap)

    def coverage(self, engine: Engine) -> TableQuery:
        """A row per group: how many items each of two tables has, and both.

        Raises:
            NotDefined: there is one table.
        """
        request = replace(self, measures=())
        tables = request.tables_on(engine)
        overlap = request.counted_overlap(tables)
        if overlap is None:
            raise NotDefined(
                f"The {tables.inputs.schema.name} table is the only one, so there is nothing that it has in common.",
                "Look at per_unit(counts=True).",
            )
        return coverage(tables, overlap, request.every_group(tables), request.checks(tables))

    # ---- tables of the plan

    def table(
        self,
        select: Callable[[T], tuple[Table, Mapping[str, Expr]]],
        name: str,
        order: Callable[[T], Sequence[pl.Expr]] | None = None,
    ) -> Result:
        """A table of the plan, under the user's names.

        Args:
            select: the table, and its columns in their order, the keys first.
            name: the name of the table.
            order: how collected rows are sorted behind the keys of units, where that is not by all key columns.
        """

        def query(engine: Engine) -> TableQuery:
            tables = self.tables_on(engine)
            table, columns = select(tables)
            names = self.names_of_columns(tables)
            frame = table.frame().select(**{names.get(c, c): e for c, e in columns.items()})
            keys = tuple(names.get(c, c) for c in columns if c in table.keys)
            sort = [] if order is None else [*(pl.col(names.get(k, k)) for k in tables.inputs.keys), *order(tables)]
            checks, staged = self.all_checks(tables), engine.stage(frame, name)
            return TableQuery(tables.plan, staged, keys, tuple(frame.columns), checks, sort)

        return replace(self.result(name, query), weighted=self.weighted)

    def weighted(self) -> bool:
        """Whether items have weights of their own."""
        return "weight" in self.inputs(self.engine).user_columns

    def checked(self) -> T:
        """The tables, their data checked."""
        tables = self.tables_on(self.engine)
        with self.engine.errors():
            for check in self.all_checks(tables):
                check()
        return tables


def _warn_of_weights(inputs: ItemInputs, measures: Sequence[Measure]) -> None:
    """Warn where weights have no effect."""
    averaged = any(m.aggregation != "sum" for m in measures)
    if averaged and inputs.unit and "weight" in inputs.user_columns and not inputs.drawn:
        weights_that_cancel(inputs.engine, inputs.weighted_items, inputs.keys, inputs.unit)
