"""The least and the largest value of a list over all gradings of the documents that have no judgment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Judgments = Mapping[Any, float]
Value = Callable[[Judgments], "float | None"]


def unjudged(order: Sequence[Any], judgments: Judgments) -> list[Any]:
    """The documents of a list that have no judgment; a negative grade is none."""
    return [doc for doc in order if judgments.get(doc, -1.0) < 0]


def gradings(judgments: Judgments, documents: Sequence[Any], grades: Sequence[float]) -> Iterator[Judgments]:
    """The judgments with every assignment of grades to the documents."""
    for assigned in itertools.product(grades, repeat=len(documents)):
        yield {**judgments, **dict(zip(documents, assigned, strict=True))}


def extremes(
    value: Value, judgments: Judgments, documents: Sequence[Any], grades: Sequence[float]
) -> tuple[float, float] | None:
    """The least and the largest value; None if no grading has one."""
    values = [v for graded in gradings(judgments, documents, grades) if (v := value(graded)) is not None]
    return (min(values), max(values)) if values else None
