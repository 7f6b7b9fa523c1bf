"""What makes the plan of an evaluation of items, and the tables that come of the same plan."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

import polars as pl

from ireval_frames.conventions.base import Conventions
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import NotDefined
from ireval_frames.evaluation.coverage import Overlap
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import Expr
from ireval_frames.io import sql as sql_files
from ireval_frames.items.checks import weights_that_cancel
from ireval_frames.items.coverage import coverage, of_items
from ireval_frames.items.inputs import ItemInputs
from ireval_frames.plan import Plan, Table
from ireval_frames.results import Result, TableQuery
from ireval_frames.subject import Subject

P = TypeVar("P", bound=Conventions)
S = TypeVar("S", bound=Subject[Any, Any])
T = TypeVar("T", bound="Tables")


def finals(plan: Plan, measures: Iterable[Measure], final: Callable[[Measure], Expr]) -> list[Expr]:
    """The expression of each measure, which is said to ask for what it puts into the plan."""
    out = []
    for measure in measures:
        with plan.asked_by(str(measure)):
            out.append(final(measure))
    return out


def _weighed(inputs: ItemInputs, measures: Sequence[Measure]) -> None:
    """Say where weights are of no use."""
    averaged = any(m.aggregation != "sum" for m in measures)
    if averaged and inputs.unit and "weight" in inputs.found and not inputs.drawn:
        weights_that_cancel(inputs.engine, inputs.weighed, inputs.keys, inputs.unit)


class Tables(Protocol):
    """The tables of a plan about items."""

    plan: Plan
    inputs: ItemInputs


class ItemBuild(ABC, Generic[S, P, T]):
    """Makes the plan of one evaluation of items."""

    def __init__(self, subject: S, policy: P, by: tuple[str, ...]) -> None:
        self.subject, self.policy, self.by = subject, policy, by

    @abstractmethod
    def made(
        self, engine: Engine, measures: Sequence[Measure], given: Mapping[str, Any] | None, *, ordered: bool = False
    ) -> T:
        """The tables for the measures, in a plan of their own; `given` replaces the tables that were handed in."""

    @abstractmethod
    def context(self, tables: T, measure: str) -> Any:
        """What the functions of measures are handed."""

    @abstractmethod
    def checks(self, tables: T) -> Sequence[Callable[[], None]]:
        """What the data must not hold."""

    @abstractmethod
    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""

    def every_group(self, tables: T) -> Table | None:
        """A table of all groups, where some may have no unit; by default the units tell."""
        del tables
        return None

    def all_units(self, tables: T) -> Table:
        """A table of all units, also of those that a policy leaves out."""
        return tables.plan.unit

    def in_both(self, tables: T) -> Expr | None:
        """How many items of each of all units both tables have, where the plan tells; else they are joined."""
        del tables
        return None

    def overlap(self, tables: T) -> Overlap | None:
        """What two tables have in common; None where there is one."""
        if not tables.inputs.sides:
            return None
        allowed = getattr(self.policy, "overlap", "") == "allow"
        return of_items(tables, self.all_units(tables), self.in_both(tables), allowed=allowed)

    def all_checks(self, tables: T) -> Sequence[Callable[[], None]]:
        """What the data must not hold, and that two tables have something in common."""

        def meets() -> None:
            if overlap := self.overlap(tables):
                keys = tables.inputs.keys
                overlap.check([k for k in keys if k not in tables.inputs.unit], self.every_group(tables))

        return (*self.checks(tables), meets)

    def coverage(self, engine: Engine) -> TableQuery:
        """A row per group: how many items each of two tables has, and both.

        Raises:
            NotDefined: there is one table.
        """
        tables = self.made(engine, (), None)
        overlap = self.overlap(tables)
        if overlap is None:
            raise NotDefined(
                f"The {tables.inputs.schema.name} table is the only one, so there is nothing that it has in common.",
                "Look at per_unit(counts=True).",
            )
        return coverage(tables, overlap, self.every_group(tables), self.checks(tables))

    def counts(self, tables: T) -> Mapping[str, str]:
        """How much each policy touched."""
        del tables
        return {}

    def __call__(
        self,
        engine: Engine,
        measures: Sequence[Measure],
        *,
        ordered: bool = False,
        given: Mapping[str, Any] | None = None,
    ) -> PlannedEvaluation:
        """Make the plan; `given` replaces the tables that were handed in."""
        return self.planned(self.made(engine, measures, given, ordered=ordered), measures)

    def planned(self, tables: T, measures: Sequence[Measure]) -> PlannedEvaluation:
        """The plan of these tables, the measures asked."""

        def final(measure: Measure) -> Expr:
            return measure.expression(self.context(tables, str(measure)), measure.arguments())

        return self.with_values(tables, measures, finals(tables.plan, measures, final))

    def with_values(self, tables: T, measures: Sequence[Measure], values: Sequence[Expr]) -> PlannedEvaluation:
        """The plan of these values of the measures."""
        return PlannedEvaluation(
            tables.plan,
            tables.plan.unit,
            measures,
            values,
            tables.inputs.by_names,
            [*self.checks(tables), lambda: _weighed(tables.inputs, measures)],
            lambda: self.counts(tables),
            [],
            names=tables.inputs.unit_names,
            every=self.every_group(tables),
            overlap=functools.cache(lambda: self.overlap(tables)),
        )

    def table(
        self,
        select: Callable[[T], tuple[Table, Mapping[str, Expr]]],
        says: str,
        order: Callable[[T], Sequence[pl.Expr]] | None = None,
    ) -> Result:
        """A table of the plan, under the user's names.

        Args:
            select: the table, and its columns in their order, the keys first.
            says: what it is called.
            order: how the frame's rows are sorted behind the keys of units, where that is not by all key columns.
        """

        def query(engine: Engine) -> TableQuery:
            tables = self.made(engine, (), None)
            table, columns = select(tables)
            names = tables.inputs.names
            frame = table.frame().select(**{names.get(c, c): e for c, e in columns.items()})
            keys = tuple(names.get(c, c) for c in columns if c in table.keys)
            sort = [] if order is None else [*(pl.col(names.get(k, k)) for k in tables.inputs.keys), *order(tables)]
            return TableQuery(
                tables.plan, engine.stage(frame, says), keys, tuple(frame.columns), self.all_checks(tables), sort
            )

        return replace(self.subject.table(self, says, query), weighted=self.weighted)

    def weighted(self) -> bool:
        """Whether items have weights of their own."""
        return "weight" in self.made(self.subject.engine, (), None).inputs.found

    def checked(self) -> T:
        """The tables alone, their data checked."""
        tables = self.made(self.subject.engine, (), None)
        with self.subject.engine.errors():
            for check in self.all_checks(tables):
                check()
        return tables

    def file(self, name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""
        return sql_files.any_file(name, path)
