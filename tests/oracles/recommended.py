"""What the oracles of recommended items know of users and items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Item = Any
User = Any
Number = float | None


@dataclass
class Data:
    """What is known: the best items of lists come first; in `used` an item is as often as rows of train have it."""

    lists: Mapping[User, Sequence[Item]]
    used: Mapping[User, Sequence[Item]]
    relevant: Mapping[User, Mapping[Item, float]]
    catalogue: Sequence[Item]
    features: Mapping[Item, Mapping[Any, float]]
    distances: Mapping[tuple[Item, Item], float] = field(default_factory=dict)
    baseline: Mapping[User, Sequence[Item]] | None = None
    no_relevant: str = "null"
    by_rows: bool = False

    def top(self, user: User, cutoff: int | None) -> Sequence[Item]:
        return self.lists.get(user, ())[: cutoff or None]

    def history(self, user: User) -> list[Item]:
        return list(dict.fromkeys(self.used.get(user, ())))

    def num_users(self, item: Item) -> int:
        return sum(item in items for items in self.used.values())

    def uses(self, item: Item) -> int:
        if self.by_rows:
            return sum(items.count(item) for items in map(list, self.used.values()))
        return self.num_users(item)

    def items_of_train(self) -> list[Item]:
        return sorted({item for items in self.used.values() for item in items})

    def most_popular(self) -> list[Item]:
        return sorted(self.items_of_train(), key=lambda item: -self.uses(item))

    def relevance(self, user: User, item: Item, rel: float) -> float:
        grade = self.relevant.get(user, {}).get(item)
        return 1.0 if grade is not None and grade >= rel else 0.0


def mean(values: Sequence[Number]) -> Number:
    known = [v for v in values if v is not None]
    return math.fsum(known) / len(known) if known else None


def divided(values: Sequence[Number], over: str, cutoff: int | None) -> Number:
    known = [v for v in values if v is not None]
    if not known:
        return None
    return math.fsum(known) / (cutoff if over == "k" and cutoff else len(known))


def bits(times: int, total: int, unseen: str) -> Number:
    if unseen == "add_one":
        return -math.log2((times + 1) / (total + 1))
    if times == 0:
        return None if unseen == "null" else -math.log2(1 / total)
    return -math.log2(times / total)


def attention(browsing: str, rank: int, p: float) -> float:
    return {
        "log": 1 / math.log2(rank + 1),
        "trecfair": 1 / math.log2(max(rank, 2)),
        "geometric": p ** (rank - 1),
        "reciprocal": 1 / rank,
        "none": 1.0,
    }[browsing]
