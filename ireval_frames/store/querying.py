"""Queries in SQL over a store, and the store as one DuckDB file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.engines.duckdb_errors import engine_error
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.store import files
from ireval_frames.store.files import Listing
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

        for left in reversed(range(5)):
            listing = listed()
            con = self._cursor(listing)
            try:
                _refuse_changes(con, query)
                return pl.DataFrame(pl.from_arrow(con.sql(query, params=parameters).to_arrow_table()))
            except (duckdb.ParserException, duckdb.CatalogException, duckdb.BinderException) as error:
                raise InvalidParameter(f"The query cannot be run: {str(error).splitlines()[0]}", _TABLES) from None
            except duckdb.Error as error:
                # Files may have gone into a pack meanwhile, or one of them is damaged within.
                if not left or not _moved(listing, listed):
                    raise engine_error(error) from error
            finally:
                con.close()
        raise AssertionError

    def _cursor(self, listing: Listing) -> duckdb.DuckDBPyConnection:
        state = {name: tuple(paths) for name, paths in listing.files.items()}
        with self._lock:
            if self._made is None or self._made[0] != state:
                self._made = (state, connected(listing))
            return self._made[1].cursor()


_TABLES = f"Views: {', '.join(TABLES)}, last_summaries; macros: latest, diff, history."


def _moved(listing: Listing, listed: Callable[[], Listing]) -> bool:
    """Whether the files are others now, or some are found to be damaged."""
    found = files.damaged(listing)
    return bool(found) or listed().files != listing.files


def _refuse_changes(con: duckdb.DuckDBPyConnection, query: str) -> None:
    import duckdb

    if not isinstance(query, str):
        raise InvalidParameter(f"The query is {query!r}; it must be text.", 'Write store.sql("FROM evaluations").')
    kinds = [statement.type for statement in con.extract_statements(query)]
    allowed = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
    if len(kinds) != 1 or kinds[0] not in allowed:
        told = ", ".join(str(kind).rpartition(".")[2] for kind in kinds) or "nothing"
        raise NotDefined(f"store.sql takes one query, and this is {told}.", "For anything else: con = store.connect()")


def one_of(what: str, given: Any, allowed: Iterable[str]) -> None:
    """Refuse a name that is not among the allowed ones.

    Raises:
        UnknownName: it is not.
    """
    if given not in (known := list(allowed)):
        raise UnknownName(f"There is no {what} {given!r}.", nearest(str(given), known))
