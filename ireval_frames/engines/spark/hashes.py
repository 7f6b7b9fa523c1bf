"""Hashes in Spark's words: the portable one of an id, and what tells rows apart."""

from __future__ import annotations

from collections.abc import Sequence

from ireval_frames.engines.quoting import identifier
from ireval_frames.engines.sql.frame import DuckDBFrame


def portable(column: str, seed: int) -> str:
    """The bytes of the MD5 are turned round, and the last bit is dropped."""
    digits = f"md5('{seed}:' || {identifier(column)})"
    turned = " || ".join(f"substring({digits}, {at}, 2)" for at in range(31, 15, -2))
    return f"CAST(CAST(conv({turned}, 16, 10) AS DECIMAL(20, 0)) div 2 AS BIGINT)"


def of_rows(frame: DuckDBFrame, columns: Sequence[str]) -> str:
    """Spark's hash of 64 bits passes over nulls, so it is told where they are."""
    terms = [t for c in columns for t in (_without_sign(frame, c), f"{identifier(c)} IS NULL")]
    return f"xxhash64({', '.join(terms or ['0'])})"


def _without_sign(frame: DuckDBFrame, column: str) -> str:
    """A column, of floats such that -0.0 is 0.0."""
    return f"{identifier(column)} + 0e0" if frame.dtype(column).is_float() else identifier(column)
