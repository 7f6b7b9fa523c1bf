"""The portable hash of an id and a seed, in the words of engines."""

from __future__ import annotations


def md5(column: str, seed: int) -> str:
    """DuckDB's expression of it; the sign bit is dropped, so that every engine's integers hold it."""
    return f"CAST(md5_number_lower('{seed}:' || {column}) >> 1 AS BIGINT)"
