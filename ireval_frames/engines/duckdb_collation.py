"""Text is compared by its bytes on every engine; columns of DuckDB whose collation says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.engines.sql_names import identifier, string

# Texts that are apart, or in this order, by their bytes, and not where case, accents, compositions or languages count.
_ALIKE = (("a", "A"), ("ä", "a"), ("é", "e\u0301"))
_AFTER = ("a", "B")


def by_bytes(column: str) -> str:
    """The column, compared by its bytes."""
    return f'{identifier(column)} COLLATE "binary"'


def question(columns: Sequence[str], source: str) -> str:
    """The query that tells of each column of text whether it has another collation; no row is read."""
    return f"SELECT {', '.join(map(_asked, columns))} FROM ({source}) WHERE FALSE"


def _asked(column: str) -> str:
    """Literals that take their collation from the column."""

    def as_there(text: str) -> str:
        return f"CASE WHEN FALSE THEN any_value({identifier(column)}) ELSE {string(text)} END"

    alike = [f"{as_there(one)} = {string(other)}" for one, other in _ALIKE]
    return " OR ".join([*alike, f"{as_there(_AFTER[0])} < {string(_AFTER[1])}"])
