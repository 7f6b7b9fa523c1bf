"""Lists of a query as the oracles of exposure read them, and the attention at each rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Doc = Any
Group = Any
Maybe = float | None


@dataclass(frozen=True)
class Query:
    """The lists of a query, best documents first, and what is known of documents.

    `groups` has the shares of the groups of each document that has one; `target` is None where there is none.
    """

    lists: Sequence[Sequence[Doc]]
    groups: dict[Doc, dict[Group, float]]
    all_groups: Sequence[Group]
    target: dict[Group, float] | None
    grades: dict[Doc, float]
    browsing: str = "log"
    judged_members: bool = False
    weight: float = 1.0

    def grade(self, doc: Doc) -> float:
        return max(self.grades.get(doc, 0.0), 0.0)

    def share(self, doc: Doc, group: Group) -> float:
        return self.groups.get(doc, {}).get(group, 0.0)

    @property
    def retrieved(self) -> list[Doc]:
        return list(dict.fromkeys(doc for ranking in self.lists for doc in ranking))

    @property
    def retrieved_or_judged(self) -> list[Doc]:
        return list(dict.fromkeys([*self.retrieved, *self.grades]))

    @property
    def members(self) -> list[Doc]:
        docs = self.retrieved_or_judged if self.judged_members else self.retrieved
        return [doc for doc in docs if doc in self.groups]

    def placed(self, ranking: Sequence[Doc]) -> list[Doc]:
        return [doc for doc in ranking if doc in self.groups]


def at_rank(browsing: str, r: int, p: float, stop: float, above: int) -> float:
    match browsing:
        case "log":
            return 1 / math.log2(r + 1)
        case "trecfair":
            return 1 / math.log2(max(r, 2))
        case "geometric":
            return p ** (r - 1)
        case "cascade":
            return p ** (r - 1) * (1 - stop) ** above
        case "reciprocal":
            return 1 / r
    return 1.0


@dataclass(frozen=True)
class Reader:
    """The parameters of attention."""

    browsing: str | None = None
    p: float = 0.5
    stop: float = 0.5
    cutoff: int | None = None

    def along(self, query: Query, ranking: Sequence[Doc]) -> list[float]:
        out, above = [], 0
        for r, doc in enumerate(ranking, 1):
            value = at_rank(self.browsing or query.browsing, r, self.p, self.stop, above)
            out.append(value if self.cutoff is None or r <= self.cutoff else 0.0)
            above += query.grade(doc) > 0
        return out

    def exposure(self, query: Query, only: Callable[[Doc], bool] = lambda _: True) -> dict[Doc, float]:
        """The mean attention over the lists of a query."""
        out: dict[Doc, float] = {}
        for ranking in query.lists:
            for doc, value in zip(ranking, self.along(query, ranking), strict=True):
                out[doc] = out.get(doc, 0.0) + (value if only(doc) else 0.0) / len(query.lists)
        return out


def over(above: float, below: float) -> Maybe:
    return above / below if below else None


def mean(values: Sequence[Maybe]) -> Maybe:
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None
