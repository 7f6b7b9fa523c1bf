"""DuckDB's errors as ours."""

from __future__ import annotations

import re

from ireval_frames.errors import Argument, EngineError, Hint, InvalidValue, IrevalError, rows_to_fix

# The message for text that is no number: what it is, and the column.
_TEXT = re.compile(
    r"Could not convert string '(.*)' to (?:U?INT\d+|DOUBLE|FLOAT) when casting from source column (.*)$"
)


def engine_error(error: Exception) -> IrevalError:
    """DuckDB's error as ours, with the cause named."""
    text = str(error).splitlines()[0]
    if no_number := _TEXT.search(text):
        return InvalidValue(
            f"Column {no_number[2]!r} has text where numbers are expected: {no_number[1]!r}.",
            Hint(
                "Name a column of numbers. ",
                rows_to_fix("frame", no_number[2], ".cast(pl.Float64, strict=False).is_null()"),
            ),
        )
    if "closed" in text.lower():
        return EngineError(
            f"The DuckDB connection is closed: {text}",
            "Open it again: con = duckdb.connect(path), and create the relation again.",
        )
    if any(words in text for words in ("connection is busy", "unfinished result", "open result")):
        return EngineError(
            "The DuckDB connection is busy with another call: a thread's, or a result that is not read to its end.",
            "Give every thread a connection of its own: con=con.cursor().",
        )
    if "different connections" in text or "not suitable for replacement scan" in text:
        return EngineError(
            "The tables are relations of different DuckDB connections.",
            "Make both from one connection, or pass the judgments as a frame.",
        )
    if "read-only mode" in text:
        return EngineError(
            f"The database can only be read: {text}",
            "Attach it to a database in memory, which takes views and macros: con = duckdb.connect(); "
            "con.execute(\"ATTACH 'my.duckdb' AS my (READ_ONLY)\"). Its tables are then my.qrels, my.run.",
        )
    if text.endswith("already exists!"):
        hint = Hint("Write ", Argument("replace", value=True), " to replace it, or use another name.")
        return EngineError(f"DuckDB could not create it: {text}", hint)
    return EngineError(f"DuckDB could not run the query: {text}")
