"""Measures of the groups in the top of each list, from their definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.oracles.exposure_lists import Doc, Group, Maybe, Query, mean, over


def _smoothed(share: float, n: int, smooth: float) -> float:
    return (share + smooth) / (1 + n * smooth)


def _skews(query: Query, ranking: Sequence[Doc], smooth: float, cutoff: int | None) -> dict[Group, Maybe] | None:
    top, n = query.placed(ranking)[:cutoff], len(query.all_groups)
    if not top or query.target is None:
        return None
    out: dict[Group, Maybe] = {}
    for g in query.all_groups:
        share = _smoothed(sum(query.share(doc, g) for doc in top) / len(top), n, smooth)
        target = _smoothed(query.target.get(g, 0.0), n, smooth)
        out[g] = math.log(share / target) if share > 0 and target > 0 else None
    return out


def skew(query: Query, *, group: Group, smooth: float, cutoff: int | None) -> Maybe:
    of_lists = [_skews(query, ranking, smooth, cutoff) for ranking in query.lists]
    return mean([s[group] for s in of_lists if s is not None])


def extreme(query: Query, which: str, smooth: float, cutoff: int | None) -> Maybe:
    out: list[Maybe] = []
    for ranking in query.lists:
        skews = _skews(query, ranking, smooth, cutoff)
        assert query.target is not None or skews is None
        if skews is None:
            continue
        due = {g: query.target.get(g, 0.0) > 0 or smooth > 0 for g in skews}  # type: ignore[union-attr]
        known = [v for v in skews.values() if v is not None]
        missing = any(v is None and due[g] for g, v in skews.items())
        out.append(None if not known or (which == "min" and missing) else (min if which == "min" else max)(known))
    return mean(out)


def _kl(pairs: Sequence[tuple[float, float]]) -> Maybe:
    if any(a > 0 and b <= 0 for a, b in pairs):
        return None
    return sum(a * math.log(a / b) for a, b in pairs if a > 0)


def ndkl(query: Query, *, smooth: float, cutoff: int | None) -> Maybe:
    out: list[Maybe] = []
    n = len(query.all_groups)
    for ranking in query.lists:
        top = query.placed(ranking)[:cutoff]
        above = below = 0.0
        undefined = query.target is None
        for i in range(1, len(top) + 1):
            pairs = [
                (
                    _smoothed(sum(query.share(d, g) for d in top[:i]) / i, n, smooth),
                    _smoothed((query.target or {}).get(g, 0.0), n, smooth),
                )
                for g in query.all_groups
            ]
            term = _kl(pairs)
            undefined = undefined or term is None
            above += (term or 0.0) / math.log2(i + 1)
            below += 1 / math.log2(i + 1)
        out.append(None if undefined else over(above, below))
    return mean(out)


def _rkl(top: float, i: float, s: float, n: float) -> float:
    return _kl([(top / i, s / n), ((i - top) / i, (n - s) / n)]) or 0.0


def _odds(part: float, every: float) -> float:
    return part / (every - part) if every != part else 0.0


APART: dict[str, Callable[[float, float, float, float], float]] = {
    "rND": lambda top, i, s, n: abs(top / i - s / n),
    "rKL": _rkl,
    "rRD": lambda top, i, s, n: abs(_odds(top, i) - _odds(s, n)),
}


def cut_points(query: Query, name: str, *, group: Group, step: int, normalized: bool = False) -> Maybe:
    apart, out = APART[name], []
    for ranking in query.lists:
        shares = [query.share(doc, group) for doc in query.placed(ranking)]
        n, s = len(shares), sum(shares)
        places = range(step, n + 1, step)

        def total(top: Callable[[int], float], n: int = n, s: float = s, places: range = places) -> float:
            return sum(apart(top(i), i, s, n) / math.log2(i) for i in places)

        if not places:
            out.append(None)
            continue
        value: Maybe = total(lambda i, shares=shares: sum(shares[:i]))  # type: ignore[misc]
        if normalized:
            first = total(lambda i, s=s: min(i, s))  # type: ignore[misc]
            last = total(lambda i, s=s, n=n: max(s - (n - i), 0.0))  # type: ignore[misc]
            # A list of one sort is as far apart as can be, which is not at all.
            value = over(value or 0.0, max(first, last)) if 1e-12 < s < n - 1e-12 else None
        out.append(value)
    return mean(out)
