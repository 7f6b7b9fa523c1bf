"""Measures of one class, from the decisions for and against it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.oracles.labels_items import Cells, Maybe, Number, both, over, root


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
        result = value(c)
        return None if result is None else 1 - result

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


def one_less_f(c: Cells, **parameters: Any) -> Maybe:
    result = f_measure(c, **parameters)
    return None if result is None else 1 - result


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


def defined(value: Callable[..., Maybe], parts: Callable[..., list[Maybe]]) -> Callable[..., Maybe]:
    """The value where all its parts are defined."""

    def of(c: Cells, **parameters: Any) -> Maybe:
        return None if None in parts(c, **parameters) else value(c, **parameters)

    return of


def parts_of_f(c: Cells, beta: float = 1.0, alpha: float | None = None) -> list[Maybe]:
    weight = Fraction(alpha) if alpha is not None else 1 / (1 + Fraction(beta) ** 2)
    return [precision(c)] * (weight > 0) + [recall(c)] * (weight < 1)


def four_rates(c: Cells) -> list[Maybe]:
    return [precision(c), recall(c), specificity(c), negative_predictive_value(c)]


def parts_of_frs(c: Cells, alpha: float = 0.5) -> list[Maybe]:
    p, r, s, n = four_rates(c)
    return [p, n] * (alpha > 0) + [r, s] * (alpha < 1)


# Where what rests on an undefined ratio is undefined, those that otherwise have a value without one of their parts.
PROPAGATED = OF_A_CLASS | {
    "F": defined(f_measure, parts_of_f),
    "F1": defined(f_measure, parts_of_f),
    "E": defined(one_less_f, parts_of_f),
    "P4": defined(p4, four_rates),
    "FRS": defined(reliability_and_sensitivity, parts_of_frs),
}


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
