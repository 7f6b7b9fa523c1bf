"""Queries in SQL over a store, and the store as one DuckDB file."""

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
from ireval_frames.store.views import connected

if TYPE_CHECKING:
    import duckdb

__all__ = ["Queried", "connected", "one_of"]


class Queried:
    """The connection of a store, made anew when its files have changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[Any, duckdb.DuckDBPyConnection] | None = None

    def ask(self, listed: Callable[[], Listing], query: str, parameters: Any) -> pl.DataFrame:
        """The answer to a query.

        Raises:
            NotDefined: it is no query.
            InvalidParameter: DuckDB does not understand it.
            EngineError: DuckDB fails.
        """
        import duckdb

        if not isinstance(parameters, Mapping | Sequence | None) or isinstance(parameters, str | bytes):
            raise InvalidParameter(
                f"parameters is {parameters!r}; it must be a list, or a mapping of names.",
                Hint("Write ", Argument("parameters", [parameters]), "."),
            )

        def asked() -> pl.DataFrame:
            listing = listed()
            con = self._cursor(listing)
            try:
                _refuse_changes(con, query)
                con.execute("BEGIN TRANSACTION READ ONLY")
                return pl.DataFrame(pl.from_arrow(con.sql(query, params=parameters).to_arrow_table()))
            except (duckdb.ParserException, duckdb.CatalogException, duckdb.BinderException) as error:
                raise InvalidParameter(f"The query cannot be run: {str(error).splitlines()[0]}", _TABLES) from None
            except pl.exceptions.DuplicateError:
                raise InvalidParameter(
                    "The answer has several columns of one name.",
                    "Name them: SELECT a.run_id AS one, b.run_id AS other …",
                ) from None
            except pl.exceptions.PolarsError as error:
                raise InvalidParameter(
                    f"The answer has a column of a type that Polars lacks: {str(error).partition('. ')[0]}.",
                    "Cast it: SELECT CAST(max(made_at) - min(made_at) AS VARCHAR) …",
                ) from None
            except duckdb.Error as error:
                # Files may have gone into a pack meanwhile, or one of them is damaged within.
                if _moved(listing, listed):
                    raise FileNotFoundError from error
                raise engine_error(error) from error
            finally:
                con.close()

        return files.persistent(asked)

    def _cursor(self, listing: Listing) -> duckdb.DuckDBPyConnection:
        state = {name: tuple(paths) for name, paths in listing.files.items()}
        with self._lock:
            if self._made is None or self._made[0] != state:
                self._made = (state, connected(listing))
            return self._made[1].cursor()


_EXPLAIN = re.compile(r"\s*explain(\s+analyze\b|\s*\([\w\s,]*\))*", re.IGNORECASE)
_READING = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_TABLES = f"Views: {', '.join(TABLES)}, last_summaries; macros: latest, diff, history."


def _moved(listing: Listing, listed: Callable[[], Listing]) -> bool:
    """Whether the files are others now, or some are found to be damaged."""
    found = files.damaged(listing)
    return bool(found) or listed().files != listing.files


def _refuse_changes(con: duckdb.DuckDBPyConnection, query: str) -> None:
    if not is_text(query) or "\0" in query:
        raise InvalidParameter(f"The query is {query!r}; it must be text.", 'Write store.sql("FROM evaluations").')
    kinds = _kinds(con, query)
    if kinds == ["EXPLAIN"] and (explained := _EXPLAIN.match(query)):
        # What is explained may be run, whatever it is.
        kinds = _kinds(con, query[explained.end() :])
    if kinds != ["SELECT"]:
        raise NotDefined(
            f"store.sql takes one query, and this is {', '.join(kinds) or 'nothing'}.",
            "Name the values of a pivot: PIVOT … ON measure IN ('AP', 'RR') …"
            if "MULTI" in kinds
            else "For anything else: con = store.connect()",
        )


def _kinds(con: duckdb.DuckDBPyConnection, text: str) -> list[str]:
    """What statements a text is; a SELECT is also what it does in its WITH."""
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


def one_of(what: str, given: Any, allowed: Iterable[str]) -> None:
    """Refuse a name that is not among the allowed ones.

    Raises:
        UnknownName: it is not.
    """
    if given not in (known := list(allowed)):
        raise UnknownName(f"There is no {what} {given!r}.", nearest(str(given), known))
