"""The expectation of a measure over the orders of tied documents, by trying them all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from tests.oracles.order import compared_score
from tests.oracles.relevance import Judgments, Oracle

MOST_TIED = 7


def expected(
    f: Oracle,
    rows: Sequence[tuple[Any, ...]],
    judgments: Judgments,
    *,
    precision: int = 64,
    **parameters: Any,
) -> float | None:
    """The mean of f over all orders of the rows (doc_id, score) that scores allow.

    None when f is undefined for any of them. At most 7 documents may be tied.
    """
    groups = tie_groups(rows, precision)
    tied = sum(len(group) for group in groups if len(group) > 1)
    if tied > MOST_TIED:
        raise ValueError(f"{tied} documents are tied, more than {MOST_TIED}")
    values = []
    for ranking in orders(groups):
        value = f(ranking, judgments, **parameters)
        if value is None:
            return None
        values.append(value)
    return math.fsum(values) / len(values)


def tie_groups(rows: Sequence[tuple[Any, ...]], precision: int = 64) -> list[list[Any]]:
    """The documents with equal scores together, highest score first."""
    by_score: dict[float, list[Any]] = {}
    for row in rows:
        by_score.setdefault(compared_score(row[1], precision), []).append(row[0])
    return [by_score[score] for score in sorted(by_score, reverse=True)]


def orders(groups: list[list[Any]]) -> Iterator[list[Any]]:
    """Every ranking that keeps the groups in their order."""
    shuffles = [list(itertools.permutations(group)) for group in groups]
    for choice in itertools.product(*shuffles):
        yield [doc_id for group in choice for doc_id in group]
