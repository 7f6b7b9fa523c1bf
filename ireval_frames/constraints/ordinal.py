"""The constraints on measures of ordered classes: ordinal invariance, ordinal monotonicity, class imbalance.

Classes are numbers, of which all occur as labels.  The name of an item is a letter for its class, and a number.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from ireval_frames.constraints.cases import Case, Verdict, always

VERDICTS: Mapping[str, Verdict] = dict.fromkeys(
    ("ordinal invariance", "ordinal monotonicity", "class imbalance"), always
)


def cases(constraint: str, n: int, rng: random.Random) -> list[Case]:
    """Random cases of a constraint."""
    return [_RANDOM[constraint](rng) for _ in range(n)]


def _labels(*sizes: int) -> dict[str, int]:
    """Items of the classes 1, 2 …, with these numbers of items."""
    return {f"{'abcdef'[c]}{i + 1}": c + 1 for c, size in enumerate(sizes) for i in range(size)}


def _predictions(rng: random.Random, gold: Mapping[str, int]) -> dict[str, int]:
    """The label of most items, and any class of the others."""
    return {item: c if rng.random() < 0.6 else rng.randint(1, max(gold.values())) for item, c in gold.items()}


def _sizes(rng: random.Random, least: int) -> list[int]:
    return [rng.choice((1, 2, 4, 9, 20)) for _ in range(rng.randint(least, 5))]


def _invariance(rng: random.Random) -> Case:
    """Other numbers in the same order do not change the value."""
    gold = _labels(*_sizes(rng, 3))
    predictions, number = _predictions(rng, gold), [0]
    for _ in range(max(gold.values())):
        number.append(number[-1] + rng.choice((1, 2, 5)))
    # The first step is larger than before, so that not all distances are the same.
    number = [n + (i >= 2) for i, n in enumerate(number)]
    renamed, renumbered = ({item: number[c] for item, c in of.items()} for of in (gold, predictions))
    return Case("ordinal invariance", gold, predictions, renumbered, gold_of_worse=renamed, equal=True)


def _monotonicity(rng: random.Random) -> Case:
    """A prediction that is nearer to its label, on the same side of it, is better."""
    gold = _labels(*_sizes(rng, 3))
    worse = _predictions(rng, gold)
    item = rng.choice(list(gold))
    label, top = gold[item], max(gold.values())
    far = rng.choice([c for c in range(1, top + 1) if c != label])
    near = rng.randint(label, far - 1) if far > label else rng.randint(far + 1, label)
    return Case("ordinal monotonicity", gold, {**worse, item: near}, {**worse, item: far})


def _imbalance(rng: random.Random) -> Case:
    """Taking an item of a frequent class for one of the neighbouring class is better than one of a rare class."""
    rare, middle, frequent = rng.randint(1, 6), rng.choice((1, 4, 12)), rng.randint(7, 20)
    upwards = rng.random() < 0.5
    gold = _labels(*((frequent, middle, rare) if upwards else (rare, middle, frequent)))
    of_frequent, of_rare = ("a1", "c1") if upwards else ("c1", "a1")
    return Case("class imbalance", gold, {**gold, of_frequent: 2}, {**gold, of_rare: 2})


_RANDOM = {"ordinal invariance": _invariance, "ordinal monotonicity": _monotonicity, "class imbalance": _imbalance}


def text(output: Mapping[str, object]) -> str:
    """The items by class, as text."""
    classes: dict[object, list[str]] = {}
    for item, of in output.items():
        classes.setdefault(of, []).append(item)
    return "; ".join(f"{of}: {' '.join(classes[of])}" for of in sorted(classes, key=str))


def gold_text(case: Case) -> str:
    """The labels as text, also those of the other output where they differ."""
    both = [case.gold] if case.gold_of_worse is None else [case.gold, case.gold_of_worse]
    return " and ".join(text(gold) for gold in both)
