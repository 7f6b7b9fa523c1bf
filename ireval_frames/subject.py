"""The base of subjects: tables under conventions, for measures of one family.

A subject (rankings, labels, clusters …) opens an engine, stores the tables of its user, and makes a `Request` for every
evaluation, which can be planned on any engine.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from ireval_frames import catalog, io
from ireval_frames.columns.user_names import columns_named, refuse_reserved
from ireval_frames.conventions.base import Conventions
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.inputs.frames import refuse_to_pickle
from ireval_frames.engines.opening import open_engine
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.request import Request

P = TypeVar("P", bound=Conventions)
R = TypeVar("R", bound=Evaluation)

# What every result has besides the `by` columns.
RESULT_COLUMNS = ("run_id", "measure", "value", "n_units", "n_undefined")


class Subject(ABC, Generic[P, R]):
    """Tables that can be evaluated.

    Subclasses name their family, the class of their conventions, of their requests and of their evaluations, and the
    columns of results that `by=` must not name.
    """

    family: ClassVar[str]
    _conventions: type[P]
    _requests: ClassVar[type[Request]]
    _evaluations: type[R]
    _result_columns: ClassVar[tuple[str, ...]] = RESULT_COLUMNS

    def __init__(
        self,
        tables: Mapping[str, Any],
        *,
        first: str,
        by: str | Sequence[str] = (),
        policy: P | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        """`first` names the table that selects the engine."""
        self.policy = self._conventions.of(policy)
        self.by = columns_named(by)
        self.engine = open_engine(tables[first], engine, con)
        self._user_tables = {name: io.located(table, storage_options) for name, table in tables.items()}

    def __repr__(self) -> str:
        """The tables and the engine; nothing is read."""
        tables = ", ".join(name for name, table in self._user_tables.items() if table is not None)
        return f"{type(self).__name__}({tables}; engine={self.engine.name!r}): evaluate(measures) gives their values"

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled.

        Raises:
            EngineError: a table is a DuckDB relation.
        """
        refuse_to_pickle(self._user_tables)
        return self.__dict__

    def __copy__(self) -> Self:
        """The same tables, relations too."""
        out = object.__new__(type(self))
        out.__dict__.update(self.__dict__)
        return out

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
        parsed = catalog.parse_all(measures, self.family)
        for measure in parsed:
            measure.arguments()
            if measure.runs == "python" and not self.engine.runs_python:
                raise NotDefined(
                    f"{measure} has a step in Python ({measure.definition.cost}), which {self.engine.name} does not"
                    " run.",
                    "Leave it out, or pass frames, paths or DuckDB relations, whose engines do.",
                )
        return self._evaluations(self._request(parsed, by=by, policy=policy, columns=map(str, parsed)))

    def _request(
        self,
        measures: Sequence[Measure] = (),
        *,
        by: str | Sequence[str] | None = None,
        policy: P | str | Mapping[str, Any] | None = None,
        unit: tuple[str, ...] | None = None,
        columns: Iterable[str] = (),
    ) -> Any:
        """The request of a call: the constructor's groups, units and conventions where the call has none.

        Args:
            measures: what is evaluated.
            by: the columns that group units.
            policy: the conventions.
            unit: the columns that make units.
            columns: further columns of the result.

        Raises:
            InvalidParameter: the result has a column of that name already, or both name one column.
        """
        unit, columns = (getattr(self, "unit", None) or ()) if unit is None else unit, tuple(columns)
        by = self._columns_of("by", self.by if by is None else by, columns)
        self._columns_of("unit", unit, columns)
        if twice := [name for name in by if name in unit]:
            raise InvalidParameter(
                f"by= and unit= both name {twice[0]!r}.",
                "Leave it out of by= for a mean over its groups, out of unit= for a row of each.",
            )
        conventions = self.policy if policy is None else self._conventions.of(policy)
        return self._requests(self, conventions, by, unit, tuple(measures))

    def _columns_of(self, what: str, value: str | Sequence[str] | None, columns: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns of by= or unit=.

        Args:
            what: which of them.
            value: the columns.
            columns: what the result is to hold besides the columns of all results.

        Raises:
            InvalidParameter: one has the name of a column of the result, is named twice, or is no name.
        """
        names = columns_named(value)
        refuse_reserved(names, (*self._result_columns, *columns), what)
        return names

    def __setattr__(self, name: str, value: Any) -> None:
        """Attributes are set once, so that a subject keeps its meaning.

        Raises:
            AttributeError: it is set already.
        """
        if name in self.__dict__ or f"_{name}" in self.__dict__:
            cls = type(self).__name__
            raise AttributeError(f"{name} of {cls} cannot be changed. Make another one: ir.{cls}(…, {name}=…).")
        object.__setattr__(self, name, value)


def request_of(evaluated: Any, measures: Sequence[Measure] = (), **options: Any) -> Any:
    """The request of an evaluation; or of a subject, for these measures and options (`by`, `policy`, `unit`)."""
    request = evaluated._request  # noqa: SLF001 - for users it is plumbing
    return request(measures, **options) if isinstance(evaluated, Subject) else request
