"""A table of results: as a frame, lazily in the caller's engine, as SQL, explained, with its provenance.

A method that returns a `Result` and is marked `@table_method` gives the frame when it is called (`labels.confusion()`),
and the rest by name: `labels.confusion.to_native()`, `labels.confusion.sql()`, `labels.confusion.explain()`.
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
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.expr import Expr, lit
from ireval_frames.plan import Plan

if TYPE_CHECKING:
    import altair as alt

P = ParamSpec("P")
S = TypeVar("S")
Files = Callable[[str, Any], tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class TableQuery:
    """A table of a plan, not yet run.

    Attributes:
        plan: the plan it belongs to.
        frame: its columns, under the names that the user sees.
        order: the columns that its rows follow; those that `frame` has and `columns` has not are left out at the end.
        columns: the columns of the table.
        checks: raise the errors of the data, before the table is read.
        sort: the order of collected rows, where that is not `order`: engines do not know the order of classes.
        parts: queries for parts of the rows, run one after another in less memory; none by default.
    """

    plan: Plan
    frame: Frame
    order: tuple[str, ...]
    columns: tuple[str, ...]
    checks: Sequence[Callable[[], None]] = ()
    sort: Sequence[pl.Expr] = ()
    parts: Sequence[Callable[[], TableQuery]] = ()

    @classmethod
    def stacked(
        cls,
        plan: Plan,
        frame: Frame,
        keys: Mapping[str, Expr],
        rows: Sequence[Mapping[str, Expr]],
        checks: Sequence[Callable[[], None]] = (),
    ) -> TableQuery:
        """Several rows for each row of a frame.

        Args:
            plan: the plan it belongs to.
            frame: the frame.
            keys: the columns that all these rows share, which order them first.
            rows: the further columns of each.
            checks: raise the errors of the data.
        """
        parts = [frame.select(**keys, **row, ireval_place=lit(i)) for i, row in enumerate(rows)]
        columns = tuple(c for c in parts[0].columns if c != "ireval_place")
        return cls(plan, concat(parts), (*keys, "ireval_place"), columns, checks)

    def collect(self, also: Sequence[str] = ()) -> pl.DataFrame:
        """The rows in their order, the data checked; `also` are further columns, where the frame has them."""
        if self.parts:
            return pl.concat([part().collect(also) for part in self.parts]).sort(self.order)
        for check in self.checks:
            check()
        engine = self.plan.engine
        rows = engine.collect(self.frame if self.sort else self.ordered((*also, *self.order)))
        if self.sort:
            rows = rows.sort(self.sort)
        # Enums follow the order of their categories, which engines do not know.
        elif any(isinstance(rows.schema[c], pl.Enum) for c in self.order):
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
        query: makes its query on an engine.
        files: the SELECT that reads a file, for SQL text.
        details: what it was computed from, for provenance.
        rows: collects it where its rows are cached; by default the query is run.
        counted: the number of items of each part, where its rows do not have it.
        weighted: whether its items have weights, of which its counts are sums.
    """

    engine: Engine
    query: Callable[[Engine], TableQuery]
    files: Files
    details: Mapping[str, Any] = field(default_factory=dict)
    rows: Callable[[], pl.DataFrame] | None = None
    counted: Callable[[], Sequence[float]] = list
    weighted: Callable[[], bool] = bool

    @property
    def _picture(self) -> str:
        return str(self.details.get("table", "values"))

    def collect(self, also: Sequence[str] = ()) -> pl.DataFrame:
        """The table as a frame, its data checked.

        Args:
            also: further columns, where its plan has them.
        """
        with self.engine.errors():
            return self.query(self.engine).collect(also) if self.rows is None else self.rows()

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The table."""
        return [self.collect()]

    def __str__(self) -> str:
        return read(*self._displays())

    def __repr__(self) -> str:
        """What it is of; nothing is computed, as it is to print it."""
        what = self.details.get("table") or " ".join(self.details.get("measures", ()))
        return f"Result({what!r}, engine={self.engine.name!r}): collect() gives the frame, print() shows it"

    def to_native(self) -> Any:
        """The table, still lazy, in the engine's own kind: a Polars LazyFrame or a DuckDB relation.

        Nothing is read now, so the data is not checked; a frame is.  A DuckDB relation cannot hold steps in Python:
        they run now, if the plan has any (`explain()` lists them).
        """
        with self.engine.errors():
            query = self.query(self.engine)
            return query.frame.select(*query.columns).to_native()

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
                or tables of Spark are requested in DuckDB's dialect.
            UnknownName: there is no such dialect.
            InvalidParameter: `view` cannot be a name.
            EngineError: another dialect needs sqlglot, the extra `sql`.
        """
        if dbt and view is not None:
            raise InvalidParameter("A dbt model is named by its file.", Hint("Leave out ", Argument("view", view), "."))
        from ireval_frames.engines.quoting import checked_name, qualified

        if view is not None:
            named = (Argument("view", "per_topic"), " or ", Argument("view", 'results."per topic"'))
            checked_name(view, Hint("Write ", *named, "."))
        if dialect is not None or dbt:
            from ireval_frames.dialects.statement import statement

            words = "duckdb" if dialect is None else dialect
            return statement(self.engine, self.files, self._with_requests, words, view=view, dbt=dbt)
        from ireval_frames.engines.duckdb.statement_text import SQLText

        text = SQLText(self.engine, self.files)
        with text.errors():
            out = text.text(self.query(text).ordered())
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
        from ireval_frames.engines.duckdb.statement_text import create_view

        create_view(self.engine, self.files, lambda text: self.query(text).ordered(), name, replace=replace)

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
        from ireval_frames.engines.duckdb.statement_text import create_table

        with self.engine.errors():
            query = self.query(self.engine)
            for check in query.checks:
                check()
            create_table(self.engine, query.ordered(), name, replace=replace)

    def _with_requests(self, engine: Engine) -> tuple[Frame, Callable[[str], str]]:
        """The rows in their order, and who requested a column."""
        query = self.query(engine)
        frame = query.ordered()

        def requested_by(column: str) -> str:
            requests = (r for t in query.plan.built_tables for r in t.requests.values() if r.name == column)
            return ", ".join(dict.fromkeys(who for r in requests for who in r.requested_by if who))

        return frame, requested_by

    def explain(self) -> str:
        """The tables of the plan, their columns and who requested them; reads no data."""
        query = self.query(self.engine)
        query.ordered()
        lines = [f"engine: {self.engine.name}", "", "tables"]
        for table in query.plan.built_tables:
            lines.append(f"  {table.name}: a row per ({', '.join(table.keys)}); {table.origin.description}")
            for request in table.requests.values():
                who = ", ".join(r for r in request.requested_by if r) or "the plan"
                lines.append(f"    {request.name} = {request.what}  ← {who}")
        return "\n".join(lines)

    @property
    def provenance(self) -> dict[str, Any]:
        """What it was computed from, where, and by which versions: what a stored table needs to be understood."""
        return {
            **self.details,
            "engine": self.engine.name,
            "ireval_frames": version.__version__,
            "polars": pl.__version__,
            "python": platform.python_version(),
        }


class BoundTable(Displayed, Generic[P]):
    """A method that gives a table: called, a frame; by name, the table in other ways."""

    def __init__(self, make: Callable[P, Result]) -> None:
        self._make = make
        functools.update_wrapper(self, make)

    def __call__(self, *args: P.args, **options: P.kwargs) -> pl.DataFrame:
        """The table as a frame."""
        return self._make(*args, **options).collect()

    def _displays(self) -> Sequence[pl.DataFrame | str]:
        """The table, where no argument is needed for it."""
        needed = [p for p in inspect.signature(self._make).parameters.values() if p.default is p.empty]
        if any(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in needed):
            return [repr(self)]
        return self._make()._displays()  # type: ignore[call-arg]  # noqa: SLF001 - no arguments are needed

    def __repr__(self) -> str:
        name = getattr(getattr(self._make, "func", self._make), "__name__", "table")
        takes = ", ".join(inspect.signature(self._make).parameters)
        return f"{name}({takes}): called, a frame; {name}.sql, .to_native, .explain, .plot give it in other forms"

    def result(self, *args: P.args, **options: P.kwargs) -> Result:
        """The table as a `Result`, which can be had in all ways."""
        return self._make(*args, **options)

    def to_native(self, *args: P.args, **options: P.kwargs) -> Any:
        """The table, still lazy, in the engine's own kind (`Result.to_native`)."""
        return self._make(*args, **options).to_native()

    def sql(
        self, *args: Any, dialect: str | None = None, view: str | None = None, dbt: bool = False, **options: Any
    ) -> str:
        """The statement that DuckDB runs, or another database (`Result.sql`); the rest are the table's arguments."""
        return self._make(*args, **options).sql(dialect, view=view, dbt=dbt)

    def to_view(self, name: str, *args: Any, replace: bool = False, **options: Any) -> None:
        """Make a view of it in the DuckDB connection (`Result.to_view`); the rest are the table's own arguments.

        Example:
            >>> import duckdb, ireval_frames as ir
            >>> con = duckdb.connect()
            >>> for name, frame in zip(("qrels", "run"), ir.examples.ranking()):
            ...     con.from_arrow(frame.to_arrow()).create(name)
            >>> ir.evaluate("qrels", "run", "P@5 RR", con=con).per_unit.to_view("per_topic", wide=True)
            >>> con.sql("SELECT * FROM per_topic").columns
            ['query_id', 'P@5', 'RR']
        """
        self._make(*args, **options).to_view(name, replace=replace)

    def to_table(self, name: str, *args: Any, replace: bool = False, **options: Any) -> None:
        """Make a table of it in the DuckDB connection (`Result.to_table`); the rest are the table's own arguments."""
        self._make(*args, **options).to_table(name, replace=replace)

    def explain(self, *args: P.args, **options: P.kwargs) -> str:
        """The plan and the policies in force (`Result.explain`)."""
        return self._make(*args, **options).explain()

    def plot(self, *args: Any, **options: Any) -> alt.Chart:
        """The picture of the table (`Drawable.plot`): its own arguments, and those of the picture."""
        own = inspect.signature(self._make).parameters
        result = self._make(*args, **{name: value for name, value in options.items() if name in own})
        return result.plot(**{name: value for name, value in options.items() if name not in own})


class table_method(Generic[S, P]):  # noqa: N801 - a decorator
    """Marks a method that returns a `Result`: called, it gives the frame, and by name the other ways to have it."""

    def __init__(self, make: Callable[Concatenate[S, P], Result]) -> None:
        self._make = make
        functools.update_wrapper(self, make)  # type: ignore[arg-type]

    @overload
    def __get__(self, subject: None, owner: type) -> table_method[S, P]: ...
    @overload
    def __get__(self, subject: S, owner: type) -> BoundTable[P]: ...
    def __get__(self, subject: S | None, owner: type) -> table_method[S, P] | BoundTable[P]:
        if subject is None:
            return self
        return BoundTable(functools.partial(self._make, subject))
