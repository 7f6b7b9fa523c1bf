"""What is evaluated, and how: a request, which can be planned on any engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ireval_frames.conventions.base import Conventions
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import EngineError, InvalidValue
from ireval_frames.evaluation.planned import PlannedEvaluation, with_finite_values
from ireval_frames.expr import Expr
from ireval_frames.io import sql as sql_files
from ireval_frames.plan import Plan
from ireval_frames.results import Result, TableQuery

if TYPE_CHECKING:
    from ireval_frames.subject import Subject


@dataclass(frozen=True, eq=False)
class Request(ABC):
    """Measures of a subject, under conventions.

    Attributes:
        subject: the tables and what is known of them: `Rankings`, `Labels` ….
        policy: the conventions in force.
        by, unit: the columns that group units, and those that identify them.
        measures: what is evaluated.
        ordered: add sums row by row, as a plain loop does: their last bits are then those of a loop in the order of the
            ranks, which decides the last printed digit now and then.
    """

    subject: Subject[Any, Any]
    policy: Conventions
    by: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    ordered: bool = False

    @property
    def engine(self) -> Engine:
        """The engine of the tables."""
        return self.subject.engine

    @property
    def user_tables(self) -> Mapping[str, Any]:
        """The tables as users handed them in, by the names of the arguments."""
        return self.subject._user_tables

    @property
    def family(self) -> str:
        """The family of the measures."""
        return self.subject.family

    def of(self, measures: Iterable[Measure]) -> Self:
        """The same request for other measures."""
        return replace(self, measures=tuple(measures))

    def grouped(self, by: str | Sequence[str]) -> Self:
        """The same request, its units grouped by other columns.

        Raises:
            InvalidParameter: the result has a column of that name already, or it identifies units.
        """
        # The subject checks them.
        named = self.subject._request(by=by, unit=self.unit, columns=map(str, self.measures))
        return replace(self, by=named.by)

    @abstractmethod
    def plan(self, engine: Engine) -> PlannedEvaluation:
        """The plan on an engine; `plan_of` also checks the values of measures of one's own."""

    @abstractmethod
    def coverage(self, engine: Engine) -> TableQuery:
        """A row per group: how much the two tables have in common.

        Raises:
            NotDefined: there is one table.
        """

    @abstractmethod
    def count_measures(self) -> dict[str, Measure]:
        """The measures that count what a unit holds, by the column they get in `per_unit(counts=True)`."""

    def file(self, name: Any, path: Any) -> tuple[str, Mapping[str, Any]]:
        """The SELECT that reads a file as that table, and its columns."""
        return sql_files.any_file(name, path)

    def result(self, name: str, query: Callable[[Engine], TableQuery]) -> Result:
        """A result outside an evaluation.

        Args:
            name: the name of the table.
            query: gives its query on an engine.
        """
        policy = {name: value for name, value, *_ in self.policy.described()}
        return Result(self.engine, query, self.file, {"table": name, "family": self.family, "policy": policy})


def plan_of(request: Request, engine: Engine | None = None) -> PlannedEvaluation:
    """The plan of a request, by default on the engine of its tables."""
    return with_finite_values(request.plan(engine or request.engine))


def finals(plan: Plan, measures: Iterable[Measure], final: Callable[[Measure], Expr]) -> list[Expr]:
    """The expression of each measure; the plan records which measure requests a column."""
    out = []
    for measure in measures:
        with plan.requesting(str(measure)):
            out.append(final(measure))
    return out


@contextmanager
def blaming_own_measures(request: Request) -> Iterator[None]:
    """The engine's errors inside as ours; an error that is caused by a measure of one's own names the measure.

    Raises:
        FailingMeasure: the engine cannot compute what the function of a measure of one's own gives.
    """
    try:
        with request.engine.errors():
            yield
    except (EngineError, InvalidValue) as error:
        for measure in request.measures:
            if measure.definition.is_own and (reason := _refusal(request, measure)):
                raise measure.failing(f"gives what cannot be computed. {reason.removesuffix('.')}") from error
        raise


def _refusal(request: Request, measure: Measure) -> str:
    """The engine's error for this measure only, if there is none without measures."""
    errors = []
    for measures in ([measure], []):
        try:
            with request.engine.errors():
                request.engine.collect(request.of(measures).plan(request.engine).units().frame)
        except (EngineError, InvalidValue) as error:
            errors.append(error.what)
    return errors[0] if len(errors) == 1 else ""
