"""Measures of exposure from their definitions: loops over lists, documents and groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.exposure_lists import Doc, Group, Maybe, Query, Reader, at_rank, over
from tests.oracles.exposure_tops import APART, cut_points, extreme, ndkl, skew

# ---- groups of members


def group_exposure(queries: Sequence[Query], *, group: Group, **reader: Any) -> Maybe:
    own = every = 0.0
    for query in queries:
        exposure = Reader(**reader).exposure(query)
        for doc in query.members:
            own += query.weight * exposure.get(doc, 0.0) * query.share(doc, group)
            every += query.weight * exposure.get(doc, 0.0)
    return over(own, every)


def _distance(one: dict[Group, float], other: dict[Group, float], distance: str) -> float:
    names = set(one) | set(other)
    pairs = [(one.get(g, 0.0), other.get(g, 0.0)) for g in names]
    if distance == "l1":
        return sum(abs(a - b) for a, b in pairs) / 2
    if distance == "l2":
        return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / 2)
    total = 0.0
    for a, b in pairs:
        m = (a + b) / 2
        total += sum(x * math.log(x / m) for x in (a, b) if x > 0) / 2
    return total / (math.log(2) if distance == "js-bits" else 1)


def awrf(query: Query, *, distance: str, **reader: Any) -> Maybe:
    if query.target is None or not query.lists:
        return None
    shares = {g: group_exposure([query], group=g, **reader) for g in query.all_groups}
    if any(s is None for s in shares.values()):
        return None
    return 1 - _distance({g: s or 0.0 for g, s in shares.items()}, query.target, distance)


def ndcg_awrf(query: Query, *, rel: float, distance: str, **reader: Any) -> Maybe:
    fairness = awrf(query, distance=distance, **reader)
    relevant = [doc for doc in query.grades if query.grade(doc) >= rel]
    if fairness is None or not relevant:
        return None
    r = Reader(**reader)
    gain = sum(r.exposure(query, lambda doc: query.grade(doc) >= rel).values())
    depth = len(relevant) if r.cutoff is None else min(r.cutoff, len(relevant))
    ideal = sum(at_rank(r.browsing or query.browsing, i, r.p, r.stop, i - 1) for i in range(1, depth + 1))
    return gain / ideal * fairness


def _sums(queries: Sequence[Query], of: str, inside: Callable[[Query, Doc], float], r: Reader) -> tuple[float, float]:
    above = below = 0.0
    for query in queries:
        exposure = r.exposure(query)
        for doc in query.members:
            e, u, w = exposure.get(doc, 0.0), query.grade(doc), query.weight * inside(query, doc)
            above += w * (e * u if of == "impact" else e)
            below += w * (1.0 if of == "exposure" else u)
    return above, below


def _each(queries: Sequence[Query], of: str, r: Reader) -> list[float]:
    present = {g for q in queries for doc in q.members for g in q.groups[doc]}
    values = [over(*_sums(queries, of, lambda q, d, g=g: q.share(d, g), r)) for g in present]  # type: ignore[misc]
    return [v for v in values if v is not None]


def exposure_ratio(queries: Sequence[Query], of: str, *, group: Group, **reader: Any) -> Maybe:
    r = Reader(**reader)
    if group is None:
        each = _each(queries, of, r)
        return over(min(each), max(each)) if len(each) > 1 else None
    one = over(*_sums(queries, of, lambda q, d: q.share(d, group), r))
    other = over(*_sums(queries, of, lambda q, d: sum(q.groups[d].values()) - q.share(d, group), r))
    return None if one is None or other is None else over(one, other)


def exposure_gap(queries: Sequence[Query], *, spread: str, of: str, **reader: Any) -> Maybe:
    each = _each(queries, of, Reader(**reader))
    if len(each) < 2:
        return None
    if spread == "max-min":
        return max(each) - min(each)
    middle = sum(each) / len(each)
    return sum(abs(x - middle) if spread == "mad" else (x - middle) ** 2 for x in each) / len(each)


def num_retrieved(queries: Sequence[Query]) -> float:
    return float(sum(q.weight * len(q.retrieved) for q in queries))


# ---- pairs


def pairwise(queries: Sequence[Query], *, group: Group, pairs: str) -> Maybe:
    won = every = 0.0
    for query in queries:
        for ranking in query.lists:
            for i, x in enumerate(ranking):
                for j, y in enumerate(ranking):
                    if query.grade(x) <= query.grade(y):
                        continue
                    weight = query.weight * query.share(x, group)
                    if pairs == "intra":
                        weight *= query.share(y, group)
                    elif pairs == "inter":
                        weight *= 1 - query.share(y, group) if y in query.groups else 0.0
                    every += weight
                    won += weight * (i < j)
    return over(won, every)


def favoured_pairs(queries: Sequence[Query], *, group: Group, cutoff: int | None) -> Maybe:
    won = every = 0.0
    for query in queries:
        for ranking in query.lists:
            top = query.placed(ranking)[:cutoff]
            inside = [query.share(doc, group) for doc in top]
            every += query.weight * sum(inside) * sum(1 - x for x in inside)
            for i, x in enumerate(inside):
                won += query.weight * x * sum(1 - y for y in inside[i + 1 :])
    return over(won, every) if every > 1e-12 else None


# ---- expected exposure


@dataclass
class Expected:
    """What documents, or groups, get and should get."""

    real: dict[Any, float] = field(default_factory=dict)
    due: dict[Any, float] = field(default_factory=dict)


def expected(
    query: Query,
    *,
    convention: str,
    grouped: bool,
    rel: float | None,
    complete: bool,
    **reader: Any,
) -> Expected | None:
    r = Reader(**reader)
    if convention == "trecfair":
        if query.target is None:
            return None
        least = 1.0 if rel is None else rel
        exposure = r.exposure(query, lambda doc: query.grade(doc) >= least)
        depth = r.cutoff or 20
        total = sum(at_rank(r.browsing or query.browsing, i, r.p, r.stop, 0) for i in range(1, depth + 1))
        return Expected(
            {g: sum(e * query.share(doc, g) for doc, e in exposure.items()) for g in query.all_groups},
            {g: query.target.get(g, 0.0) * total for g in query.all_groups},
        )

    def level(doc: Doc) -> float:
        return query.grade(doc) if rel is None else float(query.grade(doc) >= rel)

    docs = sorted(query.retrieved_or_judged, key=level, reverse=True)
    n_relevant = sum(level(doc) > 0 for doc in docs)
    ranks: dict[float, list[int]] = {}
    for i, doc in enumerate(docs, 1):
        ranks.setdefault(level(doc), []).append(i)
    due_of: dict[float, float] = {}
    for of, places in ranks.items():
        values = [
            at_rank(r.browsing or query.browsing, i, r.p, r.stop, min(i - 1, n_relevant))
            if r.cutoff is None or i <= r.cutoff
            else 0.0
            for i in places
        ]
        due_of[of] = sum(values) / len(values) if of > 0 or complete else 0.0
    exposure = r.exposure(query)
    out = Expected({d: exposure.get(d, 0.0) for d in docs}, {d: due_of[level(d)] for d in docs})
    if not grouped:
        return out
    return Expected(
        *(
            {g: sum(v * query.share(d, g) for d, v in side.items()) for g in query.all_groups}
            for side in (out.real, out.due)
        )
    )


def expected_exposure(query: Query, which: str, **parameters: Any) -> Maybe:
    sides = expected(query, **parameters)
    rel = parameters["rel"]
    if which != "EED" and not any(query.grade(d) > 0 if rel is None else query.grade(d) >= rel for d in query.grades):
        return None
    if sides is None:
        return 0.0 if which == "EED" else None
    pairs = [(sides.real[k], sides.due[k]) for k in sides.real]
    if which == "EED":
        return sum(a * a for a, _ in pairs)
    return sum(a * b if which == "EER" else (a - b) ** 2 for a, b in pairs)


# ---- a sequence of lists


def equity(queries: Sequence[Query], **reader: Any) -> Maybe:
    apart: dict[Doc, float] = {}
    lists = 0
    for query in queries:
        for ranking in query.lists:
            lists += 1
            given = Reader(**reader).along(query, ranking)
            grades = [query.grade(doc) for doc in ranking]
            for doc, a, g in zip(ranking, given, grades, strict=True):
                due = g / sum(grades) if sum(grades) else 1 / len(ranking)
                apart[doc] = apart.get(doc, 0.0) + query.weight * (a / sum(given) - due)
    return sum(map(abs, apart.values())) if lists else None


def value(name: str, queries: Sequence[Query], **p: Any) -> Maybe:
    """The value of a query, or pooled over several."""
    pooled: dict[str, Callable[[], Maybe]] = {
        "GroupExposure": lambda: group_exposure(queries, **p),
        "ExposureRatio": lambda: exposure_ratio(queries, "exposure", **p),
        "TreatmentRatio": lambda: exposure_ratio(queries, "treatment", **p),
        "ImpactRatio": lambda: exposure_ratio(queries, "impact", **p),
        "ExposureGap": lambda: exposure_gap(queries, **p),
        "NumRetrieved": lambda: num_retrieved(queries),
        "PairwiseAccuracy": lambda: pairwise(queries, **p),
        "FavouredPairs": lambda: favoured_pairs(queries, **p),
        "EquityOfAttention": lambda: equity(queries, **p),
    }
    if name in pooled:
        return pooled[name]()
    (query,) = queries
    if name in ("EED", "EER", "EEL"):
        return expected_exposure(query, name, **p)
    if name in APART:
        return cut_points(query, name, **p)
    of_one: dict[str, Callable[[], Maybe]] = {
        "AWRF": lambda: awrf(query, **p),
        "nDCG_AWRF": lambda: ndcg_awrf(query, **p),
        "Skew": lambda: skew(query, **p),
        "MinSkew": lambda: extreme(query, "min", **p),
        "MaxSkew": lambda: extreme(query, "max", **p),
        "NDKL": lambda: ndkl(query, **p),
    }
    return of_one[name]()


ORACLES = (
    *("GroupExposure", "AWRF", "nDCG_AWRF", "ExposureRatio", "TreatmentRatio", "ImpactRatio", "ExposureGap"),
    *("NumRetrieved", "Skew", "MinSkew", "MaxSkew", "NDKL", "rND", "rKL", "rRD"),
    *("PairwiseAccuracy", "FavouredPairs", "EED", "EER", "EEL", "EquityOfAttention"),
)
