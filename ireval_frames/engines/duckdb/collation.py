"""Text is compared by its bytes on every engine; columns of DuckDB whose collation says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.engines.quoting import identifier, string

# By their bytes the first is none of the others; it is where case, accents or compositions do not count.
_ONE, _OTHERS = "ä", ("Ä", "a", "a\u0308")


def by_bytes(column: str) -> str:
    """The column, compared by its bytes."""
    return f'{identifier(column)} COLLATE "binary"'


def question(columns: Sequence[str], source: str) -> str:
    """The query that tells of each column of text whether it has another collation; no row is read."""
    return f"SELECT {', '.join(map(_asked, columns))} FROM ({source}) WHERE FALSE"


def _asked(column: str) -> str:
    """A literal that takes its collation from the column."""
    one = f"CASE WHEN FALSE THEN any_value({identifier(column)}) ELSE {string(_ONE)} END"
    return f"{one} IN ({', '.join(map(string, _OTHERS))})"
