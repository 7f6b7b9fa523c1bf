"""The constraints on diversity: aspect diversity, redundancy, monotonic redundancy, aspect weight.

Documents are relevant to aspects of the query, which are its subtopics; the name of a document is a number, and the
letters of its aspects.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from ireval_frames.constraints.cases import Case, Verdict, always

VERDICTS: Mapping[str, Verdict] = dict.fromkeys(
    ("aspect diversity", "redundancy", "monotonic redundancy", "aspect weight"), always
)
ASPECTS = "abcde"


def cases(constraint: str, n: int, rng: random.Random) -> list[Case]:
    """Random cases of a constraint."""
    out: list[Case] = []
    while len(out) < n:
        case = _RANDOM[constraint](rng)
        out += [case] if case else []
    return out


def _list(rng: random.Random) -> tuple[list[str], list[str]]:
    """The aspects of a query, and a list of documents."""
    aspects = list(ASPECTS[: rng.randint(2, 4)])
    return aspects, [_document(i, [a for a in aspects if rng.random() < 0.4]) for i in range(rng.randint(2, 8))]


def _document(number: int, aspects: Sequence[str]) -> str:
    return f"{number + 1}{''.join(aspects)}"


def _of(document: str) -> tuple[str, ...]:
    """The aspects of a document."""
    return tuple(letter for letter in document if letter in ASPECTS)


def _case(
    constraint: str, aspects: Sequence[str], better: Sequence[str], worse: Sequence[str], weights: Sequence[float] = ()
) -> Case:
    """Two lists over one collection, in which every aspect has one more document that is not retrieved."""
    missed = [_document(90 + i, [aspect]) for i, aspect in enumerate(aspects)]
    gold = {document: _of(document) for document in dict.fromkeys([*better, *worse, *missed])}
    of_aspects = dict(zip(aspects, weights or [1.0 / len(aspects)] * len(aspects), strict=True))
    return Case(constraint, gold, _ranked(better), _ranked(worse), weights=of_aspects)


def _ranked(documents: Sequence[str]) -> dict[str, int]:
    return {document: rank for rank, document in enumerate(documents, 1)}


def _aspect_diversity(rng: random.Random) -> Case | None:
    """A document that is relevant to one more aspect is better in the same place."""
    aspects, documents = _list(rng)
    place = rng.randrange(len(documents))
    some = _of(documents[place])
    if len(some) == len(aspects):
        return None
    more = sorted([*some, rng.choice([a for a in aspects if a not in some])])
    better = [*documents[:place], _document(len(documents), more), *documents[place + 1 :]]
    return _case("aspect diversity", aspects, better, documents)


def _last(rng: random.Random, constraint: str, *, seen_first: bool) -> Case | None:
    """At the end, a document of an aspect that few documents above have is better than one of a frequent aspect."""
    aspects, documents = _list(rng)
    counts = {a: sum(a in _of(document) for document in documents) for a in aspects}
    pairs = [(a, b) for a in aspects for b in aspects if counts[a] < counts[b] and (counts[a] > 0) == seen_first]
    if not pairs:
        return None
    rare, frequent = ([*documents, _document(len(documents), [a])] for a in rng.choice(pairs))
    return _case(constraint, aspects, rare, frequent)


def _redundancy(rng: random.Random) -> Case | None:
    """At the end, a document of a new aspect is better than one of an aspect that was there."""
    return _last(rng, "redundancy", seen_first=False)


def _monotonic_redundancy(rng: random.Random) -> Case | None:
    """Of two aspects that were there, a document of the less frequent one is better."""
    return _last(rng, "monotonic redundancy", seen_first=True)


def _aspect_weight(rng: random.Random) -> Case:
    """Of two new aspects, a document of that with the larger weight is better."""
    aspects, documents = _list(rng)
    light, heavy = rng.sample(aspects, 2)
    rest = [_document(i, [a for a in _of(d) if a not in (light, heavy)]) for i, d in enumerate(documents)]
    parts = {a: rng.randint(1, 4) for a in aspects}
    parts[heavy] = parts[light] + rng.randint(1, 4)
    weights = [parts[a] / sum(parts.values()) for a in aspects]
    better, worse = ([*rest, _document(len(rest), [a])] for a in (heavy, light))
    return _case("aspect weight", aspects, better, worse, weights)


_RANDOM = {
    "aspect diversity": _aspect_diversity,
    "redundancy": _redundancy,
    "monotonic redundancy": _monotonic_redundancy,
    "aspect weight": _aspect_weight,
}


def text(output: Mapping[str, object]) -> str:
    """A list as text."""
    return " ".join(output)


def gold_text(case: Case) -> str:
    """The number of documents, and the weights of the aspects."""
    weights = ", ".join(f"{aspect} {weight:.3g}" for aspect, weight in case.weights.items())
    return f"{len(case.gold)} documents; weights {weights}"
