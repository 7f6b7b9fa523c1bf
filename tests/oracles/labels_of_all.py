"""Measures of all labels and predictions at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.oracles.labels_items import Item, Maybe, Number, cells_of, classes_of, mean, over, root, single
from tests.oracles.labels_of_a_class import recall


def total(items: tuple[Item, ...]) -> Number:
    return sum((i.weight for i in items), Fraction(0))


def accuracy(items: tuple[Item, ...]) -> Maybe:
    return over(sum(i.weight for i in items if i.gold == i.predicted), total(items))


def error_rate(items: tuple[Item, ...]) -> Maybe:
    return over(sum(i.weight for i in items if i.gold != i.predicted), total(items))


def recalls(items: tuple[Item, ...]) -> list[Number]:
    """Of the classes that occur as labels."""
    values = (recall(cells_of(items, c)) for c in classes_of(items))
    return [r for r in values if r is not None]


def balanced_accuracy(items: tuple[Item, ...], *, adjusted: bool = False) -> Maybe:
    values = recalls(items)
    value = over(sum(values), len(values))
    if not adjusted or value is None:
        return value
    chance = Fraction(1, len(values))
    return over(value - chance, 1 - chance)


def geometric_mean(items: tuple[Item, ...], correction: float = 0.0) -> Maybe:
    values = [r or correction for r in recalls(items)]
    return math.prod(map(float, values)) ** (1 / len(values)) if values else None


def number_of_items(items: tuple[Item, ...]) -> Maybe:
    return total(items)


def number_of_classes(items: tuple[Item, ...]) -> Maybe:
    return Fraction(len(classes_of(items)))


def matrix(items: tuple[Item, ...]) -> dict[tuple[Any, Any], Number]:
    out: dict[tuple[Any, Any], Number] = {}
    for i in items:
        if i.weight:
            cell = single(i.gold), single(i.predicted)
            out[cell] = out.get(cell, Fraction(0)) + i.weight
    return out


def margins(cells: dict[tuple[Any, Any], Number]) -> tuple[dict[Any, Number], dict[Any, Number]]:
    rows: dict[Any, Number] = {}
    columns: dict[Any, Number] = {}
    for (label, guess), n in cells.items():
        rows[label] = rows.get(label, Fraction(0)) + n
        columns[guess] = columns.get(guess, Fraction(0)) + n
    return rows, columns


def matthews(items: tuple[Item, ...]) -> Maybe:
    """The correlation of labels and predictions as vectors of indicators."""
    cells, n = matrix(items), total(items)
    rows, columns = margins(cells)
    every = set(rows) | set(columns)

    def covariance(a: dict[Any, Number], b: dict[Any, Number], joint: Callable[[Any], Number]) -> Number:
        return sum((n * joint(c) - a.get(c, 0) * b.get(c, 0) for c in every), Fraction(0))

    across = covariance(rows, columns, lambda c: cells.get((c, c), Fraction(0)))
    spread = covariance(rows, rows, lambda c: rows.get(c, Fraction(0))) * covariance(
        columns, columns, lambda c: columns.get(c, Fraction(0))
    )
    return float(across) / root(spread) if spread else None


def kappa(items: tuple[Item, ...], weights: str = "none", scale: Any = None) -> Maybe:
    order = {c: place for place, c in enumerate(scale or classes_of(items))}
    cells = matrix(items)
    if weights != "none":
        cells = {pair: n for pair, n in cells.items() if None not in pair}
    rows, columns = margins(cells)

    def apart(a: Any, b: Any) -> int:
        if weights == "none":
            return int(a != b)
        return abs(order[a] - order[b]) ** (2 if weights == "quadratic" else 1)

    n = sum(cells.values())
    observed = sum(apart(a, b) * w for (a, b), w in cells.items())
    expected = sum(apart(a, b) * rows[a] * columns[b] for a in rows for b in columns)
    return 1 - observed * n / expected if expected else None


def mutual_information(items: tuple[Item, ...], base: float = 2.0) -> Maybe:
    cells, n = matrix(items), total(items)
    rows, columns = margins(cells)
    if not n:
        return None
    return math.fsum(float(w / n) * math.log(w * n / (rows[a] * columns[b])) for (a, b), w in cells.items()) / math.log(
        base
    )


def chi_square(items: tuple[Item, ...]) -> Maybe:
    """Over all combinations of a label and a prediction that occur."""
    cells, n = matrix(items), total(items)
    rows, columns = margins(cells)
    if not n:
        return None
    value = Fraction(0)
    for a in rows:
        for b in columns:
            chance = rows[a] * columns[b] / n
            value += (cells.get((a, b), Fraction(0)) - chance) ** 2 / chance
    return value


def hamming_loss(items: tuple[Item, ...], *, multi: bool = False) -> Maybe:
    if not multi:
        return error_rate(items)
    wrong = sum(i.weight * len(i.gold ^ i.predicted) for i in items)
    return over(wrong, total(items) * len(classes_of(items)))


def distances(items: tuple[Item, ...]) -> list[tuple[Any, Number, Number]]:
    """The label, the distance and the weight of every item with a label and a prediction."""
    return [
        (single(i.gold), abs(single(i.gold) - single(i.predicted)), i.weight) for i in items if i.gold and i.predicted
    ]


def absolute_error(items: tuple[Item, ...]) -> Maybe:
    return mean((Fraction(d), w) for _, d, w in distances(items))


def absolute_error_of_labels(items: tuple[Item, ...]) -> Maybe:
    each = [mean((Fraction(d), w) for c, d, w in distances(items) if c == label) for label in classes_of(items)]
    return mean((e, Fraction(1)) for e in each)


def closeness(items: tuple[Item, ...], half: str = "prediction", scale: Any = None) -> Maybe:
    """Each prediction's proximity to its label by the labelled items from one class to the other."""
    order = {c: place for place, c in enumerate(scale or classes_of(items))}
    labels = [(order[single(i.gold)], i.weight) for i in items if i.gold and i.weight]
    n = sum(w for _, w in labels)

    def proximity(first: int, last: int) -> float:
        low, high = min(first, last), max(first, last)
        between = sum((w / 2 if c == first else w for c, w in labels if low <= c <= high), Fraction(0))
        return -math.log2(between / n)

    above, below = 0.0, 0.0
    for i in items:
        if not (i.gold and i.weight):
            continue
        label = order[single(i.gold)]
        below += float(i.weight) * proximity(label, label)
        if i.predicted:
            ends = order[single(i.predicted)], label
            above += float(i.weight) * proximity(*(ends if half == "prediction" else ends[::-1]))
    return over(above, below)


OF_ALL: dict[str, Callable[..., Maybe]] = {
    "Accuracy": accuracy,
    "ErrorRate": error_rate,
    "BalancedAccuracy": balanced_accuracy,
    "MCC": matthews,
    "Kappa": kappa,
    "GMean": geometric_mean,
    "NumItems": number_of_items,
    "NumClasses": number_of_classes,
    "MI": mutual_information,
    "ChiSquare": chi_square,
    "SubsetAccuracy": accuracy,
    "HammingLoss": hamming_loss,
    "MAE": absolute_error,
    "MacroMAE": absolute_error_of_labels,
    "CEM_ORD": closeness,
}
