"""Reliability, Sensitivity and F(R,S) as loops over all pairs of a topic's documents.

Standard library only; nothing of the package is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Document:
    """A document of a topic; a score of None means that it was not retrieved."""

    grade: float = 0.0
    score: float | None = None
    classes: frozenset[Hashable] = frozenset()
    clusters: frozenset[Hashable] = frozenset()


def document(
    grade: float = 0.0, score: float | None = None, classes: Iterable[Hashable] = (), clusters: Iterable[Hashable] = ()
) -> Document:
    """A document whose sets may be given as anything that can be gone through."""
    return Document(max(float(grade), 0.0), score, frozenset(classes), frozenset(clusters))


def left_after(k: float, n: float, W: float, weights: str) -> float:
    """1 − C(k): how much of the weight the documents after the first k of an endless list carry."""
    if weights == "exponential":
        return float((1.0 - W) ** (k / n))
    c = n * (1.0 - W) / W
    return c / (k + c)


def document_weights(places: Sequence[float | None], n: float, W: float, weights: str) -> list[float]:
    """The weight of every document, from its place (higher comes first; None is the tail)."""
    total = len(places)
    if weights == "uniform" or all(p is None for p in places):
        return [1.0 / total for _ in places]
    ranked = sum(p is not None for p in places)
    whole = 1.0 if ranked < total else 1.0 - left_after(ranked, n, W, weights)
    out = []
    for place in places:
        if place is None:
            mass, ties = left_after(ranked, n, W, weights), total - ranked
        else:
            above = sum(p is not None and p > place for p in places)
            ties = sum(p == place for p in places)
            # C(above + ties) − C(above), which are both near 1 far down.
            mass = left_after(above, n, W, weights) - left_after(above + ties, n, W, weights)
        out.append(mass / ties / whole)
    return out


def _above(a: float | None, b: float | None) -> int:
    """1 if the first stands above the second, -1 below, 0 beside it."""
    if a == b:
        return 0
    if a is None or b is None:
        return -1 if a is None else 1
    return 1 if a > b else -1


def one_side(
    documents: Sequence[Document],
    side: str,
    relations: Sequence[str],
    tasks: Sequence[str],
    *,
    n: float = 10.0,
    W: float = 0.8,
    weights: str = "exponential",
    pair_weight: str = "anchor",
    strict: bool = True,
    unrelated: str = "one",
    overlap: str = "relations",
    missing: str = "replab",
) -> float | None:
    """Reliability (side="system") or Sensitivity (side="gold") of the given relations, together if they are several."""
    ours = [d.score if side == "system" else _gold_place(d) for d in documents]
    other = [_gold_place(d) if side == "system" else d.score for d in documents]
    # Where nothing is ranked all documents weigh the same.
    of = document_weights(ours if "priority" in tasks else [None] * len(documents), n, W, weights)
    sets = [(d.clusters, d.classes) if side == "system" else (d.classes, d.clusters) for d in documents]
    if missing == "singleton":
        sets = [(a or frozenset([("alone", i)]), b or frozenset([("alone", i)])) for i, (a, b) in enumerate(sets)]
    total = weighed = 0.0
    for i in range(len(documents)):
        related = agreeing = 0.0
        for j in range(len(documents)):
            w = of[j] if pair_weight == "product" else 1.0
            if "priority" in relations and _above(ours[i], ours[j]) != 0:
                same = _above(other[i], other[j])
                if not (side == "system" and same == 0 and not strict):
                    related += w
                    agreeing += w * (same == _above(ours[i], ours[j]))
            if "relatedness" in relations:
                here, there = len(sets[i][0] & sets[j][0]), len(sets[i][1] & sets[j][1])
                if here > 0:
                    size = 1.0 if overlap == "pairs" else float(here)
                    related += w * size
                    agreeing += w * min(here, there) / here * size
        if related > 0.0:
            total += of[i] * agreeing / related
            weighed += of[i]
        elif unrelated == "one":
            total += of[i]
            weighed += of[i]
    return total / weighed if weighed > 0.0 else None


def _gold_place(d: Document) -> float | None:
    """The gold retrieves what has a grade above 0."""
    return d.grade if d.grade > 0.0 else None


def harmonic(values: Iterable[float | None]) -> float | None:
    """The harmonic mean, which is 0 where a value is, and undefined where one is."""
    known = list(values)
    if not known or any(v is None for v in known):
        return None
    if any(v == 0.0 for v in known):
        return 0.0
    return len(known) / sum(1.0 / float(v) for v in known if v is not None)


def value(name: str, documents: Sequence[Document], tasks: Sequence[str], **parameters: Any) -> float | None:
    """The measure of that name of a topic's documents."""
    types, relation, alpha = (
        parameters.pop("types", "separate"),
        parameters.pop("relation", "all"),
        parameters.pop("alpha", 0.5),
    )
    relations = list(tasks) if relation == "all" else [relation]

    def side(which: str) -> float | None:
        together = [relations] if types == "pooled" else [[r] for r in relations]
        return harmonic(one_side(documents, which, some, tasks, **parameters) for some in together)

    if name == "NumItems":
        return float(len(documents))
    if name == "Reliability":
        return side("system")
    if name == "Sensitivity":
        return side("gold")
    r, s = side("system"), side("gold")
    if r is None or s is None:
        return None
    return 0.0 if r == 0.0 or s == 0.0 else 1.0 / (alpha / r + (1.0 - alpha) / s)
