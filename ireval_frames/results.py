"""A table that the toolkit gives: as a frame, lazily in the caller's engine, as SQL, explained, with its provenance.

A method that returns a `Result` and is marked `@result` gives the frame when it is called (`labels.confusion()`), and
the rest by name: `labels.confusion.to_native()`, `labels.confusion.sql()`, `labels.confusion.explain()`.
"""

from __future__ import annotations

import functools
import inspect
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import polars as pl

from ireval_frames import version
from ireval_frames.displayed import Displayed, read
from ireval_frames.drawable import Drawable
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    import altair as alt

P = ParamSpec("P")
S = TypeVar("S")
Files = Callable[[str, Any], tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Ready:
    """A table of a plan, ready to be run.

    Attributes:
        plan: the plan it belongs to.
        frame: its columns, under the names that the user sees.
        order: the columns that its rows follow; those that `frame` has and `columns` has not are left out at the end.
        columns: the columns that are given.
        checks: what is looked at before anything is given.
    """

    plan: Plan
    frame: Frame
    order: tuple[str, ...]
    columns: tuple[str, ...]
    checks: Sequence[Callable[[], None]] = ()

    def collected(self, engine: Engine, also: Sequence[str] = ()) -> pl.DataFrame:
        """The rows in their order; enums follow that of their categories, which engines do not know."""
        rows = engine.collect(self.ordered((*also, *self.order)))
        if any(isinstance(rows.schema[c], pl.Enum) for c in self.order):
            rows = rows.sort(self.order, nulls_last=False, maintain_order=True)
        return rows.select(*self.columns, *(c for c in also if c in rows.columns and c not in self.columns))

    def ordered(self, also: Sequence[str] = ()) -> Frame:
        """The rows in their order, with further columns that the frame has."""
        more = dict.fromkeys(c for c in also if c in self.frame.columns and c not in self.columns)
        return self.frame.sort(*self.order).select(*self.columns, *more)


@dataclass(frozen=True, repr=False)
class Result(Drawable, Displayed):
    """A table that can be had in several ways.

    Attributes:
        engine: where it is computed.
        made: makes its plan on an engine.
        files: the SELECT that reads a file, for SQL text.
        says: what it was made of, for provenance.
        collected: gives the frame where that is not the plan's own rows in their order.
        policies: the conventions in force, and what they touched.
        counted: how many items each part of it is of, where its rows do not tell.
        weighted: whether its items have weights, of which its counts are sums.
    """

    engine: Engine
    made: Callable[[Engine], Ready]
    files: Files
    says: Mapping[str, Any] = field(default_factory=dict)
    collected: Callable[[], pl.DataFrame] | None = None
    policies: Callable[[], Sequence[str]] = list
    counted: Callable[[], Sequence[float]] = list
    weighted: Callable[[], bool] = bool

    def collect(self, also: Sequence[str] = ()) -> pl.DataFrame:
        """The table as a frame, its data checked.

        Args:
            also: further columns, where its plan has them.
        """
        with self.engine.errors():
            if self.collected is not None:
                return self.collected()
            ready = self.made(self.engine)
            for check in ready.checks:
                check()
            return ready.collected(self.engine, also)

    def displays(self) -> Sequence[pl.DataFrame]:
        """The table."""
        return [self.collect()]

    def __str__(self) -> str:
        return read(*self.displays())

    def __repr__(self) -> str:
        """What it is of; nothing is computed, as it is to print it."""
        what = self.says.get("table") or " ".join(self.says.get("measures", ()))
        return f"Result({what!r}, engine={self.engine.name!r}): collect() gives the frame, print() shows it"

    def to_native(self) -> Any:
        """The table, still lazy, in the engine's own kind: a Polars LazyFrame or a DuckDB relation.

        Nothing is read now, so the data is not checked; a frame is.  A DuckDB relation cannot hold steps in Python:
        they run now, if the plan has any (`explain()` says so).
        """
        with self.engine.errors():
            ready = self.made(self.engine)
            return ready.frame.select(*ready.columns).to_native()

    def sql(self, dialect: str | None = None, *, view: str | None = None, dbt: bool = False) -> str:
        """The statement that DuckDB runs, with a named stage per table of the plan, against the caller's own tables.

        Frames are spoken of as tables by the names of the arguments (`qrels` and `run`, `labels`, `clusters` …); files
        are read where they are.

        Args:
            dialect: another database, in whose words it is: "postgres", "clickhouse", "spark", "datafusion",
                "bigquery", "snowflake", "trino", "sqlserver" (`docs/dialects.md`); files are tables there, by the
                names of the arguments.
            view: the name of a view that the text makes.
            dbt: the text is a dbt model, whose tables are `ref`s.

        Raises:
            NotDefined: the plan has a step in Python, which SQL cannot say; or the dialect has no word for a function;
                or tables of Spark are asked for in DuckDB's words.
            UnknownName: there is no such dialect.
            InvalidParameter: `view` cannot be a name.
            EngineError: another dialect needs sqlglot, the extra `sql`.
        """
        if dbt and view is not None:
            raise InvalidParameter("A dbt model is named by its file.", Hint("Leave out ", Argument("view", view), "."))
        from ireval_frames.engines.sql_names import checked_name, qualified

        if view is not None:
            named = (Argument("view", "per_topic"), " or ", Argument("view", 'results."per topic"'))
            checked_name(view, Hint("Write ", *named, "."))
        if dialect is not None or dbt:
            from ireval_frames.dialects.text import statement

            words = "duckdb" if dialect is None else dialect
            return statement(self.engine, self.files, self._asked, words, view=view, dbt=dbt)
        from ireval_frames.engines.sql import SQLText

        text = SQLText(self.engine, self.files)
        with text.errors():
            out = text.text(self.made(text).ordered())
        return f"CREATE VIEW {qualified(view)} AS\n{out}" if view is not None else out

    def to_view(self, name: str, *, replace: bool = False) -> None:
        """Make a view of it in the DuckDB connection of the evaluation; the data is not checked.

        Args:
            name: the view, `schema.name` included.
            replace: a view that has the name gives way.

        Raises:
            NotDefined: the evaluation does not run in a DuckDB connection of yours, or reads frames, which views
                cannot; or the plan has a step in Python.
            InvalidParameter: `name` cannot be one.
            EngineError: DuckDB refuses the view.
        """
        from ireval_frames.engines.sql import made_view

        made_view(self.engine, self.files, lambda text: self.made(text).ordered(), name, replace=replace)

    def to_table(self, name: str, *, replace: bool = False) -> None:
        """Make a table of it in the DuckDB connection of the evaluation, its data checked.

        Args:
            name: the table, `schema.name` included.
            replace: a table that has the name gives way.

        Raises:
            NotDefined: the evaluation does not run in a DuckDB connection of yours.
            InvalidParameter: `name` cannot be one.
            EngineError: DuckDB refuses the table.
        """
        from ireval_frames.engines.sql import made_table

        with self.engine.errors():
            ready = self.made(self.engine)
            for check in ready.checks:
                check()
            made_table(self.engine, ready.ordered(), name, replace=replace)

    def _asked(self, engine: Engine) -> tuple[Frame, Callable[[str], str]]:
        """The rows in their order, and who asked for a column."""
        ready = self.made(engine)
        frame = ready.ordered()

        def asked(column: str) -> str:
            requests = (r for t in ready.plan.built_tables for r in t.requests.values() if r.name == column)
            return ", ".join(dict.fromkeys(who for r in requests for who in r.requested_by if who))

        return frame, asked

    def explain(self) -> str:
        """The tables of the plan, their columns and who asked for them, and the policies in force; reads no data."""
        ready = self.made(self.engine)
        ready.ordered()
        lines = [f"engine: {self.engine.name}", "", "tables"]
        for table in ready.plan.built_tables:
            lines.append(f"  {table.name}: a row per ({', '.join(table.keys)}); {table.made.says}")
            for request in table.requests.values():
                who = ", ".join(r for r in request.requested_by if r) or "the plan"
                lines.append(f"    {request.name} = {request.what}  ← {who}")
        return "\n".join([*lines, *self.policies()])

    @property
    def provenance(self) -> dict[str, Any]:
        """What it was made of, where, and by which versions: what a stored table needs to be understood."""
        return {
            **self.says,
            "engine": self.engine.name,
            "ireval_frames": version.__version__,
            "polars": pl.__version__,
            "python": platform.python_version(),
        }


class Given(Displayed, Generic[P]):
    """A method that gives a table: called, a frame; by name, the other ways to have it."""

    def __init__(self, make: Callable[P, Result]) -> None:
        self._make = make
        functools.update_wrapper(self, make)

    def __call__(self, *args: P.args, **options: P.kwargs) -> pl.DataFrame:
        """The table as a frame."""
        return self._make(*args, **options).collect()

    def displays(self) -> Sequence[pl.DataFrame | str]:
        """The table, where no argument is needed for it."""
        needed = [p for p in inspect.signature(self._make).parameters.values() if p.default is p.empty]
        if any(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in needed):
            return [repr(self)]
        return self._make().displays()  # type: ignore[call-arg]  # none is needed

    def __repr__(self) -> str:
        name = getattr(getattr(self._make, "func", self._make), "__name__", "table")
        takes = ", ".join(inspect.signature(self._make).parameters)
        return f"{name}({takes}): called, a frame; {name}.sql, .to_native, .explain, .plot give it otherwise"

    def result(self, *args: P.args, **options: P.kwargs) -> Result:
        """The table as a `Result`, which can be had in all ways."""
        return self._make(*args, **options)

    def to_native(self, *args: P.args, **options: P.kwargs) -> Any:
        """The table, still lazy, in the engine's own kind (`Result.to_native`)."""
        return self._make(*args, **options).to_native()

    def sql(self, *args: P.args, **options: P.kwargs) -> str:
        """The statement that DuckDB runs (`Result.sql`)."""
        return self._make(*args, **options).sql()

    def explain(self, *args: P.args, **options: P.kwargs) -> str:
        """The plan and the policies in force (`Result.explain`)."""
        return self._make(*args, **options).explain()

    def plot(self, *args: Any, **options: Any) -> alt.Chart:
        """The picture of the table (`Drawable.plot`): its own arguments, and those of the picture."""
        own = inspect.signature(self._make).parameters
        made = self._make(*args, **{name: value for name, value in options.items() if name in own})
        return made.plot(**{name: value for name, value in options.items() if name not in own})


class result(Generic[S, P]):  # noqa: N801 - a decorator
    """Marks a method that returns a `Result`: called, it gives the frame, and by name the other ways to have it."""

    def __init__(self, make: Callable[Concatenate[S, P], Result]) -> None:
        self._make = make
        functools.update_wrapper(self, make)  # type: ignore[arg-type]

    @overload
    def __get__(self, subject: None, owner: type) -> result[S, P]: ...
    @overload
    def __get__(self, subject: S, owner: type) -> Given[P]: ...
    def __get__(self, subject: S | None, owner: type) -> result[S, P] | Given[P]:
        if subject is None:
            return self
        return Given(functools.partial(self._make, subject))
