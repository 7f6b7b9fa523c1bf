"""Interleaving as recursion over all draws, and credits as loops, without the package."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

Lists = Sequence[Sequence[str]]
List = tuple[str, ...]
NOT_RANKED = 10**9


def rank(ranking: Sequence[str], d: str) -> int:
    return ranking.index(d) + 1 if d in ranking else NOT_RANKED


def remaining(ranking: Sequence[str], used: Sequence[str]) -> list[str]:
    return [d for d in ranking if d not in used]


def team_draft(lists: Lists, depth: int) -> dict[tuple[List, tuple[int, ...]], float]:
    """Lists and teams by their probability."""
    out: defaultdict[Any, float] = defaultdict(float)

    def rounds(docs: List, teams: tuple[int, ...], p: float) -> None:
        if len(docs) >= depth or not any(remaining(ranking, docs) for ranking in lists):
            out[docs, teams] += p
            return
        for order in itertools.permutations(range(len(lists))):
            d, t = docs, teams
            for r in order:
                if len(d) < depth and remaining(lists[r], d):
                    d, t = (*d, remaining(lists[r], d)[0]), (*t, r)
            rounds(d, t, p / math.factorial(len(lists)))

    rounds((), (), 1.0)
    return out


def balanced(lists: Lists, depth: int) -> dict[List, float]:
    """With pointers, as published by Joachims, for any number of rankings."""
    out: defaultdict[List, float] = defaultdict(float)
    for order in itertools.permutations(range(len(lists))):
        docs: list[str] = []
        for i in range(max(map(len, lists))):
            for r in order:
                if i < len(lists[r]) and lists[r][i] not in docs and len(docs) < depth:
                    docs.append(lists[r][i])
        out[tuple(docs)] += 1 / math.factorial(len(lists))
    return out


def softened(ranking: Sequence[str], used: Sequence[str]) -> dict[str, float]:
    """p(d) ∝ 1/rank³ of the remaining documents."""
    worth = {d: (i + 1) ** -3.0 for i, d in enumerate(ranking) if d not in used}
    return {d: w / sum(worth.values()) for d, w in worth.items()}


def probabilistic(lists: Lists, depth: int) -> dict[tuple[List, tuple[int, ...]], float]:
    """Lists and teams by their probability."""
    out: defaultdict[Any, float] = defaultdict(float)

    def place(docs: List, teams: tuple[int, ...], p: float) -> None:
        candidates = [r for r, ranking in enumerate(lists) if remaining(ranking, docs)]
        if len(docs) >= depth or not candidates:
            out[docs, teams] += p
            return
        for r in candidates:
            for d, q in softened(lists[r], docs).items():
                place((*docs, d), (*teams, r), p * q / len(candidates))

    place((), (), 1.0)
    return out


def pairwise(lists: Lists, depth: int) -> dict[List, float]:
    """Lists by their probability."""
    out: defaultdict[List, float] = defaultdict(float)

    def place(docs: List, p: float) -> None:
        candidates = sorted({d for ranking in lists for d in ranking[: len(docs) + 1]} - set(docs))
        if len(docs) >= depth or not candidates:
            out[docs] += p
            return
        for d in candidates:
            place((*docs, d), p / len(candidates))

    place((), 1.0)
    return out


def shares(lists: Lists, docs: List, depth: int) -> list[list[float]]:
    """P(ranking added the document | list), by all assignments of rankings to positions."""
    mass, parts = 0.0, [[0.0] * len(docs) for _ in lists]
    for (drawn, teams), p in probabilistic(lists, depth).items():
        if drawn == docs:
            mass += p
            for i, r in enumerate(teams):
                parts[r][i] += p
    return [[x / mass for x in row] for row in parts]


def joint(lists: Lists, first: str, second: str, depth: int) -> tuple[int, float]:
    """The first position at which both documents can be drawn, and the probability that both then remain."""
    above = max(min(rank(r, d) for r in lists) for d in (first, second))
    reach = sum(p for docs, p in pairwise(lists, depth).items() if not {first, second} & set(docs[: above - 1]))
    return above, reach


def preferred(lists: Lists, docs: List, clicks: Sequence[int], depth: int) -> list[float]:
    """The credits of pairwise interleaving."""
    out = [0.0] * len(lists)
    for i, d in enumerate(docs):
        if not clicks[i]:
            continue
        lower = [j for j in range(i + 1, len(docs)) if not clicks[j]]
        for j in [j for j in range(i) if not clicks[j]] + lower[:1]:
            above, reach = joint(lists, d, docs[j], depth)
            if i + 1 >= above and j + 1 >= above:
                for r, ranking in enumerate(lists):
                    first, second = rank(ranking, d), rank(ranking, docs[j])
                    out[r] += ((first < second) - (first > second)) / reach
    return out


def lowest(lists: Lists, docs: List, clicks: Sequence[int]) -> list[float]:
    """The credits of balanced interleaving."""
    clicked = [d for d, c in zip(docs, clicks, strict=True) if c]
    if not clicked:
        return [0.0] * len(lists)
    k = min(rank(ranking, clicked[-1]) for ranking in lists)
    return [float(sum(d in ranking[:k] for d in clicked)) for ranking in lists]


def means(outcomes: Sequence[tuple[Any, float, float]], *, graded: bool = False) -> Mapping[str, float]:
    """Of differences of credits and clicks by cluster: wins, losses, Δ (graded: per click) and its standard error."""
    n = len(outcomes)
    signs = [(x > 1e-9) - (x < -1e-9) for _, x, _ in outcomes]
    outcome_values = [
        (x / k if k else 0.0) if graded else sign for (_, x, k), sign in zip(outcomes, signs, strict=True)
    ]
    mean = sum(outcome_values) / n
    sums: defaultdict[Any, float] = defaultdict(float)
    for (c, _, _), o in zip(outcomes, outcome_values, strict=True):
        sums[c] += o - mean
    m = len(sums)
    se = math.sqrt(m / (m - 1) * sum(x * x for x in sums.values())) / n
    wins, losses = sum(s > 0 for s in signs), sum(s < 0 for s in signs)
    return {"n": n, "wins": wins, "losses": losses, "delta": mean / 2, "se": se / 2}
