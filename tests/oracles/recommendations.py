"""Measures of recommended items as plain loops over lists, straight from their definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from tests.oracles import recommended_accuracy as accurate
from tests.oracles import recommended_together as together
from tests.oracles.recommended import Data, Item, Number, User, attention, bits, divided, mean

# ---- per list


def miuf(d: Data, user: User, *, unseen: str, over: str, cutoff: int | None) -> Number:
    n = len(d.used)
    return divided([bits(d.num_users(i), n, unseen) for i in d.top(user, cutoff)], over, cutoff)


def surprisal(d: Data, user: User, *, unseen: str, over: str, cutoff: int | None) -> Number:
    n = len(d.used)
    value = miuf(d, user, unseen=unseen, over=over, cutoff=cutoff)
    return None if n < 2 or value is None else value / math.log2(n)


def unseen_share(d: Data, user: User, *, cutoff: int | None) -> Number:
    return mean([float(i not in d.history(user)) for i in d.top(user, cutoff)])


def arp(d: Data, user: User, *, share: bool, cutoff: int | None) -> Number:
    total = sum(d.uses(i) for i in d.items_of_train()) if share else 1
    return mean([d.uses(i) / total for i in d.top(user, cutoff)])


def pop_rank(d: Data, user: User, *, cutoff: int | None) -> Number:
    items = d.items_of_train()

    def percentile(item: Item) -> float:
        if item not in items:
            return 0.0
        below = sum(d.uses(i) < d.uses(item) for i in items)
        equal = sum(d.uses(i) == d.uses(item) for i in items)
        return (below + (equal + 1) / 2) / len(items)

    return mean([percentile(i) for i in d.top(user, cutoff)])


def tail_share(d: Data, user: User, *, head: float, cutoff: int | None) -> Number:
    total, so_far, in_head = sum(d.uses(i) for i in d.items_of_train()), 0, []
    for item in d.most_popular():
        if so_far >= head * total - 1e-9 * total:
            break
        so_far += d.uses(item)
        in_head.append(item)
    return mean([float(i not in in_head) for i in d.top(user, cutoff)])


def distance(d: Data, one: Item, other: Item, how: str) -> Number:
    if how == "table":
        return d.distances.get((one, other), d.distances.get((other, one)))
    f, g = d.features.get(one, {}), d.features.get(other, {})
    if not f or not g:
        return None
    if how == "jaccard":
        return 1 - len(f.keys() & g.keys()) / len(f.keys() | g.keys())
    if how == "hamming":
        return float(len(f.keys() ^ g.keys()))
    dot = math.fsum(f[x] * g[x] for x in f.keys() & g.keys())
    norms = math.fsum(w * w for w in f.values()) * math.fsum(w * w for w in g.values())
    return max(0.0, 1 - dot / math.sqrt(norms))


def known(value: Number, unknown: str) -> Number:
    return 1.0 if value is None and unknown == "one" else value


def ild(d: Data, user: User, *, distance: str, unknown: str, single: str, cutoff: int | None) -> Number:
    top = d.top(user, cutoff)
    if len(top) == 1 and single == "zero":
        return 0.0
    return mean([known(_distance(d, i, j, distance), unknown) for i, j in itertools.combinations(top, 2)])


_distance = distance


def similarity_in_train(d: Data, one: Item, other: Item) -> float:
    both = sum(one in items and other in items for items in d.used.values())
    below = d.num_users(one) * d.num_users(other)
    return both / math.sqrt(below) if below else 0.0


def ils(d: Data, user: User, *, of: str, unknown: str, single: str, cutoff: int | None) -> Number:
    top = d.top(user, cutoff)
    if len(top) == 1 and single == "one":
        return 1.0
    values: list[Number] = []
    for i, j in itertools.combinations(top, 2):
        if of == "train":
            values.append(similarity_in_train(d, i, j))
            continue
        far = _distance(d, i, j, "cosine" if of == "features" else "table")
        values.append((0.0 if unknown == "zero" else None) if far is None else 1 - far)
    return mean(values)


def eild(
    d: Data,
    user: User,
    *,
    distance: str,
    unknown: str,
    relevance: bool,
    browsing: str,
    p: float,
    rel: float,
    cutoff: int | None,
) -> Number:
    top = list(enumerate(d.top(user, cutoff), 1))
    total = below = 0.0
    some = False
    for i, item in top:
        far = weight = 0.0
        for j, other in top:
            value = known(_distance(d, item, other, distance), unknown)
            if i != j and value is not None:
                some = True
                w = attention(browsing, max(1, j - i), p) * (d.relevance(user, other, rel) if relevance else 1.0)
                far, weight = far + w * value, weight + w
        if weight:
            total += attention(browsing, i, p) * (d.relevance(user, item, rel) if relevance else 1.0) * far / weight
        below += attention(browsing, i, p)
    value = total / below if some else None
    return where_relevant(d, user, value, rel) if relevance else value


def where_relevant(d: Data, user: User, value: Number, rel: float) -> Number:
    if value is None or any(grade >= rel for grade in d.relevant.get(user, {}).values()):
        return value
    return None if d.no_relevant == "null" else 0.0


def shares(d: Data, weighted: Sequence[tuple[Item, float]], *, whole: bool = False) -> dict[Any, float]:
    """The share of each feature."""
    amounts: dict[Any, float] = {}
    for item, weight in weighted:
        of = d.features.get(item, {})
        for name, w in of.items():
            amounts[name] = amounts.get(name, 0.0) + weight * (1.0 if whole else w / sum(of.values()))
    total = math.fsum(amounts.values())
    return {name: amount / total for name, amount in amounts.items() if amount > 0}


def feature_recall(d: Data, user: User, *, over: str, cutoff: int | None) -> Number:
    top = d.top(user, cutoff)
    if not top:
        return None
    found = {name for item in top for name in d.features.get(item, {})}
    return len(found) / (cutoff if over == "k" and cutoff else len({n for f in d.features.values() for n in f}))


def feature_entropy(d: Data, user: User, *, items: str, base: float, cutoff: int | None) -> Number:
    q = shares(d, [(i, 1.0) for i in d.top(user, cutoff)], whole=items == "whole")
    return math.fsum(-x * math.log(x, base) for x in q.values()) if q else None


def miscalibration(
    d: Data, user: User, *, divergence: str, alpha: float, browsing: str, p: float, cutoff: int | None
) -> Number:
    before = [(i, 1.0) for i in (d.used.get(user, ()) if d.by_rows else d.history(user))]
    h = shares(d, before)
    q = shares(d, [(i, attention(browsing, r, p)) for r, i in enumerate(d.top(user, cutoff), 1)])
    if not h or not q:
        return None
    names = h.keys() | q.keys()
    if divergence == "kl":
        return math.fsum(x * math.log(x / ((1 - alpha) * q.get(g, 0.0) + alpha * x)) for g, x in h.items())
    if divergence == "hellinger":
        return math.sqrt(math.fsum((math.sqrt(h.get(g, 0)) - math.sqrt(q.get(g, 0))) ** 2 for g in names) / 2)

    def half(one: dict[Any, float], other: dict[Any, float]) -> float:
        return math.fsum(x * math.log(2 * x / (x + other.get(g, 0.0))) for g, x in one.items()) / 2

    return half(h, q) + half(q, h)


def serendipity(d: Data, user: User, *, of: str, relevance: bool, rel: float, cutoff: int | None) -> Number:
    n, history, values = len(d.catalogue), d.history(user), []
    numbers = sorted({d.uses(i) for i in d.items_of_train()}, reverse=True)
    baseline = baseline_of(d, user, cutoff)
    for rank, item in enumerate(d.top(user, cutoff), 1):
        surprise: Number
        if of == "popularity":
            uses = d.uses(item)
            popular = (n + 1 - (numbers.index(uses) + 1)) / n if uses else 0.0
            surprise = max(0.0, (n + 1 - rank) / n - popular)
        elif of == "history":
            alike = mean([similarity_in_train(d, item, other) for other in history])
            surprise = None if alike is None else 1 - alike
        else:
            surprise = None if baseline is None else float(item not in baseline)
        relevant = d.relevance(user, item, rel) if relevance else 1.0
        values.append(None if surprise is None else surprise * relevant)
    value = mean(values)
    return where_relevant(d, user, value, rel) if relevance else value


def baseline_of(d: Data, user: User, cutoff: int | None) -> Sequence[Item] | None:
    if d.baseline is None:
        return d.most_popular()[: cutoff or None]
    return d.baseline[user][: cutoff or None] if user in d.baseline else None


def unexpectedness(d: Data, user: User, *, over: str, cutoff: int) -> Number:
    top, baseline = d.top(user, cutoff), baseline_of(d, user, cutoff)
    if not top or baseline is None:
        return None
    return 1 - sum(i in baseline for i in top) / (cutoff if over == "k" else len(top))


PER_LIST: dict[str, Callable[..., Number]] = {
    "MIUF": miuf,
    "Surprisal": surprisal,
    "UnseenShare": unseen_share,
    "ARP": arp,
    "PopRank": pop_rank,
    "TailShare": tail_share,
    "ILD": ild,
    "ILS": ils,
    "EILD": eild,
    "FeatureRecall": feature_recall,
    "FeatureEntropy": feature_entropy,
    "Miscalibration": miscalibration,
    "Serendipity": serendipity,
    "Unexpectedness": unexpectedness,
    "HitRate": accurate.accuracy(accurate.hit_rate),
    "Precision": accurate.accuracy(accurate.precision),
    "Recall": accurate.accuracy(accurate.recall),
    "F1": accurate.accuracy(accurate.f1),
    "MAP": accurate.accuracy(accurate.average_precision),
    "MRR": accurate.accuracy(accurate.reciprocal_rank),
    "NDCG": accurate.accuracy(accurate.ndcg),
}
POOLED: dict[str, Callable[..., Number]] = {
    "SelfInformation": together.self_information,
    "CatalogCoverage": together.catalog_coverage,
    "UserCoverage": together.user_coverage,
    "NumUsers": together.num_users,
    "NumRecommended": together.num_recommended,
    "ItemGini": together.item_gini,
    "ExposureGini": together.exposure_gini,
    "ItemEntropy": together.item_entropy,
    "Personalization": together.personalization,
    "BiasDisparity": together.bias_disparity,
    "PopularityLift": together.popularity_lift,
}
ORACLES = (*PER_LIST, *POOLED)


# Of the lists of all users together, not of those of one.
OF_ALL = ("CatalogCoverage", "ItemGini", "ExposureGini", "ItemEntropy", "Personalization")


def value(name: str, data: Data, users: Sequence[User], **arguments: Any) -> Number:
    """The value of a measure of these users: the mean of its values per list, or all lists together."""
    if name in POOLED:
        return POOLED[name](data, users, **arguments)
    return mean([PER_LIST[name](data, user, **arguments) for user in users])
