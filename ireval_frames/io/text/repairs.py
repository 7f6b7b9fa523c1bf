"""What is repaired in judgments, and what is left out; each with a warning that counts it."""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import InvalidValue, ReadingWarning, warn

# Cranfield's codes: 1, a complete answer, to 5, of no interest.
LOWEST = 5


def gains_of_codes(judgments: pl.DataFrame, name: str) -> pl.DataFrame:
    """Judgments by Cranfield's codes, of which 1 is the best, as grades of which 4 is the best: 5 − code.

    Rows of code −1, which nothing explains, are left out.

    Raises:
        InvalidValue: there are other codes.
    """
    code = pl.col("relevance")
    other = judgments.filter(~code.is_in([-1, *range(1, LOWEST + 1)]))
    if other.height:
        query, doc, value = other.select("query_id", "doc_id", "relevance").row(0)
        raise InvalidValue(
            f"{name}: {other.height} rows have other codes than 1 to 5 and -1; the first is query {query!r}, document "
            f"{doc!r}, code {value}.",
            'If these are grades, of which the largest is the best: ir.io.scan_qrels(path, format="pairs")',
        )
    rows = judgments.filter(code != -1)
    if left := judgments.height - rows.height:
        warn(f"{name}: rows of code -1, which nothing explains, were left out: {left:,}.", ReadingWarning)
    return rows.with_columns((LOWEST - code).alias("relevance"))


def without_leading_zeros(judgments: pl.DataFrame, name: str) -> pl.DataFrame:
    """Judgments whose ids are numbers without leading zeros, as the documents and queries of CACM have them."""
    for column in ("query_id", "doc_id"):
        ids = judgments[column]
        padded = ids.str.contains("^0+[0-9]")
        if not padded.any() or not ids.str.contains("^[0-9]+$").all():
            continue
        warn(
            f"{name}: leading zeros of {column} were removed, as queries and documents of the collection have none: "
            f"{padded.sum():,}, such as {ids.filter(padded)[0]!r}.",
            ReadingWarning,
        )
        judgments = judgments.with_columns(pl.col(column).str.replace("^0+([0-9])", "$1"))
    return judgments
