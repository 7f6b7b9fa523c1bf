"""What judgments and run lack, told at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ireval_frames.columns.schema import RUN, resolve
from ireval_frames.columns.user_names import ColumnNames
from ireval_frames.errors import Argument, Hint, MissingColumn

# Names of what orders a run, and a run that must have scores.
_OF_ORDER = {name for c in (RUN["score"], RUN["rank"]) for name in (c.name, *c.aliases)}
_SCORED = replace(RUN, columns=tuple(replace(c, required=c.required or c.name == "score") for c in RUN.columns))


def all_there(tables: Mapping[str, Any], find: Callable[[str, Any], object]) -> None:
    """Tell at once what several tables lack.

    Args:
        tables: by their names.
        find: finds the columns of one.

    Raises:
        MissingColumn: two of them lack columns.
    """
    lacking: dict[str, MissingColumn] = {}
    for table, frame in tables.items():
        try:
            find(table, frame)
        except MissingColumn as error:
            lacking[table] = error
    parts = {t: [p for p in getattr(e.hint, "parts", ()) if isinstance(p, Argument)] for t, e in lacking.items()}
    if len(lacking) < 2 or not all(p and p[0].name == "columns" for p in parts.values()):
        return
    named = {table: dict(cast(Mapping[str, str], p[0].value)) for table, p in parts.items()}
    each = {f"{table}.{ours}": theirs for table, of in named.items() for ours, theirs in of.items()}
    raise MissingColumn(
        " ".join(error.what for error in lacking.values()),
        Hint("Name them: ", Argument("columns", named, option=("column", each)), "."),
    )


def with_scores(names: Sequence[str], columns: ColumnNames) -> None:
    """Look for the scores of a run that lacks more than these, so that all is told at once.

    Raises:
        MissingColumn: it has none, and no ranks.
    """
    if not {*columns, *map(str.lower, names)} & _OF_ORDER:
        resolve(_SCORED, names, columns)
