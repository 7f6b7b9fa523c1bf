"""Measures of nuggets as plain loops over the nuggets of a query and their labels for an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Maybe = float | None


@dataclass(frozen=True)
class Nugget:
    """A nugget: its importance, its weight, and the labels of the judges for an answer; none where it has none."""

    importance: str
    weight: float
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered:
    """A query: its nuggets, and the length of the answer; `exists` is False where there is no answer."""

    nuggets: Sequence[Nugget]
    length: float = 0.0
    exists: bool = True


@dataclass(frozen=True)
class Conventions:
    """What the policy says."""

    undefined: str = "null"
    missing: str = "zero"
    unassigned: str = "not_support"
    failed: str = "error"


def credit(nugget: Nugget, conventions: Conventions, *, strict: bool) -> Maybe:
    """What the answer earns for a nugget; None leaves the nugget out."""
    if not nugget.labels:
        return None if conventions.unassigned == "skip" else 0.0
    earned = []
    for label in nugget.labels:
        if label == "failed" and conventions.failed == "skip":
            continue
        earned.append({"support": 1.0, "partial_support": 0.0 if strict else 0.5}.get(label, 0.0))
    return sum(earned) / len(earned) if earned else None


def weight(nugget: Nugget, level: str) -> float:
    if level == "all":
        return 1.0
    if level == "pyramid":
        return nugget.weight
    if nugget.importance == "vital":
        return 1.0
    return 0.5 if level == "weighted" else 0.0


def earned(query: Answered, conventions: Conventions, level: str, *, strict: bool) -> tuple[float, float]:
    """What the answer earns, and what it could earn."""
    got = possible = 0.0
    for nugget in query.nuggets:
        if nugget.importance == "failed" and conventions.failed == "skip":
            continue
        s = credit(nugget, conventions, strict=strict)
        if s is not None:
            got += s * weight(nugget, level)
            possible += weight(nugget, level)
    return got, possible


def recall(query: Answered, conventions: Conventions, level: str = "all", *, strict: bool = False) -> Maybe:
    got, possible = earned(query, conventions, level, strict=strict)
    if possible == 0:
        return None if conventions.undefined == "null" else float(conventions.undefined)
    return got / possible


def precision(query: Answered, conventions: Conventions, allowance: float = 100.0, *, strict: bool = False) -> Maybe:
    allowed = allowance * earned(query, conventions, "all", strict=strict)[0]
    return 1.0 if query.length <= allowed else 1 - (query.length - allowed) / query.length


def f(
    query: Answered,
    conventions: Conventions,
    beta: float = 3.0,
    allowance: float = 100.0,
    level: str = "vital",
    *,
    strict: bool = False,
) -> Maybe:
    r = recall(query, conventions, level, strict=strict)
    p = precision(query, conventions, allowance, strict=strict)
    if r is None or p is None:
        return None
    return (beta**2 + 1) * p * r / (beta**2 * p + r) if beta**2 * p + r > 0 else 0.0


def number(query: Answered, conventions: Conventions, level: str = "all") -> Maybe:
    left = [n for n in query.nuggets if n.importance != "failed" or conventions.failed != "skip"]
    return float(sum(1 for n in left if level == "all" or n.importance == "vital"))


ORACLES: dict[str, Callable[..., Maybe]] = {
    "NuggetRecall": recall,
    "NuggetPrecision": precision,
    "NuggetF": f,
    "NumNuggets": number,
}


def value(name: str, query: Answered, conventions: Conventions, **arguments: Any) -> Maybe:
    """The value of a query."""
    if not query.exists and name != "NumNuggets":
        return 0.0 if conventions.missing == "zero" else None
    return ORACLES[name](query, conventions, **arguments)
