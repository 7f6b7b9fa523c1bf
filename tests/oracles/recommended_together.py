"""Measures of all lists of recommended items together, as plain loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from tests.oracles.recommended import Data, Item, Number, User, attention, bits, mean

# ---- of several users together


def rows_of(d: Data, users: Sequence[User], cutoff: int | None) -> list[Item]:
    return [item for user in users for item in d.top(user, cutoff)]


def self_information(d: Data, users: Sequence[User], *, unseen: str, cutoff: int | None) -> Number:
    total = sum(d.uses(i) for i in d.items_of_train())
    return mean([bits(d.uses(i), total, unseen) for i in rows_of(d, users, cutoff)])


def catalog_coverage(d: Data, users: Sequence[User], *, cutoff: int | None) -> Number:
    return len(set(rows_of(d, users, cutoff))) / len(d.catalogue)


def user_coverage(d: Data, users: Sequence[User], *, at_least: int, cutoff: int | None) -> Number:
    return sum(len(d.top(u, cutoff)) >= at_least for u in users) / len(users)


def num_users(_: Data, users: Sequence[User]) -> Number:
    return float(len(users))


def num_recommended(d: Data, users: Sequence[User], *, cutoff: int | None) -> Number:
    return float(len(rows_of(d, users, cutoff)))


def gini(amounts: Sequence[float]) -> Number:
    x, n = sorted(amounts), len(amounts)
    total = math.fsum(x)
    return math.fsum((2 * j - n - 1) * v for j, v in enumerate(x, 1)) / (n * total) if total else None


def item_gini(d: Data, users: Sequence[User], *, cutoff: int | None) -> Number:
    rows = rows_of(d, users, cutoff)
    return gini([rows.count(i) for i in d.catalogue])


def exposure_gini(d: Data, users: Sequence[User], *, browsing: str, p: float, cutoff: int | None) -> Number:
    amounts = dict.fromkeys(d.catalogue, 0.0)
    for user in users:
        for rank, item in enumerate(d.top(user, cutoff), 1):
            amounts[item] += attention(browsing, rank, p)
    return gini(list(amounts.values()))


def item_entropy(d: Data, users: Sequence[User], *, normalized: bool, base: float, cutoff: int | None) -> Number:
    rows = rows_of(d, users, cutoff)
    if not rows or (normalized and len(d.catalogue) == 1):
        return None
    shares = [rows.count(i) / len(rows) for i in set(rows)]
    entropy = math.fsum(-x * math.log(x, base) for x in shares)
    return entropy / math.log(len(d.catalogue), base) if normalized else entropy


def personalization(d: Data, users: Sequence[User], *, over: str, cutoff: int | None) -> Number:
    lists = [set(d.top(u, cutoff)) for u in users if d.top(u, cutoff)]
    overlaps = [
        len(one & other) / (cutoff if over == "k" and cutoff else math.sqrt(len(one) * len(other)))
        for one, other in itertools.combinations(lists, 2)
    ]
    value = mean(overlaps)
    return None if value is None else 1 - value


def bias_disparity(d: Data, users: Sequence[User], *, feature: Any, cutoff: int | None) -> Number:
    def share(rows: Sequence[Item]) -> Number:
        return mean([float(feature in d.features.get(i, {})) for i in rows])

    used = [i for u in users for i in (d.used.get(u, ()) if d.by_rows else d.history(u))]
    before, after = share(used), share(rows_of(d, users, cutoff))
    return None if not before or after is None else (after - before) / before


def popularity_lift(d: Data, users: Sequence[User], *, cutoff: int | None) -> Number:
    before = mean([mean([d.uses(i) for i in d.history(u)]) for u in users])
    after = mean([mean([d.uses(i) for i in d.top(u, cutoff)]) for u in users])
    return None if not before or after is None else (after - before) / before
