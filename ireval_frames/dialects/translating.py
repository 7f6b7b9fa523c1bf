"""From DuckDB's statement to another database's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ireval_frames.dialects.known import Sources
from ireval_frames.errors import EngineError, NotDefined, UnknownName, nearest

if TYPE_CHECKING:
    from ireval_frames.dialects.dialect import Dialect
    from ireval_frames.dialects.rewriting import Asked

DUCKDB = "duckdb"
# Known without sqlglot, which may not be there.
NAMES = ("postgres", "clickhouse", "datafusion", "spark", "bigquery", "snowflake", "trino", "sqlserver")


def dialect_named(name: str) -> Dialect:
    """The words of a database.

    Raises:
        UnknownName: we have none of that name.
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
    text: str, dialect: Dialect, sources: Sources, asked: Asked = lambda _: "", *, ordered: bool = True
) -> str:
    """The statement in the dialect's words.

    Args:
        text: the statement of DuckDB.
        dialect: the words.
        sources: what the tables hold.
        asked: who asked for a column.
        ordered: the rows come in the order of the statement.

    Raises:
        NotDefined: a function, a number or a name of the statement is not to be had in the dialect.
    """
    import sqlglot

    from ireval_frames.dialects.dialect import Parsed
    from ireval_frames.dialects.rewriting import Rewriting

    try:
        tree = Rewriting(sqlglot.parse_one(text, read=Parsed), dialect, sources, asked).made()
        if not ordered:
            tree.set("order", None)
        out = tree.sql(dialect.writer, pretty=True, unsupported_level=sqlglot.ErrorLevel.RAISE)
    except sqlglot.errors.SqlglotError as error:
        raise NotDefined(
            f"The statement cannot be said in {dialect.title}: {error}.",
            "Ask for fewer measures, or run it in DuckDB: sql() without dialect=.",
        ) from error
    return f"{out}\n{dialect.end}" if dialect.end else str(out)
