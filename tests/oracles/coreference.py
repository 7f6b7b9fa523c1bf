"""Measures of coreference from their definitions: loops over mentions, links and entities, as exact fractions.

An entity is a set of mentions; a document has those of the key and those of the response.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

Mention = Any
Entities = tuple[frozenset[Mention], ...]
Maybe = Fraction | None
ZERO = Fraction(0)


@dataclass(frozen=True)
class Document:
    """Both sides; `weight` documents of this kind."""

    key: Entities
    response: Entities
    weight: Fraction = Fraction(1)

    @property
    def turned(self) -> Document:
        """Key and response exchanged."""
        return replace(self, key=self.response, response=self.key)


def document(
    key: Iterable[tuple[Mention, Any]], response: Iterable[tuple[Mention, Any]], weight: float = 1.0
) -> Document:
    """A document from pairs of mention and entity."""

    def entities(pairs: Iterable[tuple[Mention, Any]]) -> Entities:
        of: dict[Any, set[Mention]] = {}
        for mention, entity in pairs:
            of.setdefault(entity, set()).add(mention)
        return tuple(map(frozenset, of.values()))

    return Document(entities(key), entities(response), Fraction(weight))


def mentions(entities: Entities) -> frozenset[Mention]:
    return frozenset().union(*entities)


def entity_of(mention: Mention, entities: Entities) -> frozenset[Mention]:
    return next((e for e in entities if mention in e), frozenset())


# ---- what becomes of mentions that the other side has not


def without_singletons(document: Document) -> Document:
    key, response = (tuple(e for e in side if len(e) > 1) for side in (document.key, document.response))
    return replace(document, key=key, response=response)


def _restricted(entities: Entities, to: Callable[[frozenset[Mention], Mention], bool]) -> Entities:
    left = (frozenset(m for m in entity if to(entity, m)) for entity in entities)
    return tuple(entity for entity in left if entity)


def adjusted(document: Document, twinless: str) -> Document:
    """The sides that a policy about twinless mentions leaves."""
    of_key, of_response = mentions(document.key), mentions(document.response)
    if twinless == "all":
        return document
    if twinless == "drop":
        return replace(document, response=_restricted(document.response, lambda _, m: m in of_key))
    response = _restricted(document.response, lambda entity, m: m in of_key or len(entity) > 1)
    if twinless == "rahman-ng":
        return replace(document, response=response)
    missed = tuple(frozenset([m]) for m in of_key - of_response)
    spurious = tuple(frozenset([m]) for entity in response for m in entity if m not in of_key)
    return replace(document, key=document.key + spurious, response=response + missed)


# ---- numerators and denominators of recall


@functools.cache
def muc(d: Document) -> tuple[Fraction, Fraction]:
    """An entity of n mentions in p parts needs p − 1 of its n − 1 links."""
    right = total = 0
    for entity in d.key:
        parts = {entity_of(m, d.response) or frozenset([m]) for m in entity}
        right += len(entity) - len(parts)
        total += len(entity) - 1
    return Fraction(right), Fraction(total)


@functools.cache
def b_cubed(d: Document) -> tuple[Fraction, Fraction]:
    shares = [
        Fraction(len(entity & entity_of(mention, d.response)), len(entity)) for entity in d.key for mention in entity
    ]
    return sum(shares, ZERO), Fraction(len(shares))


def _best(weights: Sequence[Sequence[Fraction]]) -> Fraction:
    """The largest sum of weights, no two in one row or column: by sets of columns, of which there are fewer."""
    if weights and len(weights) < len(weights[0]):
        weights = list(zip(*weights, strict=True))
    best = {0: ZERO}
    for row in weights:
        after = dict(best)
        for used, value in best.items():
            for j, weight in enumerate(row):
                if weight and not used >> j & 1:
                    taken = used | 1 << j
                    after[taken] = max(after.get(taken, ZERO), value + weight)
        best = after
    return max(best.values())


def _similarities(d: Document, of: Callable[[frozenset[Mention], frozenset[Mention]], Fraction]) -> Fraction:
    return _best([[of(k, r) for r in d.response] for k in d.key])


@functools.cache
def ceaf_m(d: Document) -> tuple[Fraction, Fraction]:
    best = _similarities(d, lambda k, r: Fraction(len(k & r)))
    return best, Fraction(sum(map(len, d.key)))


@functools.cache
def ceaf_e(d: Document) -> tuple[Fraction, Fraction]:
    return _similarities(d, lambda k, r: Fraction(2 * len(k & r), len(k) + len(r))), Fraction(len(d.key))


@functools.cache
def lea(d: Document) -> tuple[Fraction, Fraction]:
    def links(entity: frozenset[Mention]) -> set[Any]:
        return set(map(frozenset, combinations(entity, 2))) if len(entity) > 1 else {entity}

    resolved = total = ZERO
    of_response = [links(r) for r in d.response]
    for entity in d.key:
        own = links(entity)
        resolved += len(entity) * sum((Fraction(len(own & other), len(own)) for other in of_response), ZERO)
        total += len(entity)
    return resolved, total


def mention(d: Document) -> tuple[Fraction, Fraction]:
    of_key = mentions(d.key)
    return Fraction(len(of_key & mentions(d.response))), Fraction(len(of_key))


@functools.cache
def links(entities: Entities) -> tuple[set[Any], set[Any]]:
    """The pairs of mentions of one entity, and those of different entities."""
    together = {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}
    return together, {frozenset(pair) for pair in combinations(mentions(entities), 2)} - together


# ---- values over documents


def ratio(numerator: Fraction, denominator: Fraction, undefined: float | None) -> Maybe:
    if denominator:
        return numerator / denominator
    return None if undefined is None else Fraction(undefined)


def harmonic(precision: Maybe, recall: Maybe) -> Maybe:
    """Where only one side has what is counted, the other one is wrong altogether."""
    if precision is None or recall is None:
        return None if precision is recall else ZERO
    return 2 * precision * recall / (precision + recall) if precision and recall else ZERO


Sides = tuple[Maybe, Maybe, Maybe]


def sums(documents: Sequence[Document], of: Callable[[Document], tuple[Fraction, Fraction]]) -> tuple[Any, Any]:
    pairs = [(d.weight, *of(d)) for d in documents]
    return sum(w * n for w, n, _ in pairs), sum(w * below for w, _, below in pairs)


def by_ratios(of: Callable[[Document], tuple[Fraction, Fraction]]) -> Callable[..., Sides]:
    def sides(recalled: Sequence[Document], precise: Sequence[Document], undefined: float | None, _: str) -> Sides:
        recall = ratio(*sums(recalled, of), undefined)
        precision = ratio(*sums([d.turned for d in precise], of), undefined)
        return precision, recall, harmonic(precision, recall)

    return sides


def blanc(documents: Sequence[Document], _: Any, undefined: float | None, no_links: str) -> Sides:
    values: list[list[Maybe]] = []
    for kind in (0, 1):

        def counts(d: Document, kind: int = kind) -> tuple[int, int, int]:
            one, other = links(d.key)[kind], links(d.response)[kind]
            return len(one & other), len(one), len(other)

        common, of_key, of_response = (sum(d.weight * counts(d)[i] for d in documents) for i in range(3))
        if of_key or (no_links == "both" and of_response):
            precision, recall = (ratio(Fraction(common), Fraction(n), undefined) for n in (of_response, of_key))
            values.append([precision, recall, harmonic(precision, recall)])
    if not values:
        nothing = ratio(ZERO, ZERO, undefined)
        return nothing, nothing, nothing
    means = [
        None if any(v[i] is None for v in values) else sum((v[i] or ZERO for v in values), ZERO) / len(values)
        for i in range(3)
    ]
    return means[0], means[1], means[2]


KINDS: dict[str, Callable[..., Sides]] = {
    "MUC": by_ratios(muc),
    "B3": by_ratios(b_cubed),
    "CEAFm": by_ratios(ceaf_m),
    "CEAFe": by_ratios(ceaf_e),
    "BLANC": blanc,
    "LEA": by_ratios(lea),
    "Mention": by_ratios(mention),
}
COUNTS: dict[str, Callable[[Document], int]] = {
    "NumGoldMentions": lambda d: sum(map(len, d.key)),
    "NumPredictedMentions": lambda d: sum(map(len, d.response)),
    "NumGoldEntities": lambda d: len(d.key),
    "NumPredictedEntities": lambda d: len(d.response),
}
OF_SIDES = {f"{kind}{side}": (kind, i) for kind in KINDS for i, side in enumerate("PRF")}
ORACLES = (*OF_SIDES, "CoNLL", *COUNTS)


def value(
    name: str,
    documents: Sequence[Document],
    *,
    twinless: str = "all",
    singletons: str = "keep",
    no_links: str = "key",
    undefined: float | None = 0,
) -> float | None:
    """The value of a measure, pooled over documents."""
    if name == "CoNLL":
        policy = {"twinless": twinless, "singletons": singletons, "no_links": no_links, "undefined": undefined}
        values = [value(of, documents, **policy) for of in ("MUCF", "B3F", "CEAFeF")]  # type: ignore[arg-type]
        return None if None in values else sum(v or 0.0 for v in values) / 3
    if singletons == "drop":
        documents = [without_singletons(d) for d in documents]
    both = [adjusted(d, twinless) for d in documents]
    if name in COUNTS:
        return float(sum(d.weight * COUNTS[name](d) for d in both))
    kind, side = OF_SIDES[name]
    # For the recall of B³ alone, Cai and Strube leave the key as it is.
    recalled = [replace(b, key=d.key) for b, d in zip(both, documents, strict=True)]
    out = KINDS[kind](recalled if kind == "B3" and twinless == "sys" else both, both, undefined, no_links)[side]
    return None if out is None else float(out)
