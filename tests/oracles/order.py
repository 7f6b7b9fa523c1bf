"""The order of retrieved documents, from their scores or their ranks."""

from __future__ import annotations

import functools
import math
import struct
from collections.abc import Sequence
from typing import Any

TIES = ("trec_eval", "doc_id", "rank")


def ranking(rows: Sequence[tuple[Any, ...]], ties: str = "trec_eval", precision: int = 64) -> list[Any]:
    """Order the rows (doc_id, score[, rank]) of one query, best first.

    "trec_eval" puts equal scores in descending order of document id, "doc_id"
    in ascending order. "rank" follows the run's rank column and looks at
    scores only where two ranks are equal.
    """
    if ties not in TIES:
        raise ValueError(f"ties is one of {TIES}, not {ties!r}")
    return list(_ranked(tuple(rows), ties, precision))


# Every measure asks for the same lists.
@functools.cache
def _ranked(rows: tuple[tuple[Any, ...], ...], ties: str, precision: int) -> tuple[Any, ...]:
    # Python's sort is stable, with reverse=True too: the last key sorted by
    # counts most.
    ordered = sorted(rows, key=lambda row: id_key(row[0]), reverse=ties != "doc_id")
    ordered.sort(key=lambda row: compared_score(row[1], precision), reverse=True)
    if ties == "rank":
        ordered.sort(key=lambda row: row[2])
    return tuple(row[0] for row in ordered)


def id_key(doc_id: str | int) -> bytes | int:
    """Strings compare by their UTF-8 bytes, integers as numbers."""
    if isinstance(doc_id, str):
        return doc_id.encode("utf-8")
    return doc_id


def compared_score(score: float, precision: int = 64) -> float:
    """The score as it is compared: a double, or rounded to a 32-bit float."""
    if precision == 64:
        return float(score)
    if precision != 32:
        raise ValueError(f"precision is 64 or 32, not {precision}")
    try:
        return float(struct.unpack("<f", struct.pack("<f", score))[0])
    except OverflowError:
        # struct refuses what a C cast turns into infinity.
        return math.copysign(math.inf, score)
