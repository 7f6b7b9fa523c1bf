"""Missing columns of several tables, in one error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ireval_frames.columns.schema import RUN
from ireval_frames.columns.schema import resolve as resolve_columns
from ireval_frames.columns.user_names import ColumnNames
from ireval_frames.errors import Argument, Hint, MissingColumn

# Names of columns that order a run, and the schema of a run that must have scores.
_OF_ORDER = {name for c in (RUN["score"], RUN["rank"]) for name in (c.name, *c.aliases)}
_SCORED = replace(RUN, columns=tuple(replace(c, required=c.required or c.name == "score") for c in RUN.columns))


def require_all(tables: Mapping[str, Any], resolve: Callable[[str, Any], object]) -> None:
    """Report the missing columns of several tables in one error.

    Args:
        tables: by their names.
        resolve: resolves the columns of one.

    Raises:
        MissingColumn: two of them have missing columns.
    """
    errors: dict[str, MissingColumn] = {}
    for table, frame in tables.items():
        try:
            resolve(table, frame)
        except MissingColumn as error:
            errors[table] = error
    parts = {t: [p for p in getattr(e.hint, "parts", ()) if isinstance(p, Argument)] for t, e in errors.items()}
    if len(errors) < 2 or not all(p and p[0].name == "columns" for p in parts.values()):
        return
    named = {table: dict(cast(Mapping[str, str], p[0].value)) for table, p in parts.items()}
    each = {f"{table}.{ours}": user_name for table, of in named.items() for ours, user_name in of.items()}
    raise MissingColumn(
        " ".join(error.what for error in errors.values()),
        Hint("Name them: ", Argument("columns", named, option=("column", each)), "."),
    )


def require_scores(names: Sequence[str], columns: ColumnNames) -> None:
    """Require scores of a run without scores and ranks, so that the error has all missing columns.

    Raises:
        MissingColumn: it has none, and no ranks.
    """
    if not {*columns, *map(str.lower, names)} & _OF_ORDER:
        resolve_columns(_SCORED, names, columns)
