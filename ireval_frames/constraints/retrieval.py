"""The constraints on retrieval: priority, deepness, both thresholds, confidence.

Relevant documents are r1, r2 …, the others n1, n2 …  Every collection has documents that are not retrieved.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from ireval_frames.constraints.cases import Case, Verdict, always, eventually, sometimes

VERDICTS: Mapping[str, Verdict] = {
    "priority": always,
    "deepness": always,
    "deepness threshold": eventually,
    "closeness threshold": sometimes,
    "confidence": always,
}
# The sizes for the thresholds; the collections are much larger than the lists.
SIZES = (*range(1, 21), *range(25, 101, 5))
OCEAN = 10


def cases(constraint: str, n: int, rng: random.Random) -> list[Case]:
    """The cases of a constraint; n of them if they are random."""
    match constraint:
        case "deepness threshold":
            return [_threshold(constraint, size, size, deep_wins=False) for size in SIZES]
        case "closeness threshold":
            return [
                _threshold(constraint, size, factor * size, deep_wins=True)
                for factor in (1, 2)
                for size in range(2, 21)
            ]
    random_cases: list[Case] = []
    while len(random_cases) < n:
        case = _RANDOM[constraint](rng)
        random_cases += [case] if case else []
    return random_cases


def _threshold(constraint: str, size: int, relevant: int, *, deep_wins: bool) -> Case:
    """One relevant document alone, and `size` others before `size` relevant ones."""
    gold = _gold(relevant, size + OCEAN * (size + 5))
    one, deep = _ranked(["r1"]), _ranked([*(f"n{i + 1}" for i in range(size)), *(f"r{i + 1}" for i in range(size))])
    return Case(constraint, gold, *((deep, one) if deep_wins else (one, deep)))


def _gold(relevant: int, others: int) -> dict[str, int]:
    return {f"r{i + 1}": 1 for i in range(relevant)} | {f"n{i + 1}": 0 for i in range(others)}


def _ranked(documents: Iterable[str]) -> dict[str, int]:
    return {d: rank for rank, d in enumerate(documents, 1)}


def _list(rng: random.Random) -> tuple[dict[str, int], list[str]]:
    """A collection and a list with relevant documents in it."""
    length = rng.randint(4, 30)
    relevant = [rng.random() < 0.4 for _ in range(length)]
    counts = {True: 0, False: 0}
    documents = []
    for one in relevant:
        counts[one] += 1
        documents.append(f"{'r' if one else 'n'}{counts[one]}")
    n_missed = rng.choice([0, 0, 1, 3])
    return _gold(counts[True] + n_missed, counts[False] + rng.choice([2, 5, 40])), documents


def _misplaced(documents: list[str]) -> list[int]:
    """The indexes at which a relevant document follows one that is not."""
    return [i for i in range(len(documents) - 1) if documents[i][0] == "n" and documents[i + 1][0] == "r"]


def _swapped(documents: list[str], i: int) -> dict[str, int]:
    return _ranked([*documents[:i], documents[i + 1], documents[i], *documents[i + 2 :]])


def _priority(rng: random.Random) -> Case | None:
    """Swapping neighbours of which the second is relevant makes it better."""
    gold, documents = _list(rng)
    misplaced = _misplaced(documents)
    return Case("priority", gold, _swapped(documents, rng.choice(misplaced)), _ranked(documents)) if misplaced else None


def _deepness(rng: random.Random) -> Case | None:
    """Such a swap counts more the higher it is."""
    gold, documents = _list(rng)
    misplaced = _misplaced(documents)
    if len(misplaced) < 2:
        return None
    high, low = sorted(rng.sample(misplaced, 2))
    return Case("deepness", gold, _swapped(documents, high), _swapped(documents, low))


def _confidence(rng: random.Random) -> Case | None:
    """Adding a document that is not relevant at the end makes it worse."""
    gold, documents = _list(rng)
    if not any(d[0] == "r" for d in documents):
        return None
    more = [*documents, f"n{sum(d[0] == 'n' for d in documents) + 1}"]
    return Case("confidence", gold, _ranked(documents), _ranked(more))


_RANDOM = {"priority": _priority, "deepness": _deepness, "confidence": _confidence}


def text(output: Mapping[str, int | str]) -> str:
    """A list as text."""
    return " ".join(sorted(output, key=lambda d: int(output[d])))


def gold_text(gold: Mapping[str, int | str]) -> str:
    """The relevant documents and the size of the collection, as text."""
    relevant = [d for d, grade in gold.items() if grade]
    return f"{' '.join(relevant)} of {len(gold)} documents"
