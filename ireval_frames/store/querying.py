"""Queries in SQL over a store."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.duckdb.errors import engine_error
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.store.adding import is_text
from ireval_frames.store.folder import files
from ireval_frames.store.folder.files import Listing
from ireval_frames.store.tables import TABLES
from ireval_frames.store.views import connect

if TYPE_CHECKING:
    import duckdb


class Session:
    """The connection of a store, which is replaced when its files have changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connection: tuple[Any, duckdb.DuckDBPyConnection] | None = None

    def run(self, list_files: Callable[[], Listing], query: str, parameters: Any) -> pl.DataFrame:
        """The result of a query.

        Raises:
            NotDefined: it is not a query.
            InvalidParameter: DuckDB refuses it.
            EngineError: DuckDB fails.
        """
        import duckdb

        if not isinstance(parameters, Mapping | Sequence | None) or isinstance(parameters, str | bytes):
            raise InvalidParameter(
                f"parameters is {parameters!r}; it must be a list, or a mapping of names.",
                Hint("Write ", Argument("parameters", [parameters]), "."),
            )

        def attempt() -> pl.DataFrame:
            listing = list_files()
            con = self._cursor(listing)
            try:
                _refuse_changes(con, query)
                con.execute("BEGIN TRANSACTION READ ONLY")
                return pl.DataFrame(pl.from_arrow(con.sql(query, params=parameters).to_arrow_table()))
            except (duckdb.ParserException, duckdb.CatalogException, duckdb.BinderException) as error:
                raise InvalidParameter(f"The query cannot be run: {str(error).splitlines()[0]}", _TABLES) from None
            except pl.exceptions.DuplicateError:
                raise InvalidParameter(
                    "The result has several columns of one name.",
                    "Name them: SELECT a.run_id AS one, b.run_id AS other …",
                ) from None
            except pl.exceptions.PolarsError as error:
                raise InvalidParameter(
                    f"The result has a column of a type that Polars lacks: {str(error).partition('. ')[0]}.",
                    "Cast it: SELECT CAST(max(made_at) - min(made_at) AS VARCHAR) …",
                ) from None
            except duckdb.Error as error:
                # Files may have been packed meanwhile, or one of them is damaged.
                if files.damaged(listing) or list_files().files != listing.files:
                    raise FileNotFoundError from error
                raise engine_error(error) from error
            finally:
                con.close()

        return files.retry(attempt)

    def _cursor(self, listing: Listing) -> duckdb.DuckDBPyConnection:
        state = {name: tuple(paths) for name, paths in listing.files.items()}
        with self._lock:
            if self._connection is None or self._connection[0] != state:
                self._connection = (state, connect(listing))
            return self._connection[1].cursor()


_EXPLAIN = re.compile(r"\s*explain(\s+analyze\b|\s*\([\w\s,]*\))*", re.IGNORECASE)
_READING = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_TABLES = f"Views: {', '.join(TABLES)}, last_summaries; macros: latest, diff, history."


def _refuse_changes(con: duckdb.DuckDBPyConnection, query: str) -> None:
    if not is_text(query) or "\0" in query:
        raise InvalidParameter(f"The query is {query!r}; it must be text.", 'Write store.sql("FROM evaluations").')
    kinds = _kinds(con, query)
    if kinds == ["EXPLAIN"] and (explained := _EXPLAIN.match(query)):
        # EXPLAIN ANALYZE runs the statement.
        kinds = _kinds(con, query[explained.end() :])
    if kinds != ["SELECT"]:
        raise NotDefined(
            f"store.sql takes one query, and this is {', '.join(kinds) or 'nothing'}.",
            "Name the values of a pivot: PIVOT … ON measure IN ('AP', 'RR') …"
            if "MULTI" in kinds
            else "For anything else: con = store.connect()",
        )


def _kinds(con: duckdb.DuckDBPyConnection, text: str) -> list[str]:
    """The kinds of the statements of a text; of a SELECT also those in its WITH."""
    kinds = [str(statement.type).rpartition(".")[2] for statement in con.extract_statements(text)]
    if kinds != ["SELECT"]:
        return kinds
    (tree,) = con.execute("SELECT json_serialize_sql(?)", [text]).fetchall()[0]
    return [kind.partition("_")[0] for kind in sorted({*_nodes(json.loads(tree))} - _READING)] or kinds


def _nodes(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        kind = tree.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE"):
            yield kind
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _nodes(part)


def check_choice(what: str, name: str, allowed: Iterable[str]) -> None:
    """Refuse a name that is not among the allowed ones.

    Raises:
        UnknownName: it is not.
    """
    if name not in (known := list(allowed)):
        raise UnknownName(f"There is no {what} {name!r}.", nearest(str(name), known))
