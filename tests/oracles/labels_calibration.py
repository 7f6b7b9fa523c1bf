"""Measures of probabilities as plain loops: log loss, Brier score, and calibration in bins.

Items are those of `labels_scores`, whose score is a probability; with probabilities of several classes those of
`class_probabilities`.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.oracles.class_probabilities import Scored
from tests.oracles.labels_scores import ROUNDING, Item, amount, both
from tests.oracles.labels_selective import MEASURES as SELECTIVE
from tests.oracles.labels_selective import Guess, of_classes, of_probability

Items = Sequence[Item]
# A bin's weight, the sum of the probabilities, the weight of the positives.
Bin = tuple[Fraction, Fraction, Fraction]


def total(items: Items) -> Fraction:
    return sum((i.weight for i in items), Fraction(0))


def log_loss(items: Items, eps: float = sys.float_info.epsilon) -> float | None:
    losses = []
    for i in items:
        probability = i.score if i.positive else 1 - i.score
        losses.append(-float(i.weight) * math.log(min(max(probability, eps), 1 - eps)))
    return math.fsum(losses) / float(total(items)) if total(items) else None


def brier(items: Items) -> Fraction | None:
    squares = sum((i.weight * (Fraction(i.score) - i.positive) ** 2 for i in items), Fraction(0))
    return squares / total(items) if total(items) else None


def share_left(loss: Callable[..., Fraction | float | None]) -> Callable[..., float | None]:
    """One less the loss over that of the share of the positives, given to every item."""

    def of(items: Items, **parameters: float) -> float | None:
        p, n = both(items)
        if not p * n:
            return None
        base = [i._replace(score=float(p / (p + n))) for i in items]
        return 1 - float(loss(items, **parameters)) / float(loss(base, **parameters))

    return of


def bins_of_width(items: Items, bins: int, closed: str) -> list[Bin]:
    """Bins between i/bins and (i+1)/bins; the outer ones hold 0 and 1."""
    out = []
    for i in range(bins):
        low, high = i / bins, (i + 1) / bins
        inside = [
            j
            for j in items
            if (low <= j.score < high if closed == "left" else low < j.score <= high)
            or (closed == "left" and j.score == 1 and i == bins - 1)
            or (closed == "right" and j.score == 0 and i == 0)
        ]
        out.append(summed(inside))
    return out


def bins_of_mass(items: Items, bins: int) -> list[Bin]:
    """Equal probabilities stay together, in the bin in which the middle one of them would be."""
    inside: dict[int, list[Item]] = {}
    for score in sorted({i.score for i in items}):
        here = [i for i in items if i.score == score]
        below = total([i for i in items if i.score < score])
        if total(here):
            place = (below + total(here) / 2) / total(items) * bins
            inside.setdefault(min(bins - 1, math.floor(place + Fraction(ROUNDING))), []).extend(here)
    return [summed(part) for part in inside.values()]


def summed(items: Items) -> Bin:
    return total(items), sum((i.weight * Fraction(i.score) for i in items), Fraction(0)), amount(items, positive=True)


def binned(items: Items, bins: int, kind: str, closed: str) -> list[Bin]:
    binning = bins_of_mass(items, bins) if kind == "mass" else bins_of_width(items, bins, closed)
    return [b for b in binning if b[0]]


def expected_calibration_error(items: Items, bins: int = 15, kind: str = "width", closed: str = "left") -> float | None:
    gaps = [abs(sure - right) for _, sure, right in binned(items, bins, kind, closed)]
    return float(sum(gaps) / total(items)) if total(items) else None


def maximum_calibration_error(items: Items, bins: int = 15, kind: str = "width", closed: str = "left") -> float | None:
    return max((float(abs(sure - right) / n) for n, sure, right in binned(items, bins, kind, closed)), default=None)


def root_mean_squared_calibration_error(
    items: Items, bins: int = 15, kind: str = "width", closed: str = "left"
) -> float | None:
    squares = [(sure - right) ** 2 / n for n, sure, right in binned(items, bins, kind, closed)]
    return math.sqrt(sum(squares) / total(items)) if total(items) else None


def hosmer_lemeshow(items: Items, bins: int = 10, kind: str = "mass", closed: str = "left") -> float | None:
    out = 0.0
    for n, sure, right in binned(items, bins, kind, closed):
        spread = sure * (n - sure) / n
        if spread:
            out += float((right - sure) ** 2 / spread)
        elif right != sure:
            return math.inf
    return out if total(items) else None


def selective(
    read: Callable[..., list[Guess]], name: str, items: Items, **parameters: object
) -> Fraction | float | None:
    """A measure of selective classification."""
    parameters.pop("score", None)
    return SELECTIVE[name](read(items), **parameters)


ORACLES: dict[str, Callable[..., Fraction | float | None]] = {
    "LogLoss": log_loss,
    "Brier": brier,
    "D2LogLoss": share_left(log_loss),
    "D2Brier": share_left(brier),
    "ECE": expected_calibration_error,
    "MCE": maximum_calibration_error,
    "RMSCE": root_mean_squared_calibration_error,
    "HosmerLemeshow": hosmer_lemeshow,
    **{name: functools.partial(selective, of_probability, name) for name in SELECTIVE},
}


def value(name: str, items: Items, **parameters: object) -> float | None:
    """A measure of some items."""
    result = ORACLES[name](items, **parameters)
    return None if result is None else float(result)


# ---- several classes


def known(items: Sequence[Scored]) -> list[Scored]:
    """The items whose label has a probability."""
    return [i for i in items if any(c in i[1] for c in i[0])]


def log_loss_of_classes(items: Sequence[Scored], eps: float = sys.float_info.epsilon) -> float | None:
    terms = [(-w * math.log(min(max(chances[next(iter(gold))], eps), 1 - eps)), w) for gold, chances, w in known(items)]
    return math.fsum(t for t, _ in terms) / math.fsum(w for _, w in terms) if terms else None


def brier_of_classes(items: Sequence[Scored]) -> float | None:
    squares, weights = [], []
    for gold, chances, w in known(items):
        each = math.fsum((p - (c in gold)) ** 2 for c, p in chances.items())
        squares.append(w * each / (2 if len(chances) == 2 else 1))
        weights.append(w)
    return math.fsum(squares) / math.fsum(weights) if weights else None


def share_left_of_classes(loss: Callable[..., float | None]) -> Callable[..., float | None]:
    def of(items: Sequence[Scored]) -> float | None:
        rows = known(items)
        if len({gold for gold, *_ in rows}) < 2:
            return None
        weight = math.fsum(w for *_, w in rows)
        shares = {c: math.fsum(w for gold, _, w in rows if c in gold) / weight for c in rows[0][1]}
        return 1 - loss(rows) / loss([(gold, shares, w) for gold, _, w in rows])

    return of


def as_one(items: Sequence[Scored]) -> list[Item]:
    """Each item as one whose score is its highest probability; of equal ones every class is one in part."""
    out = []
    for gold, chances, w in known(items):
        best = max(chances.values())
        top = [c for c, p in chances.items() if p == best]
        out += [Item(c in gold, best, Fraction(w) / len(top)) for c in top]
    return out


OF_CLASSES: dict[str, Callable[..., float | None]] = {
    "LogLoss": log_loss_of_classes,
    "Brier": brier_of_classes,
    "D2LogLoss": share_left_of_classes(log_loss_of_classes),
    "D2Brier": share_left_of_classes(brier_of_classes),
    "ECE": lambda items, **parameters: expected_calibration_error(as_one(items), **parameters),
    "MCE": lambda items, **parameters: maximum_calibration_error(as_one(items), **parameters),
    "RMSCE": lambda items, **parameters: root_mean_squared_calibration_error(as_one(items), **parameters),
    "HosmerLemeshow": lambda items, **parameters: hosmer_lemeshow(as_one(items), **parameters),
    **{name: functools.partial(selective, of_classes, name) for name in SELECTIVE},
}
