"""Measures of labels as plain loops over the items.

An item has a set of classes, got a set of classes, and has a weight; with one label each the sets hold one class, or
none where there is no label. All sums are exact: weights are fractions of integers.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
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


# ---- measures of one class


def precision(c: Cells) -> Maybe:
    return over(c.tp, c.tp + c.fp)


def recall(c: Cells) -> Maybe:
    return over(c.tp, c.tp + c.fn)


def specificity(c: Cells) -> Maybe:
    return over(c.tn, c.tn + c.fp)


def negative_predictive_value(c: Cells) -> Maybe:
    return over(c.tn, c.tn + c.fn)


def rest(value: Callable[[Cells], Maybe]) -> Callable[[Cells], Maybe]:
    """One less the value."""

    def of(c: Cells) -> Maybe:
        found = value(c)
        return None if found is None else 1 - found

    return of


def f_measure(c: Cells, beta: float = 1.0, alpha: float | None = None) -> Maybe:
    """The weighted harmonic mean, from precision and recall where both are defined; 0 where one is."""
    weight = Fraction(alpha) if alpha is not None else 1 / (1 + Fraction(beta) ** 2)
    p, r = precision(c), recall(c)
    if weight in {0, 1}:
        return p if weight == 1 else r
    if p is None and r is None:
        return None
    if not p or not r:
        return Fraction(0)
    return 1 / (weight / p + (1 - weight) / r)


def jaccard(c: Cells) -> Maybe:
    return over(c.tp, c.tp + c.fp + c.fn)


def both(a: Maybe, b: Maybe, combine: Callable[[Number, Number], Maybe]) -> Maybe:
    return None if a is None or b is None else combine(a, b)


def informedness(c: Cells) -> Maybe:
    return both(recall(c), specificity(c), lambda r, s: r + s - 1)


def markedness(c: Cells) -> Maybe:
    return both(precision(c), negative_predictive_value(c), lambda p, n: p + n - 1)


def positive_likelihood_ratio(c: Cells) -> Maybe:
    return both(recall(c), rest(specificity)(c), over)


def negative_likelihood_ratio(c: Cells) -> Maybe:
    return both(rest(recall)(c), specificity(c), over)


def diagnostic_odds_ratio(c: Cells) -> Maybe:
    return over(c.tp * c.tn, c.fp * c.fn)


def p4(c: Cells) -> Maybe:
    """The harmonic mean of four rates.

    0 where one of them is 0 or has no meaning, none where nothing could go wrong.
    """
    rates = [precision(c), recall(c), specificity(c), negative_predictive_value(c)]
    if all(rates):
        return 4 / sum(1 / r for r in rates if r)
    return None if c.fp + c.fn == 0 else Fraction(0)


def reliability_and_sensitivity(c: Cells, alpha: float = 0.5) -> Maybe:
    """F of the product of both precisions and that of both recalls; 0 where one of them is."""
    r = both(precision(c), negative_predictive_value(c), lambda a, b: a * b)
    s = both(recall(c), specificity(c), lambda a, b: a * b)
    weight = Fraction(alpha)
    if weight in {0, 1}:
        return r if weight == 1 else s
    if r is None and s is None:
        return None
    return 1 / (weight / r + (1 - weight) / s) if r and s else Fraction(0)


def one_less_f(c: Cells, **given: Any) -> Maybe:
    found = f_measure(c, **given)
    return None if found is None else 1 - found


def index_of_balanced_accuracy(c: Cells, alpha: float = 0.1) -> Maybe:
    return both(recall(c), specificity(c), lambda r, s: (1 + Fraction(alpha) * (r - s)) * r * s)


def prevalence_threshold(c: Cells) -> Maybe:
    def of(tpr: Number, fpr: Number) -> Maybe:
        if tpr == fpr:
            return 0.5 if tpr else None
        return (root(tpr * fpr) - fpr) / (tpr - fpr)

    return both(recall(c), rest(specificity)(c), of)


OF_A_CLASS: dict[str, Callable[..., Maybe]] = {
    "Precision": precision,
    "Recall": recall,
    "Specificity": specificity,
    "FallOut": rest(specificity),
    "MissRate": rest(recall),
    "NPV": negative_predictive_value,
    "FDR": rest(precision),
    "FOR": rest(negative_predictive_value),
    "F": f_measure,
    "F1": f_measure,
    "Support": lambda c: c.tp + c.fn,
    "Prevalence": lambda c: over(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn),
    "E": one_less_f,
    "FRS": reliability_and_sensitivity,
    "Jaccard": jaccard,
    "Informedness": informedness,
    "Markedness": markedness,
    "LRPlus": positive_likelihood_ratio,
    "LRMinus": negative_likelihood_ratio,
    "DOR": diagnostic_odds_ratio,
    "P4": p4,
    "IBA": index_of_balanced_accuracy,
    "PrevalenceThreshold": prevalence_threshold,
}


# ---- counting


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


def averaged(
    value: Callable[[Cells], Maybe],
    items: tuple[Item, ...],
    average: str | None,
    classes: Sequence[Any] | str | None,
    positive: Any,
    undefined: Maybe,
) -> Maybe:
    """Values of classes or items as one number; `undefined` stands for those that have none."""

    def known(c: Cells) -> Maybe:
        found = value(c)
        return undefined if found is None else found

    if classes == "labels":
        classes = [c for c in classes_of(items) if any(c in i.has and i.weight for i in items)]
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
                own.add(c in i.has, c in i.got, Fraction(1))
            values.append((known(own), i.weight))
        return mean(values)
    every = [(cells_of(items, c), c) for c in looked_at]
    return mean((known(c), c.tp + c.fn if average == "weighted" else Fraction(1)) for c, _ in every)


# ---- measures of the whole table


def total(items: tuple[Item, ...]) -> Number:
    return sum((i.weight for i in items), Fraction(0))


def accuracy(items: tuple[Item, ...]) -> Maybe:
    return over(sum(i.weight for i in items if i.has == i.got), total(items))


def error_rate(items: tuple[Item, ...]) -> Maybe:
    return over(sum(i.weight for i in items if i.has != i.got), total(items))


def recalls(items: tuple[Item, ...]) -> list[Number]:
    """Of the classes that occur as labels."""
    found = (recall(cells_of(items, c)) for c in classes_of(items))
    return [r for r in found if r is not None]


def balanced_accuracy(items: tuple[Item, ...], *, adjusted: bool = False) -> Maybe:
    found = recalls(items)
    value = over(sum(found), len(found))
    if not adjusted or value is None:
        return value
    chance = Fraction(1, len(found))
    return over(value - chance, 1 - chance)


def geometric_mean(items: tuple[Item, ...], correction: float = 0.0) -> Maybe:
    found = [r or correction for r in recalls(items)]
    return math.prod(map(float, found)) ** (1 / len(found)) if found else None


def macro_f(items: tuple[Item, ...], beta: float = 1.0, undefined: Maybe = None) -> Maybe:
    p, r = (averaged(v, items, "macro", None, None, undefined) for v in (precision, recall))
    square = Fraction(beta) ** 2
    return both(p, r, lambda p, r: over((1 + square) * p * r, square * p + r))


def number_of_items(items: tuple[Item, ...]) -> Maybe:
    return total(items)


def number_of_classes(items: tuple[Item, ...]) -> Maybe:
    return Fraction(len(classes_of(items)))


def single(classes: frozenset[Any]) -> Any:
    """The class of a set of one; None of an empty one."""
    return next(iter(classes), None)


def matrix(items: tuple[Item, ...]) -> dict[tuple[Any, Any], Number]:
    out: dict[tuple[Any, Any], Number] = {}
    for i in items:
        if i.weight:
            cell = single(i.has), single(i.got)
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


def kappa(items: tuple[Item, ...], weights: str = "none") -> Maybe:
    order = {c: place for place, c in enumerate(classes_of(items))}
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
    wrong = sum(i.weight * len(i.has ^ i.got) for i in items)
    return over(wrong, total(items) * len(classes_of(items)))


def distances(items: tuple[Item, ...]) -> list[tuple[Any, Number, Number]]:
    """The label, the distance and the weight of every item with a label and a prediction."""
    return [(single(i.has), abs(single(i.has) - single(i.got)), i.weight) for i in items if i.has and i.got]


def absolute_error(items: tuple[Item, ...]) -> Maybe:
    return mean((Fraction(d), w) for _, d, w in distances(items))


def absolute_error_of_labels(items: tuple[Item, ...]) -> Maybe:
    each = [mean((Fraction(d), w) for c, d, w in distances(items) if c == label) for label in classes_of(items)]
    return mean((e, Fraction(1)) for e in each)


OF_ALL: dict[str, Callable[..., Maybe]] = {
    "Accuracy": accuracy,
    "ErrorRate": error_rate,
    "BalancedAccuracy": balanced_accuracy,
    "MCC": matthews,
    "Kappa": kappa,
    "GMean": geometric_mean,
    "MacroF": macro_f,
    "NumItems": number_of_items,
    "NumClasses": number_of_classes,
    "MI": mutual_information,
    "ChiSquare": chi_square,
    "SubsetAccuracy": accuracy,
    "HammingLoss": hamming_loss,
    "MAE": absolute_error,
    "MacroMAE": absolute_error_of_labels,
}


# ---- filters: measures of the positive class


def logistic_average(c: Cells, *, smoothed: bool = True) -> Maybe:
    """Of the two error rates, through their odds."""
    extra = Fraction(1, 2) if smoothed else Fraction(0)
    missed, wrong = over(c.fn + extra, c.tp + c.fn + 2 * extra), over(c.fp + extra, c.fp + c.tn + 2 * extra)
    if missed is None or wrong is None:
        return None
    if missed * wrong == 0 == (1 - missed) * (1 - wrong):
        return None
    if 0 in (missed, wrong) or 1 in (missed, wrong):
        return 0.0 if 0 in (missed, wrong) else 1.0
    middle = (math.log(missed / (1 - missed)) + math.log(wrong / (1 - wrong))) / 2
    return 1 / (1 + math.exp(-middle))


def utility(c: Cells, hit: float = 2.0, false_alarm: float = 1.0) -> Maybe:
    return Fraction(hit) * c.tp - Fraction(false_alarm) * c.fp


def scaled_utility(c: Cells, hit: float = 2.0, false_alarm: float = 1.0, floor: float = -0.5) -> Maybe:
    best = Fraction(hit) * (c.tp + c.fn)
    return (
        None
        if best == 0
        else (max(utility(c, hit, false_alarm) / best, Fraction(floor)) - Fraction(floor)) / (1 - Fraction(floor))
    )


def weighted_accuracy(c: Cells, weight: float = 1.0) -> Maybe:
    times = Fraction(weight)
    return over(times * c.tn + c.tp, times * (c.tn + c.fp) + c.tp + c.fn)


def total_cost_ratio(c: Cells, weight: float = 1.0) -> Maybe:
    return over(c.tp + c.fn, Fraction(weight) * c.fp + c.fn)


OF_THE_POSITIVE: dict[str, Callable[..., Maybe]] = {
    "Lam": logistic_average,
    "Utility": utility,
    "T11SU": scaled_utility,
    "WeightedAccuracy": weighted_accuracy,
    "TCR": total_cost_ratio,
}

ORACLES = OF_A_CLASS | OF_ALL | OF_THE_POSITIVE
# These are for items with one label each.
SINGLE = frozenset({"BalancedAccuracy", "MCC", "Kappa", "GMean", "MI", "ChiSquare", "MAE", "MacroMAE"})
# These subtract classes.
NUMBERS = frozenset({"MAE", "MacroMAE"})


def value(
    name: str,
    items: tuple[Item, ...],
    *,
    positive: Any = None,
    undefined: float | None = None,
    multi: bool = False,
    **given: Any,
) -> float | None:
    """A measure of some items; `undefined` is what it is where it has no meaning."""
    items = tuple(items)
    instead = None if undefined is None else Fraction(undefined)
    if name in OF_A_CLASS:
        average, classes = given.pop("average", None), given.pop("classes", None)
        found = averaged(lambda c: OF_A_CLASS[name](c, **given), items, average, classes, positive, instead)
    elif name in OF_THE_POSITIVE:
        found = OF_THE_POSITIVE[name](cells_of(items, positive), **given)
    elif name == "MacroF":
        found = macro_f(items, undefined=instead, **given)
    elif name == "HammingLoss":
        found = hamming_loss(items, multi=multi)
    else:
        found = OF_ALL[name](items, **given)
    found = instead if found is None else found
    return None if found is None else float(found)
