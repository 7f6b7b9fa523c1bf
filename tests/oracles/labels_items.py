"""What measures of labels look at, as plain loops: items, and right and wrong decisions counted for a class.

An item has a set of gold classes, a set of predicted classes, and a weight. With one label each a set holds one class,
or none where there is no label. All sums are exact: weights are fractions of integers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Number = Fraction | float
Maybe = Number | None


@dataclass(frozen=True, eq=False)
class Item:
    """The gold and the predicted classes of an item, and its weight; two of the same are two."""

    gold: frozenset[Any]
    predicted: frozenset[Any]
    weight: Fraction = Fraction(1)


def item(gold: Iterable[Any], predicted: Iterable[Any], weight: float = 1) -> Item:
    """An item; None among the classes says that there is none."""
    return Item(
        frozenset(c for c in gold if c is not None), frozenset(c for c in predicted if c is not None), Fraction(weight)
    )


@dataclass
class Cells:
    """Right and wrong decisions, for and against a class."""

    tp: Number = Fraction(0)
    fp: Number = Fraction(0)
    fn: Number = Fraction(0)
    tn: Number = Fraction(0)

    def add(self, gold: bool, predicted: bool, weight: Number) -> None:  # noqa: FBT001
        if gold and predicted:
            self.tp += weight
        elif predicted:
            self.fp += weight
        elif gold:
            self.fn += weight
        else:
            self.tn += weight


def over(above: Number, below: Number) -> Maybe:
    return None if below == 0 else above / below


def root(value: Number) -> float:
    return math.sqrt(value)


def both(a: Maybe, b: Maybe, combine: Callable[[Number, Number], Maybe]) -> Maybe:
    return None if a is None or b is None else combine(a, b)


def single(classes: frozenset[Any]) -> Any:
    """The class of a set of one; None of an empty one."""
    return next(iter(classes), None)


@functools.cache
def classes_of(items: tuple[Item, ...]) -> list[Any]:
    return sorted({c for i in items for c in i.gold | i.predicted})


@functools.cache
def cells_of(items: tuple[Item, ...], cls: Any) -> Cells:
    out = Cells()
    for i in items:
        out.add(cls in i.gold, cls in i.predicted, i.weight)
    return out


def added(parts: Iterable[Cells]) -> Cells:
    out = Cells()
    for c in parts:
        out = Cells(out.tp + c.tp, out.fp + c.fp, out.fn + c.fn, out.tn + c.tn)
    return out


def mean(values: Iterable[tuple[Maybe, Number]]) -> Maybe:
    """The weighted mean of the values that are defined."""
    defined = [(v, w) for v, w in values if v is not None]
    return over(sum(v * w for v, w in defined), sum(w for _, w in defined))
