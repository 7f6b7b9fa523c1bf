"""A result as a statement over tables of another database, as a view, or as a dbt model.

Frames, files and relations are tables there by the names of the arguments; tables of a connection keep their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.base import Ranking
from ireval_frames.engines.duckdb.statement_text import Files, SQLText
from ireval_frames.engines.duckdb.types import types_of
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read, is_relation
from ireval_frames.engines.quoting import all_quoted, parts, qualified
from ireval_frames.engines.ranked_rows import RankedRows
from ireval_frames.engines.sql.frame import SQLFrame
from ireval_frames.engines.sql.statement import Step
from ireval_frames.errors import EngineError, NotDefined, UnknownName, nearest
from ireval_frames.expr import reading

if TYPE_CHECKING:
    from ireval_frames.dialects.dialect import Dialect, Sources, ValueType
    from ireval_frames.dialects.rewriting import Requesters

DUCKDB = "duckdb"
# Known without sqlglot, which may not be there.
NAMES = ("postgres", "clickhouse", "datafusion", "spark", "bigquery", "snowflake", "trino", "sqlserver")
Planner = Callable[[Any], tuple[Frame, Callable[[str], str]]]
"""Plans a result on an engine: its rows, and which measures need a column."""
_KINDS = {"String": "text", "Categorical": "text", "Enum": "text", "Boolean": "boolean"}
_JINJA = re.compile(r"\{[{%#]")


class TableText(SQLText):
    """Writes a statement that reads tables only, and notes the types of their columns.

    Args:
        engine: the engine of the evaluation.
        files: the columns of a path with their types.
        numbered: tables get placeholders as names; `refs` maps them to the names of the tables.
    """

    def __init__(self, engine: Any, files: Files, *, numbered: bool = False) -> None:
        super().__init__(engine, files)
        self.refs: dict[str, str] = {}
        self._numbered = numbered
        self._origins: dict[str, str] = {}
        self._opened: dict[str, Step] = {}
        self._never_null: dict[str, set[str]] = {}

    def open_table(self, table: Any, name: str, read: Read) -> Frame:
        """A table of the database.

        Raises:
            NotDefined: another table has the same name there.
        """
        origin, standing = f"the {name} table", self.engine.session_table(table)
        if is_relation(table):
            with self.locked():
                frame = self._placeholder(name, types_of(table))
        elif standing is not None:
            there, types = standing
            frame = self._placeholder(qualified(there) if there else name, types)
            origin = there or origin
        elif self.names_table(table):
            frame, origin = self.table(table), table
        elif isinstance(table, (str, list, tuple)) or hasattr(table, "__fspath__"):
            _, types = self._files(name, table)
            frame = self._placeholder(name, dict(types))
        else:
            opened = super().open_table(table, name, read)
            frame = self._placeholder(name, opened.collect_schema())
        name = frame.as_step().name
        self._refuse_another(name, origin)
        if self._numbered:
            number = f"ireval_ref_{len(self.refs)}"
            self.refs[number] = parts(name)[-1]
            frame = self._placeholder(number, frame.as_step().types)
        self._opened[frame.as_step().name] = frame.as_step()
        return frame

    def by_bytes(self, step: Step) -> SQLFrame:
        """The table as it is: the dialect decides how text is compared."""
        return SQLFrame(self, step)

    def _refuse_another(self, name: str, origin: str) -> None:
        """Refuse two tables that the text cannot tell apart: dbt knows tables by the last part of their names."""
        label = parts(name)[-1] if self._numbered else ".".join(parts(name))
        other = self._origins.setdefault(label.lower(), origin)
        if other.lower() != origin.lower():
            raise NotDefined(
                f"Two tables would be called {label!r} there: {other} and {origin}.",
                "Give one of them another name: CREATE VIEW judged AS FROM a_schema.qrels",
            )

    def rank(self, frame: Frame, ranking: Ranking, partner: Frame | None) -> RankedRows:
        """As on DuckDB; columns that the evaluation checks for nulls are never null in the text."""
        table = frame.source.step if isinstance(frame, SQLFrame) else None
        if isinstance(frame, SQLFrame) and table is not None and table.external:
            refused = {reading.null_test(rule.bad) for rule in ranking.rules}
            columns = {column for name, column in frame.plain.items() if name in refused}
            self._never_null.setdefault(table.name, set()).update(columns)
        return super().rank(frame, ranking, partner)

    def sources(self) -> Sources:
        """The types of the columns of the tables."""
        from ireval_frames.dialects.dialect import ValueType

        return {
            ".".join(parts(name)): {
                column: ValueType(_kind(dtype), column not in self._never_null.get(name, ()), _item_type(dtype))
                for column, dtype in step.types.items()
            }
            for name, step in self._opened.items()
        }


def statement(
    engine: Any, files: Files, planner: Planner, dialect: str, *, view: str | None = None, dbt: bool = False
) -> str:
    """The statement of a result.

    Args:
        engine: the engine of the evaluation.
        files: the columns of a path with their types.
        planner: plans the result.
        dialect: the database.
        view: the name of the view that it becomes.
        dbt: it becomes a dbt model.

    Raises:
        UnknownName: there is no such dialect.
        NotDefined: the database lacks something that the result needs.
    """
    target = None if dialect == DUCKDB else dialect_named(dialect)
    text = TableText(engine, files, numbered=dbt)
    with text.errors(), all_quoted() if target is not None else nullcontext():
        frame, requesters = planner(text)
        out = text.text(frame)
    with text.errors():
        if target is not None:
            ordered = target.orders_views or (view is None and not dbt)
            out = translated(out, target, text.sources(), requesters, ordered=ordered)
    if view is not None:
        out = f"CREATE VIEW {_view(view, target)} AS\n{out}"
    return _model(out, text.refs) if dbt else out


def _view(name: str, dialect: Dialect | None) -> str:
    if dialect is None:
        return qualified(name)
    from ireval_frames.dialects.naming import table_text

    return table_text(name, dialect)


def _model(text: str, refs: Mapping[str, str]) -> str:
    """A statement as a dbt model: Jinja's signs are escaped, and tables are refs."""
    out = _JINJA.sub(lambda match: "{{ '" + match[0] + "' }}", text)
    return re.sub(r"ireval_ref_\d+", lambda match: _ref(refs[match[0]]) if match[0] in refs else match[0], out)


def _ref(name: str) -> str:
    """A ref to a table, its name escaped for Jinja."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return "{{ ref('" + escaped + "') }}"


def _kind(dtype: Any) -> str:
    if dtype.is_integer():
        return "integer"
    return "double" if dtype.is_float() else _KINDS.get(type(dtype).__name__, "")


def _item_type(dtype: Any) -> ValueType | None:
    from ireval_frames.dialects.dialect import ValueType

    if not isinstance(dtype, (pl.List, pl.Array)):
        return None
    inner: Any = dtype.inner
    return ValueType(_kind(inner() if isinstance(inner, type) else inner))


def dialect_named(name: str) -> Dialect:
    """A dialect by its name.

    Raises:
        UnknownName: there is none of that name.
        EngineError: sqlglot is not installed.
    """
    if name not in NAMES:
        raise UnknownName(f"There is no dialect {name!r}.", nearest(str(name), [DUCKDB, *NAMES]))
    try:
        import sqlglot  # noqa: F401 - whether it is there
    except ImportError as error:
        raise EngineError(
            "SQL for other databases than DuckDB needs the package sqlglot, which is not installed.",
            'Install it: pip install "ireval-frames[sql]"',
        ) from error
    from ireval_frames.dialects.proven import PROVEN
    from ireval_frames.dialects.unproven import UNPROVEN

    return next(dialect for dialect in (*PROVEN, *UNPROVEN) if dialect.name == name)


def translated(
    text: str, dialect: Dialect, sources: Sources, requesters: Requesters = lambda _: "", *, ordered: bool = True
) -> str:
    """A statement of DuckDB, rewritten for another database.

    Args:
        text: the statement of DuckDB.
        dialect: the database.
        sources: the columns of the tables.
        requesters: names the measures that need a column.
        ordered: keep ORDER BY.

    Raises:
        NotDefined: the database lacks a function or a type of the statement, or refuses a name.
    """
    import sqlglot

    from ireval_frames.dialects.dialect import Grammar
    from ireval_frames.dialects.rewriting import Rewriting

    try:
        tree = Rewriting(sqlglot.parse_one(text, read=Grammar), dialect, sources, requesters).run()
        if not ordered:
            tree.set("order", None)
        out = tree.sql(dialect.writer, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE)
    except sqlglot.errors.SqlglotError as error:
        raise NotDefined(
            f"The statement cannot be written for {dialect.title}: {error}.",
            "Ask for fewer measures, or run it in DuckDB: sql() without dialect=.",
        ) from error
    return f"{out}\n{dialect.suffix}" if dialect.suffix else str(out)
