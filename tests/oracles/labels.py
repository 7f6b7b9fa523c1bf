"""Measures of labels as plain loops over the items: averages over classes and items, and all measures by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.labels_items import Cells, Item, Maybe, Number, added, both, cells_of, classes_of, mean, over
from tests.oracles.labels_of_a_class import OF_A_CLASS, OF_THE_POSITIVE, PROPAGATED, precision, recall
from tests.oracles.labels_of_all import OF_ALL, hamming_loss


def averaged(
    value: Callable[[Cells], Maybe],
    items: tuple[Item, ...],
    average: str | None,
    classes: Sequence[Any] | str | None,
    positive: Any,
    undefined: Maybe,
    *,
    propagates: bool = False,
) -> Maybe:
    """Values of classes or items as one number; `undefined` stands for those that have none.

    Where undefined values propagate, one that weighs something leaves the average without a value.
    """

    def together(values: Iterable[tuple[Maybe, Number]]) -> Maybe:
        every = list(values)
        return None if propagates and any(v is None and w for v, w in every) else mean(every)

    def known(c: Cells) -> Maybe:
        result = value(c)
        return undefined if result is None else result

    if classes == "labels":
        classes = [c for c in classes_of(items) if any(c in i.gold and i.weight for i in items)]
    looked_at = list(classes) if classes is not None else classes_of(items)
    if average in (None, "binary"):
        return known(cells_of(items, positive))
    if average == "micro":
        return known(added(cells_of(items, c) for c in looked_at))
    if average == "item":
        values = []
        for i in items:
            own = Cells()
            for c in looked_at:
                own.add(c in i.gold, c in i.predicted, Fraction(1))
            values.append((known(own), i.weight))
        return together(values)
    every = [(cells_of(items, c), c) for c in looked_at]
    return together((known(c), c.tp + c.fn if average == "weighted" else Fraction(1)) for c, _ in every)


def macro_f(items: tuple[Item, ...], beta: float = 1.0, undefined: Maybe = None, *, propagates: bool = False) -> Maybe:
    p, r = (averaged(v, items, "macro", None, None, undefined, propagates=propagates) for v in (precision, recall))
    square = Fraction(beta) ** 2
    return both(p, r, lambda p, r: over((1 + square) * p * r, square * p + r))


ORACLES = OF_A_CLASS | OF_ALL | {"MacroF": macro_f} | OF_THE_POSITIVE
# These are for items with one label each.
SINGLE = frozenset({"BalancedAccuracy", "MCC", "Kappa", "GMean", "MI", "ChiSquare", "MAE", "MacroMAE", "CEM_ORD"})
# These read the order of the classes, which text has if it is said.
ORDERED = frozenset({"Kappa", "CEM_ORD"})
# These subtract classes.
NUMBERS = frozenset({"MAE", "MacroMAE"})


def value(
    name: str,
    items: tuple[Item, ...],
    *,
    positive: Any = None,
    undefined: float | str | None = None,
    multi: bool = False,
    **parameters: Any,
) -> float | None:
    """A measure of some items; `undefined` is what it is where it has no meaning, or "propagate"."""
    items = tuple(items)
    propagates = undefined == "propagate"
    of_a_class = PROPAGATED if propagates else OF_A_CLASS
    instead = None if undefined is None or propagates else Fraction(undefined)
    if name in OF_A_CLASS:
        average, classes = parameters.pop("average", None), parameters.pop("classes", None)
        of = functools.partial(of_a_class[name], **parameters)
        result = averaged(of, items, average, classes, positive, instead, propagates=propagates)
    elif name in OF_THE_POSITIVE:
        result = OF_THE_POSITIVE[name](cells_of(items, positive), **parameters)
    elif name == "MacroF":
        result = macro_f(items, undefined=instead, propagates=propagates, **parameters)
    elif name == "HammingLoss":
        result = hamming_loss(items, multi=multi)
    else:
        result = OF_ALL[name](items, **parameters)
    result = instead if result is None else result
    return None if result is None else float(result)
