"""What measures of labels look at, as plain loops: items, and right and wrong decisions counted for a class.

An item has a set of classes, got a set of classes, and has a weight; with one label each the sets hold one class, or
none where there is no label. All sums are exact: weights are fractions of integers.
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
    """The classes that an item has, those that it got, and its weight; two of the same are two."""

    has: frozenset[Any]
    got: frozenset[Any]
    weight: Fraction = Fraction(1)


def item(has: Iterable[Any], got: Iterable[Any], weight: float = 1) -> Item:
    """An item; None among the classes says that there is none."""
    return Item(
        frozenset(c for c in has if c is not None), frozenset(c for c in got if c is not None), Fraction(weight)
    )


@dataclass
class Cells:
    """Right and wrong decisions, for and against a class."""

    tp: Number = Fraction(0)
    fp: Number = Fraction(0)
    fn: Number = Fraction(0)
    tn: Number = Fraction(0)

    def add(self, has: bool, got: bool, weight: Number) -> None:  # noqa: FBT001
        if has and got:
            self.tp += weight
        elif got:
            self.fp += weight
        elif has:
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
    return sorted({c for i in items for c in i.has | i.got})


@functools.cache
def cells_of(items: tuple[Item, ...], cls: Any) -> Cells:
    out = Cells()
    for i in items:
        out.add(cls in i.has, cls in i.got, i.weight)
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
