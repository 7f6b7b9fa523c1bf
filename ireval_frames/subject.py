"""What subjects have in common: tables under conventions, of which measures of one family are asked.

A subject (rankings, labels, clusters …) opens an engine, remembers what it was given, and makes a `Build` for every
evaluation; the build makes the plan when it is wanted, on any engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from ireval_frames import catalog, io
from ireval_frames.columns.user_names import columns_named, refuse_taken
from ireval_frames.conventions.base import Conventions
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.opening import open_engine, refuse_to_pickle
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import Build
from ireval_frames.results import Result, TableQuery

P = TypeVar("P", bound=Conventions)
R = TypeVar("R", bound=Evaluation)

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
        query: Callable[[Engine], TableQuery],
    ) -> Result:
        """A result outside an evaluation.

        Args:
            build: what makes its plans; it knows the conventions in force, and how files are read.
            says: what it is called.
            query: makes its query on an engine.
        """
        facts = {
            "table": says,
            "family": self.family,
            "policy": {name: value for name, value, *_ in build.policy.described()},
        }
        return Result(self.engine, query, build.file, facts)

    @abstractmethod
    def build(self, policy: P | None = None, by: tuple[str, ...] | None = None, asked: Sequence[Measure] = ()) -> Build:
        """What makes the plans of an evaluation."""
