"""What subjects have in common: tables under conventions, of which measures of one family are asked.

A subject (rankings, labels, clusters …) opens an engine, remembers what it was given, and makes a `Build` for every
evaluation; the build makes the plan when it is wanted, on any engine.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames import catalog, io
from ireval_frames.built import Build, Built
from ireval_frames.checks import weights_that_cancel
from ireval_frames.conventions import Conventions
from ireval_frames.coverage import Overlap
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.sources import open_engine, refuse_to_pickle
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation import Evaluation
from ireval_frames.inputs import ItemInputs
from ireval_frames.io import sql as sql_files
from ireval_frames.item_coverage import coverage, of_items
from ireval_frames.names import columns_named, refuse_taken
from ireval_frames.plan import Plan, Table
from ireval_frames.results import Ready, Result

P = TypeVar("P", bound=Conventions)
R = TypeVar("R", bound=Evaluation)
S = TypeVar("S", bound="Subject[Any, Any]")
T = TypeVar("T", bound="Tables")

# What every result has besides the `by` columns.
RESULT_COLUMNS = ("run_id", "measure", "value", "n_units", "n_undefined")


class Conventional(Protocol):
    """What makes plans under conventions."""

    @property
    def policy(self) -> Conventions:
        """The conventions in force."""

    def file(self, name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""


class Subject(ABC, Generic[P, R]):
    """Tables that can be evaluated.

    Subclasses name their family, the class of their conventions and of their results, and the columns of results that
    `by=` must not name.
    """

    family: ClassVar[str]
    conventions: type[P]
    result: type[R]
    result_columns: ClassVar[tuple[str, ...]] = RESULT_COLUMNS

    def __init__(
        self,
        given: Mapping[str, Any],
        *,
        first: str,
        by: str | Sequence[str] = (),
        policy: P | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        """`first` names the given table whose kind selects the engine."""
        self.policy = self.conventions.of(policy)
        self.by = columns_named(by)
        self.engine = open_engine(given[first], engine, con)
        self.given = {name: io.located(table, storage_options) for name, table in given.items()}

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled.

        Raises:
            EngineError: a table is a DuckDB relation.
        """
        refuse_to_pickle(self.given)
        return self.__dict__

    def __copy__(self) -> Self:
        """The same tables, relations too."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def evaluate(
        self,
        measures: str | Measure | Iterable[str | Measure],
        *,
        by: str | Sequence[str] | None = None,
        policy: P | str | Mapping[str, Any] | None = None,
    ) -> R:
        """Evaluate measures; names, parameters, columns and types are checked now, the data with the first result.

        Args:
            measures: names with their parameters in one text, a measure, or several.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Raises:
            NotDefined: a measure has a step in Python, and the engine runs none.
        """
        asked = catalog.parse_all(measures, self.family)
        for measure in asked:
            measure.arguments()
            if measure.runs == "python" and not self.engine.runs_python:
                raise NotDefined(
                    f"{measure} has a step in Python ({measure.definition.cost}), which {self.engine.name} does not"
                    " run.",
                    "Leave it out, or hand in frames, paths or DuckDB relations, whose engines do.",
                )
        grouped, conventions = self.options(by, policy, map(str, asked), getattr(self, "unit", None) or ())
        build = self.build(conventions, grouped, asked)
        return self.result(asked, build, self.engine, family=self.family, policy=conventions.described())

    def options(
        self,
        by: str | Sequence[str] | None,
        policy: P | str | Mapping[str, Any] | None,
        columns: Iterable[str] = (),
        unit: Sequence[str] = (),
    ) -> tuple[tuple[str, ...], P]:
        """The groups and the conventions of a call: the constructor's where it has none.

        Args:
            by: the columns that group units.
            policy: the conventions.
            columns: what the result is to hold besides.
            unit: the columns that make units.

        Raises:
            InvalidParameter: the result has a column of that name already, or both name one column.
        """
        taken = tuple(columns)
        grouped = self.grouping("by", self.by if by is None else by, taken)
        self.grouping("unit", unit, taken)
        if twice := [name for name in grouped if name in unit]:
            raise InvalidParameter(
                f"by= and unit= both name {twice[0]!r}.",
                "Leave it out of by= for a mean over its groups, out of unit= for a row of each.",
            )
        return grouped, self.policy if policy is None else self.conventions.of(policy)

    def grouping(self, what: str, given: str | Sequence[str] | None, columns: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns of by= or unit=.

        Args:
            what: which of them.
            given: the columns.
            columns: what the result is to hold besides the columns of all results.

        Raises:
            InvalidParameter: one has the name of a column of the result, is named twice, or is no name.
        """
        names = columns_named(given)
        refuse_taken(names, (*self.result_columns, *columns), what)
        return names

    def __setattr__(self, name: str, value: Any) -> None:
        """Attributes are set once: what was asked of a subject keeps its meaning.

        Raises:
            AttributeError: it is set already.
        """
        if name in self.__dict__:
            kind = type(self).__name__
            raise AttributeError(f"{name} of {kind} cannot be changed. Make another one: ir.{kind}(…, {name}=…).")
        object.__setattr__(self, name, value)

    def table(
        self,
        build: Conventional,
        says: str,
        made: Callable[[Engine], Ready],
        collected: Callable[[], pl.DataFrame] | None = None,
    ) -> Result:
        """A table that is no evaluation's.

        Args:
            build: what makes its plans; it knows the conventions in force, and how files are read.
            says: what it is called.
            made: makes it ready on an engine.
            collected: its frame, where that is not the rows in their order.
        """
        facts = {
            "table": says,
            "family": self.family,
            "policy": {name: value for name, value, *_ in build.policy.described()},
        }
        return Result(self.engine, made, build.file, facts, collected)

    @abstractmethod
    def build(self, policy: P | None = None, by: tuple[str, ...] | None = None, asked: Sequence[Measure] = ()) -> Build:
        """What makes the plans of an evaluation."""


def finals(plan: Plan, measures: Iterable[Measure], final: Callable[[Measure], nw.Expr]) -> list[nw.Expr]:
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

    def in_both(self, tables: T) -> nw.Expr | None:
        """How many items of each unit both tables have, where the tables of the plan tell; else they are joined."""
        del tables
        return None

    def overlap(self, tables: T) -> Overlap | None:
        """What two tables have in common; None where there is one."""
        if not tables.inputs.sides:
            return None
        return of_items(tables, self.in_both(tables), allowed=getattr(self.policy, "overlap", "") == "allow")

    def all_checks(self, tables: T) -> Sequence[Callable[[], None]]:
        """What the data must not hold, and that two tables have something in common."""

        def meets() -> None:
            if overlap := self.overlap(tables):
                overlap.check(tables.plan.unit)

        return (*self.checks(tables), meets)

    def coverage(self, engine: Engine) -> Ready:
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
    ) -> Built:
        """Make the plan; `given` replaces the tables that were handed in."""
        return self.planned(self.made(engine, measures, given, ordered=ordered), measures)

    def planned(self, tables: T, measures: Sequence[Measure]) -> Built:
        """The plan of these tables, the measures asked."""

        def final(measure: Measure) -> nw.Expr:
            return measure.expression(self.context(tables, str(measure)), measure.arguments())

        return self.built(tables, measures, finals(tables.plan, measures, final))

    def built(self, tables: T, measures: Sequence[Measure], made: Sequence[nw.Expr]) -> Built:
        """The plan with what was asked of it."""
        return Built(
            tables.plan,
            tables.plan.unit,
            [str(m) for m in measures],
            made,
            tables.inputs.by_names,
            [*self.checks(tables), lambda: _weighed(tables.inputs, measures)],
            lambda: self.counts(tables),
            [],
            names=tables.inputs.unit_names,
            every=self.every_group(tables),
            overlap=functools.cache(lambda: self.overlap(tables)),
        )

    def rows(
        self,
        asked: Callable[[T], tuple[Table, Mapping[str, nw.Expr]]],
        order: Callable[[T], Sequence[pl.Expr]] | None = None,
    ) -> tuple[pl.DataFrame, Mapping[str, str]]:
        """The rows of a table of the plan under the aliases, the data checked; and the user's names."""
        tables = self.made(self.subject.engine, (), None)
        table, columns = asked(tables)
        with self.subject.engine.errors():
            for check in self.all_checks(tables):
                check()
            frame = self.subject.engine.collect(table.frame().select(**columns))
        keys = [pl.col(c) for c in columns if c in table.keys]
        return frame.sort(keys if order is None else [*order(tables)]), tables.inputs.names

    def table(
        self,
        asked: Callable[[T], tuple[Table, Mapping[str, nw.Expr]]],
        says: str,
        order: Callable[[T], Sequence[pl.Expr]] | None = None,
    ) -> Result:
        """A table of the plan, under the user's names.

        Args:
            asked: the table, and its columns in their order, the keys first.
            says: what it is called.
            order: how the frame's rows are sorted, under the aliases, where that is not by all key columns.
        """

        def made(engine: Engine) -> Ready:
            tables = self.made(engine, (), None)
            table, columns = asked(tables)
            names = tables.inputs.names
            frame = table.frame().select(**{names.get(c, c): e for c, e in columns.items()})
            keys = tuple(names.get(c, c) for c in columns if c in table.keys)
            return Ready(tables.plan, engine.stage(frame, says), keys, frame.columns, self.all_checks(tables))

        def collected() -> pl.DataFrame:
            frame, names = self.rows(asked, order)
            return frame.rename(names, strict=False)

        return replace(self.subject.table(self, says, made, collected), weighted=self.weighted)

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
        del name
        return sql_files.any_table(path, io.scan_table(path).collect_schema())
